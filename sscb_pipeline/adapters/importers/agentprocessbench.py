"""AgentProcessBench: JSON Lines `{question, data_source, messages, tools, step_labels, final_label, …}`.

Messages are OpenAI-style; in the τ² part a simulated user's calls are calls of a user message. `step_labels` (message
index as text to -1, 0 or 1) are evaluator-side: they stand in `ImportedRun.step_labels`, never in the record. The
question is the user request that clusters runs, and is the run's task.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sscb_pipeline.adapters.importers.foreign import Value
from sscb_pipeline.adapters.importers.imported import ImportedRun, StepLabels
from sscb_pipeline.adapters.importers.json_lines import first_keys, objects
from sscb_pipeline.adapters.importers.openai_messages import chat_message, tools_of
from sscb_pipeline.trajectories.source_record import Actor, PairingRule, SourceOrigin, SourceRecord, SourceTurn
from sscb_pipeline.trajectories.steps import Complete, CutShort

_RECORD = frozenset({"messages", "tools", "step_labels"})
_VALUES = (-1, 0, 1)


class AgentProcessBench:
    """Importer of AgentProcessBench files."""

    @property
    def name(self) -> str:
        """See `Importer`."""
        return "agentprocessbench"

    def recognises(self, head: bytes) -> bool:
        """A first line with messages and step labels."""
        return {"messages", "step_labels"} <= first_keys(head)

    def lines(self, lines: Iterable[bytes], file: str) -> Iterator[ImportedRun]:
        """See `LineImporter`. Raises InputError for a label of what is no assistant message, and of another value."""
        for position, line in enumerate(objects(lines, file)):
            messages = tuple(chat_message(message) for message in line.key("messages").items())
            record = SourceRecord(
                origin=SourceOrigin(
                    format=self.name,
                    file=file,
                    position=position,
                    task=line.key("question").string(),
                    trial=line.key("sample_index").label() if line.has("sample_index") else "",
                ),
                pairing_rule=PairingRule.BY_ID,
                stop_markers=(),
                tools=tools_of(line),
                messages=messages,
                extent=Complete() if messages else CutShort(reason="the run holds no message"),
            )
            evaluation = {key: value for key, value in line.mapping().items() if key not in _RECORD}
            yield ImportedRun(record=record, evaluation=evaluation, step_labels=_labels(line, record))


def _labels(line: Value, record: SourceRecord) -> StepLabels:
    labels = line.key("step_labels")
    found: StepLabels = {}
    for index in labels.mapping():
        label = labels.key(index)
        if type(label.value) is not int or label.value not in _VALUES:
            raise label.refuse("a step label of -1, 0 or 1")
        if not (index.isdecimal() and index.isascii() and str(int(index)) == index):
            raise labels.refuse("labels under message indices from 0")
        place = int(index)
        turn = record.messages[place] if place < len(record.messages) else None
        if not isinstance(turn, SourceTurn) or turn.actor is not Actor.AGENT:
            raise label.refuse(f"labels of assistant messages only (message {index} is none)")
        found[place] = label.value
    return found
