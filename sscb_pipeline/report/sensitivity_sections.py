"""The sections on other rules of inclusion, repeats, and the calibration of the measurement."""

from __future__ import annotations

from sscb_pipeline.claims.analysis import Analysis
from sscb_pipeline.claims.calibration import Calibration
from sscb_pipeline.claims.scope import STRATA
from sscb_pipeline.claims.sensitivity import MAIN, VARIANTS
from sscb_pipeline.report.context import NotCalibrated
from sscb_pipeline.report.sections import RATE_NOTE, emphasis
from sscb_pipeline.report.view import (
    DataCell,
    QueryBook,
    RowView,
    SectionView,
    TableView,
    count_of_cell,
    share_cell,
)
from sscb_pipeline.report.wording import words

_ARRIVAL = tuple(stratum.value for stratum in STRATA)
_MEASURED = ("A_P", *(f"a_{name}" for name in _ARRIVAL), "q_U")
_MEASURED_HEADINGS = ("A_P", *(f"adoption {name}" for name in _ARRIVAL), "q_U")
_MAIN_TABLE = {**dict.fromkeys(_ARRIVAL, "arrival"), **dict.fromkeys(_MEASURED, "adoption"), "q_U": "diagnosis"}
"""Where the main analysis has each column."""


def sensitivity_section(analysis: Analysis, book: QueryBook) -> SectionView:
    """The pooled figures under other rules of inclusion, and repeats."""
    arrivals = _variants(analysis, book, "Arrival in P, all configurations pooled", _ARRIVAL, _ARRIVAL)
    outcomes = _variants(
        analysis,
        book,
        "Adoption in P and by arrival condition, and q_U, all configurations pooled",
        _MEASURED,
        _MEASURED_HEADINGS,
    )
    repeats = TableView(
        caption="Seed–configuration groups with at least two evaluable baseline runs: how many change arrival "
        "condition",
        row_columns=("operator", "configuration"),
        columns=("change arrival condition",),
        rows=tuple(
            RowView(
                headers=cell.place.row,
                cells=(count_of_cell(cell, book),),
                emphasis=emphasis(cell.place.row),
            )
            for cell in analysis.table("repeats")
        ),
    )
    return SectionView(
        ident="sensitivity",
        title="Sensitivity",
        lead="Common seeds: those that no configuration scheduled on them left unsolved in the clean condition. "
        "The strict "
        "rule keeps ItemOption cases whose task text names the option or its value.",
        tables=(
            arrivals,
            outcomes,
            _by_configuration(analysis, book, "sensitivity_arrival", "Arrival in P", _ARRIVAL, _ARRIVAL),
            _by_configuration(
                analysis,
                book,
                "sensitivity_adoption",
                "Adoption in P and by arrival condition, and q_U",
                _MEASURED,
                _MEASURED_HEADINGS,
            ),
            repeats,
        ),
        queries=book.take(),
    )


def _variants(
    analysis: Analysis, book: QueryBook, caption: str, columns: tuple[str, ...], headings: tuple[str, ...]
) -> TableView:
    present = {cell.place.row for cell in analysis.table("sensitivity")}
    return TableView(
        caption=f"{caption}, one rule changed at a time",
        row_columns=("operator", "rule"),
        columns=headings,
        rows=tuple(
            RowView(
                headers=(operator, variant),
                cells=tuple(
                    share_cell(analysis.cell("sensitivity", (operator, variant), column), book) for column in columns
                ),
            )
            for operator in analysis.scope.operators
            for variant in VARIANTS
            if (operator, variant) in present
        ),
        note=RATE_NOTE,
    )


def _by_configuration(
    analysis: Analysis,
    book: QueryBook,
    table: str,
    caption: str,
    columns: tuple[str, ...],
    headings: tuple[str, ...],
) -> TableView:
    """The lines of one table of variants, each configuration with the main analysis first."""
    lines = dict.fromkeys(cell.place.row[:2] for cell in analysis.table(table))
    present = {cell.place.row for cell in analysis.table(table)}
    rows: list[RowView] = []
    for line in lines:
        cells = [share_cell(analysis.cell(_MAIN_TABLE[name], line, name), book) for name in columns]
        rows.append(RowView(headers=(*line, MAIN), cells=tuple(cells), emphasis=emphasis(line)))
        for variant in VARIANTS:
            if (*line, variant) in present:
                cells = [share_cell(analysis.cell(table, (*line, variant), name), book) for name in columns]
                rows.append(RowView(headers=(*line, variant), cells=tuple(cells), emphasis=emphasis(line)))
    return TableView(
        caption=f"{caption}, by configuration, one rule changed at a time",
        row_columns=("operator", "configuration", "rule"),
        columns=headings,
        rows=tuple(rows),
        note=RATE_NOTE,
    )


def calibration_section(calibration: Calibration | NotCalibrated, book: QueryBook) -> SectionView:
    """Measured against realised labels."""
    title = "Calibration of the measurement"
    if isinstance(calibration, NotCalibrated):
        return SectionView(ident="calibration", title=title, lead=f"Not calibrated: {calibration.why}.")
    summary = TableView(
        caption="Labels that the agents were built to realise, against the measured values",
        row_columns=("quantity",),
        columns=("labels", "exact", "undeterminable as constructed", "disagreements"),
        rows=tuple(
            RowView(
                headers=(quantity.quantity,),
                cells=tuple(
                    DataCell(text=str(number))
                    for number in (
                        quantity.labels,
                        quantity.exact,
                        quantity.undeterminable_as_constructed,
                        quantity.disagreements,
                    )
                ),
            )
            for quantity in calibration.quantities
        ),
    )
    listed = TableView(
        caption=f"Disagreements, by execution ({len(calibration.disagreements)})",
        row_columns=("execution", "operator", "configuration", "habit", "quantity"),
        columns=("realised", "measured", "kind"),
        rows=tuple(
            RowView(
                headers=(pair.execution_id[:16], pair.operator, pair.configuration, pair.habit, pair.quantity),
                cells=(
                    DataCell(text=pair.realised),
                    DataCell(text=pair.measured, href=book.run(pair.execution_id)),
                    DataCell(text=words(pair.outcome.value)),
                ),
            )
            for pair in calibration.disagreements
        ),
    )
    return SectionView(
        ident="calibration",
        title=title,
        lead="Reference agents know what they did. A determinate label must be measured exactly, and an ambiguity by "
        "construction must be reported undeterminable; anything else is listed.",
        tables=(summary, listed) if calibration.disagreements else (summary,),
    )
