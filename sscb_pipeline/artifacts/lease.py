"""Exclusive leases: at most one process works on a thing at a time, and a killed one lets go.

A lease is a kernel lock on a file that is never removed, so it ends with its holder however that ends. The file's
text names the last holder, for the message of whoever is refused.
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sscb_pipeline.artifacts.durable import make_directory, storage_error
from sscb_pipeline.errors import RefusalError

_POLL_SECONDS = 0.02


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
        yield
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
    try:
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, json.dumps(holder).encode() + b"\n", 0)
    except OSError as error:
        raise storage_error(path, error) from error


def _refusal(descriptor: int, path: Path, purpose: str) -> RefusalError:
    try:
        holder = json.loads(os.pread(descriptor, 4096, 0))
        found = f"process {int(holder['pid'])} on {holder['host']} at work there ({holder['purpose']})"
    except (ValueError, KeyError, TypeError):
        found = "another process at work there"
    return RefusalError(
        subject=f"{purpose} (lease {path})",
        expected="no other process working on it",
        found=found,
        remedy="wait until that process has ended, or end it, then run the same command again",
    )
