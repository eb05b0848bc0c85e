"""The declared schema: SQL files in order, and the columns they declare as the loader needs them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

import duckdb


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A declared column; `kind` is DuckDB's type name."""

    name: str
    kind: str


Schema = Mapping[str, tuple[Column, ...]]
"""Declared columns in their order, by table name; tables in alphabetical order."""

OBJECT_SUFFIX = "_object"
"""A column whose name ends so holds the sha256 of an object in the store."""


def schema_statements() -> str:
    """All SQL of the schema, files in the order of their names."""
    folder = files("sscb_pipeline.ledger") / "schema"
    parts = sorted((entry for entry in folder.iterdir() if entry.name.endswith(".sql")), key=lambda entry: entry.name)
    return "\n".join(part.read_text(encoding="utf-8") for part in parts)


def read_schema(connection: duckdb.DuckDBPyConnection, database: str) -> Schema:
    """The tables of an attached database as DuckDB understood them."""
    rows = connection.execute(
        "SELECT table_name, column_name, data_type FROM duckdb_columns()"
        " WHERE database_name = ? AND table_name IN (SELECT table_name FROM duckdb_tables() WHERE database_name = ?)"
        " ORDER BY table_name, column_index",
        [database, database],
    ).fetchall()
    tables: dict[str, list[Column]] = {}
    for table, name, kind in rows:
        tables.setdefault(table, []).append(Column(name=name, kind=kind))
    return {table: tuple(columns) for table, columns in tables.items()}
