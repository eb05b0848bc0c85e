"""Read-only questions to the published ledger. A question can neither write nor reach files or the network."""

from __future__ import annotations

import datetime
import decimal
import math
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import Any

import duckdb

from sscb_pipeline.errors import InputError, IntegrityError
from sscb_pipeline.ledger.publish import write_ahead_log

_CONFIGURATION: dict[str, str | bool | int | float | list[str]] = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "python_enable_replacements": "false",
    "temp_directory": "",
    "memory_limit": "1GB",
    "threads": "2",
    "lock_configuration": "true",
}
MOST_ROWS = 1_000_000
PATIENCE_SECONDS = 120.0
_READING = (duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN)

Row = dict[str, Any]


def query(ledger: Path, sql: str, parameters: Sequence[str | int | float] = ()) -> list[Row]:
    """The rows of one SELECT as JSON-able objects, columns in the order of the query.

    Dates, times, decimals and identifiers are text in their usual notation, bytes hexadecimal text, numbers that are
    not finite the text `NaN`, `Infinity` or `-Infinity`. Raises InputError for anything but one reading statement, an
    error in it, too many rows or too much time, and for a ledger that is not there or that another process holds open
    for writing; IntegrityError for one that is damaged.
    """
    _require_text(sql, *parameters)
    with _opened(ledger) as connection:
        statement = _one_reading_statement(connection, sql)
        alarm = Timer(PATIENCE_SECONDS, connection.interrupt)
        alarm.daemon = True
        alarm.start()
        try:
            result = connection.execute(statement, list(parameters))
            names = [column[0] for column in result.description or ()]
            values = result.fetchmany(MOST_ROWS + 1)
        except duckdb.InterruptException as error:
            raise _unanswerable(f"no answer within {PATIENCE_SECONDS:.0f} seconds", "narrow the question") from error
        except duckdb.Error as error:
            raise _failure(ledger, error) from error
        finally:
            alarm.cancel()
    if len(values) > MOST_ROWS:
        raise _unanswerable(f"more than {MOST_ROWS:,} rows", "add a LIMIT or aggregate")
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise _unanswerable(f"two columns named {repeated[0]}", "give one of them another name with AS")
    return [dict(zip(names, map(_plain, row), strict=True)) for row in values]


@contextmanager
def _opened(ledger: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    if not ledger.is_file():
        raise InputError(
            subject=str(ledger),
            expected="a published ledger",
            found="no such file",
            remedy="run `sscb run` first, or name the right warehouse in SSCB_WAREHOUSE",
        )
    log = write_ahead_log(ledger)
    if log.exists():  # DuckDB would replay it, and the answer be of rows that nobody published
        raise _damaged(ledger, f"{log.name} beside it, left by a process that opened it for writing")
    try:
        connection = duckdb.connect(ledger, read_only=True, config=_CONFIGURATION)
    except duckdb.Error as error:
        raise _failure(ledger, error) from error
    try:
        yield connection
    finally:
        connection.close()


def _one_reading_statement(connection: duckdb.DuckDBPyConnection, sql: str) -> duckdb.Statement:
    try:
        statements = connection.extract_statements(sql)
    except duckdb.Error as error:
        raise _unanswerable(str(error), "correct it and ask again") from error
    if len(statements) != 1:
        raise _unanswerable(f"{len(statements)} statements", "ask one SELECT at a time")
    if statements[0].type not in _READING:
        kind = statements[0].type.name
        raise _unanswerable(f"a {kind} statement", "ask with SELECT; the ledger cannot be changed here")
    return statements[0]


def _require_text(*given: str | int | float) -> None:
    for value in given:
        try:
            str(value).encode()
        except UnicodeEncodeError as error:
            raise _unanswerable("a lone surrogate in it", "leave it out: the ledger shows such text escaped") from error


def _unanswerable(found: str, remedy: str) -> InputError:
    return InputError(subject="query", expected="one reading SQL statement", found=found, remedy=remedy)


def _failure(ledger: Path, error: duckdb.Error) -> InputError | IntegrityError:
    text = str(error)
    if "Could not set lock" in text:
        return InputError(
            subject=str(ledger),
            expected="a ledger that no process holds open for writing",
            found=text,
            remedy="close that process (open the ledger with `duckdb -readonly`), then ask again",
        )
    if isinstance(error, duckdb.IOException | duckdb.FatalException | duckdb.SerializationException):
        return _damaged(ledger, text)
    return _unanswerable(text, "correct it and ask again; `SHOW TABLES` and `DESCRIBE <table>` tell what is there")


def _damaged(ledger: Path, found: str) -> IntegrityError:
    return IntegrityError(
        subject=str(ledger),
        expected="the ledger as it was published",
        found=found,
        remedy="run `sscb ledger rebuild`",
    )


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        if math.isfinite(value):
            return value
        return "NaN" if math.isnan(value) else ("Infinity" if value > 0 else "-Infinity")
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value).hex()
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, decimal.Decimal | uuid.UUID | datetime.timedelta):
        return str(value)
    if isinstance(value, dict):
        return {str(_plain(key)): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return str(value)
