"""Publishing: the private ledger file takes the place of the published one in a single step.

Order matters. The private file is closed and durable; its sha256 is announced in `published.jsonl`; a stray
write-ahead log beside the published file (left by a user who opened it for writing) is removed, or every later open
would fail; then the file is moved. A kill at any point leaves the old ledger or the new one, and either is announced.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from sscb_pipeline.artifacts.durable import storage_error, sync_directory
from sscb_pipeline.artifacts.warehouse import Warehouse


@dataclass(frozen=True, slots=True, kw_only=True)
class Announced:
    """The published file is one that was announced. `fingerprint` tells what it was built from."""

    sha256: str
    fingerprint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unannounced:
    """The published file is none that was announced: it was changed after it was published."""

    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NotPublished:
    """There is no published file."""


PublishedState = Announced | Unannounced | NotPublished


def write_ahead_log(ledger: Path) -> Path:
    """Where DuckDB keeps the write-ahead log of a ledger file."""
    return ledger.with_name(f"{ledger.name}.wal")


def publish(warehouse: Warehouse, private: Path, fingerprint: str) -> Path:
    """Move the closed file `private` to its published place; the caller holds the ledger lease.

    Raises InputError when the disk refuses; the ledger published before then stays.
    """
    try:
        private.chmod(0o444)
        sha256 = _synchronised_sha256(private)
        # The checksums let a later reader see whether these journals have lost lines since.
        announcement = {
            "sha256": sha256,
            "fingerprint": fingerprint,
            "manifests": warehouse.manifests.read().checksum,
            "receipts": warehouse.receipts.read().checksum,
        }
        warehouse.published.append_all([announcement])
        write_ahead_log(warehouse.ledger).unlink(missing_ok=True)
        private.replace(warehouse.ledger)
        sync_directory(warehouse.root)
    except OSError as error:
        raise storage_error(warehouse.ledger, error) from error
    return warehouse.ledger


def published_state(warehouse: Warehouse) -> PublishedState:
    """Whether the published file is, byte for byte, one that was announced. IntegrityError for a damaged journal."""
    try:
        with warehouse.ledger.open("rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return NotPublished()
    except OSError as error:
        raise storage_error(warehouse.ledger, error) from error
    for entry in reversed(warehouse.published.read().entries):
        if entry["sha256"] == sha256:
            return Announced(sha256=sha256, fingerprint=entry["fingerprint"])
    return Unannounced(sha256=sha256)


def _synchronised_sha256(path: Path) -> str:
    with path.open("rb") as file:
        os.fsync(file.fileno())
        return hashlib.file_digest(file, "sha256").hexdigest()
