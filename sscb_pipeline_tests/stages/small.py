"""A small study of all four operators, run stage by stage, and ways to tamper with what a stage published."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from sscb_pipeline.artifacts.digest import sha256_hex
from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.assurance.manifest import PublishedManifest, current, publish_stage, stage_manifest
from sscb_pipeline.assurance.requirement import Broken, Kept
from sscb_pipeline.faults.operators.registry import OPERATORS
from sscb_pipeline.reconstruction.deterministic import DETERMINISTIC
from sscb_pipeline.stages.check_claims import check_claims
from sscb_pipeline.stages.check_executions import check_executions
from sscb_pipeline.stages.check_frames import check_frame
from sscb_pipeline.stages.check_inclusion import check_inclusion
from sscb_pipeline.stages.check_measurements import check_measurements
from sscb_pipeline.stages.claims import run_claims
from sscb_pipeline.stages.executions import Partition, run_executions
from sscb_pipeline.stages.frames import run_frames
from sscb_pipeline.stages.gate import Closed, Opened
from sscb_pipeline.stages.inclusion import run_inclusion
from sscb_pipeline.stages.measurements import run_measurements
from sscb_pipeline.stages.reference_contenders import reference_contenders
from sscb_pipeline.stages.report import run_report
from sscb_pipeline.stages.study import ReferenceAgents, Study

CAMPAIGN = "small"
SEEDS = 3
CONFIGURATIONS = ("R1-reads-first", "R6-forgetful")


def small_study(campaign: str = CAMPAIGN) -> Study:
    return Study(
        campaign=campaign,
        operators=OPERATORS,
        contenders={
            contender.reference.configuration_id: contender
            for contender in reference_contenders()
            if contender.reference.configuration_id in CONFIGURATIONS
        },
        admitted_per_operator=SEEDS,
        stages=DETERMINISTIC,
        players=ReferenceAgents(),
    )


def ignore(done: int) -> None:
    return None


class Runner:
    """Runs stages and checks of a study on a warehouse, one at a time."""

    def __init__(self, warehouse: Warehouse, study: Study) -> None:
        self.warehouse = warehouse
        self.study = study

    def frames(self, operator: str) -> PublishedManifest:
        return run_frames(self.warehouse, OPERATORS[operator], self.study.substrate(operator))

    def frames_check(self, operator: str) -> Opened | Closed:
        return check_frame(self.warehouse, OPERATORS[operator], self.study.substrate(operator))

    def inclusion(self, operator: str) -> PublishedManifest:
        return asyncio.run(
            run_inclusion(
                self.warehouse,
                OPERATORS[operator],
                self.study.substrate(operator),
                self.study.stages,
                wanted=self.study.admitted_per_operator,
                progress=ignore,
            )
        )

    def inclusion_check(self, operator: str) -> Opened | Closed:
        return check_inclusion(self.warehouse, OPERATORS[operator], self.study.stages)

    def executions(self, cell: Partition, progress: Callable[[int], None] = ignore) -> PublishedManifest:
        return asyncio.run(run_executions(self.warehouse, cell, progress))

    def executions_check(self, cell: Partition) -> Opened | Closed:
        return check_executions(self.warehouse, cell)

    def measurements(self, cell: Partition, progress: Callable[[int], None] = ignore) -> PublishedManifest:
        return asyncio.run(run_measurements(self.warehouse, cell, self.study.instruments(cell.operator), progress))

    def measurements_check(self, cell: Partition) -> Opened | Closed:
        return check_measurements(self.warehouse, cell)

    def claims(self) -> PublishedManifest:
        return run_claims(self.warehouse, self.study)

    def claims_check(self) -> Opened | Closed:
        return check_claims(self.warehouse, self.study)

    def report(self) -> PublishedManifest:
        return run_report(self.warehouse, self.study)

    def cases(self) -> list[Opened | Closed]:
        """Frames and inclusion of every operator, with their checks."""
        verdicts = []
        for operator in self.study.operators:
            self.frames(operator)
            verdicts.append(self.frames_check(operator))
            self.inclusion(operator)
            verdicts.append(self.inclusion_check(operator))
        return verdicts

    def everything(self) -> list[Opened | Closed]:
        """Every stage with its check, then the report; the verdicts in order."""
        verdicts = self.cases()
        for cell in self.study.partitions():
            self.executions(cell)
            verdicts.append(self.executions_check(cell))
            self.measurements(cell)
            verdicts.append(self.measurements_check(cell))
        self.claims()
        verdicts.append(self.claims_check())
        self.report()
        return verdicts

    def now(self, campaign: str, stage: str, partition: str) -> PublishedManifest:
        """The current manifest of a place."""
        return current(self.warehouse, campaign=campaign, stage=stage, partition=partition)

    def republish(self, published: PublishedManifest, changed: Mapping[str, bytes]) -> PublishedManifest:
        """Publish a stage's manifest with other bytes for some of its outputs, as a stage would."""
        manifest = published.manifest
        named = {name: self.warehouse.objects.put(data) for name, data in changed.items()}
        return publish_stage(
            self.warehouse,
            stage_manifest(
                campaign=manifest.campaign,
                stage=manifest.stage,
                partition=manifest.partition,
                code_version=manifest.code_version,
                inputs={item.name: item.sha256 for item in manifest.inputs},
                outputs={**{item.name: item.sha256 for item in manifest.outputs}, **named},
                counts={count.name: count.number for count in manifest.counts},
            ),
        )

    def repoint(self, published: PublishedManifest, inputs: Mapping[str, str]) -> PublishedManifest:
        """Publish a stage's manifest as made from other inputs."""
        items = {item.name: item.sha256 for item in published.manifest.inputs}
        manifest = stage_manifest(
            campaign=published.manifest.campaign,
            stage=published.manifest.stage,
            partition=published.manifest.partition,
            code_version=published.manifest.code_version,
            inputs={**items, **inputs},
            outputs={item.name: item.sha256 for item in published.manifest.outputs},
            counts={count.name: count.number for count in published.manifest.counts},
        )
        return publish_stage(self.warehouse, replace(manifest))


def broken(verdict: Opened | Closed) -> dict[str, tuple[str, ...]]:
    """The requirements that a verdict found broken, with their violations."""
    return {
        item.requirement: item.outcome.violations
        for item in verdict.report.outcomes
        if isinstance(item.outcome, Broken)
    }


def kept(verdict: Opened | Closed) -> set[str]:
    """The requirements that a verdict found kept."""
    return {item.requirement for item in verdict.report.outcomes if isinstance(item.outcome, Kept)}


def contents(root: Path) -> dict[str, str]:
    """What lies below a folder: files by sha256, objects, which bear their hash as a name, by size; leases are locks
    and no data."""
    return {
        path.relative_to(root).as_posix(): _mark(path)
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".leases" not in path.parts
    }


def _mark(path: Path) -> str:
    return str(path.stat().st_size) if "objects" in path.parts else sha256_hex(path.read_bytes())
