"""Ledger rows of measurements, uses, evidence, witness transfers and label versions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sscb_pipeline.artifacts.digest import canonical_json, sha256_hex
from sscb_pipeline.inclusion.transfer import Transfer
from sscb_pipeline.ledger.rows import TableRows
from sscb_pipeline.measured import Located, Time, Undeterminable, Verdict
from sscb_pipeline.stages.measurements import MeasuredExecution, MeasuredPartition
from sscb_pipeline.stages.run_rows import answer, time_status, verdict_status

Row = tuple[object, ...]
TIMES = ("t_f", "t_e", "t_s", "t_u")
ANSWERS = ("adoption", "stratum", "final_stance")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredMeasurements:
    """A measured partition and the object it was read from."""

    sha256: str
    content: MeasuredPartition


def measurement_tables(stored: Sequence[StoredMeasurements]) -> Iterator[TableRows]:
    """Tables `measurements`, `uses`, `evidence`, `witness_transfers` and `label_versions`."""
    entries = [
        (part.sha256, part.content.label_version, entry.execution)
        for part in stored
        for entry in part.content.executions
    ]
    yield TableRows(
        table="measurements",
        columns=(
            "execution_id",
            "label_version",
            "measurement_object",
            *(f"{name}_{part}" for name in TIMES for part in ("status", "step", "reason")),
            *(column for name in ANSWERS for column in (name, f"{name}_reason")),
        ),
        rows=[_measurement(*entry) for entry in entries],
    )
    yield TableRows(
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
        rows=[row for _, version, execution in entries for row in _uses(version, execution)],
    )
    yield TableRows(
        table="evidence",
        columns=("execution_id", "label_version", "position", "step", "part"),
        rows=[
            (execution.execution_id, version, position, part.step, part.part)
            for _, version, execution in entries
            for position, part in enumerate(execution.measurement.evidence)
        ],
    )
    yield TableRows(
        table="witness_transfers",
        columns=("execution_id", "standing", "reason"),
        rows=[
            (execution.execution_id, execution.transfer.standing.value, execution.transfer.reason)
            for _, _, execution in entries
            if isinstance(execution.transfer, Transfer)
        ],
    )
    yield _versions(stored)


def _measurement(sha256: str, version: str, execution: MeasuredExecution) -> Row:
    measured = execution.measurement
    times: list[object] = []
    for name in TIMES:
        times += _time(getattr(measured, name))
    verdicts = (verdict_status(measured.adoption).value, _reason(measured.adoption))
    answers = (value for name in ANSWERS[1:] for value in _answer(getattr(measured, name)))
    return (execution.execution_id, version, sha256, *times, *verdicts, *answers)


def _uses(version: str, execution: MeasuredExecution) -> Iterator[Row]:
    for position, use in enumerate(execution.measurement.uses):
        yield (
            execution.execution_id,
            version,
            position,
            use.step,
            verdict_status(use.dependent).value,
            _reason(use.dependent),
            verdict_status(use.erroneous).value,
            _reason(use.erroneous),
            *_answer(use.stance),
            use.rule,
            use.quote,
        )


def _versions(stored: Sequence[StoredMeasurements]) -> TableRows:
    versions: dict[str, list[str]] = {}
    for part in stored:
        versions.setdefault(part.content.label_version, []).append(part.sha256)
    return TableRows(
        table="label_versions",
        columns=("label_version", "extraction", "classification", "frozen_sha256"),
        rows=[
            (version, version, version, sha256_hex(canonical_json(sorted(parts))))
            for version, parts in versions.items()
        ],
    )


def _time(time: Time) -> tuple[object, ...]:
    step = time.step if isinstance(time, Located) else 0
    return (time_status(time).value, step, _reason(time))


def _answer(value: str | Undeterminable) -> tuple[str, str]:
    return (answer(value), _reason(value))


def _reason(value: Time | Verdict | str) -> str:
    return value.reason if isinstance(value, Undeterminable) else ""
