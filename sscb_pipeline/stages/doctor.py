"""`sscb doctor`: what is wrong with an installation and its warehouse, each with the remedy. Nothing is written."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from sscb_pipeline.adapters.tau2.recorded import Domain
from sscb_pipeline.adapters.tau2.substrate import load
from sscb_pipeline.artifacts.lease import Holder, Unreadable, read_lease
from sscb_pipeline.artifacts.warehouse import Warehouse, existing
from sscb_pipeline.errors import SscbError
from sscb_pipeline.ledger.publish import NotPublished, Unannounced, published_state, write_ahead_log
from sscb_pipeline.stages.doctor_findings import Ailment
from sscb_pipeline.stages.doctor_installation import examine_home, examine_packages
from sscb_pipeline.stages.preflight import require_space


def examine(root: Path, cwd: Path, environ: Mapping[str, str] = os.environ) -> tuple[Ailment, ...]:
    """Everything that is wrong with the installation used from `cwd` and with the warehouse at `root`."""
    found: list[Ailment] = []
    found += examine_home(cwd, environ)
    found += examine_packages(cwd)
    for domain in Domain:
        found += _told(lambda name=domain.value: load(name))  # type: ignore[misc]
    found += _told(lambda: require_space(root))
    found += _permissions(root)
    found += _warehouse(root)
    return tuple(found)


def _told(examine_one: Callable[[], object]) -> Iterator[Ailment]:
    """The error an examination raises, as a finding."""
    try:
        examine_one()
    except SscbError as error:
        yield Ailment(subject=error.subject, expected=error.expected, found=error.found, remedy=error.remedy)


def _permissions(root: Path) -> Iterator[Ailment]:
    """Whether this user may write: in the warehouse's folders, or where it would be made."""
    warehouse = Warehouse(root)
    folders = [root, warehouse.objects.root, warehouse.objects.deposits, warehouse.journals, warehouse.leases]
    existing_ones = [folder for folder in (*folders, warehouse.reports) if folder.exists()]
    nearest = next(folder for folder in (root, *root.parents) if folder.exists())
    for folder in existing_ones or [nearest]:
        if not folder.is_dir():
            yield Ailment(
                subject=str(folder), expected="a folder", found="something else", remedy="move it out of the way"
            )
        elif not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
            yield Ailment(
                subject=str(folder),
                expected="a folder this user may read and write",
                found=f"permissions {folder.stat().st_mode & 0o777:04o}, owner {folder.stat().st_uid}",
                remedy="give this user the folder (chown, chmod u+rwx), or name another in SSCB_WAREHOUSE",
            )


def _warehouse(root: Path) -> Iterator[Ailment]:
    warehouse = Warehouse(root)
    ours = (warehouse.version_file, warehouse.objects.root, warehouse.journals, warehouse.ledger)
    if not any(path.exists() for path in ours):
        return  # there is none yet, which is no ailment
    refused = list(_told(lambda: existing(root)))
    if refused:
        yield from refused
        return
    log = write_ahead_log(warehouse.ledger)
    if log.exists():
        yield Ailment(
            subject=str(log),
            expected="no write-ahead log beside the published ledger",
            found="one, left by a program that opened the ledger for writing",
            remedy="close that program, then run `sscb ledger rebuild`",
        )
    yield from _ledger(warehouse)
    yield from _leases(warehouse)


def _ledger(warehouse: Warehouse) -> Iterator[Ailment]:
    try:
        state = published_state(warehouse)
        announced = warehouse.published.read().entries
    except SscbError as error:
        yield Ailment(subject=error.subject, expected=error.expected, found=error.found, remedy=error.remedy)
        return
    changed = isinstance(state, Unannounced)
    if changed or (isinstance(state, NotPublished) and announced):
        yield Ailment(
            subject=str(warehouse.ledger),
            expected="the ledger as it was published",
            found="another file" if changed else "no file",
            remedy="run `sscb ledger rebuild`",
        )


def _leases(warehouse: Warehouse) -> Iterator[Ailment]:
    for path in sorted(warehouse.leases.glob("*.lease")):
        holder = read_lease(path)
        if isinstance(holder, Holder) and holder.is_at_work():
            yield Ailment(
                subject=str(path),
                expected="no process at work in the warehouse",
                found=f"process {holder.pid} on {holder.host} ({holder.purpose})",
                remedy="wait until it has ended, or end it; a killed process lets go by itself",
            )
        elif isinstance(holder, Unreadable):
            yield Ailment(
                subject=str(path),
                expected="an empty or signed lease",
                found="something else",
                remedy="remove the file while nothing runs",
            )
