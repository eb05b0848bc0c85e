"""The default matrix on a few seeds, staged as in production, and the parameters of staging."""

from __future__ import annotations

import asyncio
import string
from collections import Counter
from collections.abc import Mapping, Sequence

import pytest

from sscb_pipeline.adapters.agents.reference.agent import reference_agent
from sscb_pipeline.adapters.agents.reference.assignment import assignment_of
from sscb_pipeline.adapters.agents.reference.bank import bank
from sscb_pipeline.adapters.agents.reference.configurations import (
    R2,
    REFERENCE_CONFIGURATIONS,
    OutageClass,
    ReferenceConfiguration,
)
from sscb_pipeline.adapters.agents.reference.habits import Habit
from sscb_pipeline.adapters.agents.reference.labels import read_labels
from sscb_pipeline.adapters.agents.reference.staging import ReferenceStage, stage_case
from sscb_pipeline.environments.port import Substrate
from sscb_pipeline.episodes.batch import NOTHING_FINISHED, ExecutionResult, Ran, run_batch, run_one
from sscb_pipeline.episodes.execution import EndingKind, StopReason
from sscb_pipeline.episodes.matrix import SeedRef, keys_of, matrix
from sscb_pipeline.faults.intervention import Condition
from sscb_pipeline.faults.operator import Case, EvidenceArrived
from sscb_pipeline.faults.operators.registry import OPERATORS
from sscb_pipeline.faults.operators.write_effect import WriteEffect
from sscb_pipeline.faults.suppression import Acknowledgement
from sscb_pipeline.measured import Located, Never
from sscb_pipeline.trajectories.steps import Trajectory

Domains = Mapping[str, Substrate]
Cases = Mapping[str, Sequence[Case]]


def seed_ref(operator: str, name: str, rank: int) -> SeedRef:
    return SeedRef(operator=operator, seed_id=name, seed_sha256=name, rank=rank, paired=OPERATORS[operator].paired)


def run_matrix(
    substrates: Domains, cases: Cases, configurations: Sequence[ReferenceConfiguration]
) -> list[ExecutionResult]:
    by_id = {case.candidate.candidate_id: case for group in cases.values() for case in group}
    seeds = [
        seed_ref(name, case.candidate.candidate_id, rank)
        for name, group in cases.items()
        for rank, case in enumerate(group)
    ]
    groups = matrix(seeds, [configuration.ref() for configuration in configurations], campaign="test")
    stored: list[ExecutionResult] = []
    stage = ReferenceStage(
        operators=OPERATORS,
        cases=by_id,
        substrates=substrates,
        configurations={configuration.configuration_id: configuration for configuration in configurations},
    )
    asyncio.run(
        run_batch(groups, stage=stage, finished=NOTHING_FINISHED, sink=stored.extend, progress=lambda stored: None)
    )
    assert {result.key for result in stored} == set(keys_of(groups))
    return stored


@pytest.fixture(scope="module")
def default_run(substrates: Domains, cases: Cases) -> list[ExecutionResult]:
    return run_matrix(substrates, cases, REFERENCE_CONFIGURATIONS)


def test_only_the_sixth_configuration_fails_clean_tasks(default_run: list[ExecutionResult]) -> None:
    stopped = {r.key.configuration_id for r in default_run if r.ending.reason is StopReason.CLEAN_UNSOLVED}
    assert stopped == {"R6-forgetful"}


def test_strata_differ_between_configurations(default_run: list[ExecutionResult]) -> None:
    strata: dict[str, Counter[str]] = {}
    for result in default_run:
        if isinstance(result, Ran) and result.key.condition is Condition.BASELINE and result.record.rewrites:
            found = read_labels(result.realised, result.key.execution_id).stratum
            strata.setdefault(result.key.configuration_id[:2], Counter())[str(found)] += 1
    assert strata["R1"].most_common(1)[0][0] == "before"
    assert strata["R2"]["after"] > strata["R1"]["after"] / 2 and strata["R3"]["after"] == 0
    assert strata["R3"]["absent"] > strata["R1"]["absent"]


def test_a_planned_outage_makes_exactly_its_executions_missing(substrates: Domains, cases: Cases) -> None:
    everyone = ReferenceConfiguration(
        configuration_id=R2.configuration_id,
        description="",
        repeats=2,
        seeds_per_operator=2,
        clean_habits=R2.clean_habits,
        fault_habits={Habit.READS_THEN_USES_BELIEVING: 1},
        outages=OutageClass(modulus=1, repeat=1, attempts=9),
    )
    stored = run_matrix(substrates, cases, [everyone])
    missing = [result for result in stored if result.ending.kind is EndingKind.MISSING]
    assert {(result.key.condition, result.key.repeat) for result in missing} == {(Condition.BASELINE, 1)}
    assert len(missing) == 2 * len(cases)
    assert all("planned outage" in result.ending.detail for result in missing)


def test_an_outage_shorter_than_the_retries_is_survived(substrates: Domains, cases: Cases) -> None:
    brief = ReferenceConfiguration(
        configuration_id="brief",
        description="",
        repeats=1,
        seeds_per_operator=1,
        clean_habits=R2.clean_habits,
        fault_habits={Habit.READS_THEN_USES_BELIEVING: 1},
        outages=OutageClass(modulus=1, repeat=0, attempts=2),
    )
    stored = run_matrix(substrates, cases, [brief])
    assert {result.ending.kind for result in stored} == {EndingKind.COMPLETED}
    retried = [r for r in stored if isinstance(r, Ran) and r.evaluator.attempts]
    assert [len(r.evaluator.attempts) for r in retried] == [2] * len(cases)


@pytest.mark.parametrize("habit", [Habit.READS_THEN_USES_CORRECTING, Habit.NEVER_READS, Habit.REPEATED_WRITE])
def test_the_native_acknowledgement_is_played_and_labelled_too(substrates: Domains, habit: Habit) -> None:
    operator, substrate = WriteEffect(Acknowledgement.NATIVE), substrates["airline"]
    drawn = (operator.case(candidate, substrate) for candidate in operator.candidates(substrate)[:12])
    played = 0
    for case in (case for case in drawn if isinstance(case, Case)):
        staging = stage_case(operator, case, substrate, condition=Condition.BASELINE, habit=habit, seed=played)
        seed = seed_ref("WriteEffect", "s", 0)
        key = matrix([seed], [R2.ref()], campaign="test")[0].gated[0]
        ran = asyncio.run(run_one(key, staging))
        labels = read_labels(ran.realised, "test")
        assert labels.t_f == Located(step=ran.record.rewrites[0].step)
        assert labels.t_e == arrival(operator, case, ran.trajectory)
        played += 1
    assert played >= 5


def arrival(operator: WriteEffect, case: Case, trajectory: Trajectory) -> Located | Never:
    evidence = operator.evidence(case.contract, trajectory)
    if isinstance(evidence, EvidenceArrived):
        return Located(step=max(part.step for part in evidence.steps))
    assert isinstance(evidence, Never)
    return evidence


def test_another_bank_changes_the_words_and_not_the_plan(substrates: Domains, cases: Cases) -> None:
    case = cases["PaySource"][0]
    shouted = {purpose: tuple(_upper(phrase) for phrase in phrases) for purpose, phrases in bank("PaySource").items()}
    assignment = assignment_of(case)

    def words(agent_phrases: Mapping[str, tuple[str, ...]] | None) -> tuple[list[str], object]:
        staging = stage_case(
            OPERATORS["PaySource"],
            case,
            substrates["airline"],
            condition=Condition.BASELINE,
            habit=Habit.USES_THEN_READS_CORRECTING,
            seed=1,
            phrases=agent_phrases,
        )
        key = matrix([seed_ref("PaySource", "s", 0)], [R2.ref()], campaign="test")[0].clean
        ran = asyncio.run(run_one(key, staging))
        return [getattr(step, "text", "") for step in ran.trajectory.steps], ran.realised

    usual, labels = words(None)
    loud, same = words(shouted)
    assert usual != loud and [text.upper() for text in usual[5:]] == [text.upper() for text in loud[5:]]
    assert labels == same
    assert reference_agent(assignment, Habit.SOLVER, wording_seed=1).notes.statements == []


def _upper(phrase: str) -> str:
    """The phrase in capitals, placeholders left alone."""
    parts = []
    for literal, name, _, _ in string.Formatter().parse(phrase):
        parts.append(literal.upper() + (f"{{{name}}}" if name is not None else ""))
    return "".join(parts)
