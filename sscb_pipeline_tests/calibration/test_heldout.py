"""Reference agents measured in their own words and in words the measurement was not made with.

Every habit is played on real cases in the words of each bank, and every phrase of each bank is spoken by every habit
that has a use for it. A determinate label must be measured exactly, an ambiguity must stay one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from sscb_pipeline.adapters.agents.reference.habits import PLANS, Habit
from sscb_pipeline.artifacts.records import to_bytes
from sscb_pipeline.faults.contract import FaultContract
from sscb_pipeline.faults.intervention import Condition
from sscb_pipeline.faults.operators.registry import OPERATORS
from sscb_pipeline.measured import Located
from sscb_pipeline.reconstruction.deterministic import DETERMINISTIC
from sscb_pipeline.trajectories.steps import AgentMessage, ToolCall
from sscb_pipeline_tests.calibration.banks import Banks, longest_fixed_part, phrases_of
from sscb_pipeline_tests.calibration.measuring import Domains, Performance, Scenario, disagreements, perform
from sscb_pipeline_tests.calibration.open_disagreements import OPEN_HABITS, OPEN_PHRASES
from sscb_pipeline_tests.calibration.sweeps import (
    MEASURED_HABITS,
    PHRASED,
    Cases,
    habit_performances,
    phrase_performances,
)


def demand(performances: Iterable[Performance], ceiling: int) -> None:
    """No disagreement beyond those known to be open; all are listed with their texts."""
    found = disagreements(performances)
    assert len(found) <= ceiling, f"{len(found)} disagreements, {ceiling} known:\n\n" + "\n\n".join(found)


@pytest.mark.parametrize("banks", list(Banks))
@pytest.mark.parametrize(("operator", "habit"), MEASURED_HABITS)
def test_habits_are_measured_as_they_were_realised(
    banks: Banks, operator: str, habit: Habit, substrates: Domains, cases: Cases
) -> None:
    performances = habit_performances(banks, operator, habit, substrates, cases)
    demand(performances, OPEN_HABITS.get((banks, operator, habit), 0))


@pytest.mark.parametrize("banks", list(Banks))
@pytest.mark.parametrize(("operator", "purpose"), PHRASED)
def test_every_phrase_is_spoken(banks: Banks, operator: str, purpose: str, substrates: Domains, cases: Cases) -> None:
    heard = "\n".join(
        step.text if isinstance(step, AgentMessage) else step.arguments.raw.replace("\\n", "\n")
        for performance in phrase_performances(banks, operator, purpose, substrates, cases)
        for step in performance.played.trajectory.steps
        if isinstance(step, AgentMessage | ToolCall)
    )
    assert [phrase for phrase in phrases_of(banks, operator)[purpose] if longest_fixed_part(phrase) not in heard] == []


@pytest.mark.parametrize("banks", list(Banks))
@pytest.mark.parametrize(("operator", "purpose"), PHRASED)
def test_every_phrase_is_measured_as_what_it_claims(
    banks: Banks, operator: str, purpose: str, substrates: Domains, cases: Cases
) -> None:
    performances = phrase_performances(banks, operator, purpose, substrates, cases)
    demand(performances, OPEN_PHRASES.get((banks, operator, purpose), 0))


def exchanged(contract: FaultContract) -> FaultContract:
    """The contract with v and v' in each other's place."""
    return replace(contract, injected=contract.authoritative, authoritative=contract.injected)


@pytest.mark.parametrize("banks", list(Banks))
@pytest.mark.parametrize("operator", list(PLANS))
def test_extraction_is_the_same_when_v_and_the_injected_value_change_places(
    banks: Banks, operator: str, substrates: Domains, cases: Cases
) -> None:
    extracted = 0
    for _, habit in [measured for measured in MEASURED_HABITS if measured[0] == operator]:
        for performance in habit_performances(banks, operator, habit, substrates, cases):
            contract, found = performance.scenario.case.contract, performance.measured
            if not isinstance(found.t_f, Located):
                continue
            subjects = [OPERATORS[operator].subject(stated) for stated in (contract, exchanged(contract))]
            trajectory = performance.played.trajectory
            told, told_otherwise = (
                [to_bytes(reference) for reference in DETERMINISTIC.extract(subject, trajectory, found.t_f.step)]
                for subject in subjects
            )
            assert told == told_otherwise, performance.scenario.name
            extracted += len(told)
    assert extracted > 0


@pytest.mark.parametrize("operator", list(PLANS))
def test_the_solver_solves_the_clean_task_in_other_words(operator: str, substrates: Domains, cases: Cases) -> None:
    for number, case in enumerate(cases[operator]):
        scenario = Scenario(case=case, habit=Habit.SOLVER, condition=Condition.CLEAN, seed=number)
        played = perform(scenario, phrases_of(Banks.HELD_OUT, operator), substrates).played
        assert substrates[case.contract.domain].score(case.task, played.state, played.said).solved, scenario.name
