"""Who&When: JSON Lines `{question, history, mistake_agent, mistake_step, mistake_reason, …}`; text only.

The logs hold several agents and no structured call. A message's `name` (where there is none, its role) is its
speaker. The file's roles are those of the group chat (whoever did not speak last is `user`), so who acts is taken
from the speaker: a terminal that runs code and a human stand on the user's side, everyone else is an agent.
`mistake_step` (0-based message index) and all else but the history is evaluator-side.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sscb_pipeline.adapters.importers.foreign import Value
from sscb_pipeline.adapters.importers.imported import ImportedRun
from sscb_pipeline.adapters.importers.json_lines import first_keys, objects
from sscb_pipeline.trajectories.source_record import (
    NO_KEY,
    Actor,
    PairingRule,
    SourceOrigin,
    SourceRecord,
    SourceTurn,
    ToolsNotRecorded,
    given,
)
from sscb_pipeline.trajectories.steps import Complete, CutShort

_USER_SIDE = frozenset({"computer_terminal", "computerterminal", "human", "user"})


class WhoAndWhen:
    """Importer of Who&When files."""

    @property
    def name(self) -> str:
        """See `Importer`."""
        return "who_and_when"

    def recognises(self, head: bytes) -> bool:
        """A first line with a history and a mistake's step."""
        return {"history", "mistake_step"} <= first_keys(head)

    def lines(self, lines: Iterable[bytes], file: str) -> Iterator[ImportedRun]:
        """See `LineImporter`. Raises InputError for a mistake's step that the history does not have."""
        for position, line in enumerate(objects(lines, file)):
            history = line.key("history").items()
            step = line.key("mistake_step").label()
            if not (step.isascii() and step.isdecimal() and int(step) < len(history)):
                raise line.key("mistake_step").refuse(f"the index of one of the {len(history)} messages")
            task = line.key("question_ID").label() if line.has("question_ID") else str(position)
            record = SourceRecord(
                origin=SourceOrigin(format=self.name, file=file, position=position, task=task, trial=""),
                pairing_rule=PairingRule.BY_ID,
                stop_markers=(),
                tools=ToolsNotRecorded(),
                messages=tuple(_turn(message) for message in history),
                extent=Complete() if history else CutShort(reason="the run holds no message"),
            )
            rest = {key: value for key, value in line.mapping().items() if key != "history"}
            roles = [message.mapping().get("role") for message in history]
            yield ImportedRun(record=record, evaluation={**rest, "mistake_message": int(step), "roles": roles})


def _turn(message: Value) -> SourceTurn:
    speaker = (message.key("name") if message.has("name") else message.key("role")).string()
    return SourceTurn(
        actor=Actor.USER if speaker.lower() in _USER_SIDE else Actor.AGENT,
        text=message.text("content"),
        refusal=NO_KEY,
        reasoning=NO_KEY,
        calls=(),
        speaker=given(speaker),
    )
