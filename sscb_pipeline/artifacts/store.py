"""The content-addressed store: immutable objects named by the sha256 of their bytes.

An object lives at `<root>/<first two digits>/<other 62>`, mode 0444, and appears there only whole and durable. A
batch is written below `<root>/.incoming/` first; the folder of a batch whose writer was killed is left there, is no
object to anyone, and is swept by the next writer.

Beside the root, in `deposits/`, lies a *slip* for every batch: the names of its objects, in a file named by the
sha256 of its bytes, there before the first of them. So an object that nothing refers to is known to be one that a
killed writer stored and did not get to use, and an object without a slip is a stranger's.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sscb_pipeline.artifacts.digest import sha256_hex
from sscb_pipeline.artifacts.durable import (
    COMMITS_TOGETHER,
    make_directory,
    storage_error,
    sync_directory,
    sync_filesystem,
    write_new,
)
from sscb_pipeline.errors import InputError, IntegrityError

_INCOMING = ".incoming"
_SYNC_THREADS = 8
_CHUNK = 1 << 20
_MANY = 64
"""From so many files or folders on, one commit of the file system costs less than a wait for each."""
_DIGITS = frozenset("0123456789abcdef")
_SLIP_HEADER = "sscb-deposit 1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Slip:
    """The names of the objects of one batch, in order of name."""

    path: Path
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DamagedSlip:
    """Something among the slips that is none: its bytes have another sha256 than its name says, or it is no file."""

    path: Path


class ObjectStore:
    """Objects below one folder. Any number of processes may put and get at the same time."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._folder = os.fspath(root)
        self.incoming = root / _INCOMING
        self.deposits = root.with_name("deposits")

    def path_of(self, sha256: str) -> Path:
        """Where the object is or would be. Raises InputError for anything but 64 lower-case hexadecimal digits."""
        _check_name(sha256)
        return self.root / sha256[:2] / sha256[2:]

    def put(self, data: bytes) -> str:
        """Store one object; see `put_all`."""
        return self.put_all([data])[0]

    def put_all(self, blobs: Iterable[bytes]) -> list[str]:
        """Store a batch; returns the names in order, when every object of the batch is durable.

        Nothing of the batch is visible unless all of it could be written. An object that is there already is compared
        byte by byte. Raises InputError when the disk refuses and IntegrityError when a stored object differs.
        """
        contents = list(blobs)
        names = [sha256_hex(data) for data in contents]
        wanted = dict(zip(names, contents, strict=True))
        fresh = {name: data for name, data in wanted.items() if not self._holds(name, data)}
        folders = {self.root / start for start in {name[:2] for name in wanted}}
        try:
            if fresh:
                for folder in (self.deposits, *sorted(folders)):
                    make_directory(folder)
                self._write(fresh)
                sync_directory(self.deposits)
            # Also for objects that were there: their writer may have died between the rename and this.
            if COMMITS_TOGETHER and len(folders) >= _MANY:
                sync_filesystem(self.root)
            else:
                for folder in sorted(folders):
                    sync_directory(folder)
        except OSError as error:
            raise storage_error(self.root, error) from error
        return names

    def get(self, sha256: str) -> bytes:
        """The object's bytes, hashed again as read. Raises IntegrityError naming object and path."""
        try:
            data = self._bytes(sha256)
        except FileNotFoundError:
            raise _damaged(sha256, self.path_of(sha256), "no file there") from None
        except OSError as error:
            raise _damaged(sha256, self.path_of(sha256), error.strerror or str(error)) from error
        found = sha256_hex(data)
        if found != sha256:
            raise _damaged(sha256, self.path_of(sha256), f"{len(data)} bytes with sha256 {found}")
        return data

    def has(self, sha256: str) -> bool:
        """Whether an object of that name is there (its bytes are not read)."""
        return self.path_of(sha256).is_file()

    def iterate(self) -> Iterator[str]:
        """Names of all objects, sorted. Files that are no objects are left to `strangers`."""
        for folder in self._folders():
            with os.scandir(folder) as entries:
                names = sorted(folder.name + entry.name for entry in entries)
            yield from filter(_is_name, names)

    def strangers(self) -> Iterator[Path]:
        """Files below the root that no object name explains, sorted; batches under way are none."""
        if not self.root.is_dir():
            return
        for path in sorted(self.root.rglob("*")):
            relative = path.relative_to(self.root).parts
            if relative[0] == _INCOMING or (path.is_dir() and not path.is_symlink()):
                continue
            if len(relative) != 2 or not _is_name("".join(relative)) or path.is_symlink():
                yield path

    def slips(self) -> Iterator[Slip | DamagedSlip]:
        """Every file among the slips, sorted by path."""
        if not self.deposits.is_dir():
            return
        for path in sorted(self.deposits.rglob("*")):
            if path.is_symlink() or not path.is_file():
                if path.is_symlink() or not path.is_dir():
                    yield DamagedSlip(path=path)
                continue
            yield _read_slip(path) if path.parent == self.deposits else DamagedSlip(path=path)

    def _folders(self) -> list[Path]:
        if not self.root.is_dir():
            return []
        return sorted(path for path in self.root.iterdir() if len(path.name) == 2 and _DIGITS.issuperset(path.name))

    def _holds(self, name: str, data: bytes) -> bool:
        try:
            stored = self._bytes(name)
        except FileNotFoundError:
            return False
        except OSError as error:
            raise storage_error(self.path_of(name), error) from error
        if stored != data:
            raise _damaged(name, self.path_of(name), f"{len(stored)} bytes with sha256 {sha256_hex(stored)}")
        return True

    def _bytes(self, sha256: str) -> bytes:
        """The file of an object, whole, by one open and as few reads as it takes."""
        _check_name(sha256)
        descriptor = os.open(f"{self._folder}/{sha256[:2]}/{sha256[2:]}", os.O_RDONLY | os.O_CLOEXEC)
        try:
            size = os.fstat(descriptor).st_size
            # One byte more than there should be: a read that stays short has met the end.
            parts = [os.read(descriptor, size + 1)]
            if len(parts[0]) != size:
                while part := os.read(descriptor, _CHUNK):
                    parts.append(part)
        finally:
            os.close(descriptor)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def _write(self, fresh: dict[str, bytes]) -> None:
        with self._batch() as batch:
            names = sorted(fresh)
            slip = "\n".join([_SLIP_HEADER, *names, ""]).encode()
            paper = batch / "slip"
            within = os.fspath(batch)
            _write_synchronised([(str(paper), slip), *((f"{within}/{name}", data) for name, data in fresh.items())])
            paper.rename(self.deposits / sha256_hex(slip))
            for name in names:
                # rename, not link: of two writers of one object the later replaces equal bytes by equal bytes
                os.rename(f"{within}/{name}", f"{self._folder}/{name[:2]}/{name[2:]}")  # noqa: PTH104 (many)

    @contextmanager
    def _batch(self) -> Iterator[Path]:
        """A private folder held by a lock that dies with this process."""
        incoming = self.incoming
        make_directory(incoming)
        gate = os.open(incoming, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            _sweep(gate, incoming)
            fcntl.flock(gate, fcntl.LOCK_SH)
            batch = Path(tempfile.mkdtemp(dir=incoming))
            held = os.open(batch, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            fcntl.flock(held, fcntl.LOCK_EX)
            fcntl.flock(gate, fcntl.LOCK_UN)
        finally:
            os.close(gate)
        try:
            yield batch
        finally:
            shutil.rmtree(batch)
            os.close(held)


def _sweep(gate: int, incoming: Path) -> None:
    """Remove the folders of dead writers; when another writer is just opening a batch, leave it to the next."""
    try:
        fcntl.flock(gate, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return
    for batch in incoming.iterdir():
        try:
            held = os.open(batch, os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            continue  # its writer has just finished
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(batch)
        except BlockingIOError:
            continue
        finally:
            os.close(held)


def _write_synchronised(files: Sequence[tuple[str, bytes]]) -> None:
    """Create the files and wait for all. Many are committed by one call; of few, the waits run side by side, so that
    the disk commits them together."""
    if COMMITS_TOGETHER and len(files) >= _MANY:
        for path, data in files:
            os.close(write_new(path, data))
        sync_filesystem(Path(files[0][0]).parent)
        return
    descriptors: list[int] = []
    try:
        for start in range(0, len(files), 256):
            for path, data in files[start : start + 256]:
                descriptors.append(write_new(path, data))
            if len(descriptors) == 1:
                os.fsync(descriptors[0])
            else:
                with ThreadPoolExecutor(_SYNC_THREADS) as pool:
                    list(pool.map(os.fsync, descriptors))
            while descriptors:
                os.close(descriptors.pop())
    finally:
        while descriptors:
            os.close(descriptors.pop())


def _read_slip(path: Path) -> Slip | DamagedSlip:
    data = path.read_bytes()
    if sha256_hex(data) != path.name:
        return DamagedSlip(path=path)
    header, *names = data.decode("ascii", "replace").split("\n")
    if header != _SLIP_HEADER or names[-1:] != [""] or not all(map(_is_name, names[:-1])):
        return DamagedSlip(path=path)
    return Slip(path=path, names=tuple(names[:-1]))


def _check_name(sha256: str) -> None:
    if not _is_name(sha256):
        raise InputError(
            subject=f"object {sha256[:80]!r}",
            expected="a sha256 in 64 lower-case hexadecimal digits",
            found=f"{len(sha256)} characters",
            remedy="name the object as the journal or the ledger names it",
        )


def _is_name(name: str) -> bool:
    return len(name) == 64 and _DIGITS.issuperset(name)


def _damaged(sha256: str, path: Path, found: str) -> IntegrityError:
    return IntegrityError(
        subject=f"object {sha256} at {path}",
        expected="the bytes with that sha256",
        found=found,
        remedy="restore the file from a copy of the warehouse, or remove it and run its stage again",
    )
