"""Exclusive leases: at most one process works on a thing at a time, and a killed one lets go.

A lease is a kernel lock on a file that is never removed, so it ends with its holder however that ends. The file's
text names the holder, for the message of whoever is refused; a holder that ends in its own time empties the file, so
text in a lease that nobody holds was left by a killed process. It carries a checksum.
"""

from __future__ import annotations

import fcntl
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from sscb_pipeline.artifacts.digest import canonical_json, sha256_hex, strict_json
from sscb_pipeline.artifacts.durable import is_alive, make_directory, storage_error
from sscb_pipeline.errors import InputError, RefusalError

_POLL_SECONDS = 0.02
_LONGEST_TEXT = 65_536


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """Who signed a lease."""

    pid: int
    host: str
    purpose: str

    def is_at_work(self) -> bool:
        """Whether the process that signed may still be at work; on another machine this cannot be known here."""
        return self.host != socket.gethostname() or is_alive(self.pid)


@dataclass(frozen=True, slots=True, kw_only=True)
class Nobody:
    """The lease is signed by nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """The file holds something that no holder wrote."""


def read_lease(path: Path) -> Holder | Nobody | Unreadable:
    """Who signed the lease at `path`, without taking it. Raises OSError."""
    with path.open("rb") as file:
        return _holder(file.read(_LONGEST_TEXT + 1))


def _holder(text: bytes) -> Holder | Nobody | Unreadable:
    if not text:
        return Nobody()
    try:
        signed = strict_json(text, "lease")
        holder = signed["holder"]
        if canonical_json(signed) + b"\n" == text and signed["checksum"] == sha256_hex(canonical_json(holder)):
            return Holder(pid=int(holder["pid"]), host=str(holder["host"]), purpose=str(holder["purpose"]))
    except (InputError, KeyError, TypeError, ValueError):
        return Unreadable()
    return Unreadable()


@contextmanager
def lease(path: Path, purpose: str) -> Iterator[None]:
    """Hold the lease at `path` for the block, or raise RefusalError at once, naming the holder."""
    with _held(path, purpose, patience_seconds=0.0):
        yield


@contextmanager
def patient_lease(path: Path, purpose: str, *, patience_seconds: float) -> Iterator[None]:
    """Hold the lease at `path` for the block, waiting up to `patience_seconds` for it; then RefusalError."""
    with _held(path, purpose, patience_seconds=patience_seconds):
        yield


@contextmanager
def _held(path: Path, purpose: str, *, patience_seconds: float) -> Iterator[None]:
    try:
        make_directory(path.parent)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise storage_error(path, error) from error
    try:
        _acquire(descriptor, path, purpose, time.monotonic() + patience_seconds)
        _sign(descriptor, path, purpose)
        try:
            yield
        finally:
            # The text is for others only: whether it could be removed must not replace the block's own error.
            with suppress(OSError):
                os.ftruncate(descriptor, 0)
    finally:
        os.close(descriptor)


def _acquire(descriptor: int, path: Path, purpose: str, deadline: float) -> None:
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise _refusal(descriptor, path, purpose) from None
            time.sleep(_POLL_SECONDS)


def _sign(descriptor: int, path: Path, purpose: str) -> None:
    holder = {"pid": os.getpid(), "host": socket.gethostname(), "purpose": purpose}
    text = canonical_json({"checksum": sha256_hex(canonical_json(holder)), "holder": holder}) + b"\n"
    try:
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, text, 0)
    except OSError as error:
        raise storage_error(path, error) from error


def _refusal(descriptor: int, path: Path, purpose: str) -> RefusalError:
    holder = _holder(os.pread(descriptor, _LONGEST_TEXT, 0))
    found = "another process at work there"
    if isinstance(holder, Holder):
        found = f"process {holder.pid} on {holder.host} at work there ({holder.purpose})"
    return RefusalError(
        subject=f"{purpose} (lease {path})",
        expected="no other process working on it",
        found=found,
        remedy="wait until that process has ended, or end it, then run the same command again",
    )
