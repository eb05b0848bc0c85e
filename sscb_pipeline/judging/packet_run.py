"""The production path of a judge run: build with the inline check, stage, disk check, emit, its check (SPEC 11).

Each step is a function that can be called alone; what it needs it reads from the warehouse, under the receipts of the
steps before. Only the packets of a batch are in memory; of the others names and hashes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from sscb_pipeline.artifacts.digest import canonical_json, sha256_hex
from sscb_pipeline.artifacts.records import from_bytes, to_bytes
from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.assurance.judge_run import STATEMENT, Built, Emitted, RunName, output_of, record, report_on
from sscb_pipeline.assurance.packet_archive import Deposit, Kind, Told, archive, enter_built
from sscb_pipeline.assurance.packet_jobs import emit, emitted, jobs_of
from sscb_pipeline.assurance.packet_staging import enter_staged, stage, staged, staging_folder
from sscb_pipeline.assurance.requirement import Broken, CheckReport, Kept, Outcome
from sscb_pipeline.errors import InputError, SscbError
from sscb_pipeline.judging.shelves import ArchivedObjects, StagedFolder
from sscb_pipeline.packets.build import build_record
from sscb_pipeline.packets.check_disk import DiskCheck, DiskPlaces
from sscb_pipeline.packets.check_inline import InlineCheck
from sscb_pipeline.packets.input_contract import InputContract
from sscb_pipeline.packets.packet import BuildEntry, BuiltRecord, PacketSource
from sscb_pipeline.packets.requirement import Checker
from sscb_pipeline.packets.target import Target
from sscb_pipeline.statistics.cluster_bootstrap import seed_of
from sscb_pipeline.trajectories.source_codec import encode_source

ENTRIES = "entries"
COHORT = "cohort"
FORMAT = "sscb-judge-run/1"

Member = tuple[PacketSource, tuple[Target, ...]]
"""A record of a cohort and the steps of it that are to be judged."""
Cohort = Callable[[], Iterable[Member]]
"""The members of a cohort in order; every call begins anew, so that none need be kept."""
Rendering = Callable[[PacketSource, tuple[Target, ...], InputContract], BuiltRecord]


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedTargets:
    """The targets the cohort names of one record."""

    record_id: str
    targets: tuple[Target, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CohortTargets:
    """The targets of a whole cohort, in its order, and the input contract's digest."""

    contract: str
    members: tuple[NamedTargets, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildEntries:
    """What the build recorded of each of its records, before anything could change."""

    entries: tuple[BuildEntry, ...]


_Stored = TypeVar("_Stored", BuildEntries, CohortTargets)


class JobRequirement(StrEnum):
    """What emission must keep."""

    SCRIPTS_PLANNED = "scripts_planned"
    """Job list and scripts are the closed set of this run, and draw each authorised packet as often as planned."""


def contract_digest(contract: InputContract) -> str:
    """sha256 of all that an input contract says."""
    return sha256_hex(
        canonical_json(
            {
                "scopes": [scope.value for scope in contract.scopes],
                "renderings": [rendering.value for rendering in contract.renderings],
                "malformed_calls": contract.malformed_calls.value,
                "trailing_calls": contract.trailing_calls.value,
                "question": contract.question,
                "permitted": sorted(transformation.value for transformation in contract.permitted),
                "requirements": [
                    [
                        item.requirement.value,
                        item.statement,
                        [[a.checker.value, a.examined.value] for a in item.assignments],
                    ]
                    for item in contract.requirements
                ],
            }
        )
    )


def run_name(campaign: str, cohort: Cohort, contract: InputContract, code_version: str) -> RunName:
    """The run's name: a hash of its records, targets, contract and code. Another content is another run."""
    members = [
        [source.record_id, source.sha256, [target.message for target in targets]] for source, targets in cohort()
    ]
    if not members:
        raise InputError(
            subject="cohort of a judge run",
            expected="at least one record with a target",
            found="none",
            remedy="choose another source, or other rules for its targets",
        )
    definition = canonical_json([FORMAT, campaign, members, contract_digest(contract), code_version])
    return RunName(campaign=campaign, run=sha256_hex(definition), code_version=code_version)


def build_run(
    warehouse: Warehouse, name: RunName, cohort: Cohort, contract: InputContract, render: Rendering = build_record
) -> tuple[Built, CheckReport]:
    """Build and archive every packet; the inline check reads source and packet in memory, before anything is written.

    The report decides nothing by itself: `record` it, or no later stage will start. `render` is the builder.
    """
    check = InlineCheck(contract, {})
    entries: list[BuildEntry] = []
    named: list[NamedTargets] = []

    def deposits() -> Iterator[Deposit]:
        for source, targets in cohort():
            made = render(source, targets, contract)
            check.examine(source, targets, made.packets)
            entries.append(made.entry)
            named.append(NamedTargets(record_id=source.record_id, targets=targets))
            yield Deposit(kind=Kind.SOURCE, name=source.file_name, data=encode_source(source.record))
            for packet in made.packets:
                yield Deposit(kind=Kind.PACKET, name=packet.key.file_name, data=packet.data)

    def told() -> Told:
        digest = contract_digest(contract)
        kept = [
            to_bytes(BuildEntries(entries=tuple(entries))),
            to_bytes(CohortTargets(contract=digest, members=tuple(named))),
        ]
        hashes = warehouse.objects.put_all(kept)
        return Told(
            predicate={"contract": {"sha256": digest}}, outputs=dict(zip((ENTRIES, COHORT), hashes, strict=True))
        )

    archived = archive(warehouse, name, deposits(), told)
    return archived, report_on(archived.published, contract.assigned_to(Checker.INLINE), check.outcomes())


def check_staged_run(warehouse: Warehouse, name: RunName, contract: InputContract) -> CheckReport:
    """The disk check: sources, archived packets, staged copies and the written manifest, all read again."""
    staging = staged(warehouse, name)
    built_manifest = staging.built.published
    entries = _stored(warehouse, BuildEntries, output_of(built_manifest, ENTRIES)).entries
    cohort = _stored(warehouse, CohortTargets, output_of(built_manifest, COHORT))
    if cohort.contract != contract_digest(contract):
        raise InputError(
            subject=f"run {name.run[:12]}",
            expected=f"the input contract {cohort.contract[:12]} it was built under",
            found=contract_digest(contract)[:12],
            remedy="check the run with the contract that it was built with",
        )
    places = DiskPlaces(
        sources=ArchivedObjects(warehouse.objects, {item.name: item.sha256 for item in built_manifest.manifest.inputs}),
        archive=ArchivedObjects(warehouse.objects, {item.name: item.sha256 for item in staging.built.packets}),
        staged=StagedFolder(staging_folder(warehouse, name)),
        manifest=warehouse.objects.get(output_of(staging.published, STATEMENT)),
    )
    check = DiskCheck(contract, places)
    targets = {member.record_id: member.targets for member in cohort.members}
    for entry in entries:
        check.examine(entry, targets.get(entry.record_id, ()))
    return report_on(staging.published, contract.assigned_to(Checker.DISK), check.finish())


def _stored(warehouse: Warehouse, kind: type[_Stored], sha256: str) -> _Stored:
    return from_bytes(kind, warehouse.objects.get(sha256), f"object {sha256}")


def stage_run(warehouse: Warehouse, name: RunName) -> None:
    """Stage the run's packets. Raises RefusalError when its inline check left no receipt."""
    stage(warehouse, enter_built(warehouse, name))


def emit_run(warehouse: Warehouse, name: RunName, *, draws: int) -> Emitted:
    """Write the run's jobs; the order's seed is a hash of the run's id. Raises RefusalError without a receipt."""
    return emit(warehouse, enter_staged(warehouse, name), draws=draws, seed=seed_of(f"draw order {name.run}"))


def check_emitted_run(warehouse: Warehouse, name: RunName) -> CheckReport:
    """The check of job list and scripts, read again."""
    scripts = emitted(warehouse, name)
    outcome: Outcome = Kept()
    try:
        jobs_of(warehouse, scripts)
    except SscbError as error:
        outcome = Broken(violations=(str(error),))
    return report_on(scripts.published, JobRequirement, {JobRequirement.SCRIPTS_PLANNED: outcome})


def prepare_run(
    warehouse: Warehouse, name: RunName, cohort: Cohort, contract: InputContract, *, draws: int
) -> Sequence[CheckReport]:
    """Every step up to dispatch, each check's receipt written in between. Raises RefusalError where one is broken."""
    _, inline = build_run(warehouse, name, cohort, contract)
    record(warehouse, inline)
    stage_run(warehouse, name)
    disk = check_staged_run(warehouse, name, contract)
    record(warehouse, disk)
    emit_run(warehouse, name, draws=draws)
    jobs = check_emitted_run(warehouse, name)
    record(warehouse, jobs)
    return (inline, disk, jobs)
