"""The ledger from journals and objects: building, rebuilding and bringing up to date are one function."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sscb_pipeline.artifacts.durable import make_directory, storage_error
from sscb_pipeline.artifacts.lease import patient_lease
from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.ledger.loader import load
from sscb_pipeline.ledger.publish import Announced, publish, published_state, write_ahead_log
from sscb_pipeline.ledger.rows import LedgerSource

PATIENCE_SECONDS = 120.0
"""How long a second loader waits for the first."""


def build(warehouse: Warehouse, source: LedgerSource) -> Path:
    """Build the ledger and publish it; returns the published path.

    One loader at a time; a second waits. Raises RefusalError when the first goes on for too long, and InputError or
    IntegrityError for rows that cannot be loaded or a disk that refuses: what was published before then stays.
    """
    with _only_loader(warehouse):
        return _build(warehouse, source, source.fingerprint(warehouse))


def bring_up_to_date(warehouse: Warehouse, source: LedgerSource) -> Path:
    """As `build`, but leaves a published ledger alone that was built from the same content and is unchanged since."""
    with _only_loader(warehouse):
        fingerprint = source.fingerprint(warehouse)
        state = published_state(warehouse)
        clean = not write_ahead_log(warehouse.ledger).exists()
        if clean and isinstance(state, Announced) and state.fingerprint == fingerprint:
            _clear(warehouse)
            return warehouse.ledger
        return _build(warehouse, source, fingerprint)


@contextmanager
def private_copy(warehouse: Warehouse, source: LedgerSource) -> Iterator[Path]:
    """A ledger built now and not published, for comparison with the published one; gone after the block."""
    with _only_loader(warehouse):
        private = _fresh_place(warehouse)
        try:
            load(private, source.tables(warehouse), warehouse.objects)
            yield private
        finally:
            shutil.rmtree(private.parent)


@contextmanager
def _only_loader(warehouse: Warehouse) -> Iterator[None]:
    with patient_lease(warehouse.lease_path("ledger"), "loading the ledger", patience_seconds=PATIENCE_SECONDS):
        yield


def _build(warehouse: Warehouse, source: LedgerSource, fingerprint: str) -> Path:
    private = _fresh_place(warehouse)
    try:
        load(private, source.tables(warehouse), warehouse.objects)
        return publish(warehouse, private, fingerprint)
    finally:
        shutil.rmtree(private.parent)


def _clear(warehouse: Warehouse) -> None:
    """Remove what a killed loader left; the caller holds the lease."""
    try:
        if warehouse.loader.exists():
            shutil.rmtree(warehouse.loader)
    except OSError as error:
        raise storage_error(warehouse.loader, error) from error


def _fresh_place(warehouse: Warehouse) -> Path:
    """An empty loader folder."""
    _clear(warehouse)
    try:
        make_directory(warehouse.loader)
    except OSError as error:
        raise storage_error(warehouse.loader, error) from error
    return warehouse.loader / "sscb.duckdb"
