"""Judge runs over plain bytes, for tests of the stages: what goes in is known, so what may be read is known."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.assurance.judge_run import Built, Emitted, RunName, Staged, record, report_on
from sscb_pipeline.assurance.packet_archive import Deposit, Kind, archive, archive_violations, built
from sscb_pipeline.assurance.packet_jobs import emit, emitted, jobs_of
from sscb_pipeline.assurance.packet_staging import manifest_violations, stage, staged, staged_files
from sscb_pipeline.assurance.requirement import Broken, Kept, Outcome
from sscb_pipeline.errors import SscbError

NAME = RunName(campaign="c", run="r" * 64, code_version="1")
DRAWS = 2
SEED = 7


class Kept1(StrEnum):
    """Requirements of the archive."""

    ARCHIVED = "archived"


class Kept2(StrEnum):
    """Requirements of the staging folder."""

    STAGED_SET = "staged_set"
    STAGED_BYTES = "staged_bytes"
    MANIFEST = "manifest"


class Kept3(StrEnum):
    """Requirements of the scripts."""

    JOBS = "jobs"


def packets(count: int, mark: str = "") -> dict[str, bytes]:
    """Packets by file name, each of several lines."""
    return {f"p{number}.txt": f"[PACKET {number}]{mark}\nline\nlast {number}\n".encode() for number in range(count)}


def _outcome(violations: list[str]) -> Outcome:
    return Broken(violations=tuple(violations)) if violations else Kept()


def build(warehouse: Warehouse, content: Mapping[str, bytes], name: RunName = NAME) -> Built:
    """Archive packets; no check."""
    deposits = [Deposit(kind=Kind.SOURCE, name="s.source", data=b"source")]
    deposits += [Deposit(kind=Kind.PACKET, name=file, data=data) for file, data in content.items()]
    return archive(warehouse, name, deposits)


def check_built(warehouse: Warehouse, name: RunName = NAME) -> None:
    """The check of the archive; writes its receipt."""
    archived = built(warehouse, name)
    found = list(archive_violations(warehouse, archived))
    record(warehouse, report_on(archived.published, Kept1, {Kept1.ARCHIVED: _outcome(found)}))


def check_staged(warehouse: Warehouse, name: RunName = NAME) -> None:
    """The check of the staging folder; writes its receipt."""
    staging = staged(warehouse, name)
    files = staged_files(warehouse, staging.built)
    outcomes: dict[str, Outcome] = {
        Kept2.STAGED_SET: _outcome(list(files.strangers())),
        Kept2.STAGED_BYTES: _outcome(list(files.changes())),
        Kept2.MANIFEST: _outcome(list(manifest_violations(staging.statement, staging.built))),
    }
    record(warehouse, report_on(staging.published, Kept2, outcomes))


def check_emitted(warehouse: Warehouse, name: RunName = NAME) -> None:
    """The check of the scripts; writes its receipt."""
    scripts = emitted(warehouse, name)
    try:
        jobs_of(warehouse, scripts)
        outcome: Outcome = Kept()
    except SscbError as error:
        outcome = Broken(violations=(str(error),))
    record(warehouse, report_on(scripts.published, Kept3, {Kept3.JOBS: outcome}))


def to_staged(warehouse: Warehouse, content: Mapping[str, bytes], name: RunName = NAME) -> Staged:
    """Build, check, stage, check."""
    archived = build(warehouse, content, name)
    check_built(warehouse, name)
    staging = stage(warehouse, archived)
    check_staged(warehouse, name)
    return staging


def to_emitted(warehouse: Warehouse, content: Mapping[str, bytes], name: RunName = NAME) -> Emitted:
    """All stages and checks up to dispatch."""
    staging = to_staged(warehouse, content, name)
    scripts = emit(warehouse, staging, draws=DRAWS, seed=SEED)
    check_emitted(warehouse, name)
    return scripts
