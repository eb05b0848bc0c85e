"""The sections on adopted runs and paired conditions."""

from __future__ import annotations

from sscb_pipeline.claims.analysis import Analysis
from sscb_pipeline.claims.cell import Count
from sscb_pipeline.claims.diagnosis import BINS, NEVER_ARRIVED, STANCES
from sscb_pipeline.claims.scope import POOLED, STRATA
from sscb_pipeline.report import svg
from sscb_pipeline.report.bars import Bar, Part, stacked_bars
from sscb_pipeline.report.forest import Group, Mark, Shape, forest
from sscb_pipeline.report.sections import RATE_NOTE, emphasis
from sscb_pipeline.report.view import (
    FigureView,
    QueryBook,
    RowView,
    SectionView,
    TableView,
    count_cell,
    count_of_cell,
    share_cell,
)
from sscb_pipeline.report.wording import words
from sscb_pipeline.statistics.estimate import Estimate

_ORDERS = ("T_S = T_U", "T_S < T_E < T_U", "positive gap", "negative gap", NEVER_ARRIVED)


def diagnosis_section(analysis: Analysis, book: QueryBook) -> SectionView:
    """When counter-evidence came relative to the first erroneous dependence, and what followed."""
    figures = [
        figure
        for operator in analysis.scope.operators
        for figure in (_gap_figure(analysis, book, operator), _q_u_figure(analysis, book, operator))
    ]
    lines = [row for operator in analysis.scope.operators for row in analysis.scope.rows(operator)]
    orders = TableView(
        caption="Adopted runs: counter-evidence before the first erroneous dependence (q_U), and the order of events",
        row_columns=("operator", "configuration"),
        columns=("q_U", *_ORDERS),
        rows=tuple(
            RowView(
                headers=row,
                cells=(
                    share_cell(analysis.cell("diagnosis", row, "q_U"), book),
                    *(count_of_cell(analysis.cell("diagnosis", row, column), book) for column in _ORDERS),
                ),
                emphasis=emphasis(row),
            )
            for row in lines
        ),
        note="Counts are of adopted runs with T_U located. ∞: counter-evidence absent from the observed execution. "
        + RATE_NOTE,
    )
    return SectionView(
        ident="diagnosis",
        title="Counter-evidence and the first error",
        lead="The gap T_U − T_E is in steps: positive means that counter-evidence was visible before the first "
        "erroneous "
        "dependence. Runs without counter-evidence stand apart at ∞.",
        figures=tuple(figures),
        tables=(orders,),
        queries=book.take(),
    )


def _gap_figure(analysis: Analysis, book: QueryBook, operator: str) -> FigureView:
    configurations = analysis.scope.configurations(operator)
    colours = {name: svg.SERIES[at % len(svg.SERIES)] for at, name in enumerate(configurations)}
    pooled = analysis.cell("gap", (operator, POOLED), NEVER_ARRIVED).value
    whole = pooled.n if isinstance(pooled, Count) else 0
    bars = []
    for label in (*(name for name, _, _ in BINS), NEVER_ARRIVED):
        parts = []
        for configuration in configurations:
            cell = analysis.cell("gap", (operator, configuration), label)
            count = cell.value.k if isinstance(cell.value, Count) else 0
            parts.append(Part(name=configuration, count=count, colour=colours[configuration], href=book.href(cell)))
        total = sum(part.count for part in parts)
        if total or label == NEVER_ARRIVED:
            shown = f"{label} (absent)" if label == NEVER_ARRIVED else label
            bars.append(Bar(label=shown, parts=tuple(parts), whole=whole, right=str(total)))
    return FigureView(
        svg=stacked_bars(f"Signed gap, {operator}", tuple(colours.items()), bars, "runs"),
        caption=f"{operator}: T_U − T_E in steps; bar length is the share of its {whole} adopted runs with both "
        "times "
        "determinable",
    )


def _q_u_figure(analysis: Analysis, book: QueryBook, operator: str) -> FigureView:
    groups = []
    for at, row in enumerate(analysis.scope.rows(operator)):
        cell = analysis.cell("diagnosis", row, "q_U")
        value = cell.value
        if isinstance(value, Count):
            raise TypeError(f"{cell.cell_id} is a count and has no interval")
        pooled = row[1] == POOLED
        counts = f"{value.k}/{value.n}/{value.clusters}/{value.undeterminable}" if isinstance(value, Estimate) else ""
        mark = Mark(
            value=value,
            shape=Shape.DIAMOND if pooled else Shape.DOT,
            colour=svg.INK if pooled else svg.SERIES[at % len(svg.SERIES)],
            name="q_U",
            counts=counts,
            href=book.href(cell),
        )
        groups.append(Group(label=row[1], marks=(mark,)))
    return FigureView(
        svg=forest(f"q_U, {operator}", groups, "before/n/entities/undet.", ()),
        caption=f"{operator}: q_U, share of adopted runs whose counter-evidence came before the first error",
    )


def afterwards_section(analysis: Analysis, book: QueryBook) -> SectionView:
    """Final stance, and prevention, correction and repair as three measures."""
    stance = TableView(
        caption="Final stance (Y_end) of adopted runs by arrival condition, all configurations pooled",
        row_columns=("operator", "counter-evidence"),
        columns=tuple(words(stance) for stance in STANCES),
        rows=tuple(
            RowView(
                headers=(operator, stratum.value),
                cells=tuple(
                    count_of_cell(analysis.cell("final_stance", (operator, POOLED, stratum.value), stance), book)
                    for stance in STANCES
                ),
            )
            for operator in analysis.scope.operators
            for stratum in STRATA
        ),
    )
    measures = ("prevention", "correction", "repair")
    recovery = TableView(
        caption="Three separate measures on adopted runs, all configurations pooled",
        row_columns=("operator",),
        columns=(
            "counter-evidence before the first error",
            "fault no longer endorsed at the end",
            "external state repaired",
        ),
        rows=tuple(
            RowView(
                headers=(operator,),
                cells=tuple(share_cell(analysis.cell("recovery", (operator, POOLED), name), book) for name in measures),
            )
            for operator in analysis.scope.operators
        ),
        note="Prevention, correction and repair need different observations and have different denominators. "
        + RATE_NOTE,
    )
    return SectionView(
        ident="afterwards",
        title="Final stance and repair",
        lead="Whether a run ends by endorsing the fault says nothing about effects it already had outside the "
        "conversation.",
        tables=(stance, recovery),
        queries=book.take(),
    )


def paired_section(analysis: Analysis, book: QueryBook) -> SectionView:
    """The same seed and configuration under a changed condition."""
    measures = tuple(
        f"{measure}, {side}" for measure in ("adoption", "read-back", "before use") for side in ("baseline", "changed")
    )
    joint = ("adopted in both", "adopted in baseline only", "adopted when changed only", "adopted in neither")
    rows = tuple(dict.fromkeys(cell.place.row for cell in analysis.table("paired")))
    tables = (
        TableView(
            caption="Both runs of each evaluable pair",
            row_columns=("changed condition", "operator", "configuration"),
            columns=("evaluable pairs", *measures),
            rows=tuple(
                RowView(
                    headers=tuple(words(part) for part in row),
                    cells=(
                        count_of_cell(analysis.cell("paired", row, "evaluable pairs"), book),
                        *(count_of_cell(analysis.cell("paired", row, column), book) for column in measures),
                    ),
                    emphasis=emphasis(row),
                )
                for row in rows
            ),
            note="A pair is evaluable when both runs lie in P with adoption and arrival determinable. Evaluable "
            "pairs: of the "
            "scheduled ones.",
        ),
        TableView(
            caption="The same pairs, jointly",
            row_columns=("changed condition", "operator", "configuration"),
            columns=joint,
            rows=tuple(
                RowView(
                    headers=tuple(words(part) for part in row),
                    cells=tuple(count_cell(analysis.cell("paired", row, column), book) for column in joint),
                    emphasis=emphasis(row),
                )
                for row in rows
            ),
        ),
    )
    return SectionView(
        ident="paired",
        title="Paired conditions",
        lead="no readback hint: the tool description no longer says that the record can be read back. "
        "consistent source: every "
        "channel agrees with the injected value, so counter-evidence cannot arrive. A contrast of behaviour, "
        "not a mediation.",
        tables=tables if rows else (),
        queries=book.take(),
    )
