"""Changing one row moves exactly the cells that depend on it, where DuckDB says which those are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from sscb_pipeline.claims.analysis import Analysis, analyse
from sscb_pipeline.claims.cell import EXECUTION, Cell
from sscb_pipeline.claims.run_row import RunRow
from sscb_pipeline.ledger.tracing import Tracer
from sscb_pipeline_tests.claims.published_counts import not_triggered, published_rows

ROWS = published_rows()
ANALYSIS = analyse(ROWS)


def listings(analysis: Analysis, rows: list[RunRow]) -> Mapping[str, object]:
    """Per cell, a fingerprint of what its queries list in a database of these rows."""
    found: dict[str, object] = {}
    with Tracer(rows) as tracer:
        for cell in analysis.cells:
            rest = tracer.fingerprint(cell.undeterminable_sql) if cell.undeterminable_sql else ()
            found[cell.cell_id] = (tracer.fingerprint(_units(cell)), rest)
    return found


def _units(cell: Cell) -> str:
    """What is counted: executions, or the groups that the listed executions form."""
    if cell.share.unit == EXECUTION:
        return cell.sql
    columns = ", ".join(f"runs.{name}" for name in cell.share.unit)
    return f"SELECT DISTINCT {columns}, listed.in_numerator FROM ({cell.sql}) AS listed JOIN runs USING (execution_id)"


@pytest.fixture(scope="module")
def before() -> Mapping[str, object]:
    return listings(ANALYSIS, ROWS)


def first(operator: str, **wanted: str | int) -> RunRow:
    wanted = {"condition": "baseline", "repeat": 0, **wanted}
    return next(r for r in ROWS if r.operator == operator and all(getattr(r, key) == wanted[key] for key in wanted))


ITEM = first("ItemOption", stratum="after", adoption="true", control="ordinary")
WRITE = first("WriteEffect", stratum="absent", configuration="V")
REPEAT = first("WriteEffect", configuration="V", repeat=1)
PAIRED = first("ItemOption", condition="consistent_source", control="ordinary", adoption="true")
CHANGES = {
    "a run is not adopted after all": replace(ITEM, adoption="false", t_u_status="never", t_u_step=0),
    "evidence came before the first use": replace(WRITE, t_e_status="located", t_e_step=5, stratum="before"),
    "a repeat crosses": replace(REPEAT, t_e_status="located", t_e_step=5, stratum="before"),
    "a fault was never delivered": not_triggered(ITEM),
    "the paired run is not adopted": replace(PAIRED, adoption="false", t_u_status="never", t_u_step=0),
    "a clean task was not solved": replace(ITEM, clean="unsolved"),
    "nothing that is counted": replace(ITEM, steps=ITEM.steps + 1),
}


SLOW = {"evidence came before the first use", "a clean task was not solved", "nothing that is counted"}
PARAMETERS = [
    pytest.param(row, id=name, marks=[pytest.mark.soak] if name in SLOW else []) for name, row in CHANGES.items()
]


@pytest.mark.parametrize("changed", PARAMETERS)
def test_one_row_moves_the_cells_that_depend_on_it_and_no_other(before: Mapping[str, object], changed: RunRow) -> None:
    rows = [
        replace(changed, execution_id=row.execution_id)
        if (row.operator, row.configuration, row.seed_id, row.condition, row.repeat)
        == (changed.operator, changed.configuration, changed.seed_id, changed.condition, changed.repeat)
        else row
        for row in ROWS
    ]
    assert sum(one != other for one, other in zip(rows, ROWS, strict=True)) == 1
    analysis = analyse(rows)
    values = {cell.cell_id: cell.value for cell in ANALYSIS.cells}
    moved = {cell.cell_id for cell in analysis.cells if values.get(cell.cell_id) != cell.value}
    after = listings(analysis, rows)
    depends = {cell_id for cell_id in after if after[cell_id] != before.get(cell_id)}
    assert moved == depends
    assert bool(moved) == (changed != replace(ITEM, steps=ITEM.steps + 1))


def test_the_changes_reach_pairs_repeats_and_sensitivities(before: Mapping[str, object]) -> None:
    reached = set()
    for changed in CHANGES.values():
        rows = [
            changed
            if (row.seed_id, row.configuration, row.condition, row.repeat)
            == (changed.seed_id, changed.configuration, changed.condition, changed.repeat)
            else row
            for row in ROWS
        ]
        values = {cell.cell_id: cell.value for cell in ANALYSIS.cells}
        reached |= {cell.place.table for cell in analyse(rows).cells if values.get(cell.cell_id) != cell.value}
    assert {
        "funnel",
        "arrival",
        "adoption",
        "gap",
        "repeats",
        "paired",
        "sensitivity",
        "sensitivity_adoption",
    } <= reached
