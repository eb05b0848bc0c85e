"""The gate between a check and what comes after it: a report whose requirements are all kept becomes a receipt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.assurance.manifest import PublishedManifest
from sscb_pipeline.assurance.receipt import Receipt, ReceiptBook
from sscb_pipeline.assurance.requirement import Broken, CheckReport, Kept, Outcome, check_report
from sscb_pipeline.errors import RefusalError
from sscb_pipeline.stages.code_version import code_version


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """Every requirement is kept; the receipt is written."""

    report: CheckReport
    receipt: Receipt


@dataclass(frozen=True, slots=True, kw_only=True)
class Closed:
    """A requirement is not kept; no receipt exists, and later stages refuse."""

    report: CheckReport
    reason: RefusalError


def kept_or_broken(violations: Iterable[str]) -> Outcome:
    """Kept where nothing violates the requirement; every violation names its place."""
    found = tuple(violations)
    return Broken(violations=found) if found else Kept()


def conclude(
    warehouse: Warehouse, published: PublishedManifest, required: Iterable[StrEnum], outcomes: Mapping[StrEnum, Outcome]
) -> Opened | Closed:
    """Report on the manifest that was examined and, when all is kept, write its receipt."""
    manifest = published.manifest
    report = check_report(
        stage=manifest.stage,
        partition=manifest.partition,
        subject=published.sha256,
        code_version=code_version(),
        required=[requirement.value for requirement in required],
        outcomes={requirement.value: outcome for requirement, outcome in outcomes.items()},
    )
    try:
        receipt = ReceiptBook(warehouse.receipts, warehouse.objects).record(report)
    except RefusalError as refusal:
        return Closed(report=report, reason=refusal)
    return Opened(report=report, receipt=receipt)
