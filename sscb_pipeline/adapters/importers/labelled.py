"""Labelled recordings as candidates of a cohort."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sscb_pipeline.adapters.importers.imported import ImportedRun
from sscb_pipeline.adapters.importers.registry import importer_of, runs_of
from sscb_pipeline.errors import InputError
from sscb_pipeline.judging.cohort import LabelledRecord


def labelled_records(path: Path) -> Iterator[LabelledRecord]:
    """The runs of a recording with their step labels, one at a time. Raises InputError for a run without labels."""
    for run in runs_of(path, importer_of(path)):
        origin = run.record.origin
        if not run.step_labels:
            raise InputError(
                subject=origin.place,
                expected="step labels, which choose the targets",
                found=f"none; the format {origin.format} has none" if origin.format != "agentprocessbench" else "none",
                remedy="give a recording of the format agentprocessbench",
            )
        yield LabelledRecord(
            record_id=record_id_of(run), record=run.record, request=origin.task, labels=run.step_labels
        )


def record_id_of(run: ImportedRun) -> str:
    """`data_source:total_index` where the source has both, else file and position."""
    origin, known = run.record.origin, run.evaluation
    if "data_source" in known and "total_index" in known:
        return f"{known['data_source']}:{known['total_index']}"
    return f"{Path(origin.file).stem}:{origin.position}"
