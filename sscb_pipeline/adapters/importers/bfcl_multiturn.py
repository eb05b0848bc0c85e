"""BFCL v4 multi-turn results: JSON Lines `{id, result, inference_log, …}`.

`inference_log` alternates lists of environment state (evaluator-side, left out) and turns
`{begin_of_turn_query, step_0, step_1, …}`. An assistant item's content is a list of `{tool: "JSON arguments"}`, a
text, or a list with one text. Results have neither id nor name and follow the order of the calls, which the format
declares: pairing is by position. The score file of the same run holds scores and is refused with that word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from sscb_pipeline.adapters.importers.foreign import Value
from sscb_pipeline.adapters.importers.imported import ImportedRun
from sscb_pipeline.adapters.importers.json_lines import first_keys, objects
from sscb_pipeline.adapters.importers.openai_messages import content, tool_definitions
from sscb_pipeline.errors import InputError
from sscb_pipeline.trajectories.source_record import (
    NO_KEY,
    Actor,
    ErrorMark,
    PairingRule,
    Requestor,
    SourceCall,
    SourceMessage,
    SourceOrigin,
    SourceRecord,
    SourceResult,
    SourceSystem,
    SourceText,
    SourceTurn,
    SystemOrigin,
    ToolsNotRecorded,
    given,
)
from sscb_pipeline.trajectories.steps import Complete, CutShort, ToolDefinition

_STEP = re.compile(r"step_(\d+)")
_HARNESS = frozenset({"inference_input", "handler_log", "state_info"})
_RECORD = frozenset({"inference_log", "result"})


class BfclMultiTurn:
    """Importer of BFCL v4 multi-turn result files."""

    @property
    def name(self) -> str:
        """See `Importer`."""
        return "bfcl_multiturn"

    def recognises(self, head: bytes) -> bool:
        """A first line with an id and a result or an inference log, or the summary line of a score file."""
        keys = first_keys(head)
        return {"id", "result"} <= keys or {"id", "inference_log"} <= keys or _is_summary(keys)

    def lines(self, lines: Iterable[bytes], file: str) -> Iterator[ImportedRun]:
        """See `LineImporter`. Raises InputError for a score file and for a run without an inference log."""
        for position, line in enumerate(objects(lines, file)):
            keys = frozenset(line.mapping())
            if _is_summary(keys) or "model_result_raw" in keys:
                raise InputError(
                    subject=line.file,
                    expected="results of BFCL multi-turn runs",
                    found="a BFCL score file, which holds scores and no trajectory",
                    remedy="import the result file of the same run",
                )
            log = line.key("inference_log").items()
            messages = tuple(_messages(log))
            record = SourceRecord(
                origin=SourceOrigin(
                    format=self.name, file=file, position=position, task=line.key("id").label(), trial=""
                ),
                pairing_rule=PairingRule.BY_POSITION,
                stop_markers=(),
                tools=_tools(log),
                messages=messages,
                extent=Complete() if messages else CutShort(reason="the run holds no message"),
            )
            evaluation = {key: value for key, value in line.mapping().items() if key not in _RECORD}
            yield ImportedRun(record=record, evaluation={**evaluation, "state": _states(log)})


def _is_summary(keys: frozenset[str]) -> bool:
    return {"accuracy", "correct_count", "total_count"} <= keys


def _states(log: list[Value]) -> list[Any]:
    return [entry.value for entry in log if isinstance(entry.value, list)]


def _items(log: list[Value]) -> Iterator[Value]:
    """The items of all turns in order; steps by their number, not by their place in the object."""
    for turn in log:
        if isinstance(turn.value, list):
            continue
        steps: dict[int, Value] = {}
        for key in turn.mapping():
            match = _STEP.fullmatch(key)
            if match:
                steps[int(match.group(1))] = turn.key(key)
            elif key != "begin_of_turn_query":
                raise turn.key(key).refuse("the query of a turn or a step of it")
        if turn.has("begin_of_turn_query"):
            yield from turn.key("begin_of_turn_query").items()
        for number in sorted(steps):
            yield from steps[number].items()


def _messages(log: list[Value]) -> Iterator[SourceMessage]:
    for item in _items(log):
        role = item.key("role")
        match role.value:
            case "system":
                yield SourceSystem(text=content(item), origin=SystemOrigin.MESSAGE)
            case "user":
                yield _turn(Actor.USER, content(item), ())
            case "assistant":
                yield _assistant(item)
            case "tool":
                yield SourceResult(
                    call_id=item.text("tool_call_id"),
                    tool=item.text("name"),
                    content=content(item),
                    requestor=Requestor.NOT_GIVEN,
                    error=ErrorMark.NOT_GIVEN,
                )
            case str(name) if name in _HARNESS:
                continue
            case _:
                raise role.refuse("one of the roles system, user, assistant, tool, " + ", ".join(sorted(_HARNESS)))


def _assistant(item: Value) -> SourceTurn:
    """Text as a string or as a list of one string; calls as objects of one tool each."""
    if not isinstance(item.mapping().get("content"), list):
        return _turn(Actor.AGENT, item.text("content"), ())
    texts: list[str] = []
    calls: list[SourceCall] = []
    for part in item.key("content").items():
        if isinstance(part.value, str):
            texts.append(part.value)
            continue
        names = list(part.mapping())
        if len(names) != 1:
            raise part.refuse("an object of one tool name and its arguments")
        calls.append(SourceCall(call_id=NO_KEY, tool=names[0], arguments=part.arguments(names[0])))
    if len(texts) > 1:
        raise item.key("content").refuse("at most one text")
    return _turn(Actor.AGENT, given(texts[0]) if texts else NO_KEY, tuple(calls))


def _turn(actor: Actor, text: SourceText, calls: tuple[SourceCall, ...]) -> SourceTurn:
    return SourceTurn(actor=actor, text=text, refusal=NO_KEY, reasoning=NO_KEY, calls=calls)


def _tools(log: list[Value]) -> tuple[ToolDefinition, ...] | ToolsNotRecorded:
    """All definitions the model was sent, in order of first appearance (some tasks hold tools back at first)."""
    found: dict[str, ToolDefinition] = {}
    recorded = False
    for item in _items(log):
        if item.key("role").value != "inference_input" or not isinstance(item.mapping().get("content"), dict):
            continue
        if item.key("content").has("tools"):
            recorded = True
            for tool in tool_definitions(item.key("content").key("tools")):
                found.setdefault(tool.name, tool)
    return tuple(found.values()) if recorded else ToolsNotRecorded()
