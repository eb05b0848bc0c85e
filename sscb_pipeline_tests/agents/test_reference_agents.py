"""Every habit of every operator on the real environments: it plays, and its labels are true by other means."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

import pytest

from sscb_pipeline.adapters.agents.reference.agent import reference_agent
from sscb_pipeline.adapters.agents.reference.assignment import assignment_of
from sscb_pipeline.adapters.agents.reference.habits import PLANS, Habit
from sscb_pipeline.adapters.agents.reference.labels import RealisedLabels, line
from sscb_pipeline.environments.port import Substrate, TaskOrigin
from sscb_pipeline.episodes.execution import EndingKind, StopReason
from sscb_pipeline.faults.intervention import Condition, Role
from sscb_pipeline.faults.operator import Case, EvidenceArrived
from sscb_pipeline.faults.operators.registry import OPERATORS
from sscb_pipeline.measured import Located, Never, Time, Undeterminable
from sscb_pipeline.trajectories.steps import AgentMessage, ToolCall, UserMessage
from sscb_pipeline_tests.agents.playing import played_with

Domains = Mapping[str, Substrate]
Cases = Mapping[str, Sequence[Case]]

PLAYABLE = [(operator, habit) for operator, plans in PLANS.items() for habit in plans]
CONDITIONS: Mapping[str, tuple[Condition, ...]] = {
    "ReturnDate": (Condition.BASELINE,),
    "PaySource": (Condition.BASELINE,),
    "ItemOption": (Condition.BASELINE, Condition.CONSISTENT_SOURCE),
    "WriteEffect": (Condition.BASELINE, Condition.NO_READBACK_HINT, Condition.CONSISTENT_SOURCE),
}


def evidence_time(case: Case, played: object) -> Time:
    evidence = OPERATORS[case.contract.operator].evidence(case.contract, played)  # type: ignore[arg-type]
    if isinstance(evidence, EvidenceArrived):
        return Located(step=max(part.step for part in evidence.steps))
    return evidence


@pytest.mark.parametrize(("operator", "habit"), PLAYABLE)
def test_fault_and_evidence_labels_agree_with_the_record_and_the_relation(
    operator: str, habit: Habit, substrates: Domains, cases: Cases
) -> None:
    for number, case in enumerate(cases[operator]):
        for condition in CONDITIONS[operator]:
            played, labels, _ = played_with(case, habit, condition, substrates, seed=number)
            assert played.ending.kind is EndingKind.COMPLETED
            assert played.ending.reason is not StopReason.STEP_CAP
            faults = [rewrite.step for rewrite in played.record.rewrites if rewrite.role is Role.FAULT]
            assert labels.t_f == (Located(step=faults[0]) if faults else Never())
            if faults:
                assert labels.t_e == evidence_time(case, played.trajectory)


@pytest.mark.parametrize(("operator", "habit"), PLAYABLE)
def test_labels_keep_the_order_of_events(operator: str, habit: Habit, substrates: Domains, cases: Cases) -> None:
    for condition in CONDITIONS[operator]:
        _, labels, _ = played_with(cases[operator][0], habit, condition, substrates)
        if isinstance(labels.t_s, Located):
            assert isinstance(labels.t_f, Located) and labels.t_f.step < labels.t_s.step
            if isinstance(labels.t_u, Located):
                assert labels.t_s.step <= labels.t_u.step
        if isinstance(labels.t_u, Located):
            assert labels.adoption is True
        if labels.adoption is False:
            assert labels.t_u == Never() and line(labels.final_stance) == "not_adopted"


def short(labels: RealisedLabels) -> tuple[str, str, str]:
    """Stratum, adoption and final stance without reasons."""
    shown = (labels.stratum, labels.adoption, labels.final_stance)
    stratum, adoption, stance = ("undeterminable" if isinstance(x, Undeterminable) else line(x) for x in shown)
    return stratum, adoption, stance


TOGETHER = {
    Habit.READS_THEN_USES_BELIEVING: ("before", "true", "endorses"),
    Habit.READS_THEN_USES_CORRECTING: ("before", "false", "not_adopted"),
    Habit.USES_THEN_READS_CORRECTING: ("before", "true", "does_not_endorse"),
    Habit.VERIFIES_ONLY: ("before", "false", "not_adopted"),
    Habit.HEDGES_THEN_ACTS: ("before", "true", "endorses"),
    Habit.DERIVED_ONLY: ("before", "true", "endorses"),
    Habit.NEVER_USES: ("no_use", "false", "not_adopted"),
    Habit.ACTS_WITHOUT_READING: ("undeterminable",) * 3,
    Habit.USER_STATES_TRUTH: ("before", "true", "endorses"),
}
APART = {
    Habit.READS_THEN_USES_BELIEVING: ("before", "true", "endorses"),
    Habit.READS_THEN_USES_CORRECTING: ("before", "false", "not_adopted"),
    Habit.USES_THEN_READS_BELIEVING: ("after", "true", "endorses"),
    Habit.USES_THEN_READS_CORRECTING: ("after", "true", "does_not_endorse"),
    Habit.NEVER_READS: ("absent", "true", "endorses"),
    Habit.ASKS_ONLY: ("absent", "false", "not_adopted"),
    Habit.VERIFIES_ONLY: ("after", "false", "not_adopted"),
    Habit.HEDGES_READS_THEN_ACTS: ("after", "true", "endorses"),
    Habit.ARGUMENT_ONLY: ("absent", "true", "endorses"),
    Habit.NEVER_USES: ("no_use", "false", "not_adopted"),
}
REALISED = {
    "ReturnDate": {
        **TOGETHER,
        Habit.AMBIGUOUS: ("undeterminable",) * 3,
        Habit.HEDGES_THEN_ACTS: ("before", "true", "undeterminable"),
        Habit.ARGUMENT_ONLY: ("before", "true", "undeterminable"),
    },
    "PaySource": TOGETHER,
    "ItemOption": {
        **APART,
        Habit.RECORD_BEFORE_BINDING: ("before", "true", "endorses"),
        Habit.BINDING_BEFORE_RECORD: ("before", "true", "endorses"),
    },
    "WriteEffect": {
        **APART,
        Habit.AMBIGUOUS: ("undeterminable",) * 3,
        Habit.AMBIGUOUS_THEN_ERROR: ("undeterminable", "true", "endorses"),
        Habit.REPEATED_WRITE: ("absent", "true", "endorses"),
        Habit.FOREIGN_WRITE_BETWEEN: ("absent", "true", "endorses"),
        Habit.FOREIGN_READ_BETWEEN: ("before", "true", "endorses"),
    },
}


@pytest.mark.parametrize(
    ("operator", "habit", "expected"),
    [(operator, habit, labels) for operator, table in REALISED.items() for habit, labels in table.items()],
)
def test_a_habit_realises_the_history_it_is_named_after(
    operator: str, habit: Habit, expected: tuple[str, str, str], substrates: Domains, cases: Cases
) -> None:
    for number, case in enumerate(cases[operator]):
        _, labels, _ = played_with(case, habit, Condition.BASELINE, substrates, seed=number)
        assert short(labels) == expected


@pytest.mark.parametrize("operator", ["ItemOption", "WriteEffect"])
def test_hedge_then_evidence_then_act_puts_evidence_between_first_use_and_first_error(
    operator: str, substrates: Domains, cases: Cases
) -> None:
    for case in cases[operator]:
        _, labels, _ = played_with(case, Habit.HEDGES_READS_THEN_ACTS, Condition.BASELINE, substrates)
        assert isinstance(labels.t_s, Located) and isinstance(labels.t_e, Located) and isinstance(labels.t_u, Located)
        assert labels.t_s.step < labels.t_e.step < labels.t_u.step


@pytest.mark.parametrize("operator", list(PLANS))
def test_the_solver_solves_the_clean_task(operator: str, substrates: Domains, cases: Cases) -> None:
    for number, case in enumerate(cases[operator]):
        played, labels, _ = played_with(case, Habit.SOLVER, Condition.CLEAN, substrates, seed=number)
        score = substrates[case.contract.domain].score(case.task, played.state, played.said)
        assert score.solved, case.candidate.candidate_id
        assert labels.t_f == Never()
        assert played.record.rewrites == ()


@pytest.mark.parametrize("operator", list(PLANS))
def test_the_forgetful_habit_fails_the_clean_task(operator: str, substrates: Domains, cases: Cases) -> None:
    outcomes = []
    for case in cases[operator]:
        played, _, _ = played_with(case, Habit.FORGETS, Condition.CLEAN, substrates)
        outcomes.append(substrates[case.contract.domain].score(case.task, played.state, played.said).solved)
    assert not any(outcomes)


@pytest.mark.parametrize(("operator", "habit"), PLAYABLE)
def test_the_same_key_gives_the_same_bytes_and_wording_varies_with_the_seed(
    operator: str, habit: Habit, substrates: Domains, cases: Cases
) -> None:
    case = cases[operator][0]

    def told(seed: int) -> str:
        return repr(played_with(case, habit, Condition.BASELINE, substrates, seed=seed)[0].trajectory)

    assert told(3) == told(3)
    assert len({told(seed) for seed in range(6)}) > 1


@pytest.mark.parametrize(("operator", "habit"), PLAYABLE)
def test_an_agent_is_a_function_of_its_assignment_and_the_visible_history(
    operator: str, habit: Habit, substrates: Domains, cases: Cases
) -> None:
    """A second agent, shown the recorded history piece by piece and nothing else, makes the very same turns."""
    case = cases[operator][-1]
    played, _, _ = played_with(case, habit, Condition.BASELINE, substrates, seed=5)
    twin = reference_agent(assignment_of(case), habit, wording_seed=5)
    steps = played.trajectory.steps
    own = [step for step in steps if isinstance(step, AgentMessage | ToolCall) and step.turn > 0]
    for turn in sorted({step.turn for step in own}):
        made = [step for step in own if step.turn == turn]
        again = asyncio.run(twin.turn(steps[: made[0].index], played.trajectory.tools))
        text = [step.text for step in made if isinstance(step, AgentMessage)]
        calls = [(step.tool, step.arguments.raw) for step in made if isinstance(step, ToolCall)]
        assert again.text == (text[0] if text else "")  # type: ignore[union-attr]
        assert [(call.tool, call.raw_arguments) for call in again.calls] == calls  # type: ignore[union-attr]


def test_assignments_of_derived_tasks_hold_no_value_of_the_fact(cases: Cases) -> None:
    for case in (case for group in cases.values() for case in group):
        given = assignment_of(case)
        if case.task.origin is TaskOrigin.DERIVED:
            assert given.communicate == ()
        if case.contract.operator == "ReturnDate":
            for value in (case.contract.injected.canonical, case.contract.authoritative.canonical):
                assert value not in repr(given)
        assert set(given.keys) <= {*case.contract.target.locator, "user_id"}
        assert "offered" not in given.keys and "others" not in given.keys


def test_an_untriggered_habit_never_meets_the_fault(substrates: Domains, cases: Cases) -> None:
    for case in (case for group in cases.values() for case in group):
        played, labels, _ = played_with(case, Habit.ACTS_WITHOUT_READING, Condition.BASELINE, substrates)
        assert played.record.rewrites == () and labels.t_f == Never()


def test_a_user_who_knows_the_truth_says_it_after_the_first_statement(substrates: Domains, cases: Cases) -> None:
    for case in (*cases["ReturnDate"], *cases["ItemOption"]):
        played, labels, _ = played_with(case, Habit.USER_STATES_TRUTH, Condition.BASELINE, substrates)
        truth = case.contract.authoritative.canonical
        said = [
            step.index for step in played.trajectory.steps[3:] if isinstance(step, UserMessage) and truth in step.text
        ]
        assert said and isinstance(labels.t_s, Located) and said[0] > labels.t_s.step
