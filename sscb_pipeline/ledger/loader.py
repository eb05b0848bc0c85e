"""Builds a private DuckDB file from declared tables and given rows."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import duckdb

from sscb_pipeline.artifacts.store import ObjectStore
from sscb_pipeline.errors import InputError, IntegrityError
from sscb_pipeline.ledger.rows import Rows, to_arrow
from sscb_pipeline.ledger.schema_files import OBJECT_SUFFIX, Schema, read_schema, schema_statements

STORAGE_VERSION = "v1.5.0"
"""Oldest storage format that the widespread command-line clients read."""
_DATABASE = "ledger"


def load(path: Path, tables: Iterable[Rows], objects: ObjectStore) -> None:
    """Create the ledger file at `path`, which must not exist, and close it.

    Raises InputError for rows that do not fit their table, a table that was not given, or a disk that refuses, and
    IntegrityError for a row that names an object the store does not hold. The file is then worth nothing.
    """
    connection = duckdb.connect(":memory:", config={"temp_directory": f"{path}.tmp", "threads": 2})
    try:
        quoted = str(path).replace("'", "''")
        connection.execute(f"ATTACH '{quoted}' AS {_DATABASE} (STORAGE_VERSION '{STORAGE_VERSION}')")
        connection.execute(f"USE {_DATABASE}")
        connection.execute(schema_statements())
        schema = read_schema(connection, _DATABASE)
        connection.execute("BEGIN TRANSACTION")
        given = {_insert(connection, schema, rows) for rows in tables}
        _require_all(schema, given)
        connection.execute("COMMIT")
        _require_objects(connection, schema, objects)
        connection.execute(f"USE memory; DETACH {_DATABASE}")
    except duckdb.Error as error:
        raise InputError(
            subject=str(path),
            expected="a disk that takes the ledger",
            found=str(error),
            remedy="free space there, then run `sscb ledger rebuild`",
        ) from error
    finally:
        connection.close()


def _insert(connection: duckdb.DuckDBPyConnection, schema: Schema, rows: Rows) -> str:
    declared = schema.get(rows.table)
    if declared is None:
        raise InputError(
            subject=f"ledger table {rows.table}",
            expected="a declared table",
            found="none of that name",
            remedy="declare it in ledger/schema, or correct the name",
        )
    connection.register("incoming", to_arrow(rows, declared))
    try:
        names = ", ".join(f'"{column.name}"' for column in declared)
        connection.execute(f'INSERT INTO "{rows.table}" ({names}) SELECT {names} FROM incoming')
    except duckdb.ConstraintException as error:
        raise InputError(
            subject=f"ledger table {rows.table}",
            expected="rows that keep its constraints",
            found=str(error),
            remedy="correct the rows where they are made; a row is loaded once",
        ) from error
    connection.unregister("incoming")
    return rows.table


def _require_all(schema: Schema, given: set[str]) -> None:
    missing = [table for table in schema if table not in given]
    if missing:
        raise InputError(
            subject="ledger",
            expected="rows for every declared table, if only none",
            found=f"nothing said about {', '.join(missing)}",
            remedy="let the source give these tables, empty ones too",
        )


def _require_objects(connection: duckdb.DuckDBPyConnection, schema: Schema, objects: ObjectStore) -> None:
    present = set(objects.iterate())
    for table, columns in schema.items():
        for column in columns:
            if not column.name.endswith(OBJECT_SUFFIX):
                continue
            named = connection.execute(f'SELECT DISTINCT "{column.name}" FROM "{table}"').fetchall()
            absent = sorted(name for (name,) in named if name not in present)
            if absent:
                raise IntegrityError(
                    subject=f"ledger {table}.{column.name}",
                    expected="names of objects in the store",
                    found=f"{len(absent)} that are not there, first {absent[0]}",
                    remedy="restore the objects from a copy of the warehouse, or run their stage again",
                )
