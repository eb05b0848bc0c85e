"""Reading bytes that were authorised: one open, the hash of what was read, and those very bytes handed over.

Nothing can change between check and use, since what is checked is what is returned. A folder of authorised files is a
closed set: a file that is missing, not authorised, no regular file or a link is named and refused.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from sscb_pipeline.artifacts.digest import sha256_hex
from sscb_pipeline.errors import IntegrityError

_CHUNK = 1 << 20


def read_verified(path: Path | str, sha256: str, *, remedy: str) -> bytes:
    """The bytes of a regular file, if they hash to `sha256`.

    Raises IntegrityError saying what was found; where only line ends differ, it says so.
    """
    data = read_regular(path, remedy=remedy)
    found = sha256_hex(data)
    if found == sha256:
        return data
    note = ""
    if sha256_hex(data.replace(b"\r\n", b"\n")) == sha256:
        note = " (the bytes match after newline normalisation: LF was rewritten as CRLF)"
    raise IntegrityError(
        subject=str(path),
        expected=f"sha256 {sha256}",
        found=f"{len(data)} bytes with sha256 {found}{note}",
        remedy=remedy,
    )


def read_regular(path: Path | str, *, remedy: str) -> bytes:
    """The bytes of a regular file, opened once, links not followed. Raises IntegrityError."""
    try:
        # O_NONBLOCK: a named pipe put in the place of a file must not make the reader wait for ever
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        found = error.strerror or str(error)
        raise IntegrityError(subject=str(path), expected="a regular file", found=found, remedy=remedy) from error
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise IntegrityError(subject=str(path), expected="a regular file", found="none", remedy=remedy)
        # One byte more than there should be: a read that stays short has met the end.
        parts = [os.read(descriptor, status.st_size + 1)]
        if len(parts[0]) != status.st_size:
            while part := os.read(descriptor, _CHUNK):
                parts.append(part)
    except OSError as error:
        found = error.strerror or str(error)
        raise IntegrityError(subject=str(path), expected="a readable file", found=found, remedy=remedy) from error
    finally:
        os.close(descriptor)
    return parts[0] if len(parts) == 1 else b"".join(parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifiedFolder:
    """A folder and the sha256 each file in it must have, by file name. `remedy` is told with every refusal."""

    folder: Path
    files: Mapping[str, str]
    remedy: str

    def read(self, name: str) -> bytes:
        """The authorised bytes of a file. Raises IntegrityError for changed bytes and for a name not authorised."""
        sha256 = self.files.get(name)
        if sha256 is None:
            raise IntegrityError(
                subject=str(self.folder / name),
                expected="a file that was authorised",
                found="one that was not",
                remedy=self.remedy,
            )
        return read_verified(f"{self.folder}/{name}", sha256, remedy=self.remedy)

    def strangers(self) -> Iterator[str]:
        """A sentence for every name that is there and not authorised, or authorised and not there."""
        try:
            with os.scandir(self.folder) as entries:
                there = {entry.name for entry in entries}
        except OSError as error:
            yield f"{self.folder}: {error.strerror or error}"
            return
        for name in sorted(there - self.files.keys()):
            yield f"{self.folder / name}: there, and not authorised"
        for name in sorted(self.files.keys() - there):
            yield f"{self.folder / name}: authorised, and not there"

    def changes(self) -> Iterator[str]:
        """A sentence for every authorised file whose bytes are not the authorised ones."""
        for name in sorted(self.files):
            try:
                self.read(name)
            except IntegrityError as error:
                yield f"{error.subject}: expected {error.expected}, found {error.found}"

    def demand(self) -> None:
        """Raises IntegrityError naming the first file that is extra, missing or changed."""
        for violation in (*self.strangers(), *self.changes()):
            raise IntegrityError(
                subject=str(self.folder),
                expected="exactly the authorised files, unchanged",
                found=violation,
                remedy=self.remedy,
            )
