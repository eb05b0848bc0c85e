"""Check of the claims: every printed number is what its own query finds, by another engine than counted it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum

from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.assurance.manifest import current
from sscb_pipeline.assurance.requirement import Kept, Outcome
from sscb_pipeline.claims.analysis import Analysis
from sscb_pipeline.claims.cell import Cell
from sscb_pipeline.claims.run_row import RunRow
from sscb_pipeline.episodes.execution import EndingKind
from sscb_pipeline.ledger.tracing import Tracer
from sscb_pipeline.stages.claims import AnalysedRuns, analysis_of, collect, read_analysed
from sscb_pipeline.stages.executions import authorised_index
from sscb_pipeline.stages.gate import Closed, Opened, conclude, kept_or_broken
from sscb_pipeline.stages.names import WHOLE, Stage
from sscb_pipeline.stages.study import Study
from sscb_pipeline.statistics.estimate import Unobserved


class ClaimRequirement(StrEnum):
    """What the claims of a campaign must keep."""

    EVERY_EXECUTION_COUNTED = "every_execution_counted"
    """The rows are exactly the indexed executions, each once."""
    ROWS_FOLLOW_FROM_MEASUREMENTS = "rows_follow_from_measurements"
    """Each row, and each pair of labels, is what the measurements of its partition give."""
    ENDINGS_ADD_UP = "endings_add_up"
    """Scheduled = completed + truncated + missing + not run."""
    NUMBERS_TRACEABLE = "numbers_traceable"
    """The query beside a number lists as many executions as the number counts."""
    EMPTY_STRATA_UNOBSERVED = "empty_strata_unobserved"
    """A population without evaluable runs has no rate."""


def check_claims(warehouse: Warehouse, study: Study) -> Opened | Closed:
    """Examine the campaign's current rows and every cell they give, and write the receipt when all is kept."""
    published = current(warehouse, campaign=study.campaign, stage=Stage.CLAIMS, partition=WHOLE)
    analysed = read_analysed(warehouse, published)
    outcomes: dict[StrEnum, Outcome] = {
        ClaimRequirement.EVERY_EXECUTION_COUNTED: kept_or_broken(_uncounted(warehouse, study, analysed)),
        ClaimRequirement.ROWS_FOLLOW_FROM_MEASUREMENTS: kept_or_broken(_unmeasured(warehouse, study, analysed)),
        ClaimRequirement.ENDINGS_ADD_UP: kept_or_broken(_unended(analysed.rows)),
    }
    if all(isinstance(outcome, Kept) for outcome in outcomes.values()):
        outcomes |= examine_analysis(analysis_of(analysed), analysed.rows)
    return conclude(warehouse, published, ClaimRequirement, outcomes)


def examine_analysis(analysis: Analysis, rows: Sequence[RunRow]) -> dict[StrEnum, Outcome]:
    """Outcomes of the requirements on the numbers that an analysis of `rows` prints."""
    return {
        ClaimRequirement.NUMBERS_TRACEABLE: kept_or_broken(_untraceable(analysis, rows)),
        ClaimRequirement.EMPTY_STRATA_UNOBSERVED: kept_or_broken(_empty_rates(analysis)),
    }


def _uncounted(warehouse: Warehouse, study: Study, analysed: AnalysedRuns) -> Iterator[str]:
    indexed = {
        execution.execution_id
        for partition in study.partitions()
        for execution in authorised_index(warehouse, study.campaign, partition.name)[0].executions
    }
    counted = [row.execution_id for row in analysed.rows]
    for name in sorted(indexed ^ set(counted)):
        yield f"execution {name}: {'not among the rows' if name in indexed else 'in no index'}"
    if len(counted) != len(set(counted)):
        yield "an execution has two rows"


def _unmeasured(warehouse: Warehouse, study: Study, analysed: AnalysedRuns) -> Iterator[str]:
    """Compares with the content that the measurements give now."""
    expected = collect(warehouse, study)
    for what, given, found in (
        ("row", expected.rows, analysed.rows),
        ("pair of labels", expected.labels, analysed.labels),
    ):
        for entry in sorted({*given} ^ {*found}, key=repr):
            origin = "is not what was measured" if entry in found else "is missing"
            yield f"execution {entry.execution_id}: its {what} {origin}"


def _unended(rows: Sequence[RunRow]) -> Iterator[str]:
    known = {kind.value for kind in EndingKind}
    for row in rows:
        if row.ending not in known:
            yield f"execution {row.execution_id}: ending {row.ending!r}"


def _untraceable(analysis: Analysis, rows: Sequence[RunRow]) -> Iterator[str]:
    with Tracer(rows) as tracer:
        for cell in analysis.cells:
            expected = _printed(cell)
            found = tracer.count(cell.sql, cell.share.unit)
            if found != expected:
                yield f"cell {cell.cell_id}: prints (k, n) = {expected}, its query finds {found}"


def _printed(cell: Cell) -> tuple[int, int]:
    return (0, 0) if isinstance(cell.value, Unobserved) else (cell.value.k, cell.value.n)


def _empty_rates(analysis: Analysis) -> Iterator[str]:
    for cell in analysis.cells:
        if not isinstance(cell.value, Unobserved) and hasattr(cell.value, "interval") and cell.value.n == 0:
            yield f"cell {cell.cell_id}: a rate over nothing"
