"""The fields a complete packet must let a reader recover, as values that can be compared."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import assert_never

from sscb_pipeline.packets.input_contract import Scope
from sscb_pipeline.packets.target import Target
from sscb_pipeline.packets.task_context import NoRequest, Request, request_of
from sscb_pipeline.trajectories.arguments import ArgumentForm
from sscb_pipeline.trajectories.source_record import (
    NO_KEY,
    Actor,
    Requestor,
    SourceHandoff,
    SourceMessage,
    SourceRecord,
    SourceResult,
    SourceSystem,
    SourceText,
    SourceTurn,
    ToolsNotRecorded,
    given,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownCall:
    """A call; `arguments` is the exact text, or NO_KEY where the source gave none."""

    call_id: SourceText
    tool: str
    arguments: SourceText


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownSystem:
    """A system text."""

    text: SourceText


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownTurn:
    """A turn of the agent or the user."""

    actor: Actor
    speaker: SourceText
    text: SourceText
    refusal: SourceText
    calls: tuple[ShownCall, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownResult:
    """A tool result."""

    call_id: SourceText
    tool: SourceText
    content: SourceText
    requestor: Requestor


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownHandoff:
    """A hand-over to another agent."""

    recipient: str
    text: SourceText


ShownMessage = ShownSystem | ShownTurn | ShownResult | ShownHandoff


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownTool:
    """A tool definition; `parameters` is JSON text with the keys in the source's order."""

    name: str
    description: str
    parameters: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PacketFields:
    """All that a packet of rendering C says. `messages[i]` is message i of the record, `target` an index into it."""

    question: str
    request: Request | NoRequest
    tools: tuple[ShownTool, ...] | ToolsNotRecorded
    scope: Scope
    target: int
    messages: tuple[ShownMessage, ...]


def fields_of(record: SourceRecord, target: Target, scope: Scope, question: str) -> PacketFields:
    """The fields a packet of this record, target and scope must hold."""
    tools = record.tools
    in_scope = record.messages[: target.message + 1] if scope is Scope.PREFIX else record.messages
    return PacketFields(
        question=question,
        request=request_of(record),
        tools=tools
        if isinstance(tools, ToolsNotRecorded)
        else tuple(
            ShownTool(
                name=tool.name,
                description=tool.description,
                parameters=json.dumps(dict(tool.parameters), ensure_ascii=False, allow_nan=False),
            )
            for tool in tools
        ),
        scope=scope,
        target=target.message,
        messages=tuple(_shown(message) for message in in_scope),
    )


def _shown(message: SourceMessage) -> ShownMessage:
    match message:
        case SourceSystem():
            return ShownSystem(text=message.text)
        case SourceTurn():
            return ShownTurn(
                actor=message.actor,
                speaker=message.speaker,
                text=message.text,
                refusal=message.refusal,
                calls=tuple(
                    ShownCall(
                        call_id=call.call_id,
                        tool=call.tool,
                        arguments=NO_KEY if call.arguments.form is ArgumentForm.ABSENT else given(call.arguments.raw),
                    )
                    for call in message.calls
                ),
            )
        case SourceResult():
            return ShownResult(
                call_id=message.call_id, tool=message.tool, content=message.content, requestor=message.requestor
            )
        case SourceHandoff():
            return ShownHandoff(recipient=message.recipient, text=message.text)
        case _:
            assert_never(message)
