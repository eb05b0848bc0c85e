"""Stage: the HTML report of a campaign, from exactly the rows whose check passed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from sscb_pipeline.artifacts.records import from_bytes, to_bytes
from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.assurance.manifest import (
    NamedObject,
    PublishedManifest,
    StageManifest,
    publish_stage,
    stage_manifest,
)
from sscb_pipeline.claims.calibration import Calibration
from sscb_pipeline.report.context import DispositionLine, FrameLine, NotCalibrated, ReportContext
from sscb_pipeline.report.render import INDEX, render
from sscb_pipeline.report.run_lists import FOLDER as LISTS
from sscb_pipeline.report.run_lists import RunLists
from sscb_pipeline.report.run_page import FOLDER as RUNS
from sscb_pipeline.report.run_page import render_run
from sscb_pipeline.report.shared_texts import FOLDER as TEXTS
from sscb_pipeline.report.shared_texts import SharedTexts
from sscb_pipeline.report.view import QueryBook
from sscb_pipeline.stages.claims import authorised_analysis
from sscb_pipeline.stages.code_version import code_version
from sscb_pipeline.stages.execution_index import StoredObjects
from sscb_pipeline.stages.executions import authorised_index
from sscb_pipeline.stages.inclusion import authorised_frame, authorised_seeds
from sscb_pipeline.stages.judge_report import judge_inputs
from sscb_pipeline.stages.names import WHOLE, Stage
from sscb_pipeline.stages.page_files import files_stand, prepare, settle
from sscb_pipeline.stages.run_pages import run_pages
from sscb_pipeline.stages.standing import Outdated, standing
from sscb_pipeline.stages.study import Study

PAGES = "pages"


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidPages:
    """Every page of a report by its place below the report's folder. The bytes can be made again from the store."""

    pages: tuple[NamedObject, ...]


def run_report(warehouse: Warehouse, study: Study) -> PublishedManifest:
    """Render the report and lay it down under `reports/<campaign>/`. Refuses when the claims have no receipt.

    Pages of the same claims by the same code stand as they are; where a file is missing or was changed, all are made
    again.
    """
    analysed, analysis, calibration, claims = authorised_analysis(warehouse, study.campaign)
    inputs = {"claims": claims.sha256, **judge_inputs(warehouse, study.campaign)[1]}
    made = standing(warehouse, campaign=study.campaign, stage=Stage.REPORT, partition=WHOLE, inputs=inputs)
    if not isinstance(made, Outdated) and _stands(warehouse, made):
        return made
    context = report_context(warehouse, study, calibration, claims)
    lists = RunLists(analysis, analysed.rows, _played(warehouse, study))
    folder = report_folder(warehouse, study.campaign)
    index = render(analysis, context, QueryBook(lists=lists.places, runs=lists.run_places))
    laid = dict(_prepared(warehouse, study, lists, folder))
    laid[INDEX] = prepare(folder, [(INDEX, _bytes(index))])[INDEX]
    pages = LaidPages(pages=tuple(NamedObject(name=name, sha256=sha256) for name, sha256 in sorted(laid.items())))
    published = publish_stage(
        warehouse,
        stage_manifest(
            campaign=study.campaign,
            stage=Stage.REPORT,
            partition=WHOLE,
            code_version=code_version(),
            inputs=inputs,
            outputs={PAGES: warehouse.objects.put(to_bytes(pages)), INDEX: warehouse.objects.put(_bytes(index))},
            counts={"cells": len(analysis.cells), "pages": len(laid)},
        ),
    )
    # Last, so that a page is never there without the line that explains it.
    for part in (RUNS, LISTS, TEXTS, ""):
        settle(folder / part, _in_folder(part, laid))
    return published


def _prepared(warehouse: Warehouse, study: Study, lists: RunLists, folder: Path) -> Iterator[tuple[str, str]]:
    """Write run pages, the texts they share and the lists beside their places, a few at a time; yields place and
    sha256."""
    texts = SharedTexts(lists.analysis.scope.agents)
    runs = ((f"{run.name}.html", _bytes(render_run(run, texts))) for run in run_pages(warehouse, study, lists.names))
    listed = ((page.file, _bytes(lists.render(page))) for page in lists.pages())
    shared = ((name, _bytes(html)) for name, html in texts.pages())
    for part, contents in ((RUNS, runs), (LISTS, listed), (TEXTS, shared)):
        for name, sha256 in prepare(folder / part, contents).items():
            yield f"{part}/{name}", sha256


def _in_folder(part: str, laid: Iterable[str]) -> Iterator[str]:
    for place in laid:
        folder, _, name = place.rpartition("/")
        if folder == part:
            yield name


def _played(warehouse: Warehouse, study: Study) -> set[str]:
    return {
        execution.execution_id
        for partition in study.partitions()
        for execution in authorised_index(warehouse, study.campaign, partition.name)[0].executions
        if isinstance(execution.objects, StoredObjects)
    }


def _stands(warehouse: Warehouse, made: PublishedManifest) -> bool:
    folder = report_folder(warehouse, made.manifest.campaign)
    return files_stand(folder, {page.name: page.sha256 for page in laid_pages(warehouse, made.manifest)})


def laid_pages(warehouse: Warehouse, manifest: StageManifest) -> tuple[NamedObject, ...]:
    """Every page that a report's manifest explains, by its place below the report's folder."""
    (sha256,) = (item.sha256 for item in manifest.outputs if item.name == PAGES)
    return from_bytes(LaidPages, warehouse.objects.get(sha256), f"pages {sha256}").pages


def _bytes(page: str) -> bytes:
    return page.encode("utf-8", "backslashreplace")


def report_context(
    warehouse: Warehouse, study: Study, calibration: Calibration, claims: PublishedManifest
) -> ReportContext:
    """What the report says besides the analysis."""
    return ReportContext(
        title=f"Fault-injection measurement, campaign {study.campaign}",
        substrate=_substrates(study),
        code_version=code_version(),
        ledger_sha256=claims.sha256,
        frames=tuple(_frames(warehouse, study)),
        dispositions=tuple(_dispositions(warehouse, study)),
        calibration=_calibration(calibration),
        judging=judge_inputs(warehouse, study.campaign)[0],
    )


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
