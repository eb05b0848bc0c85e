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


def _random_rows(count: int) -> list[RunRow]:
    """Rows whose columns are drawn independently, so that combinations occur which no run would show."""
    generator = np.random.default_rng(20_260_801)
    times = ("located", "never", "undeterminable", "not_measured")
    choices = {
        "control": ("ordinary", "target_value"),
        "literalness": ("literal", "not_literal"),
        "condition": ("baseline", "baseline", "no_readback_hint", "consistent_source"),
        "clean": ("solved", "solved", "solved", "unsolved"),
        "ending": ("completed", "truncated", "missing", "not_run"),
        "stop_reason": ("user_stop", "deadline", "environment_failure", "budget"),
        "triggered": (*["triggered"] * 6, "not_triggered", "undeterminable"),
        "t_e_status": times,
        "t_s_status": (*["located"] * 5, *times),
        "t_u_status": (*["located"] * 5, *times),
        "adoption": ("true", "false", "undeterminable", "not_measured"),
        "stratum": ("before", "after", "absent", "no_use", "undeterminable", "not_measured"),
        "final_stance": ("endorses", "does_not_endorse", "undeterminable", "not_adopted"),
        "repair": ("repaired", "not_repaired", "not_applicable", "not_measured"),
        "readback": ("read", "not_read", "not_measured"),
    }
    template = published_rows()[0]
    rows = []
    for number in range(count):
        drawn = {column: str(generator.choice(values)) for column, values in choices.items()}
        steps = {column: int(generator.integers(0, 15)) for column in ("t_e_step", "t_s_step", "t_u_step")}
        place = {
            "operator": f"operator {generator.integers(2)}" if number % 5 else "ItemOption",
            "configuration": f"configuration {generator.integers(3)}",
            "seed_id": f"seed {generator.integers(12)}",
            "cluster": f"entity {generator.integers(9)}",
        }
        repeat = int(generator.integers(0, 3))
        rows.append(replace(template, execution_id=f"e{number}", repeat=repeat, **drawn, **steps, **place))
    return rows


def test_queries_agree_on_rows_that_no_run_would_show() -> None:
    rows = _random_rows(4_000)
    analysis = analyse(rows)
    assert sum(isinstance(cell.value, Unobserved) for cell in analysis.cells) < len(analysis.cells) / 3
    assert _disagreements(analysis, rows, _ledger(rows)) == []


def test_shares_of_one_population_add_up() -> None:
    analysis = analyse(_random_rows(4_000))
    for operator in analysis.scope.operators:
        for row in analysis.scope.rows(operator):
            strata = [analysis.cell("arrival", row, column).value for column in ("before", "after", "absent")]
            assert all(isinstance(value, Estimate) for value in strata)
            assert sum(value.k for value in strata) == strata[0].n
            gaps = [cell.value for cell in analysis.table("gap") if cell.place.row == row]
            assert sum(value.k for value in gaps) == gaps[0].n
            q_u = analysis.cell("diagnosis", row, "q_U").value
            positive = analysis.cell("diagnosis", row, "positive gap").value
            expected = (0, 0) if isinstance(q_u, Unobserved) else (q_u.k, q_u.n)
            assert (positive.k, gaps[0].n) == expected


def test_a_quote_in_a_name_stays_inside_its_literal() -> None:
    held = [row for row in published_rows()[::9] if row.configuration == "F"]
    rows = [replace(row, configuration="O'Brien") for row in held]
    assert _disagreements(analyse(rows), rows, _ledger(rows)) == []
