"""τ-bench v1 results: a JSON list of runs `{task_id, reward, info, traj, trial}` with OpenAI-style messages.

Real files repeat call ids, leave ids and content keys out, hold arguments that are no JSON, hold empty runs where
the harness crashed, and write calls as plain text. Calls in text stay text: they were text to whoever read them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sscb_pipeline.adapters.importers.foreign import Value, document
from sscb_pipeline.adapters.importers.imported import ImportedRun
from sscb_pipeline.adapters.importers.openai_messages import chat_message
from sscb_pipeline.trajectories import stop_markers
from sscb_pipeline.trajectories.source_record import (
    PairingRule,
    SourceOrigin,
    SourceRecord,
    ToolsNotRecorded,
)
from sscb_pipeline.trajectories.steps import Complete, CutShort

_HEAD = re.compile(rb'\s*\[\s*\{\s*"(task_id|traj|trial|reward|info)"\s*:')


class TauBenchV1:
    """Importer of τ-bench v1 result files."""

    @property
    def name(self) -> str:
        """See `Importer`."""
        return "taubench_v1"

    def recognises(self, head: bytes) -> bool:
        """A list whose first run begins with one of the format's keys."""
        return _HEAD.match(head) is not None

    def runs(self, data: bytes, file: str) -> Iterator[ImportedRun]:
        """See `Importer`. A run that ended in an exception of the harness is cut short."""
        for position, run in enumerate(document(data, file).items()):
            yield self._run(run, file, position)

    def _run(self, run: Value, file: str, position: int) -> ImportedRun:
        origin = SourceOrigin(
            format=self.name,
            file=file,
            position=position,
            task=run.key("task_id").label(),
            trial=run.key("trial").label() if run.has("trial") else "",
        )
        record = SourceRecord(
            origin=origin,
            pairing_rule=PairingRule.BY_ID,
            stop_markers=stop_markers.TAUBENCH_V1,
            tools=ToolsNotRecorded(),
            messages=tuple(chat_message(message) for message in run.key("traj").items()),
            extent=_extent(run),
        )
        evaluation = {key: value for key, value in run.mapping().items() if key != "traj"}
        return ImportedRun(record=record, evaluation=evaluation)


def _extent(run: Value) -> Complete | CutShort:
    """Every regular end (stop, transfer, step limit) leaves a complete history; an exception does not."""
    if run.has("info") and run.key("info").has("error"):
        return CutShort(reason="the harness recorded an exception")
    if not run.key("traj").items():
        return CutShort(reason="the run holds no message")
    return Complete()
