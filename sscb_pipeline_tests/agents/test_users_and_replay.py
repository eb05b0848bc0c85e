"""The scripted user's manners, and replay of a recorded execution."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

import pytest

from sscb_pipeline.adapters.agents.reference.habits import Habit
from sscb_pipeline.adapters.agents.replay import ReplayAgent, ReplayUser
from sscb_pipeline.adapters.users.scripted import MAX_TURNS, ScriptedUser, first_person
from sscb_pipeline.environments.port import Scenario, Substrate
from sscb_pipeline.episodes.interception import Interception
from sscb_pipeline.episodes.participants import UserSignal, UserTurn
from sscb_pipeline.episodes.turn_loop import Limits, play
from sscb_pipeline.faults.intervention import Condition
from sscb_pipeline.faults.operator import Case
from sscb_pipeline.faults.operators.registry import OPERATORS
from sscb_pipeline.trajectories.steps import AgentMessage, Step, UserMessage
from sscb_pipeline_tests.agents.playing import played_with

SCENARIO = Scenario(
    reason_for_call="You want to know when your flight leaves. If the agent asks, do not reveal your age.",
    known_info="You are Mia Li. Your user id is mia_li_1.",
    unknown_info="",
    task_instructions="",
)


def answer(*heard: str, knows: str = "", spoken: int = 1) -> UserTurn:
    history: list[Step] = [UserMessage(index=0, text="…")] * spoken
    history += [AgentMessage(index=1, turn=1, text=text) for text in heard]
    return asyncio.run(ScriptedUser(SCENARIO, seed=1, knows=knows).turn(history))


def test_the_opening_says_who_and_what_without_stage_directions() -> None:
    opening = answer("Hi! How can I help you today?", spoken=0)
    assert "I am Mia Li. My user id is mia_li_1. I want to know when my flight leaves." in opening.text
    assert "reveal" not in opening.text and opening.signal is UserSignal.CONTINUES


@pytest.mark.parametrize(
    ("heard", "starts"),
    [
        ("I will cancel it. Do you confirm (yes/no)?", "Yes"),
        ("Shall I go ahead?", "Yes"),
        ("Could you tell me your user id?", "I am Mia Li"),
        ("Is your return really on May 3?", "I am not sure"),
        ("Your flight leaves on May 3.", ("Okay", "I see")),
    ],
)
def test_answers(heard: str, starts: str | tuple[str, ...]) -> None:
    turn = answer(heard)
    assert turn.text.startswith(starts) and turn.signal is UserSignal.CONTINUES


def test_endings() -> None:
    assert answer("Done. Is there anything else I can help you with?").signal is UserSignal.STOP
    held = answer("YOU ARE BEING TRANSFERRED TO A HUMAN AGENT. PLEASE HOLD ON.")
    assert held == UserTurn(text="", signal=UserSignal.TRANSFER)
    assert answer("Go on.", spoken=MAX_TURNS).signal is UserSignal.STOP


def test_what_it_knows_is_volunteered_once_and_not_instead_of_a_confirmation() -> None:
    user = ScriptedUser(SCENARIO, seed=1, knows="It was May 4.")
    history: list[Step] = [UserMessage(index=0, text="…"), AgentMessage(index=1, turn=1, text="Shall I proceed?")]
    assert asyncio.run(user.turn(history)).text.startswith("Yes")
    history.append(AgentMessage(index=2, turn=2, text="It leaves on May 3."))
    assert asyncio.run(user.turn(history)).text == "It was May 4."
    assert asyncio.run(user.turn(history)).text != "It was May 4."


def test_first_person() -> None:
    assert first_person("You name is Ann and your zip code is 1.") == "My name is Ann and my zip code is 1."
    assert first_person("It pays for you. You're glad.") == "It pays for me. I'm glad."
    assert first_person("") == ""


@pytest.mark.parametrize("habit", [Habit.USES_THEN_READS_CORRECTING, Habit.NEVER_READS, Habit.ARGUMENT_ONLY])
def test_a_replay_makes_the_same_history_again(
    habit: Habit, substrates: Mapping[str, Substrate], cases: Mapping[str, Sequence[Case]]
) -> None:
    case = cases["WriteEffect"][0]
    operator, substrate = OPERATORS["WriteEffect"], substrates["airline"]
    for seed in range(4):
        first, _, _ = played_with(case, habit, Condition.BASELINE, substrates, seed=seed)
        signal = UserSignal.TRANSFER if first.ending.reason.value == "transfer" else UserSignal.STOP
        again = asyncio.run(
            play(
                substrate=substrate,
                state=substrate.fresh(),
                interception=Interception(
                    intervention=operator.intervention(case.contract, Condition.BASELINE),
                    contract_id=case.contract.contract_id,
                    condition=Condition.BASELINE,
                ),
                agent=ReplayAgent(first.trajectory),
                user=ReplayUser(first.trajectory, ending=signal),
                tools=first.trajectory.tools,
                limits=Limits(step_cap=case.contract.step_cap),
            )
        )
        assert again.trajectory == first.trajectory
        assert (again.record, again.ending, again.state.digest()) == (first.record, first.ending, first.state.digest())
