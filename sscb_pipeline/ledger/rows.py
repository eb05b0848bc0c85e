"""Rows on their way into the ledger, held to the declared columns: nothing is guessed, cast or dropped."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import pyarrow as pa
import pyarrow.compute as pc

from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.errors import InputError
from sscb_pipeline.ledger.schema_files import Column


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class TableRows:
    """Rows of one table: column names in the order of the values. All declared columns, in any order."""

    table: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[Any, ...]]


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class ArrowRows:
    """Rows of one table as a pyarrow Table (`polars.DataFrame.to_arrow()` gives one)."""

    table: str
    data: pa.Table


Rows = TableRows | ArrowRows


class LedgerSource(Protocol):
    """What decides the ledger's content, from journals and objects alone: equal warehouses give equal rows."""

    def tables(self, warehouse: Warehouse) -> Iterable[Rows]:
        """Every declared table at least once (an empty one too), any of them in several parts."""
        ...

    def fingerprint(self, warehouse: Warehouse) -> str:
        """A sha256 over all that `tables` depends on; equal fingerprints mean equal rows."""
        ...


def record_rows(table: str, record: type[Any], records: Iterable[Any]) -> TableRows:
    """Rows from flat dataclass records of one class, whose field names are the column names."""
    names = tuple(field.name for field in dataclasses.fields(record))
    return TableRows(
        table=table, columns=names, rows=[tuple(getattr(item, name) for name in names) for item in records]
    )


def to_arrow(rows: Rows, declared: Sequence[Column]) -> pa.Table:
    """The rows as an Arrow table in declared order and types.

    Lone surrogates, which DuckDB cannot hold, become backslash escapes. Raises InputError naming table and column for
    missing or unknown columns, a value of another type, None, NaN, infinity and integers out of range.
    """
    names = list(rows.data.column_names) if isinstance(rows, ArrowRows) else list(rows.columns)
    if sorted(names) != sorted(column.name for column in declared):
        raise _unfit(rows.table, f"the columns {', '.join(column.name for column in declared)}", f"{', '.join(names)}")
    if isinstance(rows, ArrowRows):
        arrays = [_cast(rows.table, column, rows.data.column(column.name)) for column in declared]
    else:
        values = _columns(rows)
        arrays = [_array(rows.table, column, values[column.name]) for column in declared]
    return pa.table(dict(zip([column.name for column in declared], arrays, strict=True)))


def _columns(rows: TableRows) -> dict[str, tuple[Any, ...]]:
    for place, row in enumerate(rows.rows):
        if len(row) != len(rows.columns):
            raise _unfit(rows.table, f"{len(rows.columns)} values in row {place}", str(len(row)))
    if not rows.rows:
        return dict.fromkeys(rows.columns, ())
    return dict(zip(rows.columns, zip(*rows.rows, strict=True), strict=True))


_ARROW: dict[str, tuple[Any, tuple[type, ...]]] = {
    "VARCHAR": (pa.string(), (str,)),
    "INTEGER": (pa.int32(), (int,)),
    "BIGINT": (pa.int64(), (int,)),
    "DOUBLE": (pa.float64(), (float, int)),
    "BOOLEAN": (pa.bool_(), (bool,)),
    "VARCHAR[]": (pa.list_(pa.string()), (tuple, list)),
}


def _array(table: str, column: Column, values: tuple[Any, ...]) -> Any:
    arrow_type, allowed = _ARROW[column.kind]
    for kind in set(map(type, values)):
        if not issubclass(kind, allowed) or (kind is bool and bool not in allowed):
            place = next(place for place, value in enumerate(values) if type(value) is kind)
            raise _unfit(f"{table}.{column.name}", f"{column.kind} in row {place}", f"{values[place]!r:.60}")
    try:
        array = pa.array(values, type=arrow_type)
    except UnicodeEncodeError:
        array = pa.array([_escaped(value) for value in values], type=arrow_type)
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError) as error:
        raise _unfit(f"{table}.{column.name}", column.kind, str(error)) from error
    return _finite(table, column, array)


def _escaped(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    return [_escaped(part) for part in value]


def _cast(table: str, column: Column, array: Any) -> Any:
    arrow_type, _ = _ARROW[column.kind]
    numeric = pa.types.is_integer(array.type) or pa.types.is_floating(array.type)
    if numeric != (column.kind in ("INTEGER", "BIGINT", "DOUBLE")) or (
        column.kind != "DOUBLE" and pa.types.is_floating(array.type)
    ):
        raise _unfit(f"{table}.{column.name}", column.kind, f"Arrow type {array.type}")
    try:
        return _finite(table, column, array.cast(arrow_type))
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise _unfit(f"{table}.{column.name}", column.kind, str(error)) from error


def _finite(table: str, column: Column, array: Any) -> Any:
    if array.null_count:
        raise _unfit(f"{table}.{column.name}", column.kind, f"{array.null_count} nulls")
    if column.kind == "DOUBLE" and len(array) and not pc.all(pc.is_finite(array)).as_py():
        raise _unfit(f"{table}.{column.name}", "finite numbers", "NaN or infinity")
    return array


def _unfit(place: str, expected: str, found: str) -> InputError:
    return InputError(
        subject=f"ledger table {place}",
        expected=expected,
        found=found,
        remedy="correct the rows where they are made; the declared columns are in ledger/schema",
    )
