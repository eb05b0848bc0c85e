"""Every table as data: one row per printed number, with its population, evidence and query.

`status` says what a number is: `estimate` (a share with its interval), `unobserved` (no run of the population could be
evaluated, so share and limits are empty) or `count` (which has no rate). An empty share is never a zero.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, assert_never

import pyarrow as pa
import pyarrow.parquet as pq

from sscb_pipeline.claims.analysis import Analysis
from sscb_pipeline.claims.calibration import Calibration
from sscb_pipeline.claims.card import card_name
from sscb_pipeline.claims.cell import Cell, Count
from sscb_pipeline.claims.run_row import RunRow
from sscb_pipeline.claims.run_table import INTEGER_COLUMNS
from sscb_pipeline.report.context import ReportContext
from sscb_pipeline.statistics.estimate import Estimate, NoSeed, Unobserved

Value = str | int | float | None
LINE = ("operator", "configuration")
ROW_COLUMNS: dict[str, tuple[str, ...]] = {
    "funnel": ("extent", "operator"),
    "endings": ("condition", "ending", "reason"),
    "final_stance": (*LINE, "counter_evidence"),
    "sensitivity": ("operator", "rule"),
    "sensitivity_arrival": (*LINE, "rule"),
    "sensitivity_adoption": (*LINE, "rule"),
    "paired": ("changed_condition", *LINE),
}
"""What the row labels of a table are; those of every other table are LINE."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_KINDS = {"text": pa.string(), "integer": pa.int64(), "number": pa.float64()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column and the kind of its values: `text`, `integer` or `number`."""

    name: str
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DataTable:
    """A named table; every row has one value per column. None stands for a rate or limit that does not exist."""

    name: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Value, ...], ...]


def data_tables(analysis: Analysis, context: ReportContext, rows: Sequence[RunRow]) -> Iterator[DataTable]:
    """Every table of the analysis, then frames, dispositions, calibration and the rows themselves."""
    for name in dict.fromkeys(cell.place.table for cell in analysis.cells):
        yield _cells(analysis, name)
    yield _records("frames", context.frames, integers=frozenset({"candidates", "clusters", "admitted"}))
    yield _records("dispositions", context.dispositions, integers=frozenset({"candidates"}))
    if isinstance(context.calibration, Calibration):
        quantities = context.calibration.quantities
        numbers = frozenset({"labels", "exact", "undeterminable_as_constructed", "disagreements"})
        yield _records("calibration", quantities, integers=numbers)
        yield _records("disagreements", context.calibration.disagreements, integers=frozenset())
    yield _records("runs", rows, integers=INTEGER_COLUMNS)


_NUMBERS = (
    Column(name="column", kind="text"),
    Column(name="status", kind="text"),
    Column(name="numerator", kind="integer"),
    Column(name="denominator", kind="integer"),
    Column(name="clusters", kind="integer"),
    Column(name="undeterminable", kind="integer"),
    Column(name="share", kind="number"),
    Column(name="low", kind="number"),
    Column(name="high", kind="number"),
    Column(name="method", kind="text"),
    Column(name="seed", kind="text"),
    Column(name="boundary", kind="text"),
    Column(name="counts", kind="text"),
    Column(name="population", kind="text"),
    Column(name="claim_card", kind="text"),
    Column(name="query", kind="text"),
)


def _cells(analysis: Analysis, name: str) -> DataTable:
    labels = ROW_COLUMNS.get(name, LINE)
    return DataTable(
        name=name,
        columns=(*(Column(name=label, kind="text") for label in labels), *_NUMBERS),
        rows=tuple((*cell.place.row, *_numbers(analysis, cell)) for cell in analysis.table(name)),
    )


def _numbers(analysis: Analysis, cell: Cell) -> tuple[Value, ...]:
    scope = analysis.scope
    card = "" if isinstance(cell.value, Count) else card_name(scope.agents, scope.campaign, cell.cell_id)
    told = (cell.share.numerator_sentence, cell.share.population.sentence, card, cell.sql)
    return (cell.place.column, *_evidence(cell.value), *told)


def _evidence(value: Estimate | Unobserved | Count) -> tuple[Value, ...]:
    """From status to boundary."""
    match value:
        case Estimate():
            return (
                "estimate",
                *(value.k, value.n, value.clusters, value.undeterminable),
                *(value.share, float(value.interval.low), float(value.interval.high)),
                *(value.method.value, "" if isinstance(value.seed, NoSeed) else str(value.seed), value.boundary.value),
            )
        case Unobserved():
            return ("unobserved", 0, 0, 0, value.undeterminable, None, None, None, "", "", "")
        case Count():
            return ("count", value.k, value.n, None, 0, None, None, None, "", "", "")
        case _:
            assert_never(value)


def _records(name: str, records: Sequence[Any], *, integers: frozenset[str]) -> DataTable:
    names = tuple(field.name for field in fields(records[0])) if records else ()
    return DataTable(
        name=name,
        columns=tuple(Column(name=column, kind="integer" if column in integers else "text") for column in names),
        rows=tuple(tuple(getattr(record, column) for column in names) for record in records),
    )


def csv_bytes(table: DataTable) -> bytes:
    """The table as CSV in UTF-8 with a header. A text that a spreadsheet would run as a formula gets a leading
    apostrophe; lone surrogates are written as escapes."""
    written = io.StringIO(newline="")
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow([column.name for column in table.columns])
    writer.writerows([_neutral(value) for value in row] for row in table.rows)
    return written.getvalue().encode("utf-8", "backslashreplace")


def _neutral(value: Value) -> Value:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def parquet_bytes(table: DataTable) -> bytes:
    """The table as Parquet with declared types; texts are exact but for lone surrogates, which become escapes."""
    columns = list(zip(*table.rows, strict=True)) or [()] * len(table.columns)
    arrays = [
        pa.array([_encodable(value) for value in values], type=_KINDS[column.kind])
        for column, values in zip(table.columns, columns, strict=True)
    ]
    sink = io.BytesIO()
    pq.write_table(pa.table(dict(zip([column.name for column in table.columns], arrays, strict=True))), sink)
    return sink.getvalue()


def _encodable(value: Value) -> Value:
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value
