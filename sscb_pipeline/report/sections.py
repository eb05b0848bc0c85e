"""The sections on what was run and what arrived when: provenance, funnel, endings, arrival, adoption, claims."""

from __future__ import annotations

from collections.abc import Iterable

from sscb_pipeline.claims.analysis import Analysis
from sscb_pipeline.claims.cell import Cell, Count
from sscb_pipeline.claims.claims import ADOPTION, EVENTUAL, TIMELY
from sscb_pipeline.claims.funnel import ALL_OPERATORS, EVERY, FIRST, STAGES
from sscb_pipeline.claims.same_runs import COLUMNS as SAME_RUNS
from sscb_pipeline.claims.scope import POOLED, STRATA
from sscb_pipeline.report import svg
from sscb_pipeline.report.bars import Bar, Part, stacked_bars
from sscb_pipeline.report.context import ReportContext
from sscb_pipeline.report.forest import Group, Mark, Shape, forest
from sscb_pipeline.report.view import (
    DataCell,
    FigureView,
    QueryBook,
    RowView,
    SectionView,
    TableView,
    count_cell,
    share_cell,
)
from sscb_pipeline.report.wording import words
from sscb_pipeline.statistics.estimate import Estimate, Unobserved

STRATUM_COLOURS = dict(zip((stratum.value for stratum in STRATA), (svg.BEFORE, svg.AFTER, svg.ABSENT), strict=True))
RATE_NOTE = (
    "Each cell: rate, then count/evaluable/entities and the 95 % interval; “und.” counts runs that could not be "
    "evaluated. * marks a share of 0 or 100 %: its interval describes the observed clusters only. 0/0/0: no "
    "evaluable "
    "run, so the claim is unobserved."
)


def emphasis(row: tuple[str, ...]) -> str:
    """Pooled lines are set apart."""
    return "pooled" if POOLED in row or ALL_OPERATORS in row else ""


def claims_section(analysis: Analysis, book: QueryBook) -> SectionView:
    """The three claims, each on its own population, then the same runs as counts."""
    columns = (ADOPTION, EVENTUAL, TIMELY)
    rows = [(operator, POOLED) for operator in analysis.scope.operators]
    claims = TableView(
        caption="Three claims, each on the runs it is about (all configurations pooled)",
        row_columns=("operator",),
        columns=columns,
        rows=tuple(
            RowView(
                headers=(row[0],),
                cells=tuple(share_cell(analysis.cell("claims", row, column), book) for column in columns),
            )
            for row in rows
        ),
        note=RATE_NOTE,
    )
    same = TableView(
        caption="The same runs, counted: of the evaluable runs, how many adopted, and when their counter-evidence came",
        row_columns=("operator",),
        columns=SAME_RUNS,
        rows=tuple(
            RowView(
                headers=(row[0],),
                cells=tuple(count_cell(analysis.cell("same_runs", row, column), book) for column in SAME_RUNS),
            )
            for row in rows
        ),
        note="Counts on one set of runs; they are not rates of the claims above.",
    )
    return SectionView(
        ident="claims",
        title="What the runs support",
        lead="Adoption, adoption with eventual counter-evidence and adoption under timely counter-evidence have "
        "different "
        "populations. A rate of one does not support another.",
        points=tuple(_finding(analysis, operator) for operator in analysis.scope.operators),
        tables=(claims, same),
        queries=book.take(),
    )


def _finding(analysis: Analysis, operator: str) -> str:
    """What the counts say, in one sentence."""
    adopted, eventual, before = (
        _count(analysis.cell("same_runs", (operator, POOLED), column))
        for column in ("adopted", "with eventual counter-evidence", "before")
    )
    if not adopted:
        return f"{operator}: no adopted run was observed."
    if not eventual:
        return f"{operator}: of {adopted} adopted runs none received counter-evidence."
    return (
        f"{operator}: of {adopted} adopted runs {eventual} received counter-evidence at some time, {before} of them "
        "before the first use."
    )


def _count(cell: Cell) -> int:
    return 0 if isinstance(cell.value, Unobserved) else cell.value.k


def frames_section(context: ReportContext) -> SectionView:
    """Candidate frames and what screening decided."""
    frames = TableView(
        caption="Candidate frames, frozen before any agent ran",
        row_columns=("operator",),
        columns=("candidates", "entities", "admitted seeds", "frame sha256"),
        rows=tuple(
            RowView(
                headers=(frame.operator,),
                cells=(
                    DataCell(text=str(frame.candidates)),
                    DataCell(text=str(frame.clusters)),
                    DataCell(text=str(frame.admitted)),
                    DataCell(text=frame.sha256[:12]),
                ),
            )
            for frame in context.frames
        ),
    )
    dispositions = TableView(
        caption="What became of the screened candidates",
        row_columns=("operator", "disposition", "reason"),
        columns=("candidates",),
        rows=tuple(
            RowView(
                headers=(line.operator, words(line.disposition), line.reason),
                cells=(DataCell(text=str(line.candidates)),),
            )
            for line in context.dispositions
        ),
    )
    return SectionView(
        ident="frames",
        title="Frames and screening",
        lead="A candidate is admitted when its contract is valid and an executed witness shows that "
        "counter-evidence can "
        "arrive before the first use. Without a witness it stays unresolved; that is not a proof of the contrary.",
        tables=(frames, dispositions),
    )


def funnel_section(analysis: Analysis, book: QueryBook) -> SectionView:
    """Scheduled executions down to analysable runs, and why others were lost."""
    operators = (*analysis.scope.operators, ALL_OPERATORS)
    tables = [
        TableView(
            caption=f"Baseline executions, {extent}",
            row_columns=("stage",),
            columns=operators,
            rows=tuple(
                RowView(
                    headers=(sentence,),
                    cells=tuple(
                        count_cell(analysis.cell("funnel", (extent, operator), column), book) for operator in operators
                    ),
                )
                for column, _, sentence in STAGES
            ),
        )
        for extent in (FIRST, EVERY)
    ]
    return SectionView(
        ident="funnel",
        title="From scheduled executions to analysable runs",
        lead="Missing is never imputed. A run without dependent use, or whose first use cannot be determined, "
        "is reported "
        "here and is outside P.",
        tables=(*tables, *_endings(analysis, book)),
        queries=book.take(),
    )


def _endings(analysis: Analysis, book: QueryBook) -> Iterable[TableView]:
    cells = analysis.table("endings")
    if cells:
        yield TableView(
            caption="Executions cut short, missing, not run, or never triggered",
            row_columns=("condition", "ending", "reason"),
            columns=analysis.scope.operators,
            rows=tuple(
                RowView(
                    headers=tuple(words(part) for part in row),
                    cells=tuple(
                        count_cell(analysis.cell("endings", row, operator), book)
                        for operator in analysis.scope.operators
                    ),
                )
                for row in dict.fromkeys(cell.place.row for cell in cells)
            ),
        )


def arrival_section(analysis: Analysis, book: QueryBook) -> SectionView:
    """Arrival of counter-evidence relative to the first dependent use."""
    figures = tuple(_arrival_figure(analysis, book, operator) for operator in analysis.scope.operators)
    rows = []
    for operator in analysis.scope.operators:
        for row in analysis.scope.rows(operator):
            cells = [analysis.cell("arrival", row, stratum.value) for stratum in STRATA]
            known = DataCell(text=_n_k(cells[0]), href=book.href(cells[0]))
            rows.append(
                RowView(headers=row, cells=(*(share_cell(cell, book) for cell in cells), known), emphasis=emphasis(row))
            )
    table = TableView(
        caption="Arrival among the runs of P whose Z_S is determinable",
        row_columns=("operator", "configuration"),
        columns=(*(stratum.value for stratum in STRATA), "n/k"),
        rows=tuple(rows),
        note="n/k: runs with determinable arrival / entities. Target-value controls are included here. " + RATE_NOTE,
    )
    return SectionView(
        ident="arrival",
        title="Arrival of counter-evidence",
        lead="Before: valid counter-evidence was visible before the first dependent use. After: only later. "
        "Absent: never in "
        "the observed execution, although a legal way to it exists for every admitted case.",
        figures=figures,
        tables=(table,),
        queries=book.take(),
    )


def _n_k(cell: Cell) -> str:
    return f"{cell.value.n}/{cell.value.clusters}" if isinstance(cell.value, Estimate) else "0/0"


def _arrival_figure(analysis: Analysis, book: QueryBook, operator: str) -> FigureView:
    bars = []
    for row in analysis.scope.rows(operator):
        cells = [analysis.cell("arrival", row, stratum.value) for stratum in STRATA]
        parts = tuple(
            Part(
                name=cell.place.column,
                count=cell.value.k if isinstance(cell.value, Estimate) else 0,
                colour=STRATUM_COLOURS[cell.place.column],
                href=book.href(cell),
            )
            for cell in cells
        )
        bars.append(Bar(label=row[1], parts=parts, whole=sum(part.count for part in parts), right=_n_k(cells[0])))
    return FigureView(
        svg=stacked_bars(f"Arrival, {operator}", tuple(STRATUM_COLOURS.items()), bars, "runs/entities"),
        caption=operator,
    )


def adoption_section(analysis: Analysis, book: QueryBook) -> SectionView:
    """Adoption in aggregate and by arrival condition."""
    figures = [
        figure
        for operator in analysis.scope.operators
        for figure in (_aggregate_figure(analysis, book, operator), _stratum_figure(analysis, book, operator))
    ]
    columns = ("A_T", "A_P", *(f"a_{stratum.value}" for stratum in STRATA))
    table = TableView(
        caption="Adoption: among triggered runs (A_T), in P (A_P), and in each arrival condition",
        row_columns=("operator", "configuration"),
        columns=("A_T", "A_P", *(stratum.value for stratum in STRATA)),
        rows=tuple(
            RowView(
                headers=row,
                cells=tuple(share_cell(analysis.cell("adoption", row, column), book) for column in columns),
                emphasis=emphasis(row),
            )
            for operator in analysis.scope.operators
            for row in analysis.scope.rows(operator)
        ),
        note=RATE_NOTE,
    )
    return SectionView(
        ident="adoption",
        title="Adoption by arrival condition",
        lead="Target-value controls are left out. Differences between arrival conditions describe; they are not "
        "causal effects.",
        figures=tuple(figures),
        tables=(table,),
        queries=book.take(),
    )


def _aggregate_figure(analysis: Analysis, book: QueryBook, operator: str) -> FigureView:
    groups = tuple(
        Group(
            label=row[1],
            marks=tuple(
                _mark(analysis.cell("adoption", row, column), book, shape, svg.INK)
                for column, shape in (("A_T", Shape.HOLLOW_DIAMOND), ("A_P", Shape.DIAMOND))
            ),
        )
        for row in analysis.scope.rows(operator)
    )
    return FigureView(
        svg=forest(f"Adoption in aggregate, {operator}", groups, "adopted/evaluable/entities", ()),
        caption=f"{operator}, aggregate: ◇ A_T (triggered), ◆ A_P (in P)",
    )


def _stratum_figure(analysis: Analysis, book: QueryBook, operator: str) -> FigureView:
    groups = tuple(
        Group(
            label=row[1],
            marks=tuple(
                _mark(
                    analysis.cell("adoption", row, f"a_{stratum.value}"),
                    book,
                    Shape.DIAMOND if row[1] == POOLED else Shape.DOT,
                    STRATUM_COLOURS[stratum.value],
                    by_stratum=stratum.value,
                )
                for stratum in STRATA
            ),
        )
        for row in analysis.scope.rows(operator)
    )
    legend = tuple(STRATUM_COLOURS.items())
    return FigureView(
        svg=forest(f"Adoption by arrival, {operator}", groups, "evaluable/stratum/entities", legend),
        caption=f"{operator}, by arrival condition",
    )


def _mark(cell: Cell, book: QueryBook, shape: Shape, colour: str, by_stratum: str = "") -> Mark:
    value = cell.value
    if isinstance(value, Count):
        raise TypeError(f"{cell.cell_id} is a count and has no interval")
    counts = ""
    if isinstance(value, Estimate):
        first = (value.n, value.stratum_total) if by_stratum else (value.k, value.n)
        counts = "/".join(str(number) for number in (*first, value.clusters))
    return Mark(
        value=value,
        shape=shape,
        colour=colour,
        name=by_stratum or cell.place.column,
        counts=counts,
        href=book.href(cell),
    )
