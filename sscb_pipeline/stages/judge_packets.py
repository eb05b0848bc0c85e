"""Stages of the campaign's judge run: build, stage, emit, dispatch to the stub, each with the check that opens the
next (SPEC 11)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from sscb_pipeline.artifacts.records import from_bytes, to_bytes
from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.assurance.judge_run import Built, Emitted, record
from sscb_pipeline.assurance.manifest import PublishedManifest, authorised, current, publish_stage, stage_manifest
from sscb_pipeline.assurance.packet_dispatch import open_dispatch
from sscb_pipeline.assurance.packet_staging import staged
from sscb_pipeline.assurance.requirement import CheckReport, Outcome
from sscb_pipeline.errors import RefusalError
from sscb_pipeline.judging.configuration import STUB
from sscb_pipeline.judging.draws import DrawRecord
from sscb_pipeline.judging.judge import RecordingStub
from sscb_pipeline.judging.packet_run import (
    build_run,
    check_emitted_run,
    check_staged_run,
    emit_run,
    recheck_built_run,
    stage_run,
)
from sscb_pipeline.stages.code_version import code_version
from sscb_pipeline.stages.frames import output
from sscb_pipeline.stages.gate import Closed, Opened, conclude, kept_or_broken
from sscb_pipeline.stages.judge_dispatch import dispatch_run
from sscb_pipeline.stages.judge_sample import (
    CONTRACT,
    DRAWS,
    read_sample,
    run_judge_sample,
    sample_members,
    sample_name,
)
from sscb_pipeline.stages.names import WHOLE, Stage
from sscb_pipeline.stages.reporter import Reporter
from sscb_pipeline.stages.study import Study

DRAWN = "draws"


class DrawRequirement(StrEnum):
    """What the draws of a run must keep."""

    ALL_DRAWN = "all_drawn"
    """Every job of the run has its draw, and there is no other."""
    AUTHORISED_BYTES = "authorised_bytes"
    """What the judge was given has, in every draw, the hash that the run authorised for that packet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunDraws:
    """The draws of a run in their order."""

    run: str
    draws: tuple[DrawRecord, ...]


def run_judge_packets(warehouse: Warehouse, study: Study) -> Built:
    """Draw the validation sample and build its packets. Refuses without the receipts of executions, measurements."""
    drawn = run_judge_sample(warehouse, study)
    sample = read_sample(warehouse, study.campaign)
    name = sample_name(study.campaign, sample)
    members = sample_members(warehouse, sample)
    archived, _ = build_run(warehouse, name, members, CONTRACT, inputs={"sample": drawn.sha256})
    return archived


def check_judge_packets(warehouse: Warehouse, campaign: str) -> Opened | Closed:
    """The inline check: each packet is built anew in memory, examined, and compared with its archived hash."""
    sample = read_sample(warehouse, campaign)
    name = sample_name(campaign, sample)
    return _conclude(warehouse, recheck_built_run(warehouse, name, sample_members(warehouse, sample), CONTRACT))


def run_judge_staging(warehouse: Warehouse, campaign: str) -> PublishedManifest:
    """Stage the packets. Refuses without the receipt of the inline check."""
    name = sample_name(campaign, read_sample(warehouse, campaign))
    stage_run(warehouse, name)
    return staged(warehouse, name).published


def check_judge_staging(warehouse: Warehouse, campaign: str) -> Opened | Closed:
    """The disk check of sources, archive, staged copies and manifest."""
    name = sample_name(campaign, read_sample(warehouse, campaign))
    return _conclude(warehouse, check_staged_run(warehouse, name, CONTRACT))


def run_judge_jobs(warehouse: Warehouse, campaign: str) -> Emitted:
    """Write job list and scripts. Refuses without the receipt of the disk check."""
    return emit_run(warehouse, sample_name(campaign, read_sample(warehouse, campaign)), draws=DRAWS)


def check_judge_jobs(warehouse: Warehouse, campaign: str) -> Opened | Closed:
    """The check of job list and scripts."""
    name = sample_name(campaign, read_sample(warehouse, campaign))
    return _conclude(warehouse, check_emitted_run(warehouse, name))


def run_judge_draws(warehouse: Warehouse, campaign: str, reporter: Reporter) -> PublishedManifest:
    """Dispatch to the recording stub. Refuses without every receipt before it."""
    name = sample_name(campaign, read_sample(warehouse, campaign))
    dispatch, draws = dispatch_run(warehouse, name, STUB, RecordingStub(), reporter)
    made = RunDraws(run=name.run, draws=tuple(draws[number] for number in sorted(draws)))
    return publish_stage(
        warehouse,
        stage_manifest(
            campaign=campaign,
            stage=Stage.JUDGE_DRAWS,
            partition=WHOLE,
            code_version=code_version(),
            inputs={"jobs": dispatch.emitted.published.sha256},
            outputs={DRAWN: warehouse.objects.put(to_bytes(made))},
            counts={"draws": len(made.draws), "packets": len(dispatch.emitted.staged.built.packets)},
        ),
    )


def check_judge_draws(warehouse: Warehouse, campaign: str) -> Opened | Closed:
    """Every job was drawn once, and what was read is what was authorised."""
    published = current(warehouse, campaign=campaign, stage=Stage.JUDGE_DRAWS, partition=WHOLE)
    draws = _draws(warehouse, published)
    dispatch = open_dispatch(warehouse, sample_name(campaign, read_sample(warehouse, campaign)))
    hashes = {item.name: item.sha256 for item in dispatch.emitted.staged.built.packets}

    def missing() -> Iterator[str]:
        made = [record.job for record in draws.draws]
        for job in sorted({*dispatch.jobs} ^ {*made}, key=lambda job: job.number):
            yield f"draw {job.number} of packet {job.packet}: " + ("made, not planned" if job in made else "not made")
        if len(made) != len(set(made)):
            yield "a job was drawn twice"

    def unauthorised() -> Iterator[str]:
        for one in draws.draws:
            if hashes.get(one.job.packet) != one.read:
                yield f"draw {one.job.number} of packet {one.job.packet}: read {one.read[:12]}"

    outcomes: dict[StrEnum, Outcome] = {
        DrawRequirement.ALL_DRAWN: kept_or_broken(missing()),
        DrawRequirement.AUTHORISED_BYTES: kept_or_broken(unauthorised()),
    }
    return conclude(warehouse, published, DrawRequirement, outcomes)


def authorised_draws(warehouse: Warehouse, campaign: str) -> tuple[RunDraws, PublishedManifest]:
    """The draws whose check passed. Raises RefusalError without a receipt."""
    published = authorised(
        warehouse, campaign=campaign, stage=Stage.JUDGE_DRAWS, partition=WHOLE, code_version=code_version()
    )
    return _draws(warehouse, published), published


def _draws(warehouse: Warehouse, published: PublishedManifest) -> RunDraws:
    sha256 = output(published, DRAWN)
    return from_bytes(RunDraws, warehouse.objects.get(sha256), f"draws {sha256}")


def _conclude(warehouse: Warehouse, report: CheckReport) -> Opened | Closed:
    try:
        return Opened(report=report, receipt=record(warehouse, report))
    except RefusalError as refusal:
        return Closed(report=report, reason=refusal)
