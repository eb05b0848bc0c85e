"""The SQL of every cell lists exactly the executions that the Python filter counted."""

from __future__ import annotations

from dataclasses import asdict, replace

import duckdb
import numpy as np
import polars as pl

from sscb_pipeline.claims.analysis import Analysis, analyse
from sscb_pipeline.claims.cell import EXECUTION, Cell, Count
from sscb_pipeline.claims.population import Filter
from sscb_pipeline.claims.run_row import RunRow
from sscb_pipeline.claims.run_table import RunTable
from sscb_pipeline.statistics.estimate import Estimate, Unobserved
from sscb_pipeline_tests.claims.published_counts import published_rows


def _ledger(rows: list[RunRow]) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.register("held", pl.DataFrame([asdict(row) for row in rows]).to_arrow())
    connection.execute("CREATE TABLE runs AS SELECT * FROM held")
    return connection


def _disagreements(analysis: Analysis, rows: list[RunRow], ledger: duckdb.DuckDBPyConnection) -> list[str]:
    table = RunTable(rows)
    kept = Filter(table)
    wrong = []
    for cell in analysis.cells:
        members = kept.mask(cell.share.population.conditions)
        evaluable = members & kept.mask(cell.share.evaluable)
        successes = evaluable & kept.mask(cell.share.numerator)
        listed = ledger.execute(cell.sql).fetchall()
        same = {i for i, _ in listed} == set(table.texts("execution_id", evaluable)) and {
            i for i, marked in listed if marked
        } == set(table.texts("execution_id", successes))
        if cell.undeterminable_sql:
            rest = {i for (i,) in ledger.execute(cell.undeterminable_sql).fetchall()}
            same = same and rest == set(table.texts("execution_id", np.asarray(members & ~evaluable)))
        if not same or not _counts_agree(cell, listed):
            wrong.append(cell.cell_id)
    return wrong


def _counts_agree(cell: Cell, listed: list[tuple[str, bool]]) -> bool:
    if cell.share.unit != EXECUTION:
        return True
    match cell.value:
        case Unobserved():
            return not listed
        case Estimate() | Count():
            return (cell.value.k, cell.value.n) == (sum(marked for _, marked in listed), len(listed))


def test_every_query_returns_the_executions_of_its_cell() -> None:
    rows = published_rows()
    analysis = analyse(rows)
    assert len(analysis.cells) > 1_000
    assert len({cell.cell_id for cell in analysis.cells}) == len(analysis.cells)
    assert _disagreements(analysis, rows, _ledger(rows)) == []


def test_other_campaigns_and_agents_in_the_ledger_change_no_query() -> None:
    rows = published_rows()[::9]
    strangers = [
        replace(row, execution_id=f"{row.execution_id}-{name}", clean="unsolved", stratum="absent", **{column: name})
        for row in rows
        for column, name in (("campaign", "other"), ("agents", "reference"))
    ]
    analysis = analyse(rows)
    assert _disagreements(analysis, rows, _ledger(rows + strangers)) == []


def test_a_quote_in_a_name_stays_inside_its_literal() -> None:
    rows = [replace(row, configuration="O'Brien") if row.configuration == "F" else row for row in published_rows()[::9]]
    assert _disagreements(analyse(rows), rows, _ledger(rows)) == []
