"""All tables of one analysis. Reference, model and replay runs are never mixed in one (SPEC 6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from sscb_pipeline.claims.cell import Calculator, Cell
from sscb_pipeline.claims.claims import adoption_cells, arrival_cells, claim_cells
from sscb_pipeline.claims.diagnosis import diagnosis_cells, gap_cells, recovery_cells, stance_cells
from sscb_pipeline.claims.funnel import ending_cells, funnel_cells
from sscb_pipeline.claims.paired import paired_cells
from sscb_pipeline.claims.run_row import RunRow
from sscb_pipeline.claims.run_table import RunTable
from sscb_pipeline.claims.same_runs import same_runs_cells
from sscb_pipeline.claims.scope import Scope
from sscb_pipeline.claims.sensitivity import (
    adoption_variant_cells,
    arrival_variant_cells,
    repeat_cells,
    sensitivity_cells,
)
from sscb_pipeline.errors import InputError

_TABLES = (
    funnel_cells,
    ending_cells,
    arrival_cells,
    adoption_cells,
    claim_cells,
    same_runs_cells,
    diagnosis_cells,
    gap_cells,
    stance_cells,
    recovery_cells,
    sensitivity_cells,
    arrival_variant_cells,
    adoption_variant_cells,
    repeat_cells,
    paired_cells,
)


@dataclass(frozen=True, kw_only=True)
class Analysis:
    """Every number of one analysis, in printing order."""

    scope: Scope
    cells: tuple[Cell, ...]

    @cached_property
    def _by_id(self) -> dict[str, Cell]:
        return {cell.cell_id: cell for cell in self.cells}

    def cell(self, table: str, row: tuple[str, ...], column: str) -> Cell:
        """The cell at a place. Raises InputError if the analysis has none there."""
        cell_id = "/".join((table, *row, column))
        if cell_id not in self._by_id:
            raise InputError(
                subject=f"cell {cell_id}",
                expected="a cell of this analysis",
                found="none",
                remedy="list the cells of the table",
            )
        return self._by_id[cell_id]

    def table(self, name: str) -> tuple[Cell, ...]:
        """All cells of one table, in printing order; empty if nothing of that kind was scheduled."""
        return tuple(cell for cell in self.cells if cell.place.table == name)


def analyse(rows: Sequence[RunRow]) -> Analysis:
    """Every table over the rows of one kind of agents and one campaign.

    Raises InputError for no rows, a repeated execution id, or a mixture of kinds of agents or campaigns.
    """
    if not rows:
        raise InputError(
            subject="analysis",
            expected="at least one scheduled execution",
            found="none",
            remedy="run the measurement first (sscb run)",
        )
    table = RunTable(rows)
    if len(table.values("execution_id")) != len(rows):
        raise InputError(
            subject="analysis",
            expected="one row per execution",
            found=f"{len(rows)} rows of {len(table.values('execution_id'))} executions",
            remedy="load each journal once",
        )
    scope = Scope(
        agents=_only(table, "agents"),
        campaign=_only(table, "campaign"),
        lines=tuple(sorted({(row.operator, row.configuration) for row in rows})),
        run_conditions=table.values("condition"),
    )
    calculator = Calculator(table)
    return Analysis(scope=scope, cells=tuple(chain.from_iterable(make(calculator, scope) for make in _TABLES)))


def _only(table: RunTable, column: str) -> str:
    values = table.values(column)
    if len(values) != 1:
        raise InputError(
            subject=f"analysis by {column}",
            expected=f"rows of one {column} value",
            found=", ".join(values),
            remedy=f"analyse each {column} apart",
        )
    return values[0]
