"""Ledger rows of measurements, witness transfers, label versions and calibration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sscb_pipeline.artifacts.digest import canonical_json, sha256_hex
from sscb_pipeline.inclusion.transfer import Transfer
from sscb_pipeline.ledger.measurement_rows import StoredMeasurement, measurement_rows
from sscb_pipeline.ledger.rows import TableRows
from sscb_pipeline.stages.claims import AnalysedRuns
from sscb_pipeline.stages.measurements import MeasuredPartition


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPartition:
    """A measured partition and the object it was read from."""

    sha256: str
    content: MeasuredPartition


def measured_tables(stored: Sequence[StoredPartition]) -> Iterator[TableRows]:
    """Tables `measurements`, `uses`, `evidence`, `witness_transfers` and `label_versions`."""
    yield from measurement_rows(
        StoredMeasurement(
            execution_id=entry.execution.execution_id,
            label_version=part.content.label_version,
            measurement_object=part.sha256,
            measurement=entry.execution.measurement,
        )
        for part in stored
        for entry in part.content.executions
    )
    yield TableRows(
        table="witness_transfers",
        columns=("execution_id", "standing", "reason"),
        rows=[
            (entry.execution.execution_id, transfer.standing.value, transfer.reason)
            for part in stored
            for entry in part.content.executions
            if isinstance(transfer := entry.execution.transfer, Transfer)
        ],
    )
    yield _versions(stored)


def _versions(stored: Sequence[StoredPartition]) -> TableRows:
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


def calibration_table(analysed: Sequence[AnalysedRuns]) -> TableRows:
    """Table `calibration`."""
    return TableRows(
        table="calibration",
        columns=(
            "execution_id",
            "label_version",
            "configuration",
            "operator",
            "habit",
            "quantity",
            "realised",
            "measured",
            "outcome",
        ),
        rows=[
            (
                pair.execution_id,
                runs.label_version,
                pair.configuration,
                pair.operator,
                pair.habit,
                pair.quantity,
                pair.realised,
                pair.measured,
                pair.outcome.value,
            )
            for runs in analysed
            for pair in runs.labels
        ],
    )
