"""Chats as JSON Lines: one object `{messages, tools?}` per line, messages in the layout of OpenAI's chat API."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sscb_pipeline.adapters.importers.foreign import Value
from sscb_pipeline.adapters.importers.imported import ImportedRun
from sscb_pipeline.adapters.importers.json_lines import first_keys, objects
from sscb_pipeline.adapters.importers.openai_messages import chat_message, tools_of
from sscb_pipeline.trajectories.source_record import PairingRule, SourceOrigin, SourceRecord
from sscb_pipeline.trajectories.steps import Complete, CutShort

_OTHERS = frozenset({"step_labels", "simulations", "inference_log", "history", "traj"})
_NAMES = ("id", "custom_id", "task_id")


class OpenAIChat:
    """Importer of chats as JSON Lines."""

    @property
    def name(self) -> str:
        """See `Importer`."""
        return "openai_chat"

    def recognises(self, head: bytes) -> bool:
        """A first line with `messages` and without the keys of another format."""
        keys = first_keys(head)
        return "messages" in keys and not keys & _OTHERS

    def lines(self, lines: Iterable[bytes], file: str) -> Iterator[ImportedRun]:
        """See `LineImporter`. Pairing is by id; a chat that is empty is cut short, any other is complete."""
        for position, line in enumerate(objects(lines, file)):
            messages = tuple(chat_message(message) for message in line.key("messages").items())
            record = SourceRecord(
                origin=SourceOrigin(
                    format=self.name, file=file, position=position, task=_task(line, position), trial=""
                ),
                pairing_rule=PairingRule.BY_ID,
                stop_markers=(),
                tools=tools_of(line),
                messages=messages,
                extent=Complete() if messages else CutShort(reason="the run holds no message"),
            )
            rest = {key: value for key, value in line.mapping().items() if key not in ("messages", "tools")}
            yield ImportedRun(record=record, evaluation=rest)


def _task(line: Value, position: int) -> str:
    for name in _NAMES:
        if line.has(name):
            return line.key(name).label()
    return str(position)
