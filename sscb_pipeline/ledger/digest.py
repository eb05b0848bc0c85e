"""What is in a ledger, as digests that do not depend on how the file was made, and where two ledgers differ."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import duckdb

from sscb_pipeline.errors import IntegrityError
from sscb_pipeline.ledger.schema_files import Schema, read_schema

ATTEMPT_COUNTERS = frozenset({("executions", "attempts")})
"""Columns in which a run that was interrupted may differ from one that was not."""
_BATCH = 20_000


class Side(StrEnum):
    """Which of two ledgers has the row."""

    FIRST = "first"
    SECOND = "second"


@dataclass(frozen=True, slots=True, kw_only=True)
class RowDifference:
    """A row that one ledger has more often than the other, as one line of JSON."""

    table: str
    side: Side
    row: str


def table_digests(ledger: Path, ignoring: frozenset[tuple[str, str]] = frozenset()) -> Mapping[str, str]:
    """sha256 per table over its column names and its rows in a total order; `ignoring` leaves out (table, column).

    Raises IntegrityError when the file cannot be read.
    """
    with _attached(ledger) as connection:
        schema = read_schema(connection, Side.FIRST)
        return {table: _digest(connection, table, _columns(schema, table, ignoring)) for table in schema}


def content_digest(ledger: Path, ignoring: frozenset[tuple[str, str]] = frozenset()) -> str:
    """One sha256 over all tables."""
    digests = table_digests(ledger, ignoring)
    return hashlib.sha256(json.dumps(digests, sort_keys=True).encode()).hexdigest()


def differences(
    first: Path, second: Path, *, most: int, ignoring: frozenset[tuple[str, str]] = frozenset()
) -> tuple[RowDifference, ...]:
    """Rows in which two ledgers differ, at most `most` per table and side, by table and then by row.

    A table that only one has, or has with other columns, is one difference with its columns as the row.
    """
    with _attached(first, second) as connection:
        schemas = {side: read_schema(connection, side) for side in Side}
        found: list[RowDifference] = []
        for table in sorted(set().union(*schemas.values())):
            columns = {side: _columns(schemas[side], table, ignoring) for side in Side}
            if columns[Side.FIRST] != columns[Side.SECOND]:
                found += [RowDifference(table=table, side=side, row=", ".join(columns[side])) for side in Side]
                continue
            for side, other in ((Side.FIRST, Side.SECOND), (Side.SECOND, Side.FIRST)):
                found += _surplus(connection, table, columns[side], side, other, most)
    return tuple(found)


@contextmanager
def _attached(*ledgers: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    connection = duckdb.connect(":memory:", config={"threads": 2, "temp_directory": ""})
    try:
        for side, ledger in zip(Side, ledgers, strict=False):
            quoted = str(ledger).replace("'", "''")
            connection.execute(f"ATTACH '{quoted}' AS {side} (READ_ONLY)")
        yield connection
    except duckdb.Error as error:
        raise IntegrityError(
            subject=" and ".join(map(str, ledgers)),
            expected="a readable ledger file",
            found=str(error),
            remedy="run `sscb ledger rebuild`",
        ) from error
    finally:
        connection.close()


def _columns(schema: Schema, table: str, ignoring: frozenset[tuple[str, str]]) -> tuple[str, ...]:
    return tuple(f'"{column.name}"' for column in schema.get(table, ()) if (table, column.name) not in ignoring)


def _digest(connection: duckdb.DuckDBPyConnection, table: str, columns: tuple[str, ...]) -> str:
    names = ", ".join(columns)
    digest = hashlib.sha256(names.encode() + b"\n")
    result = connection.execute(f'SELECT {names} FROM {Side.FIRST}.main."{table}" ORDER BY ALL')
    while rows := result.fetchmany(_BATCH):
        digest.update("\n".join(map(json.dumps, rows)).encode() + b"\n")
    return digest.hexdigest()


def _surplus(
    connection: duckdb.DuckDBPyConnection, table: str, columns: tuple[str, ...], side: Side, other: Side, most: int
) -> list[RowDifference]:
    names = ", ".join(columns)
    rows = connection.execute(
        f'(SELECT {names} FROM {side}.main."{table}" EXCEPT ALL SELECT {names} FROM {other}.main."{table}")'
        f" ORDER BY ALL LIMIT {most}"
    ).fetchall()
    plain = [name.strip('"') for name in columns]
    return [
        RowDifference(table=table, side=side, row=json.dumps(dict(zip(plain, row, strict=True)), ensure_ascii=False))
        for row in rows
    ]
