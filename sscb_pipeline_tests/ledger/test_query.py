import json
import subprocess
import sys
from pathlib import Path

import pytest

from sscb_pipeline.artifacts.warehouse import Warehouse, create_or_open
from sscb_pipeline.errors import InputError, IntegrityError
from sscb_pipeline.ledger.build import build
from sscb_pipeline.ledger.query import query
from sscb_pipeline_tests.ledger.sample import BLOB, SampleSource


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    warehouse = create_or_open(tmp_path_factory.mktemp("query") / "w")
    warehouse.objects.put(BLOB)
    build(warehouse, SampleSource(executions=4))
    return warehouse


def test_rows_are_objects_in_the_order_of_the_query(warehouse: Warehouse) -> None:
    rows = query(warehouse.ledger, "SELECT repeat, condition FROM runs WHERE repeat < 2 ORDER BY repeat")
    assert rows == [{"repeat": 0, "condition": "condition 0 x"}, {"repeat": 1, "condition": "condition 1 x"}]
    assert list(rows[0]) == ["repeat", "condition"]


@pytest.mark.parametrize(
    "sql",
    ["FROM runs", "SHOW TABLES", "DESCRIBE runs", "EXPLAIN SELECT 1", "VALUES (1)", "WITH a AS (SELECT 1) FROM a; "],
)
def test_reading_statements_are_answered(warehouse: Warehouse, sql: str) -> None:
    assert query(warehouse.ledger, sql)


def test_parameters_are_values_and_no_sql(warehouse: Warehouse) -> None:
    hostile = "x'; DROP TABLE runs; --"
    assert query(warehouse.ledger, "SELECT ? AS v", [hostile]) == [{"v": hostile}]


def test_every_type_becomes_json(warehouse: Warehouse) -> None:
    (row,) = query(
        warehouse.ledger,
        "SELECT DATE '2024-05-01' AS d, TIMESTAMP '2024-05-01 10:00:00' AS t, 1.50::DECIMAL(5, 2) AS m,"
        " '\\xFF\\x00'::BLOB AS b, 'nan'::DOUBLE AS n, '-inf'::DOUBLE AS i, NULL AS z, [DATE '2024-05-01'] AS l,"
        " {'a': TIME '10:00'} AS s, MAP {1: 'x'} AS p, UUID '12345678-1234-1234-1234-123456789abc' AS u,"
        " INTERVAL 1 DAY AS v, 170141183460469231731687303715884105727::HUGEINT AS h, TRUE AS y",
    )
    assert json.loads(json.dumps(row, allow_nan=False)) == row
    assert row["d"] == "2024-05-01" and row["t"] == "2024-05-01T10:00:00" and row["m"] == "1.50"
    assert row["b"] == "ff00" and row["n"] == "NaN" and row["i"] == "-Infinity" and row["z"] is None
    assert row["l"] == ["2024-05-01"] and row["s"] == {"a": "10:00:00"} and row["p"] == {"1": "x"}
    assert row["h"] == 170141183460469231731687303715884105727 and row["y"] is True


FORBIDDEN = [
    "INSERT INTO runs SELECT * FROM runs",
    "UPDATE runs SET adoption = 'true'",
    "DELETE FROM runs",
    "DROP TABLE runs",
    "CREATE TABLE t AS SELECT 1",
    "CREATE TEMP TABLE t AS SELECT 1",
    "WITH a AS (DELETE FROM runs RETURNING *) FROM a",
    "COPY runs TO '{folder}/out.csv'",
    "COPY (SELECT 1) TO '{folder}/out.parquet'",
    "EXPORT DATABASE '{folder}/out'",
    "EXPLAIN ANALYZE COPY runs TO '{folder}/out.csv'",
    "ATTACH '{folder}/other.duckdb' AS other",
    "ATTACH ':memory:' AS other",
    "DETACH ledger",
    "INSTALL httpfs",
    "LOAD httpfs",
    "LOAD '{folder}/x.duckdb_extension'",
    "SET enable_external_access = true",
    "SET threads = 8",
    "RESET ALL",
    "PRAGMA database_list",
    "PRAGMA enable_profiling",
    "CALL pragma_version()",
    "CHECKPOINT",
    "VACUUM",
    "USE memory",
    "BEGIN",
    "PREPARE a AS SELECT 1",
    "CREATE SECRET s (TYPE s3)",
    "SELECT * FROM read_csv('{folder}/file.csv')",
    "SELECT * FROM read_text('{folder}/file.csv')",
    "SELECT * FROM read_blob('/etc/passwd')",
    "SELECT * FROM '{folder}/file.csv'",
    "SELECT * FROM glob('{folder}/*')",
    "SELECT * FROM read_parquet('https://localhost:1/x.parquet')",
    "SELECT * FROM read_json('http://localhost:1/x.json')",
    "SELECT * FROM sniff_csv('{folder}/file.csv')",
    "SELECT * FROM query('SELECT * FROM read_text(''/etc/passwd'')')",
    "SELECT getenv('HOME')",
    "SELECT 1; DROP TABLE runs",
    "SELECT 1; SELECT 2",
    "",
    "-- nothing",
    "SELEC 1",
    "SELECT no_such_column FROM runs",
    "SELECT 1 AS a, 2 AS a",
    "SELECT '\ud800'",
]


@pytest.mark.parametrize("sql", FORBIDDEN)
def test_what_could_write_or_reach_out_is_refused(warehouse: Warehouse, tmp_path: Path, sql: str) -> None:
    (tmp_path / "file.csv").write_text("a\n1\n")
    before = warehouse.ledger.read_bytes()
    with pytest.raises(InputError) as caught:
        query(warehouse.ledger, sql.format(folder=tmp_path) if "{folder}" in sql else sql)
    assert caught.value.remedy
    assert [path.name for path in tmp_path.iterdir()] == ["file.csv"]
    assert warehouse.ledger.read_bytes() == before
    assert sorted(path.name for path in warehouse.root.glob("sscb*")) == ["sscb.duckdb"]


def test_python_variables_are_out_of_reach(warehouse: Warehouse) -> None:
    import polars as pl

    secret_frame = pl.DataFrame({"a": [1]})
    with pytest.raises(InputError, match="secret_frame"):
        query(warehouse.ledger, "SELECT * FROM secret_frame")
    assert secret_frame.height == 1


def test_an_answer_without_end_is_refused(warehouse: Warehouse) -> None:
    with pytest.raises(InputError, match="LIMIT"):
        query(warehouse.ledger, "SELECT * FROM range(1000001)")


def test_no_ledger_yet(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="sscb run"):
        query(tmp_path / "sscb.duckdb", "SELECT 1")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"not a database", b"\x00" * 20_000])
def test_a_damaged_ledger_is_named_with_the_remedy(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "sscb.duckdb"
    path.write_bytes(content)
    with pytest.raises(IntegrityError, match="ledger rebuild"):
        query(path, "SELECT count(*) FROM runs")
    assert path.read_bytes() == content


HOLDER = """
import sys, duckdb
connection = duckdb.connect(sys.argv[1])
print("held", flush=True)
sys.stdin.read()
"""


def test_a_user_who_holds_the_ledger_for_writing_is_told_to_close_it(tmp_path: Path) -> None:
    warehouse = create_or_open(tmp_path / "w")
    warehouse.objects.put(BLOB)
    source = SampleSource(executions=2)
    build(warehouse, source)
    warehouse.ledger.chmod(0o644)
    command = [sys.executable, "-c", HOLDER, str(warehouse.ledger)]
    holder = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(InputError, match="close that process"):
            query(warehouse.ledger, "SELECT 1")
        build(warehouse, source)
        assert query(warehouse.ledger, "SELECT count(*) AS n FROM runs") == [{"n": 2}]
    finally:
        holder.communicate("", timeout=10)
    assert query(warehouse.ledger, "SELECT count(*) AS n FROM runs") == [{"n": 2}]
