"""Source records as bytes, lossless both ways; the same three-line layout as trajectories (see `codec`)."""

from __future__ import annotations

from hashlib import sha256
from typing import Any, assert_never

from sscb_pipeline.trajectories.codec import check_format, dump_extent, load_extent
from sscb_pipeline.trajectories.fields import (
    Place,
    a_list,
    a_mapping,
    a_number,
    a_string,
    dump,
    dump_arguments,
    load_arguments,
    load_line,
    one_of,
    split_lines,
)
from sscb_pipeline.trajectories.source_record import (
    NO_KEY,
    NULL,
    Actor,
    ErrorMark,
    PairingRule,
    Requestor,
    SourceCall,
    SourceHandoff,
    SourceMessage,
    SourceOrigin,
    SourceRecord,
    SourceResult,
    SourceSystem,
    SourceText,
    SourceTurn,
    SystemOrigin,
    TextForm,
    ToolsNotRecorded,
    given,
)
from sscb_pipeline.trajectories.tool_table import decode_tools, encode_tools

FORMAT = "sscb.source-record/2"
"""Name and version, as for trajectories."""

_NOT_RECORDED = b"null"
_HEADER_KEYS = frozenset({"format", "origin", "pairing", "markers", "extent"})
_ORIGIN_KEYS = frozenset({"format", "file", "position", "task", "trial"})
_KEYS = {
    "system": frozenset({"kind", "text", "origin"}),
    "turn": frozenset({"kind", "actor", "speaker", "text", "refusal", "reasoning", "calls"}),
    "result": frozenset({"kind", "id", "tool", "content", "requestor", "error"}),
    "handoff": frozenset({"kind", "recipient", "text"}),
}
_CALL_KEYS = frozenset({"id", "tool", "arguments"})


def encode_source(record: SourceRecord) -> bytes:
    """The bytes of a source record; equal records give equal bytes."""
    origin = record.origin
    header = {
        "format": FORMAT,
        "origin": {
            "format": origin.format,
            "file": origin.file,
            "position": origin.position,
            "task": origin.task,
            "trial": origin.trial,
        },
        "pairing": record.pairing_rule.value,
        "markers": list(record.stop_markers),
        "extent": dump_extent(record.extent),
    }
    tools = _NOT_RECORDED if isinstance(record.tools, ToolsNotRecorded) else encode_tools(record.tools)
    return b"%b\n%b\n%b\n" % (dump(header), tools, dump([_dump_message(message) for message in record.messages]))


def source_digest(record: SourceRecord) -> str:
    """sha256 (hex, 64) of the bytes."""
    return sha256(encode_source(record)).hexdigest()


def decode_source(data: bytes, file: str) -> SourceRecord:
    """The record of some bytes; `file` names them in errors. Raises InputError with place and remedy."""
    header_line, tools_line, messages_line = split_lines(data, file)
    place = Place(file, "line 1")
    header = a_mapping(load_line(header_line, place), place, _HEADER_KEYS)
    check_format(header, place, FORMAT)
    origin_place = place.at(".origin")
    origin = a_mapping(header["origin"], origin_place, _ORIGIN_KEYS)
    markers = a_list(header["markers"], place.at(".markers"))
    lines = Place(file, "line 3, messages")
    messages = a_list(load_line(messages_line, lines), lines)
    return SourceRecord(
        origin=SourceOrigin(
            format=a_string(origin, "format", origin_place),
            file=a_string(origin, "file", origin_place),
            position=a_number(origin, "position", origin_place),
            task=a_string(origin, "task", origin_place),
            trial=a_string(origin, "trial", origin_place),
        ),
        pairing_rule=PairingRule(one_of(header, "pairing", place, frozenset(PairingRule))),
        stop_markers=tuple(a_string({"marker": marker}, "marker", place.at(".markers")) for marker in markers),
        tools=ToolsNotRecorded()
        if tools_line == _NOT_RECORDED
        else decode_tools(tools_line, Place(file, "line 2, tools")),
        messages=tuple(_load_message(value, lines.at(f"[{number}]")) for number, value in enumerate(messages)),
        extent=load_extent(header["extent"], place.at(".extent")),
    )


def _dump_text(text: SourceText) -> Any:
    """A given text is a string, null is null, and a key that is not there is false (nothing else is)."""
    match text.form:
        case TextForm.GIVEN:
            return text.value
        case TextForm.NULL:
            return None
        case TextForm.NO_KEY:
            return False
        case _:
            assert_never(text.form)


def _load_text(record: Any, key: str, place: Place) -> SourceText:
    value = record[key]
    if isinstance(value, str):
        return given(value)
    if value is None:
        return NULL
    if value is False:
        return NO_KEY
    raise place.at(f".{key}").refuse("a string, null, or false for no key", type(value).__name__)


def _dump_message(message: SourceMessage) -> dict[str, Any]:
    match message:
        case SourceSystem():
            return {"kind": "system", "text": _dump_text(message.text), "origin": message.origin.value}
        case SourceTurn():
            return {
                "kind": "turn",
                "actor": message.actor.value,
                "speaker": _dump_text(message.speaker),
                "text": _dump_text(message.text),
                "refusal": _dump_text(message.refusal),
                "reasoning": _dump_text(message.reasoning),
                "calls": [
                    {
                        "id": _dump_text(call.call_id),
                        "tool": call.tool,
                        "arguments": dump_arguments(call.arguments),
                    }
                    for call in message.calls
                ],
            }
        case SourceResult():
            return {
                "kind": "result",
                "id": _dump_text(message.call_id),
                "tool": _dump_text(message.tool),
                "content": _dump_text(message.content),
                "requestor": message.requestor.value,
                "error": message.error.value,
            }
        case SourceHandoff():
            return {"kind": "handoff", "recipient": message.recipient, "text": _dump_text(message.text)}
        case _:
            assert_never(message)


def _load_message(value: Any, place: Place) -> SourceMessage:
    kind = value.get("kind") if isinstance(value, dict) else value
    if not isinstance(kind, str) or kind not in _KEYS:
        raise place.refuse(f"an object of one of the kinds {sorted(_KEYS)}", f"{kind!r:.80}")
    record = a_mapping(value, place, _KEYS[kind])
    match kind:
        case "system":
            return SourceSystem(
                text=_load_text(record, "text", place),
                origin=SystemOrigin(one_of(record, "origin", place, frozenset(SystemOrigin))),
            )
        case "turn":
            calls = a_list(record["calls"], place.at(".calls"))
            return SourceTurn(
                actor=Actor(one_of(record, "actor", place, frozenset(Actor))),
                speaker=_load_text(record, "speaker", place),
                text=_load_text(record, "text", place),
                refusal=_load_text(record, "refusal", place),
                reasoning=_load_text(record, "reasoning", place),
                calls=tuple(_load_call(call, place.at(f".calls[{number}]")) for number, call in enumerate(calls)),
            )
        case "result":
            return SourceResult(
                call_id=_load_text(record, "id", place),
                tool=_load_text(record, "tool", place),
                content=_load_text(record, "content", place),
                requestor=Requestor(one_of(record, "requestor", place, frozenset(Requestor))),
                error=ErrorMark(one_of(record, "error", place, frozenset(ErrorMark))),
            )
        case _:
            return SourceHandoff(recipient=a_string(record, "recipient", place), text=_load_text(record, "text", place))


def _load_call(value: Any, place: Place) -> SourceCall:
    record = a_mapping(value, place, _CALL_KEYS)
    return SourceCall(
        call_id=_load_text(record, "id", place),
        tool=a_string(record, "tool", place),
        arguments=load_arguments(record["arguments"], place.at(".arguments")),
    )
