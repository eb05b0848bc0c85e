"""A ledger source with made-up rows for every declared table, sized by its number of executions."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import duckdb

from sscb_pipeline.artifacts.digest import sha256_hex
from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.ledger.rows import Rows, TableRows
from sscb_pipeline.ledger.schema_files import Column, Schema, read_schema, schema_statements

BLOB = b"the bytes every sample row names"
USES_PER_EXECUTION = 4


def declared_schema() -> Schema:
    """The schema as an empty database understands it."""
    with duckdb.connect(":memory:") as connection:
        connection.execute(schema_statements())
        return read_schema(connection, "memory")


def _value(table: str, column: Column, place: int, note: str) -> Any:
    if column.name.endswith("_object"):
        return sha256_hex(BLOB)
    if column.name.endswith("_id"):
        return hashlib.sha256(f"{table} {column.name} {place}".encode()).hexdigest()
    if column.kind == "VARCHAR[]":
        return (column.name, str(place))
    if column.kind == "VARCHAR":
        return f"{column.name} {place} {note}"
    return place / 7 if column.kind == "DOUBLE" else place


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleSource:
    """Implements LedgerSource. `note` stands in every text; `replaced` replaces the rows of whole tables."""

    executions: int
    note: str = "x"
    replaced: dict[str, list[Rows]] = field(default_factory=dict)

    def tables(self, warehouse: Warehouse) -> Iterable[Rows]:
        for table, columns in declared_schema().items():
            if table in self.replaced:
                yield from self.replaced[table]
                continue
            yield self.rows_of(table, columns)

    def rows_of(self, table: str, columns: tuple[Column, ...]) -> TableRows:
        """The made-up rows of one table."""
        size = self.executions * USES_PER_EXECUTION if table == "uses" else self.executions
        return TableRows(
            table=table,
            columns=tuple(column.name for column in columns),
            rows=[tuple(_value(table, column, place, self.note) for column in columns) for place in range(size)],
        )

    def fingerprint(self, warehouse: Warehouse) -> str:
        return sha256_hex(f"{self.executions} {self.note} {sorted(self.replaced)}".encode())
