"""The disk checker's view of a source record: links by looking back from each result, and what must be written.

Part of the disk checker (see `check_disk`): nothing here is shared with the inline checker or the renderers. It goes
the other way round than the inline checker: from the record to the exact lines a packet must hold.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence

from sscb_pipeline.packets.input_contract import InputContract, MalformedCalls, Rendering, TrailingCalls
from sscb_pipeline.packets.requirement import Requirement
from sscb_pipeline.trajectories.arguments import ArgumentForm, ParsedArguments
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

Report = Callable[[Requirement, str], None]

_FORM_WORD = {TextForm.NULL: "(null)", TextForm.NO_KEY: "(no key)", TextForm.GIVEN: "(empty)"}
_SHOWN_ROLE = {Actor.AGENT: "[ASSISTANT]", Actor.USER: "[USER]"}
_WIDE = {code: f"\\u{code:04x}" for code in (0x2028, 0x2029, 0xFEFF, *range(0xD800, 0xE000))}
_TABLE = {code: f"\\u{code:04x}" for code in (*range(9), *range(11, 32), *range(0x7F, 0xA0))} | _WIDE
_CONTROL = bytes([*range(9), *range(11, 32), 127])
_WIDE_BYTES = (b"\xe2\x80\xa8", b"\xe2\x80\xa9", b"\xef\xbb\xbf")
_C1_OR_SURROGATE = re.compile(rb"\xc2[\x80-\x9f]|\xed[\xa0-\xbf]")
_HEX = "0123456789abcdef"
_BRACKET = re.compile(r"(?:(?<=\n)|\A)\[(?=[A-Z])")


def _like_an_escape(four: str) -> bool:
    if len(four) != 4 or any(digit not in _HEX for digit in four):
        return False
    code = int(four, 16)
    return code in _TABLE or code in (0x0A, 0x28, 0x5B, 0x5C)


def _kept_apart(text: str) -> str:
    """Backslashes that begin something like an escape, written as one."""
    if "\\u" not in text:
        return text
    pieces = text.split("\\u")
    written = [pieces[0]]
    for piece in pieces[1:]:
        written.append("\\u005cu" if _like_an_escape(piece[:4]) else "\\u")
        written.append(piece)
    return "".join(written)


def holds_hidden(data: bytes) -> bool:
    """Whether UTF-8 bytes (surrogates passed through) hold a character that is escaped wherever it stands."""
    if len(data.translate(None, _CONTROL)) != len(data) or any(wide in data for wide in _WIDE_BYTES):
        return True
    return (b"\xc2" in data or b"\xed" in data) and _C1_OR_SURROGATE.search(data) is not None


def _shown(text: str) -> str:
    """Hidden characters written out. Most texts hold none, and that is found out faster than by translating."""
    kept = _kept_apart(text)
    return kept.translate(_TABLE) if holds_hidden(kept.encode("utf-8", "surrogatepass")) else kept


def below(text: str) -> str:
    """A text on lines of its own, as a packet must hold it."""
    shown = _shown(text)
    return _BRACKET.sub(r"\\u005b", shown) if "[" in shown else shown


def beside(text: str) -> str:
    """A text on a structural line."""
    return _shown(text).replace("\n", "\\u000a")


def name(text: str) -> str:
    """A name or id on a structural line."""
    return beside(text).replace("(", "\\u0028")


def examine_links(record_id: str, record: SourceRecord, contract: InputContract, report: Report) -> None:
    """Looks back from each result for its call; what is left of the calls has no result."""
    messages = record.messages
    answered: set[tuple[int, int]] = set()
    for index, message in enumerate(messages):
        if isinstance(message, SourceResult):
            place = f"{record_id}, message {index}"
            match _look_back(messages, index, message, record.pairing_rule, answered):
                case []:
                    report(Requirement.RESULT_HAS_CALL, f"{place}: no open call before this result")
                case [(at, position), *others]:
                    needs_one = record.pairing_rule is PairingRule.BY_ID and not message.call_id.value
                    if needs_one and others:
                        report(Requirement.RESULT_HAS_CALL, f"{place}: {1 + len(others)} calls could be meant")
                        continue
                    answered.add((at, position))
                    _compare(messages[at], position, message, place, report)
    final = max((at for at, message in enumerate(messages) if isinstance(message, SourceTurn)), default=0)
    for at, message in enumerate(messages):
        for position, call in enumerate(message.calls if isinstance(message, SourceTurn) else ()):
            place = f"{record_id}, message {at}, call {position}"
            trailing = at == final and contract.trailing_calls is TrailingCalls.ALLOWED
            if (at, position) not in answered and not trailing:
                report(Requirement.CALL_HAS_RESULT, f"{place}: {call.tool} is never answered")
            readable = isinstance(call.arguments.reading, ParsedArguments)
            if not readable and contract.malformed_calls is MalformedCalls.REJECT:
                report(Requirement.ARGUMENTS_READABLE, f"{place}: {call.tool} is called with what is no JSON object")


def _look_back(
    messages: Sequence[SourceMessage],
    index: int,
    result: SourceResult,
    rule: PairingRule,
    answered: set[tuple[int, int]],
) -> list[tuple[int, int]]:
    """The open calls this result may answer, latest message first; inside a message in order."""
    by_id = rule is PairingRule.BY_ID and result.call_id.value != ""
    meant: list[tuple[int, int]] = []
    for at in range(index - 1, -1, -1):
        turn = messages[at]
        if not isinstance(turn, SourceTurn):
            continue
        if result.requestor is Requestor.USER and turn.actor is not Actor.USER:
            continue
        if result.requestor is Requestor.AGENT and turn.actor is not Actor.AGENT:
            continue
        for position, call in enumerate(turn.calls):
            if (at, position) not in answered and (not by_id or call.call_id.value == result.call_id.value):
                meant.append((at, position))
        if meant and by_id:
            break
    return meant


def _compare(turn: SourceMessage, position: int, result: SourceResult, place: str, report: Report) -> None:
    call = turn.calls[position] if isinstance(turn, SourceTurn) else None
    if call is None:
        return
    if result.tool.value not in ("", call.tool):
        report(Requirement.RESULT_HAS_CALL, f"{place}: names {result.tool.value!r}, but {call.tool!r} was called")
    if call.call_id.value and result.call_id.value not in ("", call.call_id.value):
        report(
            Requirement.RESULT_HAS_CALL, f"{place}: has id {result.call_id.value!r}, its call {call.call_id.value!r}"
        )


def request_lines(record: SourceRecord) -> str:
    """The lines of the task context."""
    said = [turn for turn in record.messages if isinstance(turn, SourceTurn) and turn.text.value.strip()]
    users = [turn for turn in said if turn.actor is Actor.USER and not turn.calls]
    for turn in (*users[:1], *said[:1]):
        return f"[TASK CONTEXT]\n{below(turn.text.value)}"
    return "[TASK CONTEXT] (none recorded)"


def tool_lines(record: SourceRecord) -> str:
    """The lines of the tool definitions in rendering C."""
    if isinstance(record.tools, ToolsNotRecorded):
        return "[TOOLS] (not recorded)"
    lines = ["[TOOLS]" if record.tools else "[TOOLS] (none)"]
    for tool in record.tools:
        schema = beside(json.dumps(dict(tool.parameters), ensure_ascii=False))
        about = f"\n{below(tool.description)}" if tool.description else " (empty)"
        lines.append(f"[TOOL DEFINITION] {name(tool.name)}\n[PARAMETERS] {schema}\n[DESCRIPTION]{about}")
    return "\n".join(lines)


def written(message: SourceMessage, rendering: Rendering) -> str:
    """The lines a message's block must consist of."""
    calls, all_fields = rendering is not Rendering.ORIGINAL, rendering is Rendering.COMPLETE
    return "\n".join(_lines(message, calls, all_fields))


def _lines(message: SourceMessage, calls: bool, all_fields: bool) -> Iterator[str]:
    if isinstance(message, SourceSystem):
        yield _under("[SYSTEM]", message.text, all_fields)
    elif isinstance(message, SourceHandoff):
        yield f"[HANDOFF] {name(message.recipient)}"
        if all_fields:
            yield _under("[HANDOFF TEXT]", message.text, all_fields)
        elif message.text.value:
            yield below(message.text.value)
    elif isinstance(message, SourceResult):
        if all_fields:
            yield f"[TOOL NAME] {_id(message.tool)}"
            yield f"[CALL ID] {_id(message.call_id)}"
            if message.requestor is not Requestor.NOT_GIVEN:
                yield f"[REQUESTOR] {message.requestor.value}"
        empty = "" if message.content.value or all_fields else " (empty)"
        yield _under(f"[TOOL RESULT]{empty}", message.content, all_fields)
    else:
        if all_fields and message.speaker.form is not TextForm.NO_KEY:
            yield f"[SPEAKER] {_id(message.speaker)}"
        yield _under(_SHOWN_ROLE[message.actor], message.text, all_fields)
        if message.refusal.value or (all_fields and message.refusal.form is not TextForm.NO_KEY):
            yield _under("[REFUSAL]", message.refusal, all_fields)
        for call in message.calls if calls else ():
            yield from _called(message.actor, call, all_fields)


def _under(line: str, text: SourceText, all_fields: bool) -> str:
    if text.value:
        return f"{line}\n{below(text.value)}"
    return f"{line} {_FORM_WORD[text.form]}" if all_fields else line


def _id(text: SourceText) -> str:
    return name(text.value) if text.value else _FORM_WORD[text.form]


def _called(actor: Actor, call: SourceCall, all_fields: bool) -> Iterator[str]:
    whose = "TOOL CALL" if actor is Actor.AGENT else "USER TOOL CALL"
    yield f"[{whose}] {name(call.tool)}({beside(call.arguments.raw)})"
    if all_fields:
        yield f"[CALL ID] {_id(call.call_id)}"
        if call.arguments.form is ArgumentForm.ABSENT:
            yield "[ARGUMENTS] (absent)"
