"""Stage: the rows that are analysed, from every measured partition of a campaign, and what they add up to (SPEC 8)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from sscb_pipeline.artifacts.records import from_bytes, to_bytes
from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.assurance.manifest import PublishedManifest, authorised, publish_stage, stage_manifest
from sscb_pipeline.claims.analysis import Analysis, analyse
from sscb_pipeline.claims.calibration import Calibration, LabelPair, calibrate
from sscb_pipeline.claims.run_row import RunRow
from sscb_pipeline.stages.calibration import label_pairs
from sscb_pipeline.stages.code_version import code_version
from sscb_pipeline.stages.executions import authorised_index
from sscb_pipeline.stages.frames import output
from sscb_pipeline.stages.inclusion import authorised_seeds
from sscb_pipeline.stages.measurements import authorised_manifest, authorised_measurements
from sscb_pipeline.stages.names import WHOLE, Stage
from sscb_pipeline.stages.run_rows import run_rows
from sscb_pipeline.stages.standing import Outdated, standing
from sscb_pipeline.stages.study import Study

ROWS = "rows"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysedRuns:
    """The rows of one campaign and the pairs of realised and measured labels, under one label version."""

    campaign: str
    label_version: str
    rows: tuple[RunRow, ...]
    labels: tuple[LabelPair, ...]


def run_claims(warehouse: Warehouse, study: Study) -> PublishedManifest:
    """Collect the rows of every partition whose measurements have a receipt; refuses when one has none.

    Rows of the same measurements by the same code stand as they are.
    """
    inputs = {
        f"measurements/{partition.name}": authorised_manifest(warehouse, study.campaign, partition.name).sha256
        for partition in study.partitions()
    }
    found_before = standing(warehouse, campaign=study.campaign, stage=Stage.CLAIMS, partition=WHOLE, inputs=inputs)
    if not isinstance(found_before, Outdated):
        return found_before
    content = collect(warehouse, study)
    calibration = calibrate(content.labels)
    return publish_stage(
        warehouse,
        stage_manifest(
            campaign=study.campaign,
            stage=Stage.CLAIMS,
            partition=WHOLE,
            code_version=code_version(),
            inputs=inputs,
            outputs={ROWS: warehouse.objects.put(to_bytes(content))},
            counts={
                "rows": len(content.rows),
                "labels": calibration.labels,
                "disagreements": len(calibration.disagreements),
            },
        ),
    )


def collect(warehouse: Warehouse, study: Study) -> AnalysedRuns:
    """Rows and label pairs of every partition, from outputs that have receipts; refuses when one has none."""
    rows: list[RunRow] = []
    labels: list[LabelPair] = []
    for partition in study.partitions():
        index, _ = authorised_index(warehouse, study.campaign, partition.name)
        measured, _ = authorised_measurements(warehouse, study.campaign, partition.name)
        admitted, _ = authorised_seeds(warehouse, partition.operator)
        executions = {execution.execution_id: execution for execution in index.executions}
        found = {entry.execution.execution_id: entry.execution for entry in measured.executions}
        rows += run_rows(index.executions, found, {seed.seed_id: seed for seed in admitted.seeds})
        labels += label_pairs(measured.executions, executions)
    return AnalysedRuns(
        campaign=study.campaign, label_version=study.stages.version, rows=tuple(rows), labels=tuple(labels)
    )


def read_analysed(warehouse: Warehouse, published: PublishedManifest) -> AnalysedRuns:
    """The analysed rows a manifest names."""
    sha256 = output(published, ROWS)
    return from_bytes(AnalysedRuns, warehouse.objects.get(sha256), f"analysed rows {sha256}")


def authorised_analysis(
    warehouse: Warehouse, campaign: str
) -> tuple[AnalysedRuns, Analysis, Calibration, PublishedManifest]:
    """Rows, analysis and calibration of a campaign whose check passed. Raises RefusalError without a receipt."""
    published = authorised(
        warehouse, campaign=campaign, stage=Stage.CLAIMS, partition=WHOLE, code_version=code_version()
    )
    analysed = read_analysed(warehouse, published)
    return analysed, analysis_of(analysed), calibrate(analysed.labels), published


@lru_cache(maxsize=4)
def analysis_of(analysed: AnalysedRuns) -> Analysis:
    """The analysis of some rows; the seeds of its intervals come from the cells' names, so it is the same each time."""
    return analyse(analysed.rows)
