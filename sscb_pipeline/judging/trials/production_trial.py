"""One fault case on the production path (P4). After a refusal every later step is started all the same, by hand."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sscb_pipeline.artifacts.journal import Journal
from sscb_pipeline.artifacts.warehouse import Warehouse, create_or_open
from sscb_pipeline.assurance.judge_run import RunName, record
from sscb_pipeline.assurance.packet_archive import Deposit, Kind, archive, built
from sscb_pipeline.assurance.packet_dispatch import Dispatch, open_dispatch
from sscb_pipeline.assurance.packet_jobs import Job, script_folder
from sscb_pipeline.assurance.packet_staging import staging_folder
from sscb_pipeline.errors import SscbError
from sscb_pipeline.judging.cell import TargetKind
from sscb_pipeline.judging.configuration import STUB
from sscb_pipeline.judging.draws import run_draws
from sscb_pipeline.judging.judge import Drawn, RecordingStub
from sscb_pipeline.judging.judged_steps import Member, Members, judged
from sscb_pipeline.judging.packet_run import (
    build_run,
    check_emitted_run,
    check_staged_run,
    emit_run,
    run_name,
    stage_run,
)
from sscb_pipeline.judging.trials.case_result import Read
from sscb_pipeline.judging.trials.checker_pairs import Examined
from sscb_pipeline.packets.input_contract import InputContract
from sscb_pipeline.packets.packet import BuiltRecord, PacketSource
from sscb_pipeline.packets.target import Target

CODE_VERSION = "trial"
DRAWS = 2


class BuilderDiedError(Exception):
    """The builder was killed."""


@dataclass(slots=True, kw_only=True)
class ProductionTrial:
    """Steps of one run, each tried whatever came before. Implements `fault_cases.Site`."""

    warehouse: Warehouse
    name: RunName
    contract: InputContract
    refusals: list[str] = field(default_factory=list)
    reads: list[Read] = field(default_factory=list)

    @property
    def staging(self) -> Path:
        """See Site."""
        return staging_folder(self.warehouse, self.name)

    @property
    def scripts(self) -> Path:
        """See Site."""
        return script_folder(self.warehouse, self.name)

    def packet_names(self) -> Sequence[str]:
        """See Site."""
        return [item.name for item in built(self.warehouse, self.name).packets]

    def archived(self, name: str) -> Path:
        """See Site."""
        hashes = {item.name: item.sha256 for item in built(self.warehouse, self.name).packets}
        return self.warehouse.objects.path_of(hashes[name])

    def staged(self, name: str) -> Path:
        """See Site."""
        return self.staging / name

    def attempt(self, step: Callable[[], object]) -> None:
        """Start a step; what it refuses is noted, and the next is started all the same."""
        try:
            step()
        except (SscbError, BuilderDiedError) as refusal:
            self.refusals.append(str(refusal))

    def build(self, records: Sequence[Examined], dies_after: int) -> None:
        """Build and check inline; a builder that dies leaves a manifest of what it had made, as a failed build did."""
        made = {record.made.source.record_id: record.made for record in records}
        left = dies_after

        def render(source: PacketSource, targets: tuple[Target, ...], contract: InputContract) -> BuiltRecord:
            nonlocal left
            left -= len(made[source.record_id].packets)
            if left < 0:
                raise BuilderDiedError("the builder died")
            return made[source.record_id]

        def step() -> None:
            _, report = build_run(self.warehouse, self.name, _cohort(records), self.contract, render)
            record(self.warehouse, report)

        self.attempt(step)
        if left < 0:
            packets = [packet for one in records for packet in one.made.packets][:dies_after]
            deposits = [Deposit(kind=Kind.PACKET, name=p.key.file_name, data=p.data) for p in packets]
            archive(self.warehouse, self.name, deposits)

    def stage(self) -> None:
        """Stage."""
        self.attempt(lambda: stage_run(self.warehouse, self.name))

    def check(self) -> None:
        """The disk check."""
        self.attempt(lambda: record(self.warehouse, check_staged_run(self.warehouse, self.name, self.contract)))

    def emit(self) -> None:
        """Emit and check the scripts."""
        self.attempt(lambda: emit_run(self.warehouse, self.name, draws=DRAWS))

    def check_jobs(self) -> None:
        """The check of the scripts."""
        self.attempt(lambda: record(self.warehouse, check_emitted_run(self.warehouse, self.name)))

    def dispatch(self, after_last_check: Callable[[], None]) -> None:
        """Dispatch to a recording stub."""
        stub = _NamedStub(self.reads)

        def step() -> None:
            dispatch = open_dispatch(self.warehouse, self.name)
            after_last_check()
            journal = Journal(self.warehouse.root / "draws.jsonl")
            asyncio.run(
                run_draws(
                    dispatch,
                    stub,
                    journal,
                    self.warehouse.objects,
                    configuration=STUB.sha256,
                    concurrency=1,
                    progress=lambda done: None,
                )
            )

        self.attempt(step)


class _NamedStub(RecordingStub):
    """Keeps the packet's name beside the hash."""

    def __init__(self, reads: list[Read]) -> None:
        super().__init__()
        self._reads = reads

    async def draw(self, dispatch: Dispatch, job: Job) -> Drawn:
        """See RecordingStub."""
        drawn = await super().draw(dispatch, job)
        self._reads.append(Read(packet=job.packet, sha256=drawn.read_sha256))
        return drawn


def open_trial(root: Path, records: Sequence[Examined], contract: InputContract) -> ProductionTrial:
    """A trial in a warehouse of its own (or one that earlier trials used)."""
    name = run_name("trials", _cohort(records), contract, CODE_VERSION)
    return ProductionTrial(warehouse=create_or_open(root), name=name, contract=contract)


def _cohort(records: Sequence[Examined]) -> Members:
    def member(one: Examined) -> Member:
        recorded = one.made.source.record
        steps = tuple(judged(recorded, target, TargetKind.UNLABELLED) for target in one.targets)
        return Member(source=one.made.source, request=one.made.source.record_id, steps=steps)

    return lambda: [member(one) for one in records]


def copy_staged(older: ProductionTrial, newer: ProductionTrial) -> None:
    """Fill the newer run's staging folder with the older run's packets."""
    newer.staging.parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(older.staging, newer.staging)
