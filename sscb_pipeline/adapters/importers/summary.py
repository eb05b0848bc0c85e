"""What an import found, counted while the runs stream by."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from sscb_pipeline.adapters.importers.imported import ImportedRun, count
from sscb_pipeline.trajectories.projection import project
from sscb_pipeline.trajectories.source_record import SourceRecord, SourceTurn

_BLOCK = re.compile(r"<tool_call>\s*\{")
_ACTION = re.compile(r"^\s*Action:\s*(?:```\w*\s*)?\{", re.MULTILINE)


KEYS = (
    "runs",
    "steps",
    "calls",
    "results",
    "call_steps",
    "blank_call_steps",
    "calls_without_result",
    "results_without_call",
    "reused_ids",
    "unparsable_arguments",
    "user_calls",
    "empty_runs",
)
"""What is counted, in the order in which it is told."""


@dataclass(slots=True, kw_only=True)
class ImportSummary:
    """Counts over a file. `steps` are those of the trajectories (SPEC 1); a call step is a message that carries at
    least one call, of the agent or the user; `reused_ids` counts calls whose id an earlier call of the run has.

    `text_calls` are calls that stand in texts only, as `<tool_call>` blocks or ReAct actions: they stay text.
    """

    format: str
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KEYS, 0))
    text_calls: int = 0

    def add(self, run: ImportedRun) -> None:
        """Count one run. Raises PairingConflictError where its results cannot be linked."""
        found = count([run.record])
        self.text_calls += _text_calls(run.record)
        turns = [message for message in run.record.messages if isinstance(message, SourceTurn) and message.calls]
        for key, number in {
            "runs": 1,
            "steps": len(project(run.record).trajectory.steps),
            "calls": found.calls,
            "results": found.results,
            "call_steps": len(turns),
            "blank_call_steps": found.blank_call_messages,
            "calls_without_result": found.unanswered_calls,
            "results_without_call": found.orphan_results,
            "reused_ids": found.repeated_ids,
            "unparsable_arguments": found.unparsable_arguments,
            "user_calls": found.user_calls,
            "empty_runs": found.empty_runs,
        }.items():
            self.counts[key] += number

    def told(self) -> dict[str, str | int]:
        """The summary as `sscb import --json` prints it."""
        return {"format": self.format, **self.counts}


def summarise(name: str, runs: Iterable[ImportedRun]) -> ImportSummary:
    """Count over runs of the format `name`; none of them is kept. Raises as reading them does, and for conflicts."""
    summary = ImportSummary(format=name)
    for run in runs:
        summary.add(run)
    return summary


def _text_calls(record: SourceRecord) -> int:
    return sum(
        len(_BLOCK.findall(message.text.value)) + len(_ACTION.findall(message.text.value))
        for message in record.messages
        if isinstance(message, SourceTurn)
    )
