"""Append-only journals: which objects belong to what, one JSON object a line, durable when `append_all` returns.

The first line names the format. Each later line carries a checksum over its own bytes and the checksum before it, so
a changed, moved, repeated or removed line is found. What a crash can leave is a *torn tail*: bytes after the last
line end. It was never acknowledged, is reported and never read as data, and the next writer cuts it off.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sscb_pipeline.artifacts.digest import canonical_json, sha256_hex, strict_json
from sscb_pipeline.artifacts.durable import make_directory, storage_error, sync_directory, write_all
from sscb_pipeline.errors import InputError, IntegrityError, RefusalError

FORMAT = "sscb-journal"
VERSION = 1
_HEADER = canonical_json({"format": FORMAT, "version": VERSION}) + b"\n"
_BEFORE_CHECKSUM = b'{"checksum":"'
_BEFORE_ENTRY = b'","entry":'
_END = b"}\n"
_CHECKSUM_AT = len(_BEFORE_CHECKSUM)
_ENTRY_AT = _CHECKSUM_AT + 64 + len(_BEFORE_ENTRY)
_PATIENCE_SECONDS = 30.0

Entry = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeTail:
    """The journal ends with a line end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TornTail:
    """`size` bytes from byte `offset` on, after the last line end, which an interrupted writer left."""

    offset: int
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalContent:
    """Entries in order of writing, and how the file ends. `checksums` are those of the lines in order, the header's
    first: one that was noted elsewhere and is among them shows that no line up to it is lost."""

    entries: tuple[dict[str, Any], ...]
    tail: WholeTail | TornTail
    checksums: tuple[str, ...]

    @property
    def checksum(self) -> str:
        """The checksum of the last line."""
        return self.checksums[-1]


_EMPTY = JournalContent(entries=(), tail=WholeTail(), checksums=(sha256_hex(_HEADER),))


class JournalWriter:
    """Appends to one journal whose lock is held; made by `Journal.writer`. `before` is what it held then."""

    def __init__(self, path: Path, descriptor: int, size: int, before: JournalContent) -> None:
        self.before = before
        self._path = path
        self._descriptor = descriptor
        self._size = size
        self._checksum = before.checksum

    def append_all(self, entries: Iterable[Entry]) -> None:
        """Append entries with one synchronisation; all are durable when it returns.

        When the disk refuses, what was written of them is cut off again and InputError raised. After a kill in
        between, a prefix of the entries may be there.
        """
        checksum = self._checksum
        lines: list[bytes] = []
        for entry in entries:
            body = canonical_json(dict(entry))
            checksum = _chained(checksum, body)
            lines.append(_BEFORE_CHECKSUM + checksum.encode() + _BEFORE_ENTRY + body + _END)
        if not lines:
            return
        data = b"".join(lines)
        try:
            os.lseek(self._descriptor, self._size, os.SEEK_SET)
            write_all(self._descriptor, data)
            os.fsync(self._descriptor)
        except OSError as error:
            os.ftruncate(self._descriptor, self._size)
            raise storage_error(self._path, error) from error
        self._size += len(data)
        self._checksum = checksum


class Journal:
    """One journal file. A file that is not there is a journal without entries."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> JournalContent:
        """Every entry, each checksum verified. Raises IntegrityError with file and line for any other damage than a
        torn tail, and InputError for a journal of another format version."""
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return _EMPTY
        except OSError as error:
            raise IntegrityError(
                subject=str(self.path),
                expected="a readable journal",
                found=error.strerror or str(error),
                remedy="restore read permission or the file",
            ) from error
        return _parse(self.path, data)

    @contextmanager
    def writer(self) -> Iterator[JournalWriter]:
        """A writer for the block, alone on this journal. Creates the file, verifies what is there and cuts off a torn
        tail first. Raises RefusalError when another process goes on writing for 30 seconds, else as `read`."""
        try:
            make_directory(self.path.parent)
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise storage_error(self.path, error) from error
        try:
            _lock(descriptor, self.path)
            yield self._open(descriptor)
        finally:
            os.close(descriptor)

    def append_all(self, entries: Iterable[Entry]) -> None:
        """Append with a writer of its own; see `JournalWriter.append_all`."""
        with self.writer() as writer:
            writer.append_all(entries)

    def _open(self, descriptor: int) -> JournalWriter:
        content = self.read()
        size = os.fstat(descriptor).st_size
        try:
            if isinstance(content.tail, TornTail):
                os.ftruncate(descriptor, content.tail.offset)
                os.fsync(descriptor)
                size = content.tail.offset
            if size == 0:
                write_all(descriptor, _HEADER)
                os.fsync(descriptor)
                sync_directory(self.path.parent)
                size = len(_HEADER)
        except OSError as error:
            raise storage_error(self.path, error) from error
        return JournalWriter(self.path, descriptor, size, content)


def is_written_now(path: Path) -> bool:
    """Whether a writer has the journal at `path` open just now. A writer that begins meanwhile waits for this look."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def _lock(descriptor: int, path: Path) -> None:
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise RefusalError(
                    subject=f"journal {path}",
                    expected="no other writer",
                    found=f"another process writing for more than {_PATIENCE_SECONDS:.0f} seconds",
                    remedy="wait until that process has ended, then run the same command again",
                ) from None
            time.sleep(0.01)


def _chained(before: str, body: bytes) -> str:
    return sha256_hex(before.encode() + body)


def _parse(path: Path, data: bytes) -> JournalContent:
    if not data:
        return _EMPTY
    whole, tail = _split_tail(path, data)
    if not whole:
        return JournalContent(entries=(), tail=tail, checksums=_EMPTY.checksums)
    lines = whole.split(b"\n")[:-1]
    _check_header(path, lines[0])
    checksums = [_EMPTY.checksum]
    entries: list[dict[str, Any]] = []
    for number, line in enumerate(lines[1:], start=2):
        body = _verified_body(line, checksums[-1])
        if body is None:
            raise _damaged(path, number, f"{line[:60]!r}")
        checksums.append(line[_CHECKSUM_AT : _CHECKSUM_AT + 64].decode())
        entry = strict_json(body, f"{path} line {number}")
        if not isinstance(entry, dict):
            raise _damaged(path, number, "an entry that is no object")
        entries.append(entry)
    return JournalContent(entries=tuple(entries), tail=tail, checksums=tuple(checksums))


def _split_tail(path: Path, data: bytes) -> tuple[bytes, WholeTail | TornTail]:
    """Whole lines, and what follows them. Unlike a torn line, a whole one whose line end was *changed* is damage:
    it had been acknowledged, and cutting it off would lose it."""
    offset = data.rfind(b"\n") + 1
    rest = data[offset:]
    if not rest:
        return data, WholeTail()
    number = data.count(b"\n") + 1
    if offset == 0 and not _HEADER.startswith(rest):
        raise _damaged(path, 1, f"{rest[:60]!r}")
    if _is_whole_line(rest[:-1]):
        raise _damaged(path, number, f"the byte {rest[-1]:#04x} in the place of its line end")
    return data[:offset], TornTail(offset=offset, size=len(rest))


def _is_whole_line(line: bytes) -> bool:
    if not line.startswith(_BEFORE_CHECKSUM) or not line.endswith(b"}}"):
        return False
    try:
        value = strict_json(line, "last line")
    except InputError:
        return False
    return isinstance(value, dict) and set(value) == {"checksum", "entry"}


def _verified_body(line: bytes, before: str) -> bytes | None:
    """The entry's bytes when line and checksum are right, else None."""
    framed = (
        line[:_CHECKSUM_AT] == _BEFORE_CHECKSUM
        and line[_CHECKSUM_AT + 64 : _ENTRY_AT] == _BEFORE_ENTRY
        and line[-1:] == b"}"
    )
    body = line[_ENTRY_AT:-1]
    if framed and line[_CHECKSUM_AT : _CHECKSUM_AT + 64] == _chained(before, body).encode():
        return body
    return None


def _check_header(path: Path, line: bytes) -> None:
    if line + b"\n" == _HEADER:
        return
    try:
        header = strict_json(line, f"{path} line 1")
    except InputError:
        header = None
    if isinstance(header, dict) and header.get("format") == FORMAT and type(header.get("version")) is int:
        raise InputError(
            subject=f"{path} line 1",
            expected=f"journal format version {VERSION}",
            found=f"version {header['version']}",
            remedy="use the release of sscb_pipeline that wrote this warehouse, or name another in SSCB_WAREHOUSE",
        )
    raise _damaged(path, 1, f"{line[:60]!r}")


def _damaged(path: Path, number: int, found: str) -> IntegrityError:
    return IntegrityError(
        subject=f"{path} line {number}",
        expected="a line whose checksum matches its bytes and the line before it",
        found=found,
        remedy="restore the journal from a copy of the warehouse, or name a fresh one in SSCB_WAREHOUSE",
    )
