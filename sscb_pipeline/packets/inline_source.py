"""The inline checker's view of a source record: one-to-one links in both directions, arguments, expected parts.

Part of the inline checker (see `check_inline`): nothing here is shared with the disk checker or the renderers.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import assert_never

from sscb_pipeline.packets.findings import Findings
from sscb_pipeline.packets.input_contract import InputContract, MalformedCalls, Rendering, TrailingCalls
from sscb_pipeline.packets.requirement import Requirement
from sscb_pipeline.trajectories.arguments import ArgumentForm, UnparsableArguments
from sscb_pipeline.trajectories.source_record import (
    Actor,
    PairingRule,
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

Rest = str | tuple[str, str]
"""What stands after a structural line's bracket: text, or name and arguments of a call."""
Part = tuple[str, Rest, str | None]
"""A structural line (its bracket), the rest of it, and the text below it or None where there is none."""

_ROLE = {Actor.AGENT: "[ASSISTANT]", Actor.USER: "[USER]"}
_CALL = {Actor.AGENT: "[TOOL CALL]", Actor.USER: "[USER TOOL CALL]"}
_Waiting = tuple[int, Actor, SourceCall]


def examine_links(record_id: str, record: SourceRecord, contract: InputContract, findings: Findings) -> None:
    """Every call has its result, every result its call, whoever made the call; arguments are readable."""
    findings.examined(Requirement.CALL_HAS_RESULT, Requirement.RESULT_HAS_CALL, Requirement.ARGUMENTS_READABLE)
    waiting: list[_Waiting] = []
    last_turn = -1
    for index, message in enumerate(record.messages):
        if isinstance(message, SourceTurn):
            last_turn = index
            for call in message.calls:
                waiting.append((index, message.actor, call))
                unreadable = isinstance(call.arguments.reading, UnparsableArguments)
                if unreadable and contract.malformed_calls is MalformedCalls.REJECT:
                    told = f"{record_id}, message {index}: arguments of {call.tool} are no JSON object"
                    findings.broke(Requirement.ARGUMENTS_READABLE, told)
        elif isinstance(message, SourceResult):
            problem = _close(message, waiting, record.pairing_rule)
            if problem:
                findings.broke(Requirement.RESULT_HAS_CALL, f"{record_id}, message {index}: {problem}")
    for index, actor, call in waiting:
        if index != last_turn or contract.trailing_calls is TrailingCalls.REFUSED:
            told = f"{record_id}, message {index}: the {actor.value}'s call of {call.tool} has no result"
            findings.broke(Requirement.CALL_HAS_RESULT, told)


def _close(result: SourceResult, waiting: list[_Waiting], rule: PairingRule) -> str:
    """Take the call a result answers off the list; says what is wrong, or nothing."""
    open_calls = [
        entry
        for entry in waiting
        if result.requestor is Requestor.NOT_GIVEN or entry[1].value == result.requestor.value
    ]
    by_id = rule is PairingRule.BY_ID and result.call_id.named
    if by_id:
        open_calls = [entry for entry in open_calls if entry[2].call_id.value == result.call_id.value]
    elif rule is PairingRule.BY_ID and len(open_calls) > 1:
        return f"the result has no id and could answer {len(open_calls)} calls"
    if not open_calls:
        named = f" {result.call_id.value!r}" if result.call_id.named else ""
        return f"the result answers no call{named}"
    newest = open_calls[-1][0]
    answered = next(entry for entry in open_calls if entry[0] == newest)
    waiting.remove(answered)
    call = answered[2]
    if result.tool.named and result.tool.value != call.tool:
        return f"the result of {result.tool.value!r} meets a call of {call.tool!r} in message {newest}"
    if result.call_id.named and call.call_id.named and result.call_id.value != call.call_id.value:
        return f"the result for {result.call_id.value!r} meets call {call.call_id.value!r} in message {newest}"
    return ""


def asked(record: SourceRecord) -> str | None:
    """The request a packet must show: the user's first text outside calls, else anyone's first text, else None."""
    anyone = None
    for message in record.messages:
        if isinstance(message, SourceTurn) and message.text.value.strip():
            if message.actor is Actor.USER and not message.calls:
                return message.text.value
            anyone = message.text.value if anyone is None else anyone
    return anyone


def expected_tools(record: SourceRecord) -> list[Part]:
    """The parts of the tool definitions in rendering C."""
    if isinstance(record.tools, ToolsNotRecorded):
        return [("[TOOLS]", "(not recorded)", None)]
    if not record.tools:
        return [("[TOOLS]", "(none)", None)]
    parts: list[Part] = [("[TOOLS]", "", None)]
    for tool in record.tools:
        parts.append(("[TOOL DEFINITION]", tool.name, None))
        parts.append(("[PARAMETERS]", json.dumps(dict(tool.parameters), ensure_ascii=False), None))
        described: Part = ("[DESCRIPTION]", "", tool.description) if tool.description else _EMPTY
        parts.append(described)
    return parts


_EMPTY: Part = ("[DESCRIPTION]", "(empty)", None)


def expected_parts(message: SourceMessage, rendering: Rendering) -> list[Part]:
    """The parts of a message in a rendering, unescaped."""
    complete = rendering is Rendering.COMPLETE
    match message:
        case SourceSystem():
            return [_text("[SYSTEM]", message.text, complete)]
        case SourceTurn():
            return list(_turn(message, rendering))
        case SourceResult():
            content = _text("[TOOL RESULT]", message.content, complete)
            if not complete:
                return [content if message.content.value else ("[TOOL RESULT]", "(empty)", None)]
            parts: list[Part] = [
                ("[TOOL NAME]", _known(message.tool), None),
                ("[CALL ID]", _known(message.call_id), None),
            ]
            if message.requestor is not Requestor.NOT_GIVEN:
                parts.append(("[REQUESTOR]", message.requestor.value, None))
            return [*parts, content]
        case SourceHandoff():
            if complete:
                return [("[HANDOFF]", message.recipient, None), _text("[HANDOFF TEXT]", message.text, complete)]
            return [("[HANDOFF]", message.recipient, message.text.value or None)]
        case _:
            assert_never(message)


def _turn(message: SourceTurn, rendering: Rendering) -> Iterator[Part]:
    complete = rendering is Rendering.COMPLETE
    if complete and message.speaker.form is not TextForm.NO_KEY:
        yield ("[SPEAKER]", _known(message.speaker), None)
    yield _text(_ROLE[message.actor], message.text, complete)
    if message.refusal.value or (complete and message.refusal.form is not TextForm.NO_KEY):
        yield _text("[REFUSAL]", message.refusal, complete)
    if rendering is Rendering.ORIGINAL:
        return
    for call in message.calls:
        yield (_CALL[message.actor], (call.tool, call.arguments.raw), None)
        if complete:
            yield ("[CALL ID]", _known(call.call_id), None)
            if call.arguments.form is ArgumentForm.ABSENT:
                yield ("[ARGUMENTS]", "(absent)", None)


def _text(bracket: str, text: SourceText, complete: bool) -> Part:
    if text.value:
        return (bracket, "", text.value)
    return (bracket, _known(text) if complete else "", None)


def _known(text: SourceText) -> str:
    """A value, or the sign of its absence; a value that begins with a bracket is told apart by the escape."""
    match text.form:
        case TextForm.GIVEN:
            return f"={text.value}" if text.value else "(empty)"
        case TextForm.NULL:
            return "(null)"
        case TextForm.NO_KEY:
            return "(no key)"
        case _:
            assert_never(text.form)
