"""Stage: tables and figures of a campaign as files for other programs, from exactly the rows whose check passed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sscb_pipeline.artifacts.durable import storage_error
from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.assurance.manifest import PublishedManifest, publish_stage, stage_manifest
from sscb_pipeline.claims.analysis import Analysis
from sscb_pipeline.claims.run_row import RunRow
from sscb_pipeline.claims.scope import POOLED
from sscb_pipeline.errors import InputError
from sscb_pipeline.report.export_figures import Figure, NoFont, png, standalone
from sscb_pipeline.report.export_tables import csv_bytes, data_tables, parquet_bytes
from sscb_pipeline.report.latex import latex_table
from sscb_pipeline.report.render import sections
from sscb_pipeline.report.run_lists import RunLists
from sscb_pipeline.report.run_timelines import timelines
from sscb_pipeline.report.view import NoLinks, SectionView
from sscb_pipeline.stages.claims import authorised_analysis
from sscb_pipeline.stages.code_version import code_version
from sscb_pipeline.stages.names import WHOLE, Stage
from sscb_pipeline.stages.page_files import files_stand, lay_down
from sscb_pipeline.stages.report import report_context
from sscb_pipeline.stages.standing import Outdated, standing
from sscb_pipeline.stages.study import Study

FOLDER = "exports"


def run_exports(warehouse: Warehouse, study: Study) -> PublishedManifest:
    """Write every export under `reports/<campaign>/exports/`. Refuses when the claims have no receipt.

    Exports of the same claims by the same code stand as they are.
    """
    analysed, analysis, calibration, claims = authorised_analysis(warehouse, study.campaign)
    inputs = {"claims": claims.sha256}
    folder = exports_folder(warehouse, study.campaign)
    made = standing(warehouse, campaign=study.campaign, stage=Stage.EXPORTS, partition=WHOLE, inputs=inputs)
    if not isinstance(made, Outdated) and files_stand(folder, exported(made)):
        return made
    context = report_context(warehouse, study, calibration, claims)
    shown = sections(analysis, context, NoLinks())
    contents: dict[str, bytes] = {}
    for table in data_tables(analysis, context, analysed.rows):
        contents[f"{table.name}.csv"] = csv_bytes(table)
        contents[f"{table.name}.parquet"] = parquet_bytes(table)
    contents.update(_latex(shown))
    contents.update(_figures((*_drawn(shown), *_pictures(analysis, analysed.rows))))
    outputs = dict(zip(contents, warehouse.objects.put_all(contents.values()), strict=True))
    published = publish_stage(
        warehouse,
        stage_manifest(
            campaign=study.campaign,
            stage=Stage.EXPORTS,
            partition=WHOLE,
            code_version=code_version(),
            inputs=inputs,
            outputs=outputs,
            counts={kind: sum(name.endswith(f".{kind}") for name in contents) for kind in KINDS},
        ),
    )
    # Last, so that a file is never there without the line that explains it.
    lay_down(folder, contents.items())
    return published


KINDS = ("csv", "parquet", "tex", "svg", "png")


def exports_folder(warehouse: Warehouse, campaign: str) -> Path:
    """Where the exports of a campaign lie."""
    return warehouse.report_path(campaign) / FOLDER


def exported(published: PublishedManifest) -> dict[str, str]:
    """File name to sha256."""
    return {item.name: item.sha256 for item in published.manifest.outputs}


def copy_exports(warehouse: Warehouse, published: PublishedManifest, folder: Path) -> None:
    """Write the exports into another folder, which is made where there is none; files of other names stay.

    Raises InputError where the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, sha256 in exported(published).items():
            (folder / name).write_bytes(warehouse.objects.get(sha256))
    except FileExistsError as error:
        raise InputError(
            subject=str(folder), expected="a folder", found="a file of that name", remedy="name another folder"
        ) from error
    except OSError as error:
        raise storage_error(folder, error) from error


def _latex(shown: tuple[SectionView, ...]) -> Iterator[tuple[str, bytes]]:
    for section in shown:
        for number, table in enumerate(section.tables, start=1):
            name = f"{section.ident}-{number}"
            yield f"{name}.tex", latex_table(table, name).encode("utf-8", "backslashreplace")


def _drawn(shown: tuple[SectionView, ...]) -> Iterator[Figure]:
    for section in shown:
        for number, figure in enumerate(section.figures, start=1):
            yield Figure(name=f"figure-{section.ident}-{number}", drawing=str(figure.svg))


def _pictures(analysis: Analysis, rows: tuple[RunRow, ...]) -> Iterator[Figure]:
    """The timelines of each operator's evaluable runs, all configurations."""
    lists = RunLists(analysis, rows, ())
    wanted = {
        analysis.cell("same_runs", (operator, POOLED), "runs").share.population.sentence: operator
        for operator in analysis.scope.operators
    }
    for page in lists.pages():
        if page.population in wanted and page.runs:
            drawing = timelines(page.runs, [""] * len(page.runs))
            yield Figure(name=f"figure-timelines-{wanted[page.population]}", drawing=str(drawing))


def _figures(figures: tuple[Figure, ...]) -> Iterator[tuple[str, bytes]]:
    for figure in figures:
        yield f"{figure.name}.svg", standalone(figure.drawing).encode("utf-8", "backslashreplace")
        rendered = png(figure.drawing)
        if not isinstance(rendered, NoFont):
            yield f"{figure.name}.png", rendered
