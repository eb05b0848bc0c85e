"""What an import yields: runs with their source records, evaluator-only metadata kept apart, and counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Protocol, runtime_checkable

from sscb_pipeline.trajectories.arguments import UnparsableArguments
from sscb_pipeline.trajectories.pairing import pair
from sscb_pipeline.trajectories.source_record import (
    Actor,
    SourceMessage,
    SourceRecord,
    SourceResult,
    SourceSystem,
    SourceTurn,
    SystemOrigin,
)

StepLabels = dict[int, int]
"""Message index (from 0) to +1 (correct and advancing), 0 (neutral) or -1 (incorrect or harmful), JIA §II-A."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedRun:
    """A run. `evaluation` is what only an evaluator may see (reward, task, harness errors), as the file has it;
    `step_labels` are labels of messages by index, for formats that have them. Neither is part of the record."""

    record: SourceRecord
    evaluation: Mapping[str, Any]
    step_labels: StepLabels = field(default_factory=dict)


class Importer(Protocol):
    """One format. Adding a format is one module with an instance of a document or line importer, entered in the
    registry."""

    @property
    def name(self) -> str:
        """The format's name, as `SourceOrigin.format` has it."""
        ...

    def recognises(self, head: bytes) -> bool:
        """Whether a file with this beginning (see `registry.read_head`) is of the format. Never raises."""
        ...


@runtime_checkable
class DocumentImporter(Importer, Protocol):
    """A format whose file is one JSON value, read whole."""

    def runs(self, data: bytes, file: str) -> Iterator[ImportedRun]:
        """The runs in file order. Raises InputError with file, place and remedy."""
        ...


@runtime_checkable
class LineImporter(Importer, Protocol):
    """A format with a run per line, read line by line."""

    def lines(self, lines: Iterable[bytes], file: str) -> Iterator[ImportedRun]:
        """The runs in file order, each as soon as its line was read. Raises InputError with file, line and remedy."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportCounts:
    """What was read, to be compared with what was expected. All are counts over the file."""

    runs: int
    empty_runs: int
    messages: int
    """Messages of the file; a policy taken from a header is none."""
    agent_calls: int
    user_calls: int
    distinct_ids: int
    """Different usable call ids."""
    calls_without_id: int
    runs_with_reused_ids: int
    repeated_ids: int
    """Calls whose id an earlier call of the same run has."""
    blank_call_messages: int
    """Turns with calls and blank text."""
    unparsable_arguments: int
    results: int
    empty_results: int
    paired_results: int
    orphan_results: int
    unanswered_calls: int

    @property
    def calls(self) -> int:
        """Calls of both actors."""
        return self.agent_calls + self.user_calls


@dataclass(frozen=True, slots=True, kw_only=True)
class Import:
    """A file that was read: `sha256` of its exact bytes, its runs, and the counts over them."""

    format: str
    file: str
    sha256: str
    runs: tuple[ImportedRun, ...]
    counts: ImportCounts


def count(records: Iterable[SourceRecord]) -> ImportCounts:
    """Count over records. Raises PairingConflictError where results cannot be linked."""
    totals = {one.name: 0 for one in fields(ImportCounts)}
    ids: set[str] = set()
    for record in records:
        _count_record(record, totals, ids)
    totals["distinct_ids"] = len(ids)
    return ImportCounts(**totals)


def _from_header(message: SourceMessage) -> bool:
    return isinstance(message, SourceSystem) and message.origin is SystemOrigin.POLICY


def _count_record(record: SourceRecord, totals: dict[str, int], ids: set[str]) -> None:
    pairing = pair(record)
    turns = [message for message in record.messages if isinstance(message, SourceTurn)]
    results = [message for message in record.messages if isinstance(message, SourceResult)]
    calls = [(turn.actor, call) for turn in turns for call in turn.calls]
    own = [call.call_id.value for _, call in calls if call.call_id.named]
    ids.update(own)
    messages = sum(not _from_header(message) for message in record.messages)
    totals["runs"] += 1
    totals["empty_runs"] += messages == 0
    totals["messages"] += messages
    totals["agent_calls"] += sum(actor is Actor.AGENT for actor, _ in calls)
    totals["user_calls"] += sum(actor is Actor.USER for actor, _ in calls)
    totals["calls_without_id"] += len(pairing.synthetic)
    totals["runs_with_reused_ids"] += bool(pairing.reused_ids)
    totals["repeated_ids"] += len(own) - len(set(own))
    totals["blank_call_messages"] += sum(bool(turn.calls) and turn.text.blank for turn in turns)
    totals["unparsable_arguments"] += sum(isinstance(call.arguments.reading, UnparsableArguments) for _, call in calls)
    totals["results"] += len(results)
    totals["empty_results"] += sum(result.content.value == "" for result in results)
    totals["orphan_results"] += len(pairing.orphans)
    totals["paired_results"] += len(results) - len(pairing.orphans)
    totals["unanswered_calls"] += len(pairing.unanswered)
