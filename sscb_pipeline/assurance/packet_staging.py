"""Staging: copies of the archived packets in a folder of the run, which judges are given (JIA §II-B).

The folder appears under its name only whole and durable; it is then a closed set.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from sscb_pipeline.artifacts.durable import make_directory, storage_error, sync_directory, sync_folder, write_files
from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.assurance.judge_run import (
    Built,
    JudgeStage,
    RunName,
    Staged,
    checks_told,
    demanded_statement,
    publish_statement,
    published_statement,
    same_input,
)
from sscb_pipeline.assurance.packet_archive import built, enter_built
from sscb_pipeline.assurance.statement import Statement
from sscb_pipeline.assurance.verified_read import VerifiedFolder
from sscb_pipeline.errors import RefusalError

STAGED = "staged"
ARCHIVE = "archive"


def stage(warehouse: Warehouse, archive: Built) -> Staged:
    """Copy the packets of an authorised archive, each verified as it is read, and publish the stage's manifest.

    Raises RefusalError when the inline check left no receipt for exactly this archive, IntegrityError when an archived
    packet changed or the staging folder of the run holds something else.
    """
    entered = enter_built(warehouse, archive.name)
    if entered != archive:
        raise RefusalError(
            subject=f"run {archive.name.run[:12]}",
            expected=f"the archive {archive.published.sha256[:12]}",
            found=f"another one, {entered.published.sha256[:12]}",
            remedy="stage the archive that is current",
        )
    folder = staging_folder(warehouse, entered.name)
    if folder.exists():
        staged_files(warehouse, entered).demand()
    else:
        _copy(warehouse, entered, folder)
    published, statement = publish_statement(
        warehouse,
        entered.name,
        JudgeStage.STAGE,
        subjects=entered.packets,
        inputs={ARCHIVE: entered.published.sha256},
        predicate={"folder": STAGED, "checks": [checks_told(warehouse, entered.published)]},
        outputs={},
        counts={"packets": len(entered.packets)},
    )
    return Staged(name=entered.name, published=published, statement=statement, built=entered)


def staging_folder(warehouse: Warehouse, name: RunName) -> Path:
    """Where the run's packets are handed out."""
    return warehouse.judging_path(name.run) / STAGED


def staged_files(warehouse: Warehouse, archive: Built) -> VerifiedFolder:
    """The staged copies and the hash each must have, taken from the archive's statement, not from the copies."""
    return VerifiedFolder(
        folder=staging_folder(warehouse, archive.name),
        files={item.name: item.sha256 for item in archive.packets},
        remedy=f"remove {staging_folder(warehouse, archive.name)}, then stage the run again",
    )


def _copy(warehouse: Warehouse, archive: Built, folder: Path) -> None:
    beside = folder.with_name(f".{STAGED}.incoming")
    try:
        if beside.exists():
            shutil.rmtree(beside)  # what a killed staging left; nobody was given it
        make_directory(beside)
    except OSError as error:
        raise storage_error(beside, error) from error
    write_files(beside, ((item.name, warehouse.objects.get(item.sha256)) for item in archive.packets))
    try:
        sync_folder(beside)
        beside.rename(folder)
        sync_directory(folder.parent)
    except OSError as error:
        raise storage_error(folder, error) from error


def staged(warehouse: Warehouse, name: RunName) -> Staged:
    """The staged run as its check reads it, without asking for the check's own receipt."""
    published, statement = published_statement(warehouse, name, JudgeStage.STAGE)
    archive = built(warehouse, name)
    return Staged(name=name, published=published, statement=statement, built=archive)


def enter_staged(warehouse: Warehouse, name: RunName) -> Staged:
    """The staged run if every check so far passed on it. Raises RefusalError without a receipt."""
    archive = enter_built(warehouse, name)
    published, statement = demanded_statement(warehouse, name, JudgeStage.STAGE)
    same_input(f"staged packets of run {name.run[:12]}", published, ARCHIVE, archive.published)
    return Staged(name=name, published=published, statement=statement, built=archive)


def manifest_violations(statement: Statement, archive: Built) -> Iterator[str]:
    """A sentence for every packet that the written manifest and the archive's do not have in common."""
    written = {item.name: item.sha256 for item in statement.subjects}
    recorded = {item.name: item.sha256 for item in archive.packets}
    for name in sorted(written.keys() | recorded.keys()):
        if written.get(name) != recorded.get(name):
            yield (
                f"packet {name}: sha256 {recorded.get(name, 'none')} at build, "
                f"{written.get(name, 'none')} in the staging manifest"
            )
