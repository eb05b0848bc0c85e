r"""The inline checker: source records, packets in memory, and O packets of an earlier archive.

It runs inside the build, before anything is written. Expected values come from the source record; a packet is read
line by line, its texts unescaped, and compared with the record. It knows neither renderers nor builder nor the disk
checker, and has its own reading of the escape.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sscb_pipeline.artifacts.digest import sha256_hex
from sscb_pipeline.assurance.requirement import Outcome
from sscb_pipeline.packets import inline_source
from sscb_pipeline.packets.findings import Findings
from sscb_pipeline.packets.inline_source import Part
from sscb_pipeline.packets.input_contract import InputContract, Rendering, Scope
from sscb_pipeline.packets.packet import Packet, PacketKey, PacketSource
from sscb_pipeline.packets.requirement import Checker, Requirement
from sscb_pipeline.packets.target import Target
from sscb_pipeline.trajectories.source_record import SourceRecord

_OF_CONTENT = (
    Requirement.QUESTION,
    Requirement.TASK_CONTEXT,
    Requirement.TARGET_MARKED,
    Requirement.SCOPE_END,
    Requirement.MESSAGE_ORDER,
    Requirement.MESSAGE_TEXT,
    Requirement.CALLS_SHOWN,
    Requirement.RESULT_TEXT,
    Requirement.RESULT_LINKS,
    Requirement.TOOL_DEFINITIONS,
    Requirement.NOTHING_ELSE,
)
_ESCAPED = re.compile(r"\\u([0-9a-f]{4})")
_NUMBER = re.compile(r"\n\[(TARGET )?MESSAGE (0|[1-9][0-9]{0,8})\](?=\n)")
_HEAD = "head"
_END = "\n[END OF PACKET]"
_RAW = bytes([*range(9), *range(11, 32), 127])
_RAW_WIDE = (b"\xe2\x80\xa8", b"\xe2\x80\xa9", b"\xef\xbb\xbf")
_C1 = re.compile(rb"\xc2[\x80-\x9f]")
_NAMED = frozenset({"[SPEAKER]", "[TOOL NAME]", "[CALL ID]"})
_CALLS = frozenset({"[TOOL CALL]", "[USER TOOL CALL]"})
_ROLES = frozenset({"[SYSTEM]", "[USER]", "[ASSISTANT]", "[TOOL RESULT]", "[HANDOFF]"})
_TEXTS = frozenset({"[SYSTEM]", "[USER]", "[ASSISTANT]", "[HANDOFF]", "[HANDOFF TEXT]", "[REFUSAL]", "[SPEAKER]"})
_LINKS = frozenset({"[TOOL NAME]", "[CALL ID]", "[REQUESTOR]"})
_CALL_PARTS = _CALLS | {"[ARGUMENTS]"}
_TOOL_PARTS = frozenset({"[TOOLS]", "[TOOL DEFINITION]", "[PARAMETERS]", "[DESCRIPTION]"})
_FORMS = frozenset({"", "(empty)", "(null)", "(no key)"})
_ENDS = {
    Scope.PREFIX: "the target message is the last one shown",
    Scope.FULL: "the recording ends here",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierOriginal:
    """An O packet that an earlier study archived, and the hash recorded then."""

    data: bytes
    sha256: str


class InlineCheck:
    """One check of a cohort. `originals` maps packet names to what an earlier archive holds of them."""

    def __init__(self, contract: InputContract, originals: Mapping[str, EarlierOriginal]) -> None:
        self._contract = contract
        self._originals = originals
        self._findings = Findings(contract.assigned_to(Checker.INLINE))

    def outcomes(self) -> dict[str, Outcome]:
        """What was found so far of every requirement assigned to this checker."""
        return self._findings.outcomes()

    def examine(self, source: PacketSource, targets: Sequence[Target], packets: Iterable[Packet]) -> None:
        """One record with the targets the cohort names (not those the builder says) and its packets. Total."""
        found = self._findings
        inline_source.examine_links(source.record_id, source.record, self._contract, found)
        found.examined(Requirement.PACKET_SET, Requirement.EARLIER_ORIGINAL_SAME)
        missing = {PacketKey(target=target, kind=kind): target for target in targets for kind in self._contract.kinds}
        seen: set[PacketKey] = set()
        reading = _Reading(source.record, self._contract.question, found)
        for packet in packets:
            if packet.key in seen:
                found.broke(Requirement.PACKET_SET, f"{packet.key.name}: a second packet of this name")
            elif packet.key not in missing:
                found.broke(Requirement.PACKET_SET, f"{packet.key.name}: no target, scope and rendering asks for it")
                continue
            seen.add(packet.key)
            self._compare_original(packet)
            reading.examine(packet)
        for key in missing:
            if key not in seen:
                found.broke(Requirement.PACKET_SET, f"{key.name}: missing")

    def _compare_original(self, packet: Packet) -> None:
        name = packet.key.name
        if packet.key.kind.rendering is not Rendering.ORIGINAL or name not in self._originals:
            return
        original = self._originals[name]
        if sha256_hex(original.data) != original.sha256:
            told = f"{name}: the earlier archive's bytes are not those of its recorded sha256"
            self._findings.broke(Requirement.EARLIER_ORIGINAL_SAME, told)
        elif original.data != packet.data:
            told = f"{name}: differs from the packet the earlier study archived"
            self._findings.broke(Requirement.EARLIER_ORIGINAL_SAME, told)


class _Reading:
    """Reads the packets of one record."""

    def __init__(self, record: SourceRecord, question: str, findings: Findings) -> None:
        self._record = record
        self._question = question
        self._found = findings
        self._asked = inline_source.asked(record)
        self._tools: list[Part] = []
        self._expected: dict[Rendering, list[list[Part]]] = {}
        self._right: dict[Rendering, dict[int | str, str]] = {}

    def _parts_of(self, rendering: Rendering) -> list[list[Part]]:
        if rendering not in self._expected:
            messages = self._record.messages
            self._expected[rendering] = [inline_source.expected_parts(message, rendering) for message in messages]
            if rendering is Rendering.COMPLETE:
                self._tools = inline_source.expected_tools(self._record)
        return self._expected[rendering]

    def examine(self, packet: Packet) -> None:
        name = packet.key.name
        self._found.examined(Requirement.ENCODING)
        try:
            text = packet.data.decode("utf-8")
        except UnicodeDecodeError as error:
            self._found.broke(Requirement.ENCODING, f"{name}: no UTF-8 at byte {error.start}")
            self._found.skipped(_OF_CONTENT, f"{name} cannot be read as UTF-8")
            return
        self._found.examined(*_OF_CONTENT)
        if not text.endswith("\n"):
            self._found.broke(Requirement.ENCODING, f"{name}: the last line does not end in LF")
        self._sections(packet.key, text)

    def _sections(self, key: PacketKey, text: str) -> None:
        """Head, messages and end; each is examined on its own, so that one defect hides no other.

        What was found right once in this record, rendering and place is right where the same text stands again.
        """
        marks = list(_NUMBER.finditer(text))
        end = text.rfind(_END, marks[-1].start() if marks else 0) + 1
        last = end or len(text)
        head = text[: marks[0].start() + 1] if marks else text[:last]
        right = self._right.setdefault(key.kind.rendering, {})
        if right.get(_HEAD) != head and self._head(key, head):
            right[_HEAD] = head
        numbers = [int(mark.group(2)) for mark in marks]
        stops = [mark.start() + 1 for mark in marks[1:]] + [last]
        for number, mark, stop in zip(numbers, marks, stops, strict=bool(marks)):
            block = text[mark.end() + 1 : stop]
            if right.get(number) != block and self._message(key, number, block):
                right[number] = block
        targets = [number for number, mark in zip(numbers, marks, strict=True) if mark.group(1)]
        self._order(key, numbers, targets)
        self._end(key, text[end:] if end else "")

    def _head(self, key: PacketKey, head: str) -> bool:
        """Whether everything in front of the messages is right; names what is not."""
        name, found = key.name, self._found
        before, lines = _split(head)
        sections: list[str] = []
        tools: list[Part] = []
        wrong: list[tuple[Requirement, str]] = []
        if before:
            wrong.append((Requirement.NOTHING_ELSE, "text before the first structural line"))
        asked: tuple[str, str | None] = ("(none recorded)", None) if self._asked is None else ("", self._asked)
        wanted = {"[QUESTION]": ("", self._question), "[TASK CONTEXT]": asked}
        requirements = {"[QUESTION]": Requirement.QUESTION, "[TASK CONTEXT]": Requirement.TASK_CONTEXT}
        for bracket, rest, below in lines:
            part = _part(name, bracket, rest, below, found)
            if bracket in _TOOL_PARTS:
                tools.append(part)
            elif bracket not in _HEAD_ORDER or bracket in sections:
                wrong.append((Requirement.NOTHING_ELSE, f"{bracket} in front of the messages"))
            elif part[1:] != wanted.get(bracket, ("", None)):
                requirement = requirements.get(bracket, Requirement.NOTHING_ELSE)
                wrong.append((requirement, f"what stands at {bracket} is not the contract's or the source's"))
            sections.extend([bracket] if bracket in _HEAD_ORDER else [])
        for bracket in _HEAD_ORDER:
            if bracket not in sections:
                requirement = requirements.get(bracket, Requirement.MESSAGE_ORDER)
                wrong.append((requirement, f"{bracket} is missing"))
        if sections != sorted(sections, key=_HEAD_ORDER.index):
            wrong.append((Requirement.MESSAGE_ORDER, "the sections stand in another order"))
        for requirement, what in wrong:
            found.broke(requirement, f"{name}: {what}")
        right = self._examine_tools(key, tools) and not wrong
        return _clean(name, head, found) and right and "\\u" not in head

    def _examine_tools(self, key: PacketKey, tools: list[Part]) -> bool:
        if key.kind.rendering is not Rendering.COMPLETE:
            if tools:
                told = f"{key.name}: tool definitions in rendering {key.kind.rendering.value}"
                self._found.broke(Requirement.NOTHING_ELSE, told)
            return not tools
        self._parts_of(Rendering.COMPLETE)
        if tools == self._tools:
            return True
        differing = [at for at, pair in enumerate(zip(tools, self._tools, strict=False)) if pair[0] != pair[1]]
        place = differing[0] if differing else min(len(tools), len(self._tools))
        told = f"{key.name}: tool definitions differ from the source's at their line {place}"
        self._found.broke(Requirement.TOOL_DEFINITIONS, told)
        return False

    def _message(self, key: PacketKey, number: int, block: str) -> bool:
        """Whether a message's block is right; names what is not."""
        wanted = self._parts_of(key.kind.rendering)
        place = f"{key.name}, message {number}"
        clean = _clean(place, block, self._found)
        if number >= len(wanted):
            return False
        before, lines = _split(block)
        if before:
            self._found.broke(Requirement.NOTHING_ELSE, f"{place}: text at its number")
        parts = [_part(place, *line, self._found) for line in lines]
        if parts != wanted[number]:
            _name_difference(place, key.kind.rendering, wanted[number], parts, self._found)
            return False
        # a text with escapes is looked at each time: whether they are the contract's is found while reading
        return clean and not before and "\\u" not in block

    def _order(self, key: PacketKey, numbers: list[int], targets: list[int]) -> None:
        messages = len(self._record.messages)
        through = key.target.message if key.kind.scope is Scope.PREFIX else messages - 1
        if targets != [key.target.message]:
            told = f"{key.name}: marked are the messages {targets}"
            self._found.broke(Requirement.TARGET_MARKED, told)
        if numbers != list(range(through + 1)):
            self._name_order(key.name, numbers, through)

    def _name_order(self, name: str, numbers: list[int], through: int) -> None:
        beyond = [number for number in numbers if number > through]
        if beyond:
            self._found.broke(Requirement.SCOPE_END, f"{name}: shows messages {beyond} beyond message {through}")
        missing = sorted({*range(through + 1)} - {*numbers})
        if missing:
            self._found.broke(Requirement.MESSAGE_ORDER, f"{name}: lacks messages {missing}")
            if through in missing:
                self._found.broke(Requirement.SCOPE_END, f"{name}: ends before message {through}")
        if numbers != sorted(set(numbers)):
            self._found.broke(Requirement.MESSAGE_ORDER, f"{name}: messages stand twice or in another order")

    def _end(self, key: PacketKey, shown: str) -> None:
        name, found = key.name, self._found
        _clean(name, shown, found)
        line, _, behind = shown.partition("\n")
        if not line:
            found.broke(Requirement.SCOPE_END, f"{name}: the packet does not say where it ends")
        elif line != f"[END OF PACKET] {_ENDS[key.kind.scope]}":
            found.broke(Requirement.SCOPE_END, f"{name}: says that it ends otherwise: {line!r:.80}")
        if behind:
            found.broke(Requirement.NOTHING_ELSE, f"{name}: something stands behind the end")


_PLACED = frozenset({0x0A, 0x28, 0x5B})
_BELOW, _BESIDE, _NAME = frozenset({0x5B}), frozenset({0x0A}), frozenset({0x0A, 0x28})
_HEAD_ORDER = ["[JUDGE PACKET]", "[QUESTION]", "[TASK CONTEXT]", "[TRAJECTORY]"]


def _split(text: str) -> tuple[str, list[tuple[str, str, str]]]:
    """What stands before the first structural line, and the lines: bracket, rest, text below with its line feeds."""
    if not text:
        return "", []
    before, *rest = f"\n{text}".split("\n[")
    lines: list[tuple[str, str, str]] = []
    for piece in rest:
        if not _upper(piece[:1]):
            # a line of text that begins with a bracket: it belongs to what stands above
            if lines:
                bracket, beside, below = lines[-1]
                lines[-1] = (bracket, beside, f"{below}[{piece}\n")
            else:
                before = f"{before}[{piece}"
            continue
        line, ended, below = piece.partition("\n")
        name, closed, beside = line.partition("]")
        lines.append((f"[{name}{closed}", beside, f"{below}\n" if ended else ""))
    if lines:
        bracket, beside, below = lines[-1]
        lines[-1] = (bracket, beside, below.removesuffix("\n"))
    return before, lines


def _clean(place: str, text: str, found: Findings) -> bool:
    """Whether no character stands in a text that must be escaped; names the first."""
    data = text.encode("utf-8")
    controls = len(data.translate(None, _RAW)) != len(data)
    if not controls and not any(wide in data for wide in _RAW_WIDE) and not (b"\xc2" in data and _C1.search(data)):
        return True
    raw = next(one for one in text if one not in "\n\t[(\\" and _escapable(ord(one)))
    found.broke(Requirement.ENCODING, f"{place}: U+{ord(raw):04X} stands as it is")
    return False


def _part(place: str, bracket: str, rest: str, below: str, found: Findings) -> Part:
    """A line with its text, unescaped."""
    text = _unescaped(place, below[:-1] if below.endswith("\n") else below, found, _BELOW) if below else None
    if rest and not rest.startswith(" "):
        return (bracket, rest, text)
    rest = rest[1:]
    if bracket in _CALLS:
        tool, opened, arguments = rest.partition("(")
        if opened and arguments.endswith(")"):
            call = (_unescaped(place, tool, found, _NAME), _unescaped(place, arguments[:-1], found, _BESIDE))
            return (bracket, call, text)
    if bracket in _NAMED and not rest.startswith("("):
        return (bracket, f"={_unescaped(place, rest, found, _NAME)}", text)
    if bracket in ("[TOOL DEFINITION]", "[HANDOFF]"):
        return (bracket, _unescaped(place, rest, found, _NAME), text)
    # everywhere else only the fixed words of the grammar may stand, which nothing escapes
    return (bracket, _unescaped(place, rest, found, _BESIDE) if bracket == "[PARAMETERS]" else rest, text)


def _unescaped(place: str, shown: str, found: Findings, only_here: frozenset[int]) -> str:
    """The text of an escaped one. `only_here`: which of LF, `(` and `[` are escaped in such a place."""
    if "\\u" not in shown:
        return shown
    parts: list[str] = []
    at = 0
    for match in _ESCAPED.finditer(shown):
        code = int(match.group(1), 16)
        if not _escapable(code):
            continue
        parts.append(shown[at : match.start()])
        parts.append(chr(code))
        at = match.end()
        if code == 0x5C and not _needs_escape(shown[at : at + 5]):
            found.broke(Requirement.ENCODING, f"{place}: a backslash is escaped without need")
        begins = match.start() == 0 or shown[match.start() - 1] == "\n"
        if code in _PLACED - only_here or (code == 0x5B and not (begins and _upper(shown[at : at + 1]))):
            found.broke(Requirement.ENCODING, f"{place}: U+{code:04X} is escaped without need")
    return "".join([*parts, shown[at:]])


def _upper(character: str) -> bool:
    return "A" <= character <= "Z"


def _needs_escape(following: str) -> bool:
    match = re.fullmatch(r"u([0-9a-f]{4})", following)
    return match is not None and _escapable(int(match.group(1), 16))


def _escapable(code: int) -> bool:
    if code < 0x20:
        return code != 0x09
    return code in (0x28, 0x5B, 0x5C, 0x2028, 0x2029, 0xFEFF) or 0x7F <= code < 0xA0 or 0xD800 <= code < 0xE000


def _name_difference(place: str, rendering: Rendering, wanted: list[Part], shown: list[Part], found: Findings) -> None:
    """Which requirements a message's parts break."""
    count = 0

    def broke(requirement: Requirement, what: str) -> None:
        nonlocal count
        count += 1
        found.broke(requirement, f"{place}: {what}")

    def of(parts: list[Part], kinds: frozenset[str]) -> list[Part]:
        return [part for part in parts if part[0] in kinds]

    known = _ROLES | _TEXTS | _LINKS | _CALL_PARTS
    for bracket, rest, below in shown:
        strange_form = bracket in _ROLES - {"[HANDOFF]"} and rest not in _FORMS
        below_line = bracket in (_LINKS | _CALL_PARTS | {"[SPEAKER]"}) and below is not None
        if bracket not in known or strange_form or below_line:
            broke(Requirement.NOTHING_ELSE, f"{bracket} {rest!r:.40} has no place in the source")
    if [part[0] for part in of(wanted, _ROLES)] != [part[0] for part in of(shown, _ROLES)]:
        broke(Requirement.MESSAGE_ORDER, "another role")
    result = frozenset({"[TOOL RESULT]"})
    if [part[1:] for part in of(wanted, result)] != [part[1:] for part in of(shown, result)]:
        broke(Requirement.RESULT_TEXT, "the result's content differs from the source")
    if [part[1:] for part in of(wanted, _TEXTS)] != [part[1:] for part in of(shown, _TEXTS)]:
        broke(Requirement.MESSAGE_TEXT, "the text differs from the source")
    for kinds, requirement, what, least in (
        (_CALL_PARTS, Requirement.CALLS_SHOWN, "the calls differ from the source", Rendering.RESTORED),
        (_LINKS, Requirement.RESULT_LINKS, "ids, names or requestor differ from the source", Rendering.COMPLETE),
    ):
        if of(wanted, kinds) == of(shown, kinds):
            continue
        order = list(Rendering)
        if order.index(rendering) < order.index(least):
            broke(Requirement.NOTHING_ELSE, f"rendering {rendering.value} may not show {of(shown, kinds)[0][0]}")
        else:
            broke(requirement, what)
    if not count:
        calls = of(shown, _CALL_PARTS)
        broke(Requirement.CALLS_SHOWN if calls else Requirement.RESULT_LINKS, "the lines stand in another order")
