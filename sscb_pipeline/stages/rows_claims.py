"""Ledger rows of runs, calibration, cells, intervals and the executions behind each cell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sscb_pipeline.claims.analysis import Analysis
from sscb_pipeline.claims.cell import Cell
from sscb_pipeline.claims.run_row import RunRow
from sscb_pipeline.ledger.rows import TableRows, record_rows
from sscb_pipeline.ledger.tracing import Tracer
from sscb_pipeline.stages.claims import AnalysedRuns, analysis_of
from sscb_pipeline.statistics.estimate import Estimate, Unobserved

Row = tuple[object, ...]


def claim_tables(analysed: Sequence[AnalysedRuns]) -> Iterator[TableRows]:
    """Tables `calibration`, `claim_cells`, `claim_intervals` and `claim_members`."""
    analyses = [(runs, analysis_of(runs)) for runs in analysed]
    yield TableRows(
        table="calibration",
        columns=(
            "execution_id",
            "label_version",
            "configuration",
            "operator",
            "habit",
            "quantity",
            "realised",
            "measured",
            "outcome",
        ),
        rows=[
            (
                pair.execution_id,
                runs.label_version,
                pair.configuration,
                pair.operator,
                pair.habit,
                pair.quantity,
                pair.realised,
                pair.measured,
                pair.outcome.value,
            )
            for runs in analysed
            for pair in runs.labels
        ],
    )
    yield TableRows(
        table="claim_cells",
        columns=(
            "agents",
            "campaign",
            "cell_id",
            "position",
            "table_name",
            "row_labels",
            "column_name",
            "kind",
            "k",
            "n",
            "undeterminable",
            "population",
            "numerator",
            "unit",
            "trace_sql",
            "undeterminable_sql",
        ),
        rows=[
            _cell(analysis, position, cell) for _, analysis in analyses for position, cell in enumerate(analysis.cells)
        ],
    )
    yield TableRows(
        table="claim_intervals",
        columns=(
            "agents",
            "campaign",
            "cell_id",
            "low",
            "high",
            "method",
            "clusters",
            "seed",
            "undefined_resamples",
            "boundary",
        ),
        rows=[
            _interval(analysis, cell, cell.value)
            for _, analysis in analyses
            for cell in analysis.cells
            if isinstance(cell.value, Estimate)
        ],
    )
    yield TableRows(
        table="claim_members",
        columns=("agents", "campaign", "cell_id", "execution_id", "role"),
        rows=[row for runs, analysis in analyses for row in _members(runs, analysis)],
    )


def run_table(rows: Sequence[RunRow]) -> TableRows:
    """Table `runs`."""
    return record_rows("runs", RunRow, rows)


def _cell(analysis: Analysis, position: int, cell: Cell) -> Row:
    value = cell.value
    kind = {"Estimate": "estimate", "Unobserved": "unobserved", "Count": "count"}[type(value).__name__]
    k, n = (0, 0) if isinstance(value, Unobserved) else (value.k, value.n)
    return (
        analysis.scope.agents,
        analysis.scope.campaign,
        cell.cell_id,
        position,
        cell.place.table,
        list(cell.place.row),
        cell.place.column,
        kind,
        k,
        n,
        value.undeterminable if isinstance(value, Estimate | Unobserved) else 0,
        cell.share.population.sentence,
        cell.share.numerator_sentence,
        list(cell.share.unit),
        cell.sql,
        cell.undeterminable_sql,
    )


def _interval(analysis: Analysis, cell: Cell, value: Estimate) -> Row:
    return (
        analysis.scope.agents,
        analysis.scope.campaign,
        cell.cell_id,
        value.interval.low,
        value.interval.high,
        value.method.value,
        value.clusters,
        str(value.seed),
        value.undefined_resamples,
        value.boundary.value,
    )


def _members(runs: AnalysedRuns, analysis: Analysis) -> Iterator[Row]:
    with Tracer(runs.rows) as tracer:
        for cell in analysis.cells:
            for execution_id, in_numerator in tracer.members(cell.sql):
                role = "numerator" if in_numerator else "denominator_only"
                yield (analysis.scope.agents, analysis.scope.campaign, cell.cell_id, execution_id, role)
            if cell.undeterminable_sql:
                for execution_id in tracer.listed(cell.undeterminable_sql):
                    yield (analysis.scope.agents, analysis.scope.campaign, cell.cell_id, execution_id, "undeterminable")
