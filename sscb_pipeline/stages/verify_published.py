"""What people look at: the published ledger, the reports, and the frames beside the environments they came from."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

from sscb_pipeline.artifacts.digest import sha256_hex
from sscb_pipeline.artifacts.durable import is_temporary
from sscb_pipeline.artifacts.journal import JournalContent
from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.assurance.judge_run import JudgeStage
from sscb_pipeline.errors import IntegrityError, SscbError
from sscb_pipeline.faults.operators.registry import OPERATORS
from sscb_pipeline.ledger.digest import Side, content_digest, differences
from sscb_pipeline.ledger.loader import load
from sscb_pipeline.ledger.publish import Announced, NotPublished, Unannounced, published_state
from sscb_pipeline.stages.frames import FRAME, build_frame
from sscb_pipeline.stages.laid_down import JUDGE_FOLDERS, LaidDown, laid_down
from sscb_pipeline.stages.ledger_source import WarehouseSource
from sscb_pipeline.stages.names import Stage
from sscb_pipeline.stages.study import Study
from sscb_pipeline.stages.verify_findings import Findings
from sscb_pipeline.stages.verify_records import Recorded

MOST_ROWS = 20


def verify_frames(warehouse: Warehouse, recorded: Recorded, study: Study, findings: Findings) -> None:
    """Every frozen frame is the one that the environment's records give now."""
    for (_, stage, operator), sha256 in recorded.current.items():
        manifest = recorded.manifests.get(sha256)
        if stage != Stage.FRAMES or manifest is None or operator not in OPERATORS:
            continue
        frozen = {item.name: item.sha256 for item in manifest.outputs}.get(FRAME, "")
        try:
            given = sha256_hex(build_frame(OPERATORS[operator], study.substrate(operator)).to_bytes())
        except SscbError as error:
            findings.changed(Path(error.subject), f"environment of {operator}: {error}")
            continue
        if given != frozen:
            place = warehouse.objects.path_of(frozen) if len(frozen) == 64 else warehouse.manifests.path
            findings.changed(place, f"candidate frame of {operator}: {frozen}; the environment now gives {given}")


def verify_laid_down(warehouse: Warehouse, recorded: Recorded, findings: Findings) -> None:
    """The files of reports and judge runs are those that current manifests explain, and there are no others."""
    explained: set[Path] = set()
    for sha256 in recorded.current.values():
        manifest = recorded.manifests.get(sha256)
        for file in laid_down(warehouse, manifest) if manifest else ():
            if file.path.parent != file.folder:
                findings.changed(warehouse.manifests.path, f"{file.what}: the file name {file.name!r}")
                continue
            explained.add(file.path)
            _verify_file(file, findings)
    for folder in (warehouse.reports, warehouse.judging):
        for path in sorted(folder.rglob("*")):
            if path not in explained and (path.is_symlink() or not path.is_dir()):
                _unexplained(warehouse, recorded, path, findings)


def _verify_file(file: LaidDown, findings: Findings) -> None:
    if file.path.is_symlink() or not file.path.is_file():
        findings.missing(file.path, file.what)
        return
    found = sha256_hex(file.path.read_bytes())
    if found != file.sha256:
        findings.changed(file.path, f"{file.what}: sha256 {found} instead of {file.sha256}")


def _unexplained(warehouse: Warehouse, recorded: Recorded, path: Path, findings: Findings) -> None:
    if path.is_relative_to(warehouse.judging):
        run, folder = path.relative_to(warehouse.judging).parts[0], path.parent.name
        stages = {stage for (_, stage, partition) in recorded.current if partition == run}
        under_way = {
            name for stage, name in JUDGE_FOLDERS.items() if stage not in stages and JudgeStage.BUILD in stages
        }
        if folder in under_way or folder.endswith(".incoming"):
            findings.leftover(path, "laid down by a stage of a judge run that is not finished")
            return
    if is_temporary(path):
        findings.leftover(path, "a file that a killed writer had not moved into its place")
        return
    findings.extra(path, f"no line of {warehouse.manifests.path.name} leads to this file")
    sha256 = "" if path.is_symlink() else sha256_hex(path.read_bytes())
    if sha256 and warehouse.objects.has(sha256) and sha256 not in recorded.named:
        # Its bytes were stored by us, and files are laid down after the line that explains them.
        folder = path.parent.relative_to(warehouse.root).as_posix()
        findings.missing(warehouse.manifests.path, f"the line that led to files in {folder}")


def verify_ledger(warehouse: Warehouse, recorded: Recorded, findings: Findings) -> None:
    """The published file is one that was announced, and its rows are those that journals and objects give."""
    announced = recorded.content(warehouse.published)
    if not isinstance(announced, JournalContent):
        return
    _verify_pins(warehouse, recorded, announced, findings)
    state = published_state(warehouse)
    if isinstance(state, NotPublished):
        if announced.entries:
            findings.missing(warehouse.ledger, "the published ledger; `sscb ledger rebuild` makes it again")
        return
    if isinstance(state, Unannounced):
        findings.changed(
            warehouse.ledger,
            f"the published ledger: sha256 {state.sha256}, which no line of {warehouse.published.path.name} announces; "
            "`sscb ledger rebuild` makes it again",
        )
    if _unreliable(recorded, warehouse, findings):
        findings.leftover(warehouse.ledger, "its rows were not compared: what they are made from is damaged")
        return
    _verify_rows(warehouse, state, announced, findings)


def _verify_pins(warehouse: Warehouse, recorded: Recorded, announced: JournalContent, findings: Findings) -> None:
    """When a ledger was announced, the journals it was made from ended with these checksums: none may be lost since."""
    for name, journal in (("manifests", warehouse.manifests), ("receipts", warehouse.receipts)):
        content = recorded.content(journal)
        if not isinstance(content, JournalContent):
            continue
        pinned = {str(entry[name]) for entry in announced.entries if name in entry}
        if not pinned <= set(content.checksums):
            findings.missing(journal.path, f"the last lines: {len(content.entries)} are left, there were more")


def _unreliable(recorded: Recorded, warehouse: Warehouse, findings: Findings) -> bool:
    journals = (warehouse.manifests, warehouse.receipts)
    if any(not isinstance(recorded.content(journal), JournalContent) for journal in journals):
        return True
    return findings.any_below(warehouse.objects.root)


def _verify_rows(
    warehouse: Warehouse, state: Announced | Unannounced, announced: JournalContent, findings: Findings
) -> None:
    source = WarehouseSource()
    try:
        fingerprint = source.fingerprint(warehouse)
    except SscbError as error:
        findings.changed(warehouse.manifests.path, str(error))
        return
    known: Mapping[str, str] = {str(entry["sha256"]): str(entry["fingerprint"]) for entry in announced.entries}
    if isinstance(state, Announced) and fingerprint not in known.values():
        findings.leftover(warehouse.ledger, "older than the journals; the next run or `sscb ledger rebuild` renews it")
        return
    if isinstance(state, Announced) and state.fingerprint != fingerprint:
        findings.changed(warehouse.ledger, "the published ledger is an older one; `sscb ledger rebuild` makes it again")
    with tempfile.TemporaryDirectory(prefix="sscb-verify-") as folder:
        private = Path(folder) / "sscb.duckdb"
        try:
            load(private, source.tables(warehouse), warehouse.objects)
        except SscbError as error:
            findings.changed(warehouse.ledger, f"cannot be made again: {error}")
            return
        same = _compare(private, warehouse.ledger, findings)
    if same and fingerprint not in known.values():
        findings.missing(warehouse.published.path, f"the line that announces {warehouse.ledger.name}, whose rows hold")


def _compare(private: Path, published: Path, findings: Findings) -> bool:
    """Whether both have the same rows."""
    try:
        if content_digest(private) == content_digest(published):
            return True
        found = differences(private, published, most=MOST_ROWS)
    except IntegrityError as error:
        findings.changed(published, f"the published ledger: {error.found}")
        return False
    for difference in found:
        if difference.side is Side.FIRST:
            findings.missing(published, f"row of table {difference.table}: {difference.row}")
        else:
            findings.changed(published, f"row of table {difference.table}: {difference.row}")
    return False
