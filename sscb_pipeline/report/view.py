"""What a page is made of: sections with figures, tables, and the queries behind their numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from markupsafe import Markup

from sscb_pipeline.claims.cell import Cell, Count
from sscb_pipeline.report.wording import interval_text, method_text, percent
from sscb_pipeline.statistics.estimate import Boundary, Estimate, Unobserved


@dataclass(frozen=True, slots=True, kw_only=True)
class DataCell:
    """One table cell: the main text, a smaller second line, and where it leads ('' for plain text)."""

    text: str
    note: str = ""
    href: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowView:
    """A table row: header cells (scope=row), then data cells. `emphasis` is a CSS class or ''."""

    headers: tuple[str, ...]
    cells: tuple[DataCell, ...]
    emphasis: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView:
    """A table. `row_columns` head the row headers, `columns` the data cells."""

    caption: str
    row_columns: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[RowView, ...]
    note: str = ""

    @property
    def spans(self) -> tuple[int, ...]:
        """Per row, over how many rows its first header reaches; 0 where an earlier row's header covers it."""
        if len(self.row_columns) < 2:
            return (1,) * len(self.rows)
        spans = [0] * len(self.rows)
        first = 0
        for at, row in enumerate(self.rows):
            if row.headers[0] != self.rows[first].headers[0]:
                first = at
            spans[first] += 1
        return tuple(spans)


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureView:
    """A figure: inline SVG and its caption."""

    svg: Markup
    caption: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryView:
    """The query of one number, as listed under a section; `runs` leads to its executions ('' for nowhere)."""

    anchor: str
    number: int
    title: str
    value: str
    sentence: str
    sql: str
    undeterminable_sql: str
    runs: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExcerptView:
    """A piece of text as it is, beside others of its section."""

    caption: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionView:
    """One section of a page. `lead` says what a reader may and may not conclude; `points` are findings in one line."""

    ident: str
    title: str
    lead: str
    points: tuple[str, ...] = ()
    figures: tuple[FigureView, ...] = ()
    tables: tuple[TableView, ...] = ()
    excerpts: tuple[ExcerptView, ...] = ()
    queries: tuple[QueryView, ...] = ()


@dataclass(slots=True, kw_only=True)
class QueryBook:
    """Numbers the queries of a page in order of printing, each cell once; `take` empties the list for a section.

    `lists` says where the executions of a cell are listed; a cell that it does not hold leads to its query. `runs` says
    where an execution has its page.
    """

    lists: Mapping[str, str] = field(default_factory=dict)
    runs: Mapping[str, str] = field(default_factory=dict)
    _anchors: dict[str, str] = field(default_factory=dict)
    _waiting: list[QueryView] = field(default_factory=list)

    def href(self, cell: Cell) -> str:
        """Where a number leads: to the list of its executions. Its query is numbered on first use."""
        if cell.cell_id not in self._anchors:
            number = len(self._anchors) + 1
            self._anchors[cell.cell_id] = f"q{number}"
            self._waiting.append(
                QueryView(
                    anchor=f"q{number}",
                    number=number,
                    title=" · ".join((*cell.place.row, cell.place.column)),
                    value=value_text(cell.value),
                    sentence=f"{cell.share.numerator_sentence}, in: {cell.share.population.sentence}",
                    sql=cell.sql,
                    undeterminable_sql=cell.undeterminable_sql,
                    runs=self.lists.get(cell.cell_id, ""),
                )
            )
        return self.lists.get(cell.cell_id) or f"#{self._anchors[cell.cell_id]}"

    def run(self, execution_id: str) -> str:
        """The page of an execution; '' where it has none."""
        return self.runs.get(execution_id, "")

    def take(self) -> tuple[QueryView, ...]:
        """The queries registered since the last call."""
        taken = tuple(self._waiting)
        self._waiting.clear()
        return taken


class NoLinks(QueryBook):
    """For tables and figures that leave the report: nothing in them leads anywhere."""

    def href(self, cell: Cell) -> str:
        """Nowhere."""
        return ""


def value_text(value: Estimate | Unobserved | Count) -> str:
    """One line that says all about a value."""
    match value:
        case Count():
            return f"{value.k} of {value.n}"
        case Unobserved():
            return f"0/0/0, unobserved: {value.why}"
        case Estimate():
            boundary = (
                "" if value.boundary is Boundary.INSIDE else "; on the boundary: describes the observed clusters only"
            )
            return (
                f"{value.k} of {value.n} from {value.clusters} entities, {value.undeterminable} undeterminable; "
                f"95 % interval {interval_text(value.interval)} ({method_text(value)}){boundary}"
            )


def share_cell(cell: Cell, book: QueryBook) -> DataCell:
    """Rate, then evaluable counts: `k/n/clusters`, the interval, and what could not be evaluated."""
    match cell.value:
        case Estimate() as value:
            limits = interval_text(value.interval) + ("" if value.boundary is Boundary.INSIDE else "*")
            unsettled = f" · {value.undeterminable} und." if value.undeterminable else ""
            return DataCell(
                text=f"{percent(value.share)}",
                note=f"{value.k}/{value.n}/{value.clusters}{unsettled} · {limits}",
                href=book.href(cell),
            )
        case Unobserved() as value:
            unsettled = f" · {value.undeterminable} und." if value.undeterminable else ""
            return DataCell(text="0/0/0", note=f"unobserved{unsettled}", href=book.href(cell))
        case Count():
            return count_cell(cell, book)


def count_cell(cell: Cell, book: QueryBook) -> DataCell:
    """A count alone; its population is in the query."""
    return DataCell(text=str(_k(cell.value)), href=book.href(cell))


def count_of_cell(cell: Cell, book: QueryBook) -> DataCell:
    """A count with the size of its population: k of n."""
    match cell.value:
        case Estimate() | Count() as value if value.n:
            return DataCell(text=f"{value.k} of {value.n}", href=book.href(cell))
        case _:
            return DataCell(text="0/0/0", note="unobserved", href=book.href(cell))


def _k(value: Estimate | Unobserved | Count) -> int:
    return 0 if isinstance(value, Unobserved) else value.k
