"""Ledger rows of measurements: each time as status, step and reason, each verdict as text and reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from sscb_pipeline.claims.run_row import TimeStatus, VerdictStatus
from sscb_pipeline.ledger.rows import TableRows
from sscb_pipeline.measured import Located, Never, Time, Undeterminable, Verdict
from sscb_pipeline.reconstruction.measurement import Measurement

NO_REASON = ""
"""Stands in a reason column where the status is not `undeterminable`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredMeasurement:
    """A measurement with the execution and label version it belongs to, and the sha256 of its bytes in the store."""

    execution_id: str
    label_version: str
    measurement_object: str
    measurement: Measurement


def measurement_rows(stored: Iterable[StoredMeasurement]) -> Iterator[TableRows]:
    """Tables `measurements`, `uses` and `evidence`."""
    items = tuple(stored)
    yield _measurements(items)
    yield _uses(items)
    yield _evidence(items)


def time_columns(time: Time) -> tuple[str, int, str]:
    """Status, step (0 unless located) and reason."""
    match time:
        case Located(step=step):
            return TimeStatus.LOCATED.value, step, NO_REASON
        case Never():
            return TimeStatus.NEVER.value, 0, NO_REASON
        case Undeterminable(reason=reason):
            return TimeStatus.UNDETERMINABLE.value, 0, reason
        case _:
            assert_never(time)


def verdict_columns(verdict: Verdict) -> tuple[str, str]:
    """Status and reason."""
    if isinstance(verdict, Undeterminable):
        return VerdictStatus.UNDETERMINABLE.value, verdict.reason
    return (VerdictStatus.TRUE if verdict else VerdictStatus.FALSE).value, NO_REASON


def category_columns(category: StrEnum | Undeterminable) -> tuple[str, str]:
    """Value, or `undeterminable`, and reason."""
    if isinstance(category, Undeterminable):
        return VerdictStatus.UNDETERMINABLE.value, category.reason
    return category.value, NO_REASON


def _measurements(items: tuple[StoredMeasurement, ...]) -> TableRows:
    times = ("t_f", "t_e", "t_s", "t_u")
    return TableRows(
        table="measurements",
        columns=(
            "execution_id",
            "label_version",
            "measurement_object",
            *(f"{time}_{part}" for time in times for part in ("status", "step", "reason")),
            *(f"{name}{part}" for name in ("adoption", "stratum", "final_stance") for part in ("", "_reason")),
        ),
        rows=[
            (
                item.execution_id,
                item.label_version,
                item.measurement_object,
                *time_columns(item.measurement.t_f),
                *time_columns(item.measurement.t_e),
                *time_columns(item.measurement.t_s),
                *time_columns(item.measurement.t_u),
                *verdict_columns(item.measurement.adoption),
                *category_columns(item.measurement.stratum),
                *category_columns(item.measurement.final_stance),
            )
            for item in items
        ],
    )


def _uses(items: tuple[StoredMeasurement, ...]) -> TableRows:
    return TableRows(
        table="uses",
        columns=(
            "execution_id",
            "label_version",
            "position",
            "step",
            "dependent",
            "dependent_reason",
            "erroneous",
            "erroneous_reason",
            "stance",
            "stance_reason",
            "rule",
            "quote",
        ),
        rows=[
            (
                item.execution_id,
                item.label_version,
                position,
                use.step,
                *verdict_columns(use.dependent),
                *verdict_columns(use.erroneous),
                *category_columns(use.stance),
                use.rule,
                use.quote,
            )
            for item in items
            for position, use in enumerate(item.measurement.uses)
        ],
    )


def _evidence(items: tuple[StoredMeasurement, ...]) -> TableRows:
    return TableRows(
        table="evidence",
        columns=("execution_id", "label_version", "position", "step", "part"),
        rows=[
            (item.execution_id, item.label_version, position, evidence.step, evidence.part)
            for item in items
            for position, evidence in enumerate(item.measurement.evidence)
        ],
    )
