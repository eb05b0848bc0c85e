"""Ledger rows of an analysis: its cells, their intervals, and the executions behind each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

import numpy as np
import pyarrow as pa

from sscb_pipeline.claims.analysis import Analysis
from sscb_pipeline.claims.cell import Cell, Count
from sscb_pipeline.claims.population import Filter
from sscb_pipeline.claims.run_row import RunRow
from sscb_pipeline.claims.run_table import RunTable
from sscb_pipeline.ledger.rows import ArrowRows, Rows, TableRows
from sscb_pipeline.statistics.estimate import Estimate, Unobserved

_ROLES = ("numerator", "denominator_only", "undeterminable")


def claim_rows(analysis: Analysis, rows: Sequence[RunRow]) -> Iterator[Rows]:
    """Tables `claim_cells`, `claim_intervals` and `claim_members` of an analysis over `rows`.

    Members are found by the filter that counted, not by a cell's query, so that the two can be compared.
    """
    scope = (analysis.scope.agents, analysis.scope.campaign)
    yield _cells(scope, analysis.cells)
    yield _intervals(scope, analysis.cells)
    yield _members(scope, analysis.cells, rows)


def no_claims() -> Iterator[Rows]:
    """The same tables before any analysis: declared and empty."""
    nobody = ("", "")
    yield _cells(nobody, ())
    yield _intervals(nobody, ())
    yield TableRows(table="claim_members", columns=("agents", "campaign", "cell_id", "execution_id", "role"), rows=())


def _cells(scope: tuple[str, str], cells: Sequence[Cell]) -> TableRows:
    return TableRows(
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
            (
                *scope,
                cell.cell_id,
                position,
                cell.place.table,
                cell.place.row,
                cell.place.column,
                *_value(cell.value),
                cell.share.population.sentence,
                cell.share.numerator_sentence,
                cell.share.unit,
                cell.sql,
                cell.undeterminable_sql,
            )
            for position, cell in enumerate(cells)
        ],
    )


def _value(value: Estimate | Unobserved | Count) -> tuple[str, int, int, int]:
    """Kind, k, n and the number of undeterminable members."""
    match value:
        case Estimate():
            return "estimate", value.k, value.n, value.undeterminable
        case Unobserved():
            return "unobserved", 0, 0, value.undeterminable
        case Count():
            return "count", value.k, value.n, 0
        case _:
            assert_never(value)


def _intervals(scope: tuple[str, str], cells: Sequence[Cell]) -> TableRows:
    return TableRows(
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
            (
                *scope,
                cell.cell_id,
                float(cell.value.interval.low),
                float(cell.value.interval.high),
                cell.value.method.value,
                cell.value.clusters,
                str(cell.value.seed),
                cell.value.undefined_resamples,
                cell.value.boundary.value,
            )
            for cell in cells
            if isinstance(cell.value, Estimate)
        ],
    )


def _members(scope: tuple[str, str], cells: Sequence[Cell], rows: Sequence[RunRow]) -> ArrowRows:
    """By position into the lists of cells, executions and roles; text is only put in at the end."""
    kept = Filter(RunTable(rows))
    in_cell, of_row, in_role = ([np.empty(0, np.int32)] for _ in range(3))
    for number, cell in enumerate(cells):
        members = kept.mask(cell.share.population.conditions)
        evaluable = members & kept.mask(cell.share.evaluable)
        numerator = evaluable & kept.mask(cell.share.numerator)
        for role, mask in enumerate((numerator, evaluable & ~numerator, members & ~evaluable)):
            positions = np.flatnonzero(mask).astype(np.int32)
            of_row.append(positions)
            in_cell.append(np.full(len(positions), number, np.int32))
            in_role.append(np.full(len(positions), role, np.int32))
    size = sum(map(len, of_row))
    agents, campaign = (pa.repeat(pa.scalar(text), size) for text in scope)
    columns = {
        "agents": agents,
        "campaign": campaign,
        "cell_id": _taken([cell.cell_id for cell in cells], in_cell),
        "execution_id": _taken([row.execution_id for row in rows], of_row),
        "role": _taken(_ROLES, in_role),
    }
    return ArrowRows(table="claim_members", data=pa.table(columns))


def _taken(texts: Sequence[str], positions: Sequence[np.ndarray[tuple[int], np.dtype[np.int32]]]) -> pa.Array:
    return pa.array(texts, pa.string()).take(pa.array(np.concatenate(positions)))
