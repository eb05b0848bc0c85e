"""Receipts: proof that every requirement was kept by these exact bytes, demanded by every later stage.

A receipt is bound to stage, partition, the sha256 of the manifest bytes that were checked, the check's whole report
and the code version. Only `issue` makes one and only from a report whose requirements are all kept; a stage that
finds none for its input refuses, whoever started it and however.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from sscb_pipeline.artifacts.digest import sha256_hex
from sscb_pipeline.artifacts.journal import Journal
from sscb_pipeline.artifacts.records import decode, encode, from_bytes, to_bytes
from sscb_pipeline.artifacts.store import ObjectStore
from sscb_pipeline.assurance.requirement import Broken, CheckReport, Kept, NotRun
from sscb_pipeline.errors import IntegrityError, RefusalError


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """`subject` is the sha256 of the bytes that were checked, `report` that of the report's own bytes in the store."""

    stage: str
    partition: str
    subject: str
    report: str
    code_version: str


def issue(report: CheckReport) -> Receipt:
    """The receipt for a report. Raises RefusalError naming the first requirement that is not kept and its place."""
    for item in report.outcomes:
        match item.outcome:
            case Kept():
                continue
            case Broken(violations=violations):
                more = f" (and {len(violations) - 1} more)" if len(violations) > 1 else ""
                raise _refusal(report, item.requirement, f"{violations[0]}{more}")
            case NotRun(reason=reason):
                raise _refusal(report, item.requirement, f"not examined: {reason}")
            case _:
                assert_never(item.outcome)
    return Receipt(
        stage=report.stage,
        partition=report.partition,
        subject=report.subject,
        report=sha256_hex(to_bytes(report)),
        code_version=report.code_version,
    )


def _refusal(report: CheckReport, requirement: str, found: str) -> RefusalError:
    return RefusalError(
        subject=f"stage {report.stage}/{report.partition}, manifest {report.subject[:12]}",
        expected=f"requirement {requirement} kept",
        found=found,
        remedy=f"correct the cause, then run stage {report.stage} and its check again",
    )


class ReceiptBook:
    """The receipts of a warehouse: pointers in a journal, the reports they rest on in the object store."""

    def __init__(self, journal: Journal, objects: ObjectStore) -> None:
        self._journal = journal
        self._objects = objects

    def record(self, report: CheckReport) -> Receipt:
        """Issue the report's receipt and write it durably, once. Raises RefusalError as `issue`, nothing written."""
        receipt = issue(report)
        if receipt in self.all():
            return receipt
        self._objects.put(to_bytes(report))
        entry = encode(receipt)
        with self._journal.writer() as writer:  # another process may have written it just now
            if entry not in writer.before.entries:
                writer.append_all([entry])
        return receipt

    def all(self) -> tuple[Receipt, ...]:
        """Every receipt in order of writing. Raises IntegrityError for a damaged journal."""
        return tuple(
            decode(Receipt, entry, f"{self._journal.path} line {number}")
            for number, entry in enumerate(self._journal.read().entries, start=2)
        )

    def demand(self, *, stage: str, partition: str, subject: str, code_version: str) -> Receipt:
        """The receipt for exactly these bytes by this code version, its report read again and found to allow it.

        Raises RefusalError saying which check to run when there is none, IntegrityError when its report was changed.
        """
        others: list[str] = []
        for receipt in reversed(self.all()):
            if (receipt.stage, receipt.partition) != (stage, partition):
                continue
            if (receipt.subject, receipt.code_version) == (subject, code_version):
                self._confirm(receipt)
                return receipt
            others.append(f"manifest {receipt.subject[:12]} by code version {receipt.code_version}")
        raise RefusalError(
            subject=f"stage {stage}/{partition}, manifest {subject[:12]}",
            expected=f"a receipt for these bytes by code version {code_version}",
            found=f"receipts for {', '.join(others[:3])} only" if others else "none",
            remedy=f"run the check of stage {stage} for partition {partition} (it writes the receipt), then this again",
        )

    def _confirm(self, receipt: Receipt) -> None:
        report = from_bytes(CheckReport, self._objects.get(receipt.report), f"check report {receipt.report}")
        if issue(report) != receipt:
            raise IntegrityError(
                subject=f"receipt for {receipt.stage}/{receipt.partition}, manifest {receipt.subject[:12]}",
                expected="the receipt its check report leads to",
                found="another",
                remedy=f"run the check of stage {receipt.stage} again in a warehouse restored from a copy",
            )
