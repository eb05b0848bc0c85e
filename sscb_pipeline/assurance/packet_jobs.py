"""Emission: the job list and its scripts, which say in which order which packet is drawn (JIA §II-B).

Every packet is drawn a fixed number of times, in an order shuffled by a seed, so that renderings and cells interleave
and time cannot be confounded with them. Job list and scripts name their run, and are a closed set like the packets.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sscb_pipeline.artifacts.digest import sha256_hex
from sscb_pipeline.artifacts.durable import make_directory, storage_error, sync_directory, sync_folder, write_files
from sscb_pipeline.artifacts.records import from_bytes, to_bytes
from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.assurance.judge_run import (
    Emitted,
    JudgeStage,
    RunName,
    Staged,
    checks_told,
    demanded_statement,
    publish_statement,
    published_statement,
    same_input,
)
from sscb_pipeline.assurance.manifest import NamedObject
from sscb_pipeline.assurance.packet_staging import enter_staged, staged, staged_files
from sscb_pipeline.assurance.verified_read import VerifiedFolder
from sscb_pipeline.errors import InputError, RefusalError

SCRIPTS = "scripts"
STAGED_INPUT = "staged"
JOB_LIST = "jobs.json"
JOBS_IN_SCRIPT = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One draw: its number in the order of the run (from 0), the packet, and which draw of it this is (from 0)."""

    number: int
    packet: str
    sha256: str
    draw: int


@dataclass(frozen=True, slots=True, kw_only=True)
class JobList:
    """The draws of a run in their order."""

    run: str
    seed: int
    draws: int
    jobs: int
    scripts: tuple[NamedObject, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """A part of the order, `number` from 0."""

    run: str
    number: int
    jobs: tuple[Job, ...]


def planned(packets: Sequence[NamedObject], *, draws: int, seed: int) -> tuple[Job, ...]:
    """Every packet `draws` times, in the order the seed gives."""
    order = [(item, draw) for item in sorted(packets, key=lambda item: item.name) for draw in range(draws)]
    random.Random(seed).shuffle(order)
    return tuple(
        Job(number=number, packet=item.name, sha256=item.sha256, draw=draw) for number, (item, draw) in enumerate(order)
    )


def emit(warehouse: Warehouse, staging: Staged, *, draws: int, seed: int) -> Emitted:
    """Write job list and scripts for the packets of an authorised staging folder, and publish the stage's manifest.

    Raises RefusalError when a check before this left no receipt, IntegrityError when a staged file changed, and
    InputError for fewer draws than one.
    """
    if draws < 1:
        raise InputError(subject="draws per packet", expected="1 or more", found=str(draws), remedy="ask for two")
    entered = enter_staged(warehouse, staging.name)
    if entered != staging:
        raise RefusalError(
            subject=f"run {staging.name.run[:12]}",
            expected=f"the staged packets {staging.published.sha256[:12]}",
            found=f"others, {entered.published.sha256[:12]}",
            remedy="emit the staged packets that are current",
        )
    staged_files(warehouse, entered.built).demand()
    files = _files(entered, draws=draws, seed=seed)
    hashes = {name: sha256_hex(data) for name, data in files.items()}
    folder = script_folder(warehouse, entered.name)
    if folder.exists():
        _closed(warehouse, entered.name, hashes).demand()
    else:
        _write(folder, files)
    published, statement = publish_statement(
        warehouse,
        entered.name,
        JudgeStage.EMIT,
        subjects=[
            *(NamedObject(name=f"{SCRIPTS}/{name}", sha256=sha256) for name, sha256 in hashes.items()),
            *(NamedObject(name=f"{STAGED_INPUT}/{item.name}", sha256=item.sha256) for item in entered.built.packets),
        ],
        inputs={STAGED_INPUT: entered.published.sha256},
        predicate={
            "seed": str(seed),
            "draws": draws,
            "checks": [checks_told(warehouse, entered.built.published), checks_told(warehouse, entered.published)],
        },
        outputs={},
        counts={"jobs": draws * len(entered.built.packets), "scripts": len(files) - 1},
    )
    return Emitted(name=entered.name, published=published, statement=statement, staged=entered)


def _files(staging: Staged, *, draws: int, seed: int) -> dict[str, bytes]:
    jobs = planned(staging.built.packets, draws=draws, seed=seed)
    run = staging.name.run
    scripts = {
        f"script-{number:05d}.json": to_bytes(Script(run=run, number=number, jobs=jobs[start : start + JOBS_IN_SCRIPT]))
        for number, start in enumerate(range(0, len(jobs), JOBS_IN_SCRIPT))
    }
    named = tuple(NamedObject(name=name, sha256=sha256_hex(data)) for name, data in scripts.items())
    return {
        JOB_LIST: to_bytes(JobList(run=run, seed=seed, draws=draws, jobs=len(jobs), scripts=named)),
        **scripts,
    }


def _write(folder: Path, files: dict[str, bytes]) -> None:
    beside = folder.with_name(f".{SCRIPTS}.incoming")
    try:
        if beside.exists():
            shutil.rmtree(beside)
        make_directory(beside)
        write_files(beside, files.items())
        sync_folder(beside)
        beside.rename(folder)
        sync_directory(folder.parent)
    except OSError as error:
        raise storage_error(folder, error) from error


def script_folder(warehouse: Warehouse, name: RunName) -> Path:
    """Where the run's job list and scripts lie."""
    return warehouse.judging_path(name.run) / SCRIPTS


def script_files(warehouse: Warehouse, emitted_run: Emitted) -> VerifiedFolder:
    """Job list and scripts, and the hash each must have by the stage's manifest."""
    prefix = f"{SCRIPTS}/"
    hashes = {
        item.name.removeprefix(prefix): item.sha256
        for item in emitted_run.statement.subjects
        if item.name.startswith(prefix)
    }
    return _closed(warehouse, emitted_run.name, hashes)


def _closed(warehouse: Warehouse, name: RunName, hashes: dict[str, str]) -> VerifiedFolder:
    folder = script_folder(warehouse, name)
    return VerifiedFolder(folder=folder, files=hashes, remedy=f"remove {folder}, then emit the run again")


def emitted(warehouse: Warehouse, name: RunName) -> Emitted:
    """The emitted run as its check reads it, without asking for the check's own receipt."""
    published, statement = published_statement(warehouse, name, JudgeStage.EMIT)
    return Emitted(name=name, published=published, statement=statement, staged=staged(warehouse, name))


def enter_emitted(warehouse: Warehouse, name: RunName) -> Emitted:
    """The emitted run if every check passed on it. Raises RefusalError without a receipt."""
    staging = enter_staged(warehouse, name)
    published, statement = demanded_statement(warehouse, name, JudgeStage.EMIT)
    same_input(f"job scripts of run {name.run[:12]}", published, STAGED_INPUT, staging.published)
    return Emitted(name=name, published=published, statement=statement, staged=staging)


def jobs_of(warehouse: Warehouse, emitted_run: Emitted) -> tuple[Job, ...]:
    """The draws in order, from verified bytes. Raises IntegrityError for changed, missing or extra files, and
    RefusalError when a script is of another run, or the scripts do not give exactly the planned draws."""
    files = script_files(warehouse, emitted_run)
    for violation in files.strangers():
        raise RefusalError(
            subject=str(files.folder),
            expected="exactly the scripts of this run",
            found=violation,
            remedy=files.remedy,
        )
    plan = from_bytes(JobList, files.read(JOB_LIST), JOB_LIST)
    jobs: list[Job] = []
    for item in plan.scripts:
        script = from_bytes(Script, files.read(item.name), item.name)
        if script.run != emitted_run.name.run:
            raise _foreign(files, item.name, script.run)
        jobs += script.jobs
    if plan.run != emitted_run.name.run:
        raise _foreign(files, JOB_LIST, plan.run)
    if tuple(jobs) != planned(emitted_run.staged.built.packets, draws=plan.draws, seed=plan.seed):
        raise RefusalError(
            subject=str(files.folder),
            expected=f"every authorised packet {plan.draws} times, in the order of seed {plan.seed}",
            found="other jobs",
            remedy=files.remedy,
        )
    return tuple(jobs)


def _foreign(files: VerifiedFolder, name: str, run: str) -> RefusalError:
    return RefusalError(
        subject=str(files.folder / name), expected="a file of this run", found=f"run {run[:12]}", remedy=files.remedy
    )
