"""Showing gates in Dagster: refusals as failures that are not retried, reports as check results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import dagster as dg

from sscb_pipeline.assurance.requirement import Broken, NotRun
from sscb_pipeline.errors import SscbError
from sscb_pipeline.stages.gate import Closed, Opened

MOST_SHOWN = 20


@contextmanager
def refusing() -> Iterator[None]:
    """Turn our own errors into failures that name subject, finding and remedy and are not retried."""
    try:
        yield
    except SscbError as error:
        raise dg.Failure(
            description=str(error),
            metadata={
                "subject": dg.MetadataValue.text(error.subject),
                "expected": dg.MetadataValue.text(error.expected),
                "found": dg.MetadataValue.text(error.found),
                "remedy": dg.MetadataValue.text(error.remedy),
            },
            allow_retries=False,
        ) from error


def check_result(verdicts: Sequence[Opened | Closed]) -> dg.AssetCheckResult:
    """Passed when every gate is open; otherwise the broken requirements, their places and the remedy."""
    closed = [verdict for verdict in verdicts if isinstance(verdict, Closed)]
    examined = sum(len(verdict.report.outcomes) for verdict in verdicts)
    metadata: dict[str, dg.MetadataValue[Any]] = {
        "gates": dg.MetadataValue.int(len(verdicts)),
        "requirements": dg.MetadataValue.int(examined),
    }
    if closed:
        broken = [line for verdict in closed for line in _broken(verdict)]
        metadata["broken"] = dg.MetadataValue.text("\n".join(broken[:MOST_SHOWN]))
        metadata["remedy"] = dg.MetadataValue.text(closed[0].reason.remedy)
    return dg.AssetCheckResult(
        passed=not closed,
        severity=dg.AssetCheckSeverity.ERROR,
        description=str(closed[0].reason) if closed else _kept(len(verdicts), examined),
        metadata=metadata,
    )


def _kept(manifests: int, requirements: int) -> str:
    if not manifests:
        return "nothing new to examine: every current manifest has its receipt"
    return f"{requirements} requirements kept by {manifests} manifests"


def _broken(verdict: Closed) -> Iterator[str]:
    place = f"{verdict.report.stage}/{verdict.report.partition}"
    for item in verdict.report.outcomes:
        if isinstance(item.outcome, Broken):
            for violation in item.outcome.violations[:MOST_SHOWN]:
                yield f"{place} {item.requirement}: {violation}"
        elif isinstance(item.outcome, NotRun):
            yield f"{place} {item.requirement}: not examined ({item.outcome.reason})"
