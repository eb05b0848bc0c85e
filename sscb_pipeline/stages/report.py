"""Stage: the HTML report of a campaign, from exactly the rows whose check passed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from sscb_pipeline.artifacts.durable import make_directory, replace_file, storage_error
from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.assurance.manifest import PublishedManifest, publish_stage, stage_manifest
from sscb_pipeline.claims.calibration import Calibration
from sscb_pipeline.report.context import DispositionLine, FrameLine, NotCalibrated, ReportContext
from sscb_pipeline.report.render import INDEX, render
from sscb_pipeline.stages.claims import authorised_analysis
from sscb_pipeline.stages.code_version import code_version
from sscb_pipeline.stages.inclusion import authorised_frame, authorised_seeds
from sscb_pipeline.stages.names import WHOLE, Stage
from sscb_pipeline.stages.study import Study


def run_report(warehouse: Warehouse, study: Study) -> PublishedManifest:
    """Render the report and lay it down under `reports/<campaign>/`. Refuses when the claims have no receipt."""
    _, analysis, calibration, claims = authorised_analysis(warehouse, study.campaign)
    context = ReportContext(
        title=f"Fault-injection measurement, campaign {study.campaign}",
        substrate=_substrates(study),
        code_version=code_version(),
        ledger_sha256=claims.sha256,
        frames=tuple(_frames(warehouse, study)),
        dispositions=tuple(_dispositions(warehouse, study)),
        calibration=_calibration(calibration),
    )
    pages = render(analysis, context)
    folder = report_folder(warehouse, study.campaign)
    contents = {name: page.encode("utf-8", "backslashreplace") for name, page in pages.items()}
    names = dict(zip(contents, warehouse.objects.put_all(contents.values()), strict=True))
    published = publish_stage(
        warehouse,
        stage_manifest(
            campaign=study.campaign,
            stage=Stage.REPORT,
            partition=WHOLE,
            code_version=code_version(),
            inputs={"claims": claims.sha256},
            outputs=names,
            counts={"cells": len(analysis.cells), "pages": len(pages)},
        ),
    )
    # Last, so that a page is never there without the line that explains it.
    try:
        make_directory(folder)
        for name, content in contents.items():
            replace_file(folder / name, content)
    except OSError as error:
        raise storage_error(folder, error) from error
    return published


def report_folder(warehouse: Warehouse, campaign: str) -> Path:
    """Where the report of a campaign is laid down."""
    return warehouse.report_path(campaign)


def report_index(warehouse: Warehouse, campaign: str) -> Path:
    """The page to open."""
    return report_folder(warehouse, campaign) / INDEX


def _substrates(study: Study) -> str:
    domains = sorted({operator.domain for operator in study.operators.values()})
    return f"τ²-bench, {' and '.join(domains)}"


def _frames(warehouse: Warehouse, study: Study) -> Iterator[FrameLine]:
    for operator in study.operators:
        frame, _ = authorised_frame(warehouse, operator)
        admitted, _ = authorised_seeds(warehouse, operator)
        yield FrameLine(
            operator=operator,
            candidates=len(frame.candidates),
            clusters=len({ranked.candidate.cluster for ranked in frame.candidates}),
            admitted=len(admitted.seeds),
            sha256=admitted.frame_sha256,
        )


def _dispositions(warehouse: Warehouse, study: Study) -> Iterator[DispositionLine]:
    for operator in study.operators:
        admitted, _ = authorised_seeds(warehouse, operator)
        tally = Counter((entry.disposition.value, entry.reason) for entry in admitted.screened)
        for (disposition, reason), candidates in sorted(tally.items()):
            yield DispositionLine(operator=operator, disposition=disposition, reason=reason, candidates=candidates)


def _calibration(calibration: Calibration) -> Calibration | NotCalibrated:
    if calibration.labels:
        return calibration
    return NotCalibrated(why="none of the agents of this campaign knows the labels of its own runs")
