"""Every requirement of every check is seen to fail and to hold; a failed check stops what comes after it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import pytest

from sscb_pipeline.assurance.manifest import PublishedManifest
from sscb_pipeline.assurance.requirement import Broken, Kept
from sscb_pipeline.claims.analysis import Analysis
from sscb_pipeline.claims.cell import Cell, Count
from sscb_pipeline.errors import RefusalError
from sscb_pipeline.stages.check_claims import ClaimRequirement, examine_analysis
from sscb_pipeline.stages.check_executions import ExecutionRequirement
from sscb_pipeline.stages.check_frames import FrameRequirement
from sscb_pipeline.stages.check_inclusion import InclusionRequirement
from sscb_pipeline.stages.check_measurements import MeasurementRequirement
from sscb_pipeline.stages.claims import analysis_of, read_analysed
from sscb_pipeline.stages.gate import Closed, Opened
from sscb_pipeline.statistics.estimate import Estimate
from sscb_pipeline_tests.stages import tampering
from sscb_pipeline_tests.stages.conftest import Finished
from sscb_pipeline_tests.stages.small import CAMPAIGN, Runner, broken, contents, kept
from sscb_pipeline_tests.stages.tampering import Tampering

OPERATOR = "WriteEffect"
CONFIGURATION = "R1-reads-first"
CELL = f"{CONFIGURATION}|{OPERATOR}"


@dataclass(frozen=True, kw_only=True)
class Gate:
    """A stage with its check, and the stage that may run after it only."""

    stage: tuple[str, str, str]
    check: Callable[[Runner], Opened | Closed]
    after: Callable[[Runner], PublishedManifest]
    requirements: type[StrEnum]
    tamperings: tuple[Tampering, ...]


def cell(runner: Runner) -> Any:
    return runner.study.partition(OPERATOR, CONFIGURATION)


GATES = {
    "frames": Gate(
        stage=("cases", "frames", OPERATOR),
        check=lambda runner: runner.frames_check(OPERATOR),
        after=lambda runner: runner.inclusion(OPERATOR),
        requirements=FrameRequirement,
        tamperings=tampering.FRAMES,
    ),
    "inclusion": Gate(
        stage=("cases", "inclusion", OPERATOR),
        check=lambda runner: runner.inclusion_check(OPERATOR),
        after=lambda runner: runner.executions(cell(runner)),
        requirements=InclusionRequirement,
        tamperings=tampering.INCLUSION,
    ),
    "executions": Gate(
        stage=(CAMPAIGN, "executions", CELL),
        check=lambda runner: runner.executions_check(cell(runner)),
        after=lambda runner: runner.measurements(cell(runner)),
        requirements=ExecutionRequirement,
        tamperings=tampering.EXECUTIONS,
    ),
    "measurements": Gate(
        stage=(CAMPAIGN, "measurements", CELL),
        check=lambda runner: runner.measurements_check(cell(runner)),
        after=lambda runner: runner.claims(),
        requirements=MeasurementRequirement,
        tamperings=tampering.MEASUREMENTS,
    ),
    "claims": Gate(
        stage=(CAMPAIGN, "claims", "all"),
        check=lambda runner: runner.claims_check(),
        after=lambda runner: runner.report(),
        requirements=ClaimRequirement,
        tamperings=tampering.CLAIMS,
    ),
}
CASES = [
    pytest.param(name, case, id=f"{name}: {case.what}") for name, gate in GATES.items() for case in gate.tamperings
]
ON_ANALYSES = {ClaimRequirement.NUMBERS_TRACEABLE, ClaimRequirement.EMPTY_STRATA_UNOBSERVED}
"""Requirements on what is computed from the stored rows; see the last tests."""


@pytest.mark.parametrize("name", GATES)
def test_every_requirement_has_a_failing_case(name: str) -> None:
    gate = GATES[name]
    assert {case.breaks for case in gate.tamperings} == set(gate.requirements) - ON_ANALYSES


@pytest.mark.parametrize("name", GATES)
def test_every_requirement_has_a_passing_case(finished: Finished, name: str) -> None:
    gate = GATES[name]
    of_stage = [verdict for verdict in finished.verdicts if verdict.report.stage == name]
    assert of_stage
    for verdict in of_stage:
        assert isinstance(verdict, Opened)
        assert kept(verdict) == {requirement.value for requirement in gate.requirements}


def tampered(runner: Runner, gate: Gate, case: Tampering) -> PublishedManifest:
    published = runner.now(*gate.stage)
    outputs = {item.name: runner.warehouse.objects.get(item.sha256) for item in published.manifest.outputs}
    changed = runner.republish(published, case.change(runner, outputs))
    assert changed.sha256 != published.sha256 or case.what == "an object that is gone"
    return changed


@pytest.mark.parametrize(("name", "case"), CASES)
def test_a_tampered_output_closes_its_gate_and_nothing_comes_after(runner: Runner, name: str, case: Tampering) -> None:
    gate = GATES[name]
    changed = tampered(runner, gate, case)
    receipts = runner.warehouse.receipts.path.read_bytes()
    verdict = gate.check(runner)
    assert isinstance(verdict, Closed)
    found = broken(verdict)
    assert set(found) == {case.breaks.value, *(requirement.value for requirement in case.also)}
    assert all(violation for violations in found.values() for violation in violations)
    assert verdict.reason.expected.startswith("requirement ") and verdict.reason.remedy
    if case.what == "an object that is gone":
        return  # the manifest is the one that was checked while its objects were whole
    assert runner.warehouse.receipts.path.read_bytes() == receipts
    for sha256 in {item.sha256 for item in changed.manifest.outputs}:
        runner.warehouse.objects.path_of(sha256).unlink()  # whoever reads them now fails otherwise
    before = contents(runner.warehouse.root)
    with pytest.raises(RefusalError) as refused:
        gate.after(runner)
    assert name in refused.value.subject and refused.value.remedy
    assert contents(runner.warehouse.root) == before


@pytest.mark.parametrize("name", GATES)
def test_a_republished_stage_needs_a_check_of_its_own(runner: Runner, name: str) -> None:
    gate = GATES[name]
    published = runner.now(*gate.stage)
    runner.repoint(published, {"note": "0" * 64})
    with pytest.raises(RefusalError):
        gate.after(runner)
    assert isinstance(gate.check(runner), Opened)
    gate.after(runner)


@pytest.mark.parametrize("name", GATES)
def test_checking_twice_writes_nothing_the_second_time(runner: Runner, name: str) -> None:
    before = contents(runner.warehouse.root)
    verdict = GATES[name].check(runner)
    assert isinstance(verdict, Opened)
    assert contents(runner.warehouse.root) == before


# --- what is computed from the rows ----------------------------------------------------------------------------------


def analysed(finished: Finished) -> tuple[Analysis, tuple[Any, ...]]:
    published = finished.runner.now(CAMPAIGN, "claims", "all")
    runs = read_analysed(finished.runner.warehouse, published)
    return analysis_of(runs), runs.rows


def with_cell(analysis: Analysis, fits: Callable[[Cell], bool], value: Callable[[Cell], Any]) -> Analysis:
    place = next(place for place, one in enumerate(analysis.cells) if fits(one))
    cells = list(analysis.cells)
    cells[place] = replace(cells[place], value=value(cells[place]))
    return replace(analysis, cells=tuple(cells))


def estimated(one: Cell) -> bool:
    return isinstance(one.value, Estimate)


def test_the_numbers_of_the_study_are_traceable_and_no_empty_population_has_a_rate(finished: Finished) -> None:
    outcomes = examine_analysis(*analysed(finished))
    assert outcomes == {requirement: Kept() for requirement in ON_ANALYSES}


def test_a_number_that_its_query_does_not_find_is_broken(finished: Finished) -> None:
    analysis, rows = analysed(finished)
    for fits, value in (
        (estimated, lambda one: replace(one.value, n=one.value.n + 1)),
        (lambda one: isinstance(one.value, Count), lambda one: replace(one.value, k=one.value.k + 1)),
    ):
        wrong = with_cell(analysis, fits, value)
        outcomes = examine_analysis(wrong, rows)
        traceable = outcomes[ClaimRequirement.NUMBERS_TRACEABLE]
        assert isinstance(traceable, Broken) and "its query finds" in traceable.violations[0]
        assert outcomes[ClaimRequirement.EMPTY_STRATA_UNOBSERVED] == Kept()


def test_a_rate_over_nothing_is_broken(finished: Finished) -> None:
    analysis, rows = analysed(finished)
    wrong = with_cell(analysis, estimated, lambda one: replace(one.value, k=0, n=0))
    empty = examine_analysis(wrong, rows)[ClaimRequirement.EMPTY_STRATA_UNOBSERVED]
    assert isinstance(empty, Broken) and empty.violations[0].endswith("a rate over nothing")
