"""The executions behind the numbers: one page per population, with every number that is counted on it.

Numbers of one table row mostly share their population (a funnel, the bins of a gap, the stances of a stratum), so a
page shows its runs once, as a picture and as a table, and names under each number the runs that make its numerator.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from markupsafe import Markup, escape

from sscb_pipeline.claims.analysis import Analysis
from sscb_pipeline.claims.card import card_name
from sscb_pipeline.claims.cell import Cell, Count
from sscb_pipeline.claims.population import Conditions, Filter
from sscb_pipeline.claims.run_row import RunRow
from sscb_pipeline.claims.run_table import RunTable
from sscb_pipeline.report.run_timelines import picture_order, timelines
from sscb_pipeline.report.shell import page
from sscb_pipeline.report.view import value_text

FOLDER = "lists"
SHORTEST_NAME = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedCell:
    """A number on a list page: its anchor, title, value, sentence, queries, card ('' for counts), and the positions
    (from 1) of the runs in its numerator and of those that could not be evaluated."""

    anchor: str
    title: str
    value: str
    sentence: str
    sql: str
    undeterminable_sql: str
    card: str
    numerator: tuple[int, ...]
    undeterminable: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListPage:
    """A population, its runs in the order of the picture, and the numbers counted on it."""

    file: str
    population: str
    runs: tuple[RunRow, ...]
    cells: tuple[ListedCell, ...]


class RunLists:
    """All list pages of an analysis over `rows`; `played` are the executions that have a page of their own."""

    def __init__(self, analysis: Analysis, rows: Sequence[RunRow], played: Collection[str]) -> None:
        self.analysis = analysis
        self.names = run_names([row.execution_id for row in rows])
        self.played = frozenset(played)
        self._rows = sorted(rows, key=picture_order)
        self._kept = Filter(RunTable(self._rows))

    @cached_property
    def _groups(self) -> Mapping[Conditions, list[Cell]]:
        groups: dict[Conditions, list[Cell]] = {}
        for cell in self.analysis.cells:
            groups.setdefault(cell.share.population.conditions, []).append(cell)
        return groups

    @cached_property
    def places(self) -> Mapping[str, str]:
        """Where each cell is listed: cell id to an address relative to the index."""
        return {
            cell.cell_id: f"{FOLDER}/{_file(number)}#c{at}"
            for number, cells in enumerate(self._groups.values(), start=1)
            for at, cell in enumerate(cells, start=1)
        }

    @property
    def run_places(self) -> Mapping[str, str]:
        """Where each played execution has its page, relative to the index."""
        return {name: f"runs/{self.names[name]}.html" for name in self.names if name in self.played}

    def pages(self) -> Iterator[ListPage]:
        """Every page, in the order in which its first number is printed."""
        for number, (conditions, cells) in enumerate(self._groups.items(), start=1):
            members = np.flatnonzero(self._kept.mask(conditions))
            yield ListPage(
                file=_file(number),
                population=cells[0].share.population.sentence,
                runs=tuple(self._rows[at] for at in members),
                cells=tuple(self._listed(f"c{at}", cell, members) for at, cell in enumerate(cells, start=1)),
            )

    def _listed(self, anchor: str, cell: Cell, members: np.ndarray[tuple[int], np.dtype[np.intp]]) -> ListedCell:
        evaluable = self._kept.mask(cell.share.evaluable)[members]
        numerator = self._kept.mask(cell.share.numerator)[members]
        scope = self.analysis.scope
        return ListedCell(
            anchor=anchor,
            title=" · ".join((cell.place.table.replace("_", " "), *cell.place.row, cell.place.column)),
            value=value_text(cell.value),
            sentence=cell.share.numerator_sentence,
            sql=cell.sql,
            undeterminable_sql=cell.undeterminable_sql,
            card="" if isinstance(cell.value, Count) else card_name(scope.agents, scope.campaign, cell.cell_id),
            numerator=tuple(int(at) + 1 for at in np.flatnonzero(evaluable & numerator)),
            undeterminable=tuple(int(at) + 1 for at in np.flatnonzero(~evaluable)),
        )

    def render(self, listed: ListPage) -> str:
        """A list page as HTML."""
        addresses = [self.address(row) for row in listed.runs]
        return page(
            "list.html.j2",
            "list.css",
            agents=self.analysis.scope.agents,
            listed=listed,
            picture=timelines(listed.runs, addresses),
            table=Markup("").join(map(self._table_row, range(1, len(listed.runs) + 1), listed.runs, addresses)),
            addresses=addresses,
        )

    def address(self, row: RunRow) -> str:
        """The page of a run as seen from a list page; '' for an execution that was not played."""
        return f"../runs/{self.names[row.execution_id]}.html" if row.execution_id in self.played else ""

    def _table_row(self, number: int, row: RunRow, address: str) -> Markup:
        name = escape(self.names[row.execution_id])
        link = f'<a href="{escape(address)}">{name}</a>' if address else name
        cells = (
            row.operator,
            row.configuration,
            row.seed_id,
            row.condition.replace("_", " "),
            str(row.repeat),
            *(_time(row, which) for which in ("t_f", "t_e", "t_s", "t_u")),
            row.adoption.replace("_", " "),
            row.stratum.replace("_", " "),
            row.final_stance.replace("_", " "),
            row.ending.replace("_", " "),
        )
        inner = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        return Markup(f'<tr id="r{number}"><th scope="row">{number}</th><td>{link}</td>{inner}</tr>\n')


def run_names(execution_ids: Collection[str]) -> Mapping[str, str]:
    """A short name for every execution: as many first digits of its id as tell all apart, at least eight."""
    length = SHORTEST_NAME
    while len({name[:length] for name in execution_ids}) < len(set(execution_ids)):
        length += 1
    return {name: name[:length] for name in execution_ids}


def _file(number: int) -> str:
    return f"{number:04d}.html"


def _time(row: RunRow, which: str) -> str:
    status = str(getattr(row, f"{which}_status"))
    return str(getattr(row, f"{which}_step")) if status == "located" else status.replace("_", " ")
