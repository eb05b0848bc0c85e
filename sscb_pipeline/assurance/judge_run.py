"""A judge run's stages as types: Built, Staged, Emitted (JIA §II-B), each with the manifest it was read from.

build → inline check → archive → stage → disk check → emit → its check → dispatch. A type is a handle, not a
permission: every function that takes one goes back to the warehouse, reads the manifests again and demands the
receipts, so that it refuses just the same when it is started alone, in another process or on another day.

A manifest of a stage is a `StageManifest` whose output `statement` is an in-toto Statement; receipts are for the
manifest's bytes and so for every hash the statement names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sscb_pipeline.artifacts.records import from_bytes
from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.assurance.manifest import (
    NamedObject,
    PublishedManifest,
    authorised,
    current,
    publish_stage,
    stage_manifest,
)
from sscb_pipeline.assurance.receipt import Receipt, ReceiptBook
from sscb_pipeline.assurance.requirement import CheckReport, Outcome, check_report
from sscb_pipeline.assurance.statement import Statement, read_statement, statement_bytes
from sscb_pipeline.errors import IntegrityError, RefusalError

STATEMENT = "statement"
PREDICATES = "urn:sscb-pipeline:judge-run"


class JudgeStage(StrEnum):
    """The stages that end in a manifest."""

    BUILD = "judge_build"
    STAGE = "judge_stage"
    EMIT = "judge_emit"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunName:
    """Which run: campaign, run id (a hash of all that defines it) and the version of the code that works on it."""

    campaign: str
    run: str
    code_version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """Packets are archived under their exact-byte sha256."""

    name: RunName
    published: PublishedManifest
    statement: Statement

    @property
    def packets(self) -> tuple[NamedObject, ...]:
        """Every packet of the run, sorted by name."""
        return self.statement.subjects


@dataclass(frozen=True, slots=True, kw_only=True)
class Staged:
    """Copies lie in the staging folder, and `built` is what they were copied from."""

    name: RunName
    published: PublishedManifest
    statement: Statement
    built: Built


@dataclass(frozen=True, slots=True, kw_only=True)
class Emitted:
    """Job scripts lie in the script folder, for the packets of `staged`."""

    name: RunName
    published: PublishedManifest
    statement: Statement
    staged: Staged


def publish_statement(
    warehouse: Warehouse,
    name: RunName,
    stage: JudgeStage,
    *,
    subjects: Iterable[NamedObject],
    inputs: Mapping[str, str],
    predicate: Mapping[str, Any],
    outputs: Mapping[str, str],
    counts: Mapping[str, int],
) -> tuple[PublishedManifest, Statement]:
    """Store the statement and publish the manifest that names it. All it names must be durable already."""
    statement = Statement(
        subjects=tuple(sorted(subjects, key=lambda item: item.name)),
        predicate_type=f"{PREDICATES}:{stage.value}:v1",
        predicate={
            "campaign": name.campaign,
            "run": name.run,
            "stage": stage.value,
            "codeVersion": name.code_version,
            "materials": [{"name": key, "digest": {"sha256": value}} for key, value in sorted(inputs.items())],
            **predicate,
        },
    )
    published = publish_stage(
        warehouse,
        stage_manifest(
            campaign=name.campaign,
            stage=stage.value,
            partition=name.run,
            code_version=name.code_version,
            inputs=inputs,
            outputs={STATEMENT: warehouse.objects.put(statement_bytes(statement)), **outputs},
            counts=counts,
        ),
    )
    sha256 = output_of(published, STATEMENT)
    return published, read_statement(warehouse.objects.get(sha256), f"statement {sha256}")


def output_of(published: PublishedManifest, name: str) -> str:
    """sha256 of an output. Raises IntegrityError when the manifest has none of that name."""
    return _named(published, published.manifest.outputs, "output", name)


def input_of(published: PublishedManifest, name: str) -> str:
    """sha256 of an input. Raises IntegrityError when the manifest has none of that name."""
    return _named(published, published.manifest.inputs, "input", name)


def _named(published: PublishedManifest, items: Iterable[NamedObject], what: str, name: str) -> str:
    for item in items:
        if item.name == name:
            return item.sha256
    raise IntegrityError(
        subject=f"manifest {published.sha256} of {published.manifest.stage}/{published.manifest.partition}",
        expected=f"an {what} {name}",
        found="none",
        remedy=f"run stage {published.manifest.stage} again",
    )


def published_statement(warehouse: Warehouse, name: RunName, stage: JudgeStage) -> tuple[PublishedManifest, Statement]:
    """Manifest and statement of a stage as a check reads them: no receipt is asked for."""
    published = current(warehouse, campaign=name.campaign, stage=stage.value, partition=name.run)
    return published, _statement(warehouse, name, stage, published)


def demanded_statement(warehouse: Warehouse, name: RunName, stage: JudgeStage) -> tuple[PublishedManifest, Statement]:
    """Manifest and statement of a stage whose check passed on exactly these bytes. Raises RefusalError without a
    receipt, IntegrityError for bytes that changed or speak of another run."""
    published = authorised(
        warehouse, campaign=name.campaign, stage=stage.value, partition=name.run, code_version=name.code_version
    )
    return published, _statement(warehouse, name, stage, published)


def _statement(warehouse: Warehouse, name: RunName, stage: JudgeStage, published: PublishedManifest) -> Statement:
    sha256 = output_of(published, STATEMENT)
    statement = read_statement(warehouse.objects.get(sha256), f"statement {sha256}")
    told = {key: statement.predicate.get(key) for key in ("campaign", "run", "stage", "codeVersion")}
    wanted = {"campaign": name.campaign, "run": name.run, "stage": stage.value, "codeVersion": name.code_version}
    if told != wanted or statement.predicate_type != f"{PREDICATES}:{stage.value}:v1":
        raise IntegrityError(
            subject=f"statement {sha256} of {stage.value}/{name.run[:12]}",
            expected=f"a statement of {wanted}",
            found=f"one of {told}",
            remedy=f"run stage {stage.value} of this run again",
        )
    return statement


def same_input(place: str, later: PublishedManifest, name: str, earlier: PublishedManifest) -> None:
    """Demand that a stage was made from exactly this manifest. Raises RefusalError."""
    if input_of(later, name) != earlier.sha256:
        raise RefusalError(
            subject=place,
            expected=f"to be made from the authorised manifest {earlier.sha256[:12]} of {earlier.manifest.stage}",
            found=f"made from {input_of(later, name)[:12]}",
            remedy=f"run stage {later.manifest.stage} of this run again",
        )


def report_on(published: PublishedManifest, required: Iterable[str], outcomes: Mapping[str, Outcome]) -> CheckReport:
    """The report of a check on a stage's manifest; a requirement without an outcome counts as not run."""
    manifest = published.manifest
    return check_report(
        stage=manifest.stage,
        partition=manifest.partition,
        subject=published.sha256,
        code_version=manifest.code_version,
        required=[str(requirement) for requirement in required],
        outcomes={str(requirement): outcome for requirement, outcome in outcomes.items()},
    )


def record(warehouse: Warehouse, report: CheckReport) -> Receipt:
    """Write the receipt of a report, durably. Raises RefusalError when a requirement is not kept; nothing is
    written then."""
    return ReceiptBook(warehouse.receipts, warehouse.objects).record(report)


def checks_told(warehouse: Warehouse, published: PublishedManifest) -> dict[str, Any]:
    """What a later statement says of the check its input passed: report, and each requirement as kept.

    Raises RefusalError without a receipt.
    """
    manifest = published.manifest
    receipt = ReceiptBook(warehouse.receipts, warehouse.objects).demand(
        stage=manifest.stage,
        partition=manifest.partition,
        subject=published.sha256,
        code_version=manifest.code_version,
    )
    report = from_bytes(CheckReport, warehouse.objects.get(receipt.report), f"check report {receipt.report}")
    return {
        "stage": manifest.stage,
        "manifest": {"sha256": published.sha256},
        "report": {"sha256": receipt.report},
        "outcomes": [
            {"requirement": item.requirement, "outcome": type(item.outcome).__name__.lower()}
            for item in report.outcomes
        ],
    }
