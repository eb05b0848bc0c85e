import dataclasses

import duckdb
import pytest

from sscb_pipeline.claims.run_row import RunRow
from sscb_pipeline.ledger.schema_files import schema_statements
from sscb_pipeline_tests.ledger.sample import declared_schema

KINDS = {"str": "VARCHAR", "int": "INTEGER"}


def test_runs_has_exactly_the_columns_of_a_run_row() -> None:
    declared = [(column.name, column.kind) for column in declared_schema()["runs"]]
    assert declared == [(field.name, KINDS[str(field.type)]) for field in dataclasses.fields(RunRow)]


def test_no_column_may_be_null() -> None:
    with duckdb.connect(":memory:") as connection:
        connection.execute(schema_statements())
        nullable = connection.execute(
            "SELECT table_name || '.' || column_name FROM duckdb_columns()"
            " WHERE is_nullable AND table_name IN (SELECT table_name FROM duckdb_tables())"
        ).fetchall()
        views = [
            name for (name,) in connection.execute("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall()
        ]
        assert nullable == []
        assert {"report_funnel", "report_arrival", "report_adoption", "report_diagnosis", "report_paired"} <= set(views)
        for view in views:
            connection.execute(f'SELECT * FROM "{view}"')


@pytest.mark.parametrize(
    ("kind", "interval", "printed"),
    [
        ("estimate", "0.1, 0.55", "3/12 (25.0 %, 10.0 to 55.0)"),
        ("count", "", "3 of 12"),
        ("unobserved", "", "0/0/0 unobserved"),
    ],
)
def test_a_cell_is_printed_with_its_denominator(kind: str, interval: str, printed: str) -> None:
    with duckdb.connect(":memory:") as connection:
        connection.execute(schema_statements())
        connection.execute(
            "INSERT INTO claim_cells VALUES ('reference', 'c', 'funnel/a/b', 0, 'funnel', ['a', 'z'], 'b', ?, 3, 12, 1,"
            " 'all', 'some', ['execution_id'], 'SELECT 1', '')",
            [kind],
        )
        if interval:
            connection.execute(
                "INSERT INTO claim_intervals VALUES ('reference', 'c', 'funnel/a/b',"
                f" {interval}, 'wilson', 12, 'deterministic', 0, 'inside')"
            )
        rows = connection.execute("SELECT row_label, column_name, printed FROM report_funnel").fetchall()
        assert rows == [("a / z", "b", printed)]
        assert connection.execute("SELECT * FROM report_arrival").fetchall() == []
