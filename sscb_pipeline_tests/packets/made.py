"""Records for tests of packets, made by hand."""

from __future__ import annotations

from dataclasses import replace

from sscb_pipeline.trajectories.arguments import Arguments, from_text
from sscb_pipeline.trajectories.source_record import (
    NO_KEY,
    NULL,
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
    given,
)
from sscb_pipeline.trajectories.steps import Complete, ToolDefinition

TOOLS = (
    ToolDefinition(name="look", description="Look.\n[NOTE] twice", parameters={"type": "object"}),
    ToolDefinition(name="move", description="", parameters={}),
)


def text_of(value: str | None) -> SourceText:
    """A text, or null."""
    return NULL if value is None else given(value)


def call(call_id: str, tool: str, arguments: str | Arguments = "{}") -> SourceCall:
    """A call of the agent or the user."""
    return SourceCall(
        call_id=given(call_id),
        tool=tool,
        arguments=from_text(arguments) if isinstance(arguments, str) else arguments,
    )


def agent(text: str | None, *calls: SourceCall) -> SourceTurn:
    """A turn of the agent."""
    return SourceTurn(actor=Actor.AGENT, text=text_of(text), refusal=NO_KEY, reasoning=given("SECRET"), calls=calls)


def user(text: str | None, *calls: SourceCall) -> SourceTurn:
    """A turn of the simulated user."""
    return SourceTurn(actor=Actor.USER, text=text_of(text), refusal=NO_KEY, reasoning=NO_KEY, calls=calls)


def result(call_id: str, content: str | None, requestor: Requestor = Requestor.AGENT) -> SourceResult:
    """A result; error marks are never shown."""
    return SourceResult(
        call_id=given(call_id), tool=NO_KEY, content=text_of(content), requestor=requestor, error=ErrorMark.ERROR
    )


def system(text: str) -> SourceSystem:
    """Instructions."""
    return SourceSystem(text=given(text), origin=SystemOrigin.MESSAGE)


def record(*messages: SourceMessage) -> SourceRecord:
    """A record of these messages, paired by id."""
    return SourceRecord(
        origin=SourceOrigin(format="made", file="made", position=0, task="t", trial=""),
        pairing_rule=PairingRule.BY_ID,
        stop_markers=(),
        tools=TOOLS,
        messages=messages,
        extent=Complete(),
    )


BASE = record(
    system("Policy."),
    user("Move my bag."),
    agent("I look.", call("a", "look", '{"x": 1}'), call("b", "look", '{"x": 2}')),
    result("a", "one"),
    result("b", "two"),
    user(None, call("u", "press", '{"k": "v"}')),
    result("u", "pressed", Requestor.USER),
    user("I pressed it."),
    agent(None, call("c", "move", '{"to": "hall"}')),
    result("c", "moved"),
    agent("Done."),
)
"""Targets are message 2 (text and two parallel calls) and message 8 (blank)."""
FIRST, SECOND = 2, 8


def changed(base: SourceRecord, index: int, message: SourceMessage) -> SourceRecord:
    """One message replaced."""
    return replace(base, messages=(*base.messages[:index], message, *base.messages[index + 1 :]))


def without(base: SourceRecord, index: int) -> SourceRecord:
    """One message left out."""
    return replace(base, messages=(*base.messages[:index], *base.messages[index + 1 :]))


def inserted(base: SourceRecord, index: int, message: SourceMessage) -> SourceRecord:
    """One message more, before `index`."""
    return replace(base, messages=(*base.messages[:index], message, *base.messages[index:]))
