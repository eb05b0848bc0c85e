"""Rendering C, complete and injective: R with ids, links, speakers, tool definitions and the form of each text.

`parse_complete` recovers from the bytes everything that `fields.fields_of` names; two packets whose fields differ
are different bytes.
"""

from __future__ import annotations

import json
from typing import assert_never

from sscb_pipeline.packets.escape import escape_body, escape_line, escape_name
from sscb_pipeline.packets.renderings.original import ROLE
from sscb_pipeline.packets.renderings.restored import call_line
from sscb_pipeline.trajectories.arguments import ArgumentForm
from sscb_pipeline.trajectories.source_record import (
    Actor,
    Requestor,
    SourceCall,
    SourceHandoff,
    SourceMessage,
    SourceRecord,
    SourceResult,
    SourceSystem,
    SourceText,
    SourceTurn,
    TextForm,
    ToolsNotRecorded,
)
from sscb_pipeline.trajectories.steps import ToolDefinition

ABSENT = "(absent)"
_FORM = {TextForm.NULL: "(null)", TextForm.NO_KEY: "(no key)"}


def tools(record: SourceRecord) -> str:
    """The tool definitions, before the messages."""
    if isinstance(record.tools, ToolsNotRecorded):
        return "[TOOLS] (not recorded)"
    if not record.tools:
        return "[TOOLS] (none)"
    return "\n".join(["[TOOLS]", *(_definition(tool) for tool in record.tools)])


def _definition(tool: ToolDefinition) -> str:
    parameters = json.dumps(dict(tool.parameters), ensure_ascii=False, allow_nan=False)
    described = f"[DESCRIPTION]\n{escape_body(tool.description)}" if tool.description else "[DESCRIPTION] (empty)"
    return f"[TOOL DEFINITION] {escape_name(tool.name)}\n[PARAMETERS] {escape_line(parameters)}\n{described}"


def block(message: SourceMessage) -> str:
    """A message as C shows it."""
    match message:
        case SourceSystem():
            return _said("[SYSTEM]", message.text)
        case SourceTurn():
            return "\n".join(_turn(message))
        case SourceResult():
            return "\n".join(_result(message))
        case SourceHandoff():
            return _said(f"[HANDOFF] {escape_name(message.recipient)}\n[HANDOFF TEXT]", message.text)
        case _:
            assert_never(message)


def _said(line: str, text: SourceText) -> str:
    if text.named:
        return f"{line}\n{escape_body(text.value)}"
    return f"{line} {_FORM.get(text.form, '(empty)')}"


def _given(text: SourceText) -> str:
    """An id or a name on a line; begins with `(` only where it is none."""
    return escape_name(text.value) if text.named else _FORM.get(text.form, "(empty)")


def _turn(message: SourceTurn) -> list[str]:
    parts = []
    if message.speaker.form is not TextForm.NO_KEY:
        parts.append(f"[SPEAKER] {_given(message.speaker)}")
    parts.append(_said(ROLE[message.actor], message.text))
    if message.refusal.form is not TextForm.NO_KEY:
        parts.append(_said("[REFUSAL]", message.refusal))
    for call in message.calls:
        parts.extend(_call(message.actor, call))
    return parts


def _call(actor: Actor, call: SourceCall) -> list[str]:
    lines = [call_line(actor, call), f"[CALL ID] {_given(call.call_id)}"]
    if call.arguments.form is ArgumentForm.ABSENT:
        lines.append(f"[ARGUMENTS] {ABSENT}")
    return lines


def _result(message: SourceResult) -> list[str]:
    lines = [f"[TOOL NAME] {_given(message.tool)}", f"[CALL ID] {_given(message.call_id)}"]
    if message.requestor is not Requestor.NOT_GIVEN:
        lines.append(f"[REQUESTOR] {message.requestor.value}")
    return [*lines, _said("[TOOL RESULT]", message.content)]
