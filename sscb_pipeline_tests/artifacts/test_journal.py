import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sscb_pipeline.artifacts.journal import Journal, TornTail, WholeTail
from sscb_pipeline.errors import InputError, IntegrityError

ENTRIES: list[dict[str, Any]] = [
    {"n": 1, "text": "line\nend"},
    {"n": 2, "text": "\ud800"},
    {"n": 3, "deep": {"a": [1]}},
]


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path / "folder" / "j.jsonl")


def test_entries_come_back_in_order(journal: Journal) -> None:
    assert journal.read().entries == ()
    journal.append_all(ENTRIES[:1])
    journal.append_all([])
    with journal.writer() as writer:
        writer.append_all(ENTRIES[1:2])
        writer.append_all(ENTRIES[2:])
    content = journal.read()
    assert list(content.entries) == ENTRIES
    assert content.tail == WholeTail()
    assert journal.path.read_bytes().count(b"\n") == 4


def test_reading_creates_nothing(journal: Journal) -> None:
    journal.read()
    assert not journal.path.parent.exists()


def test_the_first_line_names_the_format(journal: Journal) -> None:
    journal.append_all(ENTRIES)
    assert journal.path.read_bytes().split(b"\n")[0] == b'{"format":"sscb-journal","version":1}'


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("whole") / "j.jsonl"
    Journal(path).append_all(ENTRIES)
    return path.read_bytes()


def test_any_cut_inside_a_line_is_a_torn_tail_and_the_next_writer_mends_it(whole: bytes, tmp_path: Path) -> None:
    for size in range(1, len(whole)):
        path = tmp_path / f"{size}.jsonl"
        path.write_bytes(whole[:size])
        content = Journal(path).read()
        complete = max(whole[:size].count(b"\n") - 1, 0)
        assert list(content.entries) == ENTRIES[:complete]
        if whole[:size].endswith(b"\n"):
            assert content.tail == WholeTail()
        else:
            start = whole[:size].rfind(b"\n") + 1
            assert content.tail == TornTail(offset=start, size=size - start)
    for size in (3, len(whole) - 1, len(whole) - 40):
        mended = Journal(tmp_path / f"{size}.jsonl")
        kept = mended.read().entries
        mended.append_all([{"n": 9}])
        assert mended.read().entries == (*kept, {"n": 9})
        assert mended.read().tail == WholeTail()


def test_every_single_byte_change_is_found(whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    for place in range(len(whole)):
        for flip in (0x01, 0x80):
            path.write_bytes(whole[:place] + bytes([whole[place] ^ flip]) + whole[place + 1 :])
            with pytest.raises((IntegrityError, InputError)) as caught:
                Journal(path).read()
            assert f"{path} line " in caught.value.subject


def _lines(whole: bytes) -> list[bytes]:
    return whole.splitlines(keepends=True)


@pytest.mark.parametrize("order", [[0, 2, 3], [0, 1, 3], [0, 2, 1, 3], [0, 1, 1, 2, 3], [1, 2, 3], [0, 0, 1, 2, 3]])
def test_a_removed_moved_or_repeated_line_is_found(whole: bytes, tmp_path: Path, order: list[int]) -> None:
    path = tmp_path / "j.jsonl"
    path.write_bytes(b"".join(_lines(whole)[place] for place in order))
    with pytest.raises(IntegrityError, match=r"line \d"):
        Journal(path).read()


def test_damage_is_never_appended_to(whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    damaged = whole.replace(b'"n":2', b'"n":7')
    path.write_bytes(damaged)
    with pytest.raises(IntegrityError, match="line 3"):
        Journal(path).append_all(ENTRIES)
    assert path.read_bytes() == damaged


def test_a_foreign_file_is_no_torn_journal(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    path.write_bytes(b"notes of mine")
    with pytest.raises(IntegrityError, match="line 1"):
        Journal(path).append_all(ENTRIES)
    assert path.read_bytes() == b"notes of mine"


def test_another_version_is_told_from_damage(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    path.write_bytes(b'{"format":"sscb-journal","version":2}\n')
    with pytest.raises(InputError, match="version 2"):
        Journal(path).read()


def test_what_is_no_json_is_refused_and_nothing_written(journal: Journal) -> None:
    journal.append_all(ENTRIES)
    before = journal.path.read_bytes()
    with pytest.raises(InputError):
        journal.append_all([{"n": 4}, {"n": float("nan")}])
    assert journal.path.read_bytes() == before


@given(st.lists(st.dictionaries(st.text(max_size=3), st.integers() | st.text(max_size=3), max_size=3), max_size=6))
def test_any_entries_come_back(tmp_path_factory: pytest.TempPathFactory, entries: list[dict[str, Any]]) -> None:
    journal = Journal(tmp_path_factory.mktemp("any") / "j.jsonl")
    journal.append_all(entries)
    assert list(journal.read().entries) == entries


APPENDER = """
import sys
from pathlib import Path
from sscb_pipeline.artifacts.journal import Journal
journal = Journal(Path(sys.argv[1]))
for number in range(int(sys.argv[3])):
    journal.append_all([{"by": sys.argv[2], "n": number}])
    print(number, flush=True)
"""


def _appender(path: Path, key: str, count: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", APPENDER, str(path), key, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_writers_of_one_journal_take_turns(journal: Journal) -> None:
    writers = [_appender(journal.path, key, 40) for key in ("a", "b")]
    for writer in writers:
        writer.communicate(timeout=60)
        assert writer.returncode == 0
    entries = journal.read().entries
    assert [entry["n"] for entry in entries if entry["by"] == "a"] == list(range(40))
    assert [entry["n"] for entry in entries if entry["by"] == "b"] == list(range(40))


@pytest.mark.parametrize("delay_ms", [5, 40, 90])
def test_a_killed_writer_loses_no_acknowledged_entry(journal: Journal, delay_ms: int) -> None:
    writer = _appender(journal.path, "a", 1_000_000)
    assert writer.stdout is not None
    assert writer.stdout.readline() == "0\n"
    time.sleep(delay_ms / 1000)
    writer.send_signal(signal.SIGKILL)
    acknowledged = 1 + writer.stdout.read().count("\n")
    writer.wait(10)
    writer.stdout.close()
    numbers = [entry["n"] for entry in journal.read().entries]
    assert numbers == list(range(len(numbers)))
    assert len(numbers) in (acknowledged, acknowledged + 1)
    journal.append_all([{"n": "next"}])
    assert journal.read().entries[-1] == {"n": "next"}
