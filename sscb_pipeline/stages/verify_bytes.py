"""Every file of a warehouse, byte for byte: objects, slips, leases, and whatever has no business there."""

from __future__ import annotations

from collections.abc import Mapping

from sscb_pipeline.artifacts.durable import is_temporary
from sscb_pipeline.artifacts.lease import Unreadable, read_lease
from sscb_pipeline.artifacts.store import DamagedSlip
from sscb_pipeline.artifacts.warehouse import LAYOUT_VERSION, Warehouse
from sscb_pipeline.errors import IntegrityError
from sscb_pipeline.ledger.publish import write_ahead_log
from sscb_pipeline.stages.names import Stage
from sscb_pipeline.stages.verify_findings import Findings, first_of

KEPT_FILES = frozenset({".gitkeep"})
"""Files that a checkout has in the folder."""


def verify_version(warehouse: Warehouse, findings: Findings) -> None:
    """The layout's version is ours."""
    path, expected = warehouse.version_file, f"{LAYOUT_VERSION}\n".encode()
    try:
        found = path.read_bytes()
    except FileNotFoundError:
        findings.missing(path, "the layout's version")
        return
    if found != expected:
        findings.changed(path, f"the layout's version: {found[:40]!r} instead of {expected!r}")


def verify_objects(warehouse: Warehouse, named: Mapping[str, str], findings: Findings) -> None:
    """Hash every object again; compare what is there with what is referred to and with the slips.

    `named` says what each object is that anything refers to.
    """
    store = warehouse.objects
    present = set()
    for sha256 in store.iterate():
        present.add(sha256)
        try:
            store.get(sha256)
        except IntegrityError as error:
            what = named.get(sha256, "nothing refers to it")
            findings.changed(store.path_of(sha256), f"object {sha256} ({what}): {error.found}")
    for sha256 in sorted(named.keys() - present):
        path = store.path_of(sha256) if _is_name(sha256) else store.root / "?"
        findings.missing(path, f"object {sha256} ({named[sha256]})")
    for path in store.strangers():
        findings.extra(path, "no object")
    deposited, slips_whole = _slips(warehouse, findings)
    for sha256 in sorted(present - named.keys()):
        path = store.path_of(sha256)
        if sha256 in deposited or not slips_whole:
            findings.leftover(path, "an object an interrupted writer stored, that nothing refers to yet")
        else:
            findings.extra(path, f"object {sha256}, which no run stored and nothing refers to")
    unexplained = (present & named.keys()) - deposited
    if unexplained and slips_whole:
        findings.missing(store.deposits, f"slips of {len(unexplained)} objects: {first_of(unexplained)}")
    _incoming(warehouse, findings)


def _slips(warehouse: Warehouse, findings: Findings) -> tuple[set[str], bool]:
    deposited: set[str] = set()
    whole = True
    for slip in warehouse.objects.slips():
        if isinstance(slip, DamagedSlip):
            findings.changed(slip.path, "slip of a batch of objects: other bytes than were recorded, or no slip")
            whole = False
        else:
            deposited.update(slip.names)
    return deposited, whole


def _incoming(warehouse: Warehouse, findings: Findings) -> None:
    folder = warehouse.objects.incoming
    for path in sorted(folder.rglob("*")):
        if path.is_dir() and not path.is_symlink():
            continue
        parts = path.relative_to(folder).parts
        if len(parts) == 2 and (_is_name(parts[1]) or parts[1] == "slip") and not path.is_symlink():
            findings.leftover(path, "of a batch under way, or of a killed writer; the next writer removes it")
        else:
            findings.extra(path, "no part of a batch of objects")


def verify_leases(warehouse: Warehouse, findings: Findings) -> None:
    """A lease file is empty or signed. Who holds it, and whether anyone does, is not looked at: it may change now."""
    if not warehouse.leases.is_dir():
        return
    for path in sorted(warehouse.leases.rglob("*")):
        if path.is_dir() and not path.is_symlink():
            continue
        if path.is_symlink() or path.parent != warehouse.leases or not _is_lease(path.name):
            findings.extra(path, "no lease of this release")
        elif isinstance(read_lease(path), Unreadable):
            findings.changed(path, "lease: neither empty nor signed by a holder")


def _is_lease(name: str) -> bool:
    parts = name.split(".")
    if parts[-1] != "lease":
        return False
    return parts[:-1] in (["ledger"], ["run"]) or (len(parts) == 4 and parts[1] == Stage.EXECUTIONS)


def verify_nothing_else(warehouse: Warehouse, findings: Findings) -> None:
    """Nothing lies at the top of the warehouse or in the loader's folder that is not ours.

    The orchestrator's own folder is left out: it changes even while somebody only looks, and nothing is read from it.
    """
    ours = {
        warehouse.version_file,
        warehouse.ledger,
        warehouse.manifests.path,
        warehouse.receipts.path,
        warehouse.published.path,
        warehouse.objects.root,
        warehouse.objects.deposits,
        warehouse.journals,
        warehouse.leases,
        warehouse.loader,
        warehouse.reports,
        warehouse.judging,
        warehouse.orchestrator,
    }
    for path in sorted(warehouse.root.iterdir()):
        if path in ours or path.name in KEPT_FILES:
            continue
        if path == write_ahead_log(warehouse.ledger):
            findings.extra(path, "write-ahead log of a program that opened the published ledger for writing")
        elif is_temporary(path):
            findings.leftover(path, "a file that a killed writer had not moved into its place")
        else:
            findings.extra(path, "nothing of a warehouse")
    for path in sorted(warehouse.loader.rglob("*")):
        if path.is_dir() and not path.is_symlink():
            continue
        if path.name.startswith(warehouse.ledger.name):
            findings.leftover(path, "of a ledger being loaded, or of a killed loader; the next one removes it")
        else:
            findings.extra(path, "nothing of a loader")


def _is_name(name: str) -> bool:
    return len(name) == 64 and set(name) <= set("0123456789abcdef")
