import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sscb_pipeline.artifacts.digest import sha256_hex
from sscb_pipeline.artifacts.store import ObjectStore
from sscb_pipeline.errors import InputError, IntegrityError


@pytest.fixture
def store(tmp_path: Path) -> ObjectStore:
    return ObjectStore(tmp_path / "objects")


def test_objects_come_back_under_their_hash(store: ObjectStore) -> None:
    blobs = [b"", b"\x00\xff", b"text" * 10_000]
    names = store.put_all(blobs)
    assert names == [sha256_hex(blob) for blob in blobs]
    assert [store.get(name) for name in names] == blobs
    assert sorted(store.iterate()) == list(store.iterate()) == sorted(names)
    assert all(store.has(name) for name in names)
    assert not store.has("0" * 64)


def test_an_object_is_read_only_and_in_its_folder(store: ObjectStore) -> None:
    name = store.put(b"x")
    path = store.root / name[:2] / name[2:]
    assert store.path_of(name) == path
    assert path.stat().st_mode & 0o777 == 0o444


def test_a_repeated_blob_is_one_object_and_written_once(store: ObjectStore) -> None:
    name, again, _ = store.put_all([b"a", b"a", b"b"])
    assert name == again
    before = store.path_of(name).stat()
    assert store.put(b"a") == name
    after = store.path_of(name).stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


def test_a_batch_larger_than_one_round_of_descriptors(store: ObjectStore) -> None:
    names = store.put_all([str(number).encode() for number in range(700)])
    assert len(set(names)) == 700
    assert sum(1 for _ in store.iterate()) == 700


def _overwrite(path: Path, data: bytes) -> None:
    path.chmod(0o644)
    path.write_bytes(data)


@pytest.mark.parametrize("damage", [b"", b"contend", b"content and more"])
def test_a_changed_object_is_named_when_read_and_never_replaced(store: ObjectStore, damage: bytes) -> None:
    name = store.put(b"content")
    path = store.path_of(name)
    _overwrite(path, damage)
    with pytest.raises(IntegrityError) as caught:
        store.get(name)
    assert name in caught.value.subject and str(path) in caught.value.subject
    with pytest.raises(IntegrityError, match=name):
        store.put_all([b"other", b"content"])
    assert path.read_bytes() == damage
    assert not store.has(sha256_hex(b"other"))


def test_a_missing_object_is_named(store: ObjectStore) -> None:
    with pytest.raises(IntegrityError, match="no file there"):
        store.get("ab" * 32)


@pytest.mark.parametrize("name", ["", "../../etc/passwd", "AB" * 32, "ab" * 31, "zz" * 32])
def test_only_hashes_are_names(store: ObjectStore, name: str) -> None:
    with pytest.raises(InputError, match="sha256"):
        store.get(name)


def test_strangers_are_told_from_objects(store: ObjectStore) -> None:
    name = store.put(b"x")
    stray = store.root / name[:2] / "notes.txt"
    stray.write_text("hello")
    deep = store.root / "zz" / "y"
    deep.mkdir(parents=True)
    (deep / "file").write_text("hello")
    assert list(store.iterate()) == [name]
    assert set(store.strangers()) == {stray, deep / "file"}


def test_an_empty_store_holds_nothing(store: ObjectStore) -> None:
    assert list(store.iterate()) == []
    assert list(store.strangers()) == []
    assert store.put_all([]) == []


WRITER = """
import sys
from pathlib import Path
from sscb_pipeline.artifacts.store import ObjectStore
store = ObjectStore(Path(sys.argv[1]))
print("ready", flush=True)
batch = 0
while True:
    names = store.put_all([f"{sys.argv[2]} {batch} {number} ".encode() * 2000 for number in range(60)])
    print("\\n".join(names), flush=True)
    batch += 1
"""


def _start_writer(root: Path, key: str) -> "subprocess.Popen[str]":
    return subprocess.Popen([sys.executable, "-c", WRITER, str(root), key], stdout=subprocess.PIPE, text=True)


@pytest.mark.parametrize("delay_ms", [0, 7, 13, 29, 61, 110])
def test_a_writer_killed_in_the_middle_leaves_whole_objects_only(store: ObjectStore, delay_ms: int) -> None:
    writer = _start_writer(store.root, f"key {delay_ms}")
    assert writer.stdout is not None
    try:
        assert writer.stdout.readline() == "ready\n"
        time.sleep(delay_ms / 1000)
    finally:
        writer.send_signal(signal.SIGKILL)
        acknowledged = writer.stdout.read().splitlines()
        writer.wait(10)
        writer.stdout.close()
    present = list(store.iterate())
    for name in present:
        assert sha256_hex(store.get(name)) == name
    assert {name for name in acknowledged if len(name) == 64} <= set(present)
    assert list(store.strangers()) == []
    store.put(b"the next writer")
    assert list((store.root / ".incoming").iterdir()) == []


def test_the_batch_of_a_living_writer_is_not_swept(store: ObjectStore) -> None:
    first, second = (_start_writer(store.root, key) for key in ("one", "two"))
    acknowledged: list[str] = []
    try:
        for writer in (first, second):
            assert writer.stdout is not None
            acknowledged += [writer.stdout.readline().strip() for _ in range(61 * 4)]
    finally:
        for writer in (first, second):
            writer.kill()
            writer.wait(10)
            assert writer.stdout is not None
            writer.stdout.close()
    names = [name for name in acknowledged if name != "ready"]
    assert len(names) > 400
    assert all(store.has(name) for name in names)


LIMITED = """
import resource, signal, sys
from pathlib import Path
from sscb_pipeline.artifacts.store import ObjectStore
from sscb_pipeline.errors import InputError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
try:
    ObjectStore(Path(sys.argv[1])).put_all([b"small", b"x" * 60_000])
except InputError as error:
    print(error.found, "|", error.remedy)
    sys.exit(2)
"""


def test_a_disk_that_refuses_leaves_nothing_and_says_what_to_do(store: ObjectStore) -> None:
    result = subprocess.run(
        [sys.executable, "-c", LIMITED, str(store.root)], capture_output=True, text=True, timeout=60
    )
    assert result.returncode == 2, result.stderr
    assert os.strerror(errno.EFBIG) in result.stdout
    assert "free space" in result.stdout
    assert list(store.iterate()) == []
    assert list((store.root / ".incoming").iterdir()) == []
