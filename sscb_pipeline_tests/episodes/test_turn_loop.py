"""Order of steps, the cap, and every ending of one execution."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from sscb_pipeline.episodes.execution import EndingKind, StopReason
from sscb_pipeline.episodes.interception import Interception, text_sha256
from sscb_pipeline.episodes.participants import Agent, AgentStops, AgentTurn, Speak, User, UserSignal
from sscb_pipeline.episodes.turn_loop import Limits, Played, play
from sscb_pipeline.faults.intervention import Condition, Role
from sscb_pipeline.faults.operator import Intervention, Untouched
from sscb_pipeline.trajectories.arguments import UnparsableArguments
from sscb_pipeline.trajectories.steps import (
    AgentMessage,
    Complete,
    CutShort,
    Step,
    SystemText,
    ToolCall,
    ToolDefinition,
    ToolObservation,
    UserMessage,
)
from sscb_pipeline_tests.episodes.library import (
    FailingUser,
    Library,
    ReadingAgent,
    ScriptedAgent,
    ScriptedUser,
    Shelf,
    Wrong,
    asks,
    call,
    say,
    stops,
)

READ = ("get_book", '{"book_id": "B1"}')


def run(
    agent: Agent,
    user: User,
    *,
    limits: Limits | None = None,
    state: Shelf | None = None,
    intervention: Intervention | None = None,
) -> Played:
    library = Library()
    return asyncio.run(
        play(
            substrate=library,
            state=state or library.fresh(),
            interception=Interception(
                intervention=intervention or Untouched(), contract_id="C", condition=Condition.BASELINE
            ),
            agent=agent,
            user=user,
            tools=library.tools(),
            limits=limits or Limits(step_cap=30),
        )
    )


def kinds(played: Played) -> list[str]:
    return [type(step).__name__ for step in played.trajectory.steps]


def test_opening_is_system_text_greeting_and_the_users_first_words() -> None:
    played = run(ScriptedAgent(), ScriptedUser(asks()))
    assert kinds(played) == ["SystemText", "AgentMessage", "UserMessage"]
    first, greeting, user = played.trajectory.steps
    assert isinstance(first, SystemText) and first.text == "You are the librarian."
    assert isinstance(greeting, AgentMessage) and greeting.text == "Hi! How can I help you today?"
    assert isinstance(user, UserMessage) and user.text == "When is B1 due?"
    assert played.ending.reason is StopReason.AGENT_STOP
    assert played.said == ()


def test_a_turn_is_text_then_calls_then_observations_and_every_parallel_call_runs() -> None:
    state = Library().fresh()
    turn = call(READ, ("renew", '{"book_id": "B1", "due": "2024-06-01"}'), READ, text="Let me look.")
    played = run(ScriptedAgent(turn), ScriptedUser(asks()), state=state)
    assert kinds(played)[3:] == ["AgentMessage"] + ["ToolCall"] * 3 + ["ToolObservation"] * 3
    assert state.calls == ["get_book", "renew", "get_book"]
    observations = [step for step in played.trajectory.steps if isinstance(step, ToolObservation)]
    assert [played.trajectory.call_of(step).index for step in observations] == [4, 5, 6]  # type: ignore[union-attr]
    assert "2024-06-01" in observations[2].content
    turns = {step.turn for step in played.trajectory.steps[3:7] if isinstance(step, AgentMessage | ToolCall)}
    assert turns == {1}
    assert [step.index for step in played.trajectory.steps] == list(range(10))


@pytest.mark.parametrize("raw", ['{"book_id": "B', "[]", '{"book_id": NaN}', '{}"', ""])
def test_unparsable_arguments_are_kept_the_tool_does_not_run_and_the_agent_is_told(raw: str) -> None:
    state = Library().fresh()
    played = run(ScriptedAgent(call(("get_book", raw))), ScriptedUser(asks()), state=state)
    made, shown = played.trajectory.steps[3], played.trajectory.steps[4]
    assert isinstance(made, ToolCall) and made.arguments.raw == raw
    assert isinstance(made.arguments.reading, UnparsableArguments)
    assert isinstance(shown, ToolObservation) and shown.content.startswith("Error: the arguments are not a JSON object")
    assert state.calls == []


def test_an_unknown_tool_gets_the_environments_own_error() -> None:
    played = run(ScriptedAgent(call(("get_flight_weather", "{}"))), ScriptedUser(asks()))
    shown = played.trajectory.steps[4]
    assert isinstance(shown, ToolObservation) and shown.content == "Unknown tool get_flight_weather"
    assert played.ending.kind is EndingKind.COMPLETED


def test_the_turn_that_reaches_the_cap_is_carried_out_and_no_further_one_is_asked_for() -> None:
    state = Library().fresh()
    played = run(ScriptedAgent(call(READ), call(READ)), ScriptedUser(asks()), limits=Limits(step_cap=1), state=state)
    assert kinds(played) == ["SystemText", "AgentMessage", "UserMessage", "ToolCall", "ToolObservation"]
    assert played.ending.reason is StopReason.STEP_CAP
    assert isinstance(played.trajectory.extent, Complete)
    assert len(state.calls) == 1


def test_a_turn_with_parallel_calls_counts_one() -> None:
    played = run(ScriptedAgent(call(READ, READ, text="Both.")), ScriptedUser(asks()), limits=Limits(step_cap=1))
    assert kinds(played)[2:] == [
        "UserMessage",
        "AgentMessage",
        "ToolCall",
        "ToolCall",
        "ToolObservation",
        "ToolObservation",
    ]
    assert played.said == ("Both.",)


def test_an_end_in_the_turn_of_the_cap_is_the_natural_end() -> None:
    played = run(ScriptedAgent(say("Bye.")), ScriptedUser(asks(), stops()), limits=Limits(step_cap=1))
    assert played.ending.reason is StopReason.USER_STOP
    played = run(ScriptedAgent(say("Bye."), say("Bye.")), ScriptedUser(asks(), asks()), limits=Limits(step_cap=1))
    assert played.ending.reason is StopReason.STEP_CAP


def test_empty_turns_are_tried_again_and_then_end_the_execution() -> None:
    empty = Speak(text="", calls=())
    played = run(ScriptedAgent(empty, empty, say("Sorry.")), ScriptedUser(asks(), stops()))
    assert played.ending.reason is StopReason.USER_STOP
    assert [(attempt.step, attempt.participant) for attempt in played.attempts] == [(3, "agent"), (3, "agent")]
    played = run(ScriptedAgent(empty, empty, empty, say("Late.")), ScriptedUser(asks(), stops()))
    assert played.ending.reason is StopReason.EMPTY_RESPONSE
    assert kinds(played) == ["SystemText", "AgentMessage", "UserMessage"]
    assert isinstance(played.trajectory.extent, Complete)


@pytest.mark.parametrize(
    ("signal", "reason"),
    [
        (UserSignal.STOP, StopReason.USER_STOP),
        (UserSignal.TRANSFER, StopReason.TRANSFER),
        (UserSignal.OUT_OF_SCOPE, StopReason.OUT_OF_SCOPE),
    ],
)
@pytest.mark.parametrize("text", ["", "Thanks."])
def test_user_signals_end_the_execution_after_what_was_said(signal: UserSignal, reason: StopReason, text: str) -> None:
    played = run(ScriptedAgent(say("Done.")), ScriptedUser(asks(), stops(text, signal)))
    assert played.ending.reason is reason
    last = played.trajectory.steps[-1]
    assert isinstance(last, UserMessage) == bool(text)


def test_a_user_who_neither_speaks_nor_signals_is_a_failed_simulator() -> None:
    played = run(ScriptedAgent(say("Done.")), ScriptedUser(asks(), asks(""), asks(""), asks("")))
    assert played.ending.reason is StopReason.USER_SIMULATOR_FAILURE
    assert [attempt.participant for attempt in played.attempts] == ["user"] * 3


def test_an_outage_is_tried_again_and_leaves_no_trace_in_the_history() -> None:
    state = Library().fresh()
    state.failures = 2
    played = run(ReadingAgent(), ScriptedUser(asks(), stops()), state=state)
    assert played.ending.reason is StopReason.USER_STOP
    assert [attempt.participant for attempt in played.attempts] == ["environment", "environment"]
    assert kinds(played).count("ToolObservation") == 1


def test_a_lasting_outage_makes_the_execution_missing_with_its_cause() -> None:
    state = Library().fresh()
    state.failures = 9
    played = run(ReadingAgent(), ScriptedUser(asks(), stops()), state=state)
    assert (played.ending.kind, played.ending.reason) == (EndingKind.MISSING, StopReason.ENVIRONMENT_FAILURE)
    assert "no connection" in played.ending.detail
    assert isinstance(played.trajectory.extent, CutShort)
    assert state.failures == 6


def test_a_failed_user_simulator_makes_the_execution_missing() -> None:
    played = run(ScriptedAgent(), FailingUser())
    assert (played.ending.kind, played.ending.reason) == (EndingKind.MISSING, StopReason.USER_SIMULATOR_FAILURE)


class SlowAgent:
    """Does not answer in time."""

    async def turn(self, history: Sequence[Step], tools: Sequence[ToolDefinition]) -> AgentTurn:
        await asyncio.sleep(30)
        return AgentStops(reason="too late")


def test_a_deadline_truncates() -> None:
    played = run(SlowAgent(), ScriptedUser(asks()), limits=Limits(step_cap=9, deadline_seconds=0.01))
    assert (played.ending.kind, played.ending.reason) == (EndingKind.TRUNCATED, StopReason.DEADLINE)
    assert played.trajectory.extent == CutShort(reason="deadline")


class TimingOutAgent:
    """Breaks its port with an exception of its own."""

    async def turn(self, history: Sequence[Step], tools: Sequence[ToolDefinition]) -> AgentTurn:
        raise TimeoutError("mine, not the deadline's")


def test_an_agents_own_timeout_is_no_deadline() -> None:
    with pytest.raises(TimeoutError, match="mine"):
        run(TimingOutAgent(), ScriptedUser(asks()))


def test_the_record_proves_what_was_delivered_and_the_trajectory_shows_only_that() -> None:
    played = run(ReadingAgent(), ScriptedUser(asks(), stops()), intervention=Wrong())
    (rewrite,) = played.record.rewrites
    shown = played.trajectory.steps[rewrite.step]
    assert isinstance(shown, ToolObservation)
    assert rewrite.delivered_sha256 == text_sha256(shown.content)
    assert rewrite.native_sha256 == text_sha256('{"book_id": "B1", "due": "2024-05-20"}')
    assert (rewrite.step, rewrite.call_id, rewrite.tool, rewrite.role) == (4, "c0", "get_book", Role.FAULT)
    assert "2024-05-20" not in repr(played.trajectory)
    assert played.said == ("It is due on 2024-05-01.",)


def test_an_untouched_run_records_no_rewrite() -> None:
    played = run(ReadingAgent(), ScriptedUser(asks(), stops()))
    assert played.record.rewrites == ()
