"""Building, publishing, rebuilding: alone, twice at once, killed, and watched by a reader."""

import hashlib
import signal
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest

from sscb_pipeline.artifacts.lease import lease, patient_lease
from sscb_pipeline.artifacts.warehouse import Warehouse, create_or_open
from sscb_pipeline.assurance.manifest import all_current, publish_stage, stage_manifest
from sscb_pipeline.assurance.receipt import ReceiptBook
from sscb_pipeline.assurance.requirement import Kept, check_report
from sscb_pipeline.errors import InputError, IntegrityError, RefusalError
from sscb_pipeline.ledger.assurance_rows import assurance_rows
from sscb_pipeline.ledger.build import bring_up_to_date, build, private_copy
from sscb_pipeline.ledger.digest import ATTEMPT_COUNTERS, Side, content_digest, differences, table_digests
from sscb_pipeline.ledger.publish import Announced, NotPublished, Unannounced, published_state
from sscb_pipeline.ledger.query import query
from sscb_pipeline.ledger.rows import TableRows
from sscb_pipeline_tests.ledger.sample import BLOB, SampleSource, declared_schema


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    warehouse = create_or_open(tmp_path / "w")
    warehouse.objects.put(BLOB)
    return warehouse


def _rows_with(source: SampleSource, table: str, column: str, value: object) -> TableRows:
    rows = source.rows_of(table, declared_schema()[table])
    place = rows.columns.index(column)
    first = list(rows.rows[0])
    first[place] = value
    return TableRows(table=table, columns=rows.columns, rows=[tuple(first), *rows.rows[1:]])


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_every_declared_table_is_filled_and_published_read_only(warehouse: Warehouse) -> None:
    source = SampleSource(executions=5)
    assert published_state(warehouse) == NotPublished()
    path = build(warehouse, source)
    assert path == warehouse.ledger
    assert path.stat().st_mode & 0o777 == 0o444
    for table in declared_schema():
        expected = 20 if table == "uses" else 5
        assert query(path, f'SELECT count(*) AS n FROM "{table}"') == [{"n": expected}]
    assert not warehouse.loader.exists()
    assert isinstance(published_state(warehouse), Announced)


def test_the_storage_format_is_one_that_older_clients_read(warehouse: Warehouse) -> None:
    path = build(warehouse, SampleSource(executions=1))
    with duckdb.connect(path, read_only=True) as connection:
        tags = connection.execute("SELECT tags FROM duckdb_databases() WHERE path IS NOT NULL").fetchone()
    assert tags is not None
    assert "v1.5" in str(tags[0])


def test_rebuilding_gives_the_same_tables(warehouse: Warehouse) -> None:
    source = SampleSource(executions=50)
    first = table_digests(build(warehouse, source))
    assert table_digests(build(warehouse, source)) == first
    assert set(first) == set(declared_schema())
    other = table_digests(build(warehouse, SampleSource(executions=50, note="y")))
    assert all(other[table] != digest for table, digest in first.items() if table != "claim_intervals")


def test_nothing_is_built_when_nothing_changed(warehouse: Warehouse) -> None:
    source = SampleSource(executions=5)
    bring_up_to_date(warehouse, source)
    before = warehouse.ledger.stat()
    bring_up_to_date(warehouse, source)
    after = warehouse.ledger.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert len(warehouse.published.read().entries) == 1
    bring_up_to_date(warehouse, SampleSource(executions=6))
    assert query(warehouse.ledger, "SELECT count(*) AS n FROM runs") == [{"n": 6}]


def test_a_changed_published_file_is_noticed_and_replaced(warehouse: Warehouse) -> None:
    source = SampleSource(executions=5)
    build(warehouse, source)
    data = bytearray(warehouse.ledger.read_bytes())
    data[len(data) // 2] ^= 1
    warehouse.ledger.chmod(0o644)
    warehouse.ledger.write_bytes(data)
    assert isinstance(published_state(warehouse), Unannounced)
    bring_up_to_date(warehouse, source)
    assert isinstance(published_state(warehouse), Announced)


WRITING_USER = """
import os, signal, sys, duckdb
connection = duckdb.connect(sys.argv[1])
connection.execute("UPDATE runs SET adoption = 'mine'")
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_user_who_wrote_into_the_published_file_is_survived(warehouse: Warehouse) -> None:
    source = SampleSource(executions=5)
    build(warehouse, source)
    warehouse.ledger.chmod(0o644)
    subprocess.run([sys.executable, "-c", WRITING_USER, str(warehouse.ledger)], timeout=60)
    log = warehouse.ledger.with_name("sscb.duckdb.wal")
    assert log.stat().st_size > 0
    with pytest.raises(IntegrityError, match=r"sscb\.duckdb\.wal beside it.*ledger rebuild"):
        query(warehouse.ledger, "SELECT adoption FROM runs")
    bring_up_to_date(warehouse, source)
    assert not log.exists()
    assert query(warehouse.ledger, "SELECT count(*) AS n FROM runs WHERE adoption = 'mine'") == [{"n": 0}]


def _unchanged_after(warehouse: Warehouse, source: SampleSource, error: type[Exception], match: str) -> None:
    build(warehouse, SampleSource(executions=3))
    before = _sha256(warehouse.ledger)
    with pytest.raises(error, match=match):
        build(warehouse, source)
    assert _sha256(warehouse.ledger) == before
    assert not warehouse.loader.exists()


def test_a_row_that_names_bytes_not_on_disk_is_refused(warehouse: Warehouse) -> None:
    source = SampleSource(executions=3)
    bad = _rows_with(source, "measurements", "measurement_object", "1" * 64)
    replaced = SampleSource(executions=3, replaced={"measurements": [bad]})
    _unchanged_after(warehouse, replaced, IntegrityError, r"measurements\.measurement_object")


def test_a_repeated_execution_is_refused(warehouse: Warehouse) -> None:
    source = SampleSource(executions=3)
    rows = source.rows_of("executions", declared_schema()["executions"])
    replaced = SampleSource(executions=3, replaced={"executions": [rows, rows]})
    _unchanged_after(warehouse, replaced, InputError, "a row is loaded once")


def test_a_forgotten_table_is_refused(warehouse: Warehouse) -> None:
    _unchanged_after(
        warehouse, SampleSource(executions=3, replaced={"uses": []}), InputError, "nothing said about uses"
    )


def test_an_undeclared_table_is_refused(warehouse: Warehouse) -> None:
    odd = TableRows(table="extras", columns=("a",), rows=[])
    _unchanged_after(warehouse, SampleSource(executions=3, replaced={"uses": [odd]}), InputError, "extras")


def test_a_table_may_come_in_parts(warehouse: Warehouse) -> None:
    source = SampleSource(executions=4)
    rows = source.rows_of("runs", declared_schema()["runs"])
    parts = [TableRows(table="runs", columns=rows.columns, rows=part) for part in (rows.rows[:1], [], rows.rows[1:])]
    whole = content_digest(build(warehouse, source))
    assert content_digest(build(warehouse, SampleSource(executions=4, replaced={"runs": list(parts)}))) == whole


def test_differences_name_table_side_and_row(warehouse: Warehouse) -> None:
    source = SampleSource(executions=3)
    changed = SampleSource(executions=3, replaced={"runs": [_rows_with(source, "runs", "adoption", "maybe")]})
    build(warehouse, source)
    with private_copy(warehouse, source) as same:
        assert differences(warehouse.ledger, same, most=5) == ()
    with private_copy(warehouse, changed) as other:
        found = differences(warehouse.ledger, other, most=5)
        assert table_digests(other) != table_digests(warehouse.ledger)
    assert [(item.table, item.side) for item in found] == [("runs", Side.FIRST), ("runs", Side.SECOND)]
    assert '"adoption": "maybe"' in found[1].row
    assert not warehouse.loader.exists()


def test_attempt_counters_can_be_left_out_of_a_comparison(warehouse: Warehouse) -> None:
    source = SampleSource(executions=3)
    retried = SampleSource(executions=3, replaced={"executions": [_rows_with(source, "executions", "attempts", 9)]})
    first = build(warehouse, source)
    plain, counted = content_digest(first, ATTEMPT_COUNTERS), content_digest(first)
    with private_copy(warehouse, retried) as other:
        assert content_digest(other, ATTEMPT_COUNTERS) == plain
        assert content_digest(other) != counted
        assert differences(warehouse.ledger, other, most=5, ignoring=ATTEMPT_COUNTERS) == ()
        assert len(differences(warehouse.ledger, other, most=5)) == 2


def test_manifests_and_receipts_become_rows(warehouse: Warehouse) -> None:
    manifest = stage_manifest(
        campaign="c", stage="runs", partition="p", code_version="1", inputs={}, outputs={}, counts={"executions": 3}
    )
    published = publish_stage(warehouse, manifest)
    report = check_report(
        stage="runs", partition="p", subject=published.sha256, code_version="1", required=["a"], outcomes={"a": Kept()}
    )
    receipt = ReceiptBook(warehouse.receipts, warehouse.objects).record(report)
    given = {rows.table: [rows] for rows in assurance_rows(warehouse, all_current(warehouse))}
    build(warehouse, SampleSource(executions=1, replaced={**given}))
    assert query(warehouse.ledger, "SELECT stage, counts_json FROM stage_manifests") == [
        {"stage": "runs", "counts_json": '{"executions":3}'}
    ]
    assert query(warehouse.ledger, "SELECT report_object FROM receipts") == [{"report_object": receipt.report}]


LOADER = """
import sys
from pathlib import Path
from sscb_pipeline.artifacts.warehouse import create_or_open
from sscb_pipeline.ledger.build import build
from sscb_pipeline_tests.ledger.sample import SampleSource
warehouse = create_or_open(Path(sys.argv[1]))
print("ready", flush=True)
for _ in range(int(sys.argv[3])):
    build(warehouse, SampleSource(executions=200, note=sys.argv[2]))
"""


def _loader(warehouse: Warehouse, note: str, times: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", LOADER, str(warehouse.root), note, str(times)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_two_publishers_and_a_polling_reader(warehouse: Warehouse) -> None:
    build(warehouse, SampleSource(executions=200, note="a"))
    loaders = [_loader(warehouse, note, 4) for note in ("a", "b")]
    answers: list[tuple[int, str]] = []
    while any(loader.poll() is None for loader in loaders):
        (row,) = query(warehouse.ledger, "SELECT count(*) AS n, min(adoption) AS text FROM runs")
        answers.append((row["n"], row["text"]))
        time.sleep(0.005)
    for loader in loaders:
        _, errors = loader.communicate(timeout=60)
        assert loader.returncode == 0, errors
    assert set(answers) <= {(200, "adoption 0 a"), (200, "adoption 0 b")}
    assert len(answers) > 10
    assert len(warehouse.published.read().entries) == 9
    assert isinstance(published_state(warehouse), Announced)


@pytest.mark.parametrize("delay_ms", [20, 150, 300, 450])
def test_a_killed_loader_leaves_the_old_ledger_or_the_new(warehouse: Warehouse, delay_ms: int) -> None:
    build(warehouse, SampleSource(executions=200, note="old"))
    loader = _loader(warehouse, "new", 50)
    assert loader.stdout is not None
    assert loader.stdout.readline() == "ready\n"
    time.sleep(delay_ms / 1000)
    loader.send_signal(signal.SIGKILL)
    loader.communicate(timeout=10)
    assert isinstance(published_state(warehouse), Announced)
    assert query(
        warehouse.ledger, "SELECT DISTINCT right(adoption, 3) AS note, count(*) AS n FROM runs GROUP BY 1"
    ) in (
        [{"note": "old", "n": 200}],
        [{"note": "new", "n": 200}],
    )
    build(warehouse, SampleSource(executions=200, note="old"))
    assert not warehouse.loader.exists()


LIMITED = """
import resource, signal, sys
from pathlib import Path
from sscb_pipeline.artifacts.warehouse import create_or_open
from sscb_pipeline.errors import SscbError
from sscb_pipeline.ledger.build import build
from sscb_pipeline_tests.ledger.sample import SampleSource
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
try:
    build(create_or_open(Path(sys.argv[1])), SampleSource(executions=3000))
except SscbError as error:
    print(type(error).__name__, error)
    sys.exit(2)
"""


def test_a_disk_too_small_for_the_ledger_leaves_the_old_one(warehouse: Warehouse) -> None:
    build(warehouse, SampleSource(executions=3))
    before = _sha256(warehouse.ledger)
    command = [sys.executable, "-c", LIMITED, str(warehouse.root)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert result.returncode == 2, result.stderr
    assert "InputError" in result.stdout and "free space" in result.stdout
    assert _sha256(warehouse.ledger) == before
    assert not warehouse.loader.exists()


def test_a_loader_that_does_not_end_is_named(warehouse: Warehouse) -> None:
    path = warehouse.lease_path("ledger")
    with (
        lease(path, "loading"),
        pytest.raises(RefusalError, match="loading"),
        patient_lease(path, "loading the ledger", patience_seconds=0.05),
    ):
        pytest.fail("two loaders")
