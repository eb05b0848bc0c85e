"""Files that lie beside the store, for people or for a dispatcher, and the manifests that explain them.

A stage that lays files down names them here; `verify` holds each to its sha256 and finds every other file extra.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.assurance.judge_run import STATEMENT, JudgeStage
from sscb_pipeline.assurance.manifest import NamedObject, StageManifest
from sscb_pipeline.assurance.packet_jobs import SCRIPTS
from sscb_pipeline.assurance.packet_staging import STAGED
from sscb_pipeline.assurance.statement import read_statement
from sscb_pipeline.errors import SscbError
from sscb_pipeline.stages.claim_cards import cards_folder
from sscb_pipeline.stages.exports import exports_folder
from sscb_pipeline.stages.names import Stage
from sscb_pipeline.stages.report import laid_pages

JUDGE_FOLDERS = {JudgeStage.STAGE.value: STAGED, JudgeStage.EMIT.value: SCRIPTS}
"""Folder below a judge run's own, by the stage that lays it down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidDown:
    """One file, the sha256 its bytes must have, and what it is."""

    folder: Path
    name: str
    sha256: str
    what: str

    @property
    def path(self) -> Path:
        """Where it lies."""
        return self.folder / self.name


def laid_down(warehouse: Warehouse, manifest: StageManifest) -> Iterator[LaidDown]:
    """The files a current manifest explains. Those of a damaged statement are not known."""
    campaign = manifest.campaign
    match manifest.stage:
        case Stage.REPORT.value:
            yield from _pages(warehouse, manifest)
        case Stage.CLAIM_CARDS.value:
            yield from _all(cards_folder(warehouse, campaign), manifest.outputs, f"claim card of campaign {campaign}")
        case Stage.EXPORTS.value:
            yield from _all(exports_folder(warehouse, campaign), manifest.outputs, f"export of campaign {campaign}")
        case JudgeStage.STAGE.value:
            folder = warehouse.judging_path(manifest.partition) / STAGED
            yield from _all(folder, _subjects(warehouse, manifest), f"staged packet of run {manifest.partition}")
        case JudgeStage.EMIT.value:
            folder = warehouse.judging_path(manifest.partition) / SCRIPTS
            scripts = [
                NamedObject(name=item.name.removeprefix(f"{SCRIPTS}/"), sha256=item.sha256)
                for item in _subjects(warehouse, manifest)
                if item.name.startswith(f"{SCRIPTS}/")
            ]
            yield from _all(folder, scripts, f"job script of run {manifest.partition}")


def _pages(warehouse: Warehouse, manifest: StageManifest) -> Iterator[LaidDown]:
    folder = warehouse.report_path(manifest.campaign)
    try:
        pages = laid_pages(warehouse, manifest)
    except SscbError:
        return
    for page in pages:
        part, _, name = page.name.rpartition("/")
        what = f"page of the report of campaign {manifest.campaign}"
        yield LaidDown(folder=folder / part, name=name, sha256=page.sha256, what=what)


def _all(folder: Path, items: tuple[NamedObject, ...] | list[NamedObject], what: str) -> Iterator[LaidDown]:
    for item in items:
        yield LaidDown(folder=folder, name=item.name, sha256=item.sha256, what=what)


def statement_subjects(warehouse: Warehouse, manifest: StageManifest) -> tuple[NamedObject, ...]:
    """What a judge run's build archived, by its statement; none of any other stage, and of a damaged statement."""
    return _subjects(warehouse, manifest) if manifest.stage == JudgeStage.BUILD else ()


def _subjects(warehouse: Warehouse, manifest: StageManifest) -> tuple[NamedObject, ...]:
    for item in manifest.outputs:
        if item.name == STATEMENT:
            try:
                return read_statement(warehouse.objects.get(item.sha256), f"statement {item.sha256}").subjects
            except SscbError:
                return ()
    return ()
