"""Reading everything a warehouse recorded: journals, manifests, receipts, executions; and which objects they name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from sscb_pipeline.artifacts.journal import Journal, JournalContent, TornTail, is_written_now
from sscb_pipeline.artifacts.records import decode, from_bytes
from sscb_pipeline.artifacts.warehouse import JournalName, Warehouse
from sscb_pipeline.assurance.manifest import StageManifest
from sscb_pipeline.assurance.receipt import Receipt, issue
from sscb_pipeline.assurance.requirement import CheckReport
from sscb_pipeline.errors import SscbError
from sscb_pipeline.faults.operators.registry import OPERATORS
from sscb_pipeline.judging.draws import DrawRecord, StoredReply
from sscb_pipeline.stages.check_executions import STILL_TO_DO
from sscb_pipeline.stages.code_version import code_version
from sscb_pipeline.stages.execution_index import ExecutionIndex, IndexedExecution, StoredObjects
from sscb_pipeline.stages.executions import INDEX
from sscb_pipeline.stages.judge_packets import DRAWN, RunDraws
from sscb_pipeline.stages.laid_down import statement_subjects
from sscb_pipeline.stages.names import Stage, grid_partition
from sscb_pipeline.stages.verify_calls import call_objects, is_call_journal
from sscb_pipeline.stages.verify_findings import Findings, first_of

Record = TypeVar("Record")


@dataclass(frozen=True, slots=True, kw_only=True)
class Damaged:
    """A file could not be read as what it is; the damage is among the findings."""


@dataclass(slots=True, kw_only=True)
class Recorded:
    """What was read. `manifests` holds every manifest that ever was current, by sha256; `current` the current ones by
    campaign, stage and partition; `executions` the journalled ones by journal and id; `named` says of every object
    that anything refers to what it is."""

    journals: dict[Path, JournalContent | Damaged] = field(default_factory=dict)
    manifests: dict[str, StageManifest] = field(default_factory=dict)
    current: dict[tuple[str, str, str], str] = field(default_factory=dict)
    executions: dict[Path, dict[str, IndexedExecution]] = field(default_factory=dict)
    named: dict[str, str] = field(default_factory=dict)

    def name(self, sha256: str, what: str) -> None:
        """Note what an object is; the first to name it decides."""
        self.named.setdefault(sha256, what)

    def content(self, journal: Journal) -> JournalContent | Damaged:
        """What was read of a journal."""
        return self.journals[journal.path]


class RecordReader:
    """Reads records, putting what is wrong with them among the findings."""

    def __init__(self, warehouse: Warehouse, findings: Findings) -> None:
        self._warehouse = warehouse
        self._findings = findings
        self.recorded = Recorded()
        self._drawn: dict[Path, dict[tuple[str, int], DrawRecord]] = {}

    def read(self) -> Recorded:
        """Everything, journals first: whatever they name was on disk before."""
        warehouse = self._warehouse
        names = self._partition_journals()
        for journal in (warehouse.manifests, warehouse.receipts, warehouse.published):
            self._journal(journal)
        for name in names:
            self._journal(warehouse.journal(name))
        self._manifests()
        self._receipts()
        for name in names:
            if is_call_journal(name):
                self._calls(name)
            elif name.stage == Stage.JUDGE_DRAWS:
                self._draws(name)
            else:
                self._executions(name)
        self._indexes()
        self._published_draws()
        return self.recorded

    def object_as(self, expected: type[Record], sha256: str, what: str) -> Record | Damaged:
        """An object as a record. An object that is missing or has other bytes is found where objects are looked at."""
        try:
            data = self._warehouse.objects.get(sha256)
        except SscbError:
            return Damaged()
        try:
            return from_bytes(expected, data, what)
        except SscbError as error:
            self._findings.changed(self._warehouse.objects.path_of(sha256), f"{what}: {error}")
            return Damaged()

    def _partition_journals(self) -> list[JournalName]:
        """Names of the partition journals; files that are none are extra."""
        known: list[JournalName] = []
        for name in self._warehouse.journal_names():
            _, _, operator = name.partition.partition("|")
            executions = name.stage == Stage.EXECUTIONS and operator in OPERATORS
            if executions or is_call_journal(name) or name.stage == Stage.JUDGE_DRAWS:
                known.append(name)
        paths = {self._warehouse.journal(name).path for name in known}
        for path in sorted(self._warehouse.journals.rglob("*")):
            if path not in paths and (path.is_symlink() or not path.is_dir()):
                self._findings.extra(path, "no journal of a partition")
        return known

    def _journal(self, journal: Journal) -> None:
        try:
            content = journal.read()
        except SscbError as error:
            self._findings.changed(journal.path, f"journal: {error}")
            self.recorded.journals[journal.path] = Damaged()
            return
        self.recorded.journals[journal.path] = content
        if isinstance(content.tail, TornTail):
            self._torn(journal.path, content.tail)

    def _torn(self, path: Path, tail: TornTail) -> None:
        if is_written_now(path):
            self._findings.leftover(path, "journal: being written now")
            return
        self._findings.changed(
            path,
            f"journal: it, or its writer, was cut off inside a line ({tail.size} bytes from byte {tail.offset} on); "
            "the next writer removes the piece",
        )

    def _entries(self, journal: Journal) -> Iterator[tuple[str, Mapping[str, object]]]:
        content = self.recorded.content(journal)
        if isinstance(content, JournalContent):
            for number, entry in enumerate(content.entries, start=2):
                yield f"line {number}", entry

    def _manifests(self) -> None:
        journal, recorded = self._warehouse.manifests, self.recorded
        for line, entry in self._entries(journal):
            place = tuple(str(entry.get(part)) for part in ("campaign", "stage", "partition"))
            sha256 = str(entry.get("manifest"))
            what = f"manifest of {'/'.join(place)}"
            recorded.name(sha256, what)
            recorded.current[place[0], place[1], place[2]] = sha256
            if sha256 in recorded.manifests:
                continue
            manifest = self.object_as(StageManifest, sha256, what)
            if isinstance(manifest, Damaged):
                continue
            if (manifest.campaign, manifest.stage, manifest.partition) != place:
                self._findings.changed(journal.path, f"{line}: names the manifest of another stage or partition")
            self._relate(manifest, sha256, what)

    def _relate(self, manifest: StageManifest, sha256: str, what: str) -> None:
        recorded = self.recorded
        recorded.manifests[sha256] = manifest
        for item in manifest.outputs:
            recorded.name(item.sha256, f"{item.name} of {manifest.campaign}/{manifest.stage}/{manifest.partition}")
        for item in statement_subjects(self._warehouse, manifest):
            recorded.name(item.sha256, f"{item.name} of {manifest.stage}/{manifest.partition}")
        if manifest.stage == Stage.FRAMES:
            return
        for item in manifest.inputs:
            if item.sha256 not in recorded.named:
                self._findings.missing(self._warehouse.manifests.path, f"line of {what}'s input {item.name}")

    def _receipts(self) -> None:
        journal = self._warehouse.receipts
        for line, entry in self._entries(journal):
            try:
                receipt = decode(Receipt, entry, f"{journal.path} {line}")
            except SscbError as error:
                self._findings.changed(journal.path, f"receipt in {line}: {error}")
                continue
            what = f"report on the check of {receipt.stage}/{receipt.partition}"
            self.recorded.name(receipt.report, what)
            report = self.object_as(CheckReport, receipt.report, what)
            if not isinstance(report, Damaged) and not _leads_to(report, receipt):
                self._findings.changed(journal.path, f"receipt in {line}: its report does not lead to it")
            if receipt.subject not in self.recorded.named and isinstance(
                self.recorded.content(self._warehouse.manifests), JournalContent
            ):
                self._findings.extra(
                    journal.path,
                    f"receipt in {line} for {receipt.stage}/{receipt.partition}: "
                    f"no line of {self._warehouse.manifests.path.name} names its manifest {receipt.subject}",
                )

    def _draws(self, name: JournalName) -> None:
        journal = self._warehouse.journal(name)
        found = self._drawn.setdefault(journal.path, {})
        for line, entry in self._entries(journal):
            try:
                record = decode(DrawRecord, entry, f"{journal.path} {line}")
            except SscbError as error:
                self._findings.changed(journal.path, f"draw in {line}: {error}")
                continue
            if record.run != name.partition:
                self._findings.changed(journal.path, f"{line}: a draw of another run")
            found[record.configuration, record.job.number] = record
            if isinstance(record.reply, StoredReply):
                self.recorded.name(record.reply.sha256, f"reply to draw {record.job.number} of run {record.run}")

    def _published_draws(self) -> None:
        """Every draw that was ever published stands in its run's journal."""
        for sha256, manifest in self.recorded.manifests.items():
            current = sha256 in self.recorded.current.values()
            if manifest.stage != Stage.JUDGE_DRAWS or (manifest.code_version != code_version() and not current):
                continue
            outputs = {item.name: item.sha256 for item in manifest.outputs}
            draws = self.object_as(RunDraws, outputs.get(DRAWN, ""), f"draws of campaign {manifest.campaign}")
            if isinstance(draws, Damaged):
                continue
            name = JournalName(campaign=manifest.campaign, stage=Stage.JUDGE_DRAWS, partition=draws.run)
            path = self._warehouse.journal(name).path
            journalled = self._drawn.get(path, {})
            lost = [one for one in draws.draws if (one.configuration, one.job.number) not in journalled]
            if lost and not isinstance(self.recorded.journals.get(path), Damaged):
                self._findings.missing(path, f"journal lines of {len(lost)} draws")

    def _executions(self, name: JournalName) -> None:
        journal = self._warehouse.journal(name)
        found = self.recorded.executions.setdefault(journal.path, {})
        for line, entry in self._entries(journal):
            try:
                execution = decode(IndexedExecution, entry, f"{journal.path} {line}")
            except SscbError as error:
                self._findings.changed(journal.path, f"execution in {line}: {error}")
                continue
            key = execution.key
            if (key.campaign, grid_partition(key.operator, key.configuration_id)) != (name.campaign, name.partition):
                self._findings.changed(journal.path, f"{line}: an execution of another campaign or partition")
            if execution.execution_id in found:
                self._findings.changed(journal.path, f"{line}: execution {execution.execution_id} for a second time")
            found[execution.execution_id] = execution
            self._name_objects(execution)

    def _calls(self, name: JournalName) -> None:
        journal = self._warehouse.journal(name)
        try:
            for sha256, what in call_objects(name, self._entries(journal), self._warehouse.objects):
                self.recorded.name(sha256, what)
        except SscbError as error:
            self._findings.changed(journal.path, f"model call: {error}")

    def _name_objects(self, execution: IndexedExecution) -> None:
        objects = execution.objects
        if isinstance(objects, StoredObjects):
            for role in ("trajectory", "intervention", "evaluator", "labels"):
                self.recorded.name(getattr(objects, role), f"{role} of execution {execution.execution_id}")

    def _indexes(self) -> None:
        """Every execution that was ever published in an index stands in its journal, as it was published."""
        for sha256, manifest in self.recorded.manifests.items():
            if manifest.stage != Stage.EXECUTIONS:
                continue
            name = JournalName(campaign=manifest.campaign, stage=manifest.stage, partition=manifest.partition)
            journal = self._warehouse.journal(name)
            if isinstance(self.recorded.journals.get(journal.path), Damaged):
                continue
            outputs = {item.name: item.sha256 for item in manifest.outputs}
            if manifest.code_version != code_version() and sha256 not in self.recorded.current.values():
                continue  # written by another release: its form need not be today's
            index = self.object_as(ExecutionIndex, outputs.get(INDEX, ""), f"index of executions of {name.partition}")
            if isinstance(index, Damaged):
                continue
            journalled = self.recorded.executions.get(journal.path, {})
            # What a spent budget left over is published as not run and journalled when it has been run.
            published = {e.execution_id: e for e in index.executions if e.ending.reason not in STILL_TO_DO}
            for execution in published.values():
                self._name_objects(execution)
            lost = published.keys() - journalled.keys()
            if lost:
                self._findings.missing(journal.path, f"journal lines of {len(lost)} executions: {first_of(lost)}")
            differing = [name for name in published.keys() & journalled.keys() if published[name] != journalled[name]]
            if differing:
                self._findings.changed(journal.path, f"executions other than published: {first_of(differing)}")


def _leads_to(report: CheckReport, receipt: Receipt) -> bool:
    try:
        return issue(report) == receipt
    except SscbError:
        return False
