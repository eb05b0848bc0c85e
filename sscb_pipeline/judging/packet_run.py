"""The production path of a judge run: build with the inline check, stage, disk check, emit, its check (SPEC 11).

Each step is a function that can be called alone; what it needs it reads from the warehouse, under the receipts of the
steps before. Only the packets of a batch are in memory; of the others names and hashes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any, TypeVar

from sscb_pipeline.artifacts.digest import canonical_json, sha256_hex
from sscb_pipeline.artifacts.records import from_bytes, to_bytes
from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.assurance.judge_run import STATEMENT, Built, Emitted, RunName, output_of, record, report_on
from sscb_pipeline.assurance.packet_archive import Deposit, Kind, Told, archive, built, enter_built, sources_of
from sscb_pipeline.assurance.packet_jobs import emit, emitted, jobs_of
from sscb_pipeline.assurance.packet_staging import enter_staged, stage, staged, staging_folder
from sscb_pipeline.assurance.requirement import Broken, CheckReport, Kept, Outcome
from sscb_pipeline.errors import InputError, IntegrityError, SscbError
from sscb_pipeline.judging.judged_steps import JudgedStep, Member, Members
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
PLAN = "plan"
FORMAT = "sscb-judge-run/1"

Rendering = Callable[[PacketSource, tuple[Target, ...], InputContract], BuiltRecord]


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedSteps:
    """The steps that are judged of one record, and the user request it shares with others."""

    record_id: str
    request: str
    steps: tuple[JudgedStep, ...]

    @property
    def targets(self) -> tuple[Target, ...]:
        """The targets in the order of the messages."""
        messages = sorted({step.message for step in self.steps})
        return tuple(Target(record_id=self.record_id, message=message) for message in messages)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPlan:
    """What a run judges, in its order, and the input contract's digest. It was made from the recordings, not by the
    builder."""

    contract: str
    members: tuple[NamedSteps, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildEntries:
    """What the build recorded of each of its records, before anything could change."""

    entries: tuple[BuildEntry, ...]


_Stored = TypeVar("_Stored", BuildEntries, RunPlan)


class ArchiveRequirement(StrEnum):
    """What the archive must keep beside the inline checker's requirements, where the check runs after the build."""

    ARCHIVED_AS_BUILT = "archived_as_built"
    """Every archived packet has the bytes that building it anew gives, and there is no other."""


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


def run_name(campaign: str, members: Members, contract: InputContract, code_version: str) -> RunName:
    """The run's name: a hash of its records, targets, contract and code. Another content is another run.

    Raises InputError when there is nothing to judge.
    """
    judged = [_defining(member) for member in members()]
    if not judged:
        raise InputError(
            subject="members of a judge run",
            expected="at least one record with a target",
            found="none",
            remedy="choose another source, or other rules for its targets",
        )
    return RunName(campaign=campaign, run=_run_id(campaign, judged, contract, code_version), code_version=code_version)


def _defining(member: Member) -> list[Any]:
    return [member.source.record_id, member.source.sha256, [target.message for target in member.targets]]


def _run_id(campaign: str, judged: list[list[Any]], contract: InputContract, code_version: str) -> str:
    return sha256_hex(canonical_json([FORMAT, campaign, judged, contract_digest(contract), code_version]))


def build_run(
    warehouse: Warehouse,
    name: RunName,
    members: Members,
    contract: InputContract,
    render: Rendering = build_record,
    *,
    inputs: Mapping[str, str] = MappingProxyType({}),
) -> tuple[Built, CheckReport]:
    """Build and archive every packet; the inline check reads source and packet in memory, before anything is written.

    The report decides nothing by itself: `record` it, or no later stage will start. `render` is the builder; `inputs`
    are the manifests that the members came from.
    """
    check = InlineCheck(contract, {})
    making = _Making(contract=contract, check=check, render=render)
    archived = archive(
        warehouse,
        name,
        making.deposits(members),
        lambda: Told(
            predicate={"contract": {"sha256": contract_digest(contract)}},
            outputs=making.stored(warehouse, name),
            inputs=inputs,
        ),
    )
    return archived, report_on(archived.published, contract.assigned_to(Checker.INLINE), check.outcomes())


@dataclass(slots=True, kw_only=True)
class _Making:
    """What is known of a build while it goes from record to record: no bytes of earlier ones."""

    contract: InputContract
    check: InlineCheck
    render: Rendering
    entries: list[BuildEntry] = field(default_factory=list)
    named: list[NamedSteps] = field(default_factory=list)
    judged: list[list[Any]] = field(default_factory=list)

    def deposits(self, members: Members) -> Iterator[Deposit]:
        """Each record's source and packets, once the inline check has examined them in memory."""
        for member in members():
            source = member.source
            made = self.render(source, member.targets, self.contract)
            self.check.examine(source, member.targets, made.packets)
            self.entries.append(made.entry)
            self.judged.append(_defining(member))
            self.named.append(NamedSteps(record_id=source.record_id, request=member.request, steps=member.steps))
            yield Deposit(kind=Kind.SOURCE, name=source.file_name, data=encode_source(source.record))
            for packet in made.packets:
                yield Deposit(kind=Kind.PACKET, name=packet.key.file_name, data=packet.data)

    def stored(self, warehouse: Warehouse, name: RunName) -> dict[str, str]:
        """Entries and plan as objects. Raises IntegrityError when the members were not those the run is named for."""
        found = _run_id(name.campaign, self.judged, self.contract, name.code_version)
        if found != name.run:
            raise IntegrityError(
                subject=f"members of run {name.run[:12]}",
                expected="the records and targets that the run was named for",
                found=f"others, of run {found[:12]}",
                remedy="the source changed while it was read: start again",
            )
        plan = RunPlan(contract=contract_digest(self.contract), members=tuple(self.named))
        hashes = warehouse.objects.put_all([to_bytes(BuildEntries(entries=tuple(self.entries))), to_bytes(plan)])
        return dict(zip((ENTRIES, PLAN), hashes, strict=True))


def check_staged_run(warehouse: Warehouse, name: RunName, contract: InputContract) -> CheckReport:
    """The disk check: sources, archived packets, staged copies and the written manifest, all read again."""
    staging = staged(warehouse, name)
    entries = entries_of(warehouse, staging.built)
    plan = plan_of(warehouse, staging.built)
    if plan.contract != contract_digest(contract):
        raise InputError(
            subject=f"run {name.run[:12]}",
            expected=f"the input contract {plan.contract[:12]} it was built under",
            found=contract_digest(contract)[:12],
            remedy="check the run with the contract that it was built with",
        )
    places = DiskPlaces(
        sources=ArchivedObjects(warehouse.objects, sources_of(staging.built)),
        archive=ArchivedObjects(warehouse.objects, {item.name: item.sha256 for item in staging.built.packets}),
        staged=StagedFolder(staging_folder(warehouse, name)),
        manifest=warehouse.objects.get(output_of(staging.published, STATEMENT)),
    )
    check = DiskCheck(contract, places)
    targets = {member.record_id: member.targets for member in plan.members}
    for entry in entries:
        check.examine(entry, targets.get(entry.record_id, ()))
    return report_on(staging.published, contract.assigned_to(Checker.DISK), check.finish())


def plan_of(warehouse: Warehouse, archived: Built) -> RunPlan:
    """What the run judges."""
    return _stored(warehouse, RunPlan, output_of(archived.published, PLAN))


def entries_of(warehouse: Warehouse, archived: Built) -> tuple[BuildEntry, ...]:
    """What the build recorded of its records and packets."""
    return _stored(warehouse, BuildEntries, output_of(archived.published, ENTRIES)).entries


def recheck_built_run(warehouse: Warehouse, name: RunName, members: Members, contract: InputContract) -> CheckReport:
    """The inline check again, as a check of its own: every packet is built anew in memory and examined, and must have
    the hash under which it is archived."""
    archived = built(warehouse, name)
    hashes = {item.name: item.sha256 for item in archived.packets}
    check = InlineCheck(contract, {})
    differing: list[str] = []
    for member in members():
        made = build_record(member.source, member.targets, contract)
        check.examine(member.source, member.targets, made.packets)
        for packet in made.packets:
            found = hashes.pop(packet.key.file_name, "nothing")
            if found != packet.sha256:
                differing.append(
                    f"packet {packet.key.name}: sha256 {packet.sha256[:12]} as built, {found[:12]} archived"
                )
    differing += [f"packet {left}: archived, and the run's members make no such packet" for left in hashes]
    outcomes: dict[str, Outcome] = {
        **check.outcomes(),
        ArchiveRequirement.ARCHIVED_AS_BUILT: Broken(violations=tuple(differing)) if differing else Kept(),
    }
    return report_on(archived.published, [*contract.assigned_to(Checker.INLINE), *ArchiveRequirement], outcomes)


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
    warehouse: Warehouse, name: RunName, members: Members, contract: InputContract, *, draws: int
) -> Sequence[CheckReport]:
    """Every step up to dispatch, each check's receipt written in between. Raises RefusalError where one is broken."""
    _, inline = build_run(warehouse, name, members, contract)
    record(warehouse, inline)
    stage_run(warehouse, name)
    disk = check_staged_run(warehouse, name, contract)
    record(warehouse, disk)
    emit_run(warehouse, name, draws=draws)
    jobs = check_emitted_run(warehouse, name)
    record(warehouse, jobs)
    return (inline, disk, jobs)
