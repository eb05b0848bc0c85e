"""Runs the query beside a printed number on the rows it was computed from, in a database of its own."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType

import duckdb

from sscb_pipeline.claims.run_row import RunRow
from sscb_pipeline.ledger.rows import record_rows, to_arrow
from sscb_pipeline.ledger.schema_files import read_schema, schema_statements

RUNS = "runs"


class Tracer:
    """An in-memory ledger that holds the `runs` table only; closed on leaving the block."""

    def __init__(self, rows: Sequence[RunRow]) -> None:
        self._connection = duckdb.connect(":memory:", config={"threads": 1})
        self._connection.execute(schema_statements())
        declared = read_schema(self._connection, "memory")[RUNS]
        self._connection.register("incoming", to_arrow(record_rows(RUNS, RunRow, rows), declared))
        self._connection.execute(f"INSERT INTO {RUNS} SELECT * FROM incoming")
        self._connection.unregister("incoming")

    def __enter__(self) -> Tracer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()

    def count(self, sql: str, unit: Sequence[str]) -> tuple[int, int]:
        """(numerator, denominator): distinct `unit` values among the listed executions, all and marked ones."""
        found = self._connection.execute(_counting(sql, unit)).fetchone()
        assert found is not None
        return int(found[0]), int(found[1])

    def fingerprint(self, sql: str) -> tuple[int, int]:
        """(rows, hash over all of them in any order) of a listing: equal listings give equal fingerprints."""
        found = self._connection.execute(f"SELECT count(*), coalesce(bit_xor(hash(listed)), 0) FROM ({sql}) AS listed")
        rows, combined = found.fetchone() or (0, 0)
        return int(rows), int(combined)


def _counting(sql: str, unit: Sequence[str]) -> str:
    if tuple(unit) == ("execution_id",):
        return f"SELECT count(*) FILTER (WHERE in_numerator), count(*) FROM ({sql})"
    columns = ", ".join(f"runs.{name}" for name in unit)
    return (
        f"SELECT count(DISTINCT ({columns},)) FILTER (WHERE listed.in_numerator), count(DISTINCT ({columns},)) "
        f"FROM ({sql}) AS listed JOIN {RUNS} AS runs USING (execution_id)"
    )
