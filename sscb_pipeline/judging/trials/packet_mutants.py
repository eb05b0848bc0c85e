"""Mutants of packets in memory, after rendering and before the inline check: elements of the packet at positions.

Which requirement an element belongs to is said once, in `ELEMENTS`, after the contract's own sentences. The hash of a
changed packet is taken after the change, as a builder with that defect would do, so that no hash can find it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from sscb_pipeline.artifacts.digest import sha256_hex
from sscb_pipeline.judging.trials.mutation import ChangePackets, Mutant, Mutator, Position, at_position, mutate
from sscb_pipeline.judging.trials.pieces import HEAD, Piece, joined, pieces
from sscb_pipeline.judging.trials.specimens import ERROR_MESSAGE
from sscb_pipeline.packets.input_contract import Rendering, Scope
from sscb_pipeline.packets.packet import Packet, packet_key
from sscb_pipeline.packets.requirement import CheckedObject, Requirement

_ALL = (Mutator.DROP, Mutator.DUPLICATE, Mutator.SWAP, Mutator.EDIT)
_EVERYWHERE = tuple(Position)
_REACHES = frozenset({CheckedObject.MEMORY_PACKET, CheckedObject.ARCHIVED_PACKET})
_Alter = Callable[[Sequence[Packet]], Sequence[Packet]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Element:
    """A kind of piece, the requirement that governs it, and what can be done to it in which rendering."""

    name: str
    tags: tuple[str, ...]
    requirement: Requirement
    rendering: Rendering
    mutators: tuple[Mutator, ...]
    positions: tuple[Position, ...]
    edit: Callable[[Piece], Piece]


def _body(piece: Piece) -> Piece:
    """One letter more in the last line of the text."""
    return replace(piece, body=(*piece.body[:-1], piece.body[-1] + "e"))


def _rest(piece: Piece) -> Piece:
    """One letter more where the line's own text begins."""
    return replace(piece, rest=piece.rest[:1] + "x" + piece.rest[1:])


def _arguments(piece: Piece) -> Piece:
    """Another digit or letter at the end of the arguments."""
    return replace(piece, rest=piece.rest[:-3] + "9" + piece.rest[-3:])


def _other_role(piece: Piece) -> Piece:
    return replace(piece, tag="[USER]" if piece.tag != "[USER]" else "[ASSISTANT]")


ELEMENTS = (
    Element(
        name="question",
        tags=("[QUESTION]",),
        requirement=Requirement.QUESTION,
        rendering=Rendering.RESTORED,
        mutators=(Mutator.DROP, Mutator.EDIT),
        positions=(Position.FIRST,),
        edit=_body,
    ),
    Element(
        name="request",
        tags=("[TASK CONTEXT]",),
        requirement=Requirement.TASK_CONTEXT,
        rendering=Rendering.RESTORED,
        mutators=(Mutator.DROP, Mutator.EDIT),
        positions=(Position.FIRST,),
        edit=_body,
    ),
    Element(
        name="role",
        tags=("[SYSTEM]", "[USER]", "[ASSISTANT]"),
        requirement=Requirement.MESSAGE_ORDER,
        rendering=Rendering.ORIGINAL,
        mutators=(Mutator.EDIT,),
        positions=_EVERYWHERE,
        edit=_other_role,
    ),
    Element(
        name="text",
        tags=("[SYSTEM]", "[USER]", "[ASSISTANT]"),
        requirement=Requirement.MESSAGE_TEXT,
        rendering=Rendering.RESTORED,
        mutators=(Mutator.EDIT,),
        positions=(Position.FIRST, Position.MIDDLE, Position.LAST, Position.USER),
        edit=_body,
    ),
    Element(
        name="result text",
        tags=("[TOOL RESULT]",),
        requirement=Requirement.RESULT_TEXT,
        rendering=Rendering.ORIGINAL,
        mutators=(Mutator.EDIT,),
        positions=_EVERYWHERE,
        edit=_body,
    ),
    Element(
        name="call",
        tags=("[TOOL CALL]", "[USER TOOL CALL]"),
        requirement=Requirement.CALLS_SHOWN,
        rendering=Rendering.RESTORED,
        mutators=(Mutator.DROP, Mutator.DUPLICATE, Mutator.EDIT),
        positions=_EVERYWHERE,
        edit=_arguments,
    ),
    Element(
        name="call name",
        tags=("[TOOL CALL]", "[USER TOOL CALL]"),
        requirement=Requirement.CALLS_SHOWN,
        rendering=Rendering.COMPLETE,
        mutators=(Mutator.EDIT,),
        positions=_EVERYWHERE,
        edit=_rest,
    ),
    Element(
        name="call id",
        tags=("[CALL ID]",),
        requirement=Requirement.RESULT_LINKS,
        rendering=Rendering.COMPLETE,
        mutators=(Mutator.DROP, Mutator.DUPLICATE, Mutator.EDIT),
        positions=_EVERYWHERE,
        edit=_rest,
    ),
    Element(
        name="tool name",
        tags=("[TOOL NAME]",),
        requirement=Requirement.RESULT_LINKS,
        rendering=Rendering.COMPLETE,
        mutators=(Mutator.DROP, Mutator.EDIT),
        positions=(Position.FIRST, Position.MIDDLE, Position.LAST),
        edit=_rest,
    ),
    Element(
        name="tool definition",
        tags=("[TOOL DEFINITION]",),
        requirement=Requirement.TOOL_DEFINITIONS,
        rendering=Rendering.COMPLETE,
        mutators=_ALL,
        positions=(Position.FIRST, Position.MIDDLE, Position.LAST),
        edit=_rest,
    ),
    Element(
        name="end",
        tags=("[END OF PACKET]",),
        requirement=Requirement.SCOPE_END,
        rendering=Rendering.RESTORED,
        mutators=(Mutator.DROP, Mutator.EDIT),
        positions=(Position.LAST,),
        edit=_rest,
    ),
)


def packet_mutants() -> Iterator[Mutant]:
    """Mutants of elements, of whole messages and marks, of what may not be there, and of encodings and sets."""
    for element in ELEMENTS:
        for position in element.positions:
            for mutator in element.mutators:
                yield _mutant(
                    f"{mutator.value} {element.name}, {position.value}",
                    mutator,
                    element.requirement,
                    _one(element.rendering, _on_element(element, position, mutator)),
                )
    for position in _EVERYWHERE:
        for mutator in (Mutator.DROP, Mutator.DUPLICATE, Mutator.SWAP):
            change = _one(Rendering.RESTORED, _on_message(position, mutator))
            yield _mutant(f"{mutator.value} message, {position.value}", mutator, Requirement.MESSAGE_ORDER, change)


def _mutant(name: str, mutator: Mutator, expected: Requirement, change: _Alter) -> Mutant:
    return Mutant(
        name=f"packet: {name}", mutator=mutator, expected=expected, change=ChangePackets(change), reaches=_REACHES
    )


Edit = Callable[[list[Piece]], list[Piece]]


def _one(rendering: Rendering, edit: Edit, scope: Scope = Scope.FULL) -> _Alter:
    """The change of the error target's packet of that scope and rendering."""

    def change(packets: Sequence[Packet]) -> Sequence[Packet]:
        return [
            remade(packet, joined(edit(pieces(packet.data)))) if _chosen(packet, rendering, scope) else packet
            for packet in packets
        ]

    return change


def _chosen(packet: Packet, rendering: Rendering, scope: Scope) -> bool:
    kind = packet.key.kind
    return kind.rendering is rendering and kind.scope is scope and packet.key.target.message == ERROR_MESSAGE


def remade(packet: Packet, data: bytes) -> Packet:
    """The packet with other bytes and their hash, as a builder would have made it."""
    return Packet(key=packet.key, data=data, sha256=sha256_hex(data))


def _on_element(element: Element, position: Position, mutator: Mutator) -> Edit:
    def edit(parts: list[Piece]) -> list[Piece]:
        found = [at for at, part in enumerate(parts) if part.tag in element.tags and _editable(element, part)]
        at = at_position(found, position, lambda at: _marked(parts[at], position))
        assert at is not None, f"{element.name} has no {position.value}"
        if element.name == "tool definition" and mutator is not Mutator.EDIT:
            return _definitions(parts, at, mutator)
        return mutate(parts, at, mutator, element.edit)

    return edit


def _editable(element: Element, part: Piece) -> bool:
    """Texts can be edited where there are some."""
    return element.edit is not _body or bool(part.body)


def _marked(part: Piece, position: Position) -> bool:
    if position is Position.TARGET:
        return part.message in (ERROR_MESSAGE, ERROR_MESSAGE + 1)
    return part.tag in ("[USER]", "[USER TOOL CALL]") or part.message in (9, 10)


def _definitions(parts: list[Piece], at: int, mutator: Mutator) -> list[Piece]:
    """A definition is three pieces: name, parameters, description."""
    begins = [place for place, part in enumerate(parts) if part.tag == "[TOOL DEFINITION]"]
    groups = [parts[place : place + 3] for place in begins]
    changed = mutate(groups, begins.index(at), mutator, lambda group: group)
    return [*parts[: begins[0]], *(part for group in changed for part in group), *parts[begins[-1] + 3 :]]


def _on_message(position: Position, mutator: Mutator) -> Edit:
    def edit(parts: list[Piece]) -> list[Piece]:
        head = [part for part in parts if part.message == HEAD]
        body = [part for part in parts if part.message != HEAD and part.tag != "[END OF PACKET]"]
        numbers = sorted({part.message for part in body})
        groups = [[part for part in body if part.message == number] for number in numbers]
        wanted = {Position.TARGET: ERROR_MESSAGE, Position.USER: 9}
        index = at_position(range(len(groups)), position, lambda at: numbers[at] == wanted.get(position, HEAD))
        assert index is not None
        changed = mutate(groups, index, mutator, lambda group: group)
        return [*head, *(part for group in changed for part in group), parts[-1]]

    return edit


def addition_mutants() -> Iterator[Mutant]:
    """Marks, content that may not be there, scope, encodings, and the set of packets."""
    cases: list[tuple[str, Mutator, Requirement, _Alter]] = [
        ("drop target mark", Mutator.DROP, Requirement.TARGET_MARKED, _one(Rendering.RESTORED, _unmark)),
        ("duplicate target mark", Mutator.DUPLICATE, Requirement.TARGET_MARKED, _one(Rendering.RESTORED, _mark_also)),
        ("swap target mark", Mutator.SWAP, Requirement.TARGET_MARKED, _one(Rendering.RESTORED, _mark_other)),
        (
            "edit: label added",
            Mutator.EDIT,
            Requirement.NOTHING_ELSE,
            _one(Rendering.RESTORED, _added("[LABEL]", " -1")),
        ),
        (
            "edit: reasoning added",
            Mutator.EDIT,
            Requirement.NOTHING_ELSE,
            _one(Rendering.COMPLETE, _added("[REASONING]", "")),
        ),
        (
            "edit: error mark added",
            Mutator.EDIT,
            Requirement.NOTHING_ELSE,
            _one(Rendering.COMPLETE, _added("[ERROR]", " yes")),
        ),
        (
            "edit: call added to O",
            Mutator.EDIT,
            Requirement.NOTHING_ELSE,
            _one(Rendering.ORIGINAL, _added("[TOOL CALL]", ' get_order({"id": "1"})')),
        ),
        (
            "edit: result's tool name added to R",
            Mutator.EDIT,
            Requirement.NOTHING_ELSE,
            _one(Rendering.RESTORED, _added("[TOOL NAME]", " get_order")),
        ),
        (
            "duplicate: a message beyond the target",
            Mutator.DUPLICATE,
            Requirement.SCOPE_END,
            _one(Rendering.RESTORED, _beyond, Scope.PREFIX),
        ),
    ]
    for name, mutator, expected, change in cases:
        yield _mutant(name, mutator, expected, change)
    for name, edit in _ENCODINGS.items():
        yield _mutant(f"edit encoding: {name}", Mutator.EDIT, Requirement.ENCODING, _bytes(edit))
    for mutator, alter in _SETS.items():
        yield _mutant(f"{mutator.value} a whole packet", mutator, Requirement.PACKET_SET, alter)


def _unmark(parts: list[Piece]) -> list[Piece]:
    return [replace(part, tag=part.tag.replace("[TARGET ", "[")) if part.opens else part for part in parts]


def _mark_also(parts: list[Piece]) -> list[Piece]:
    return [replace(part, tag="[TARGET MESSAGE 2]") if part.tag == "[MESSAGE 2]" else part for part in parts]


def _mark_other(parts: list[Piece]) -> list[Piece]:
    return _mark_also(_unmark(parts))


def _added(tag: str, rest: str) -> Edit:
    def edit(parts: list[Piece]) -> list[Piece]:
        last = max(at for at, part in enumerate(parts) if part.message == ERROR_MESSAGE)
        return [*parts[: last + 1], Piece(tag=tag, rest=rest, body=(), message=ERROR_MESSAGE), *parts[last + 1 :]]

    return edit


def _beyond(parts: list[Piece]) -> list[Piece]:
    later = ERROR_MESSAGE + 1
    more = [
        Piece(tag=f"[MESSAGE {later}]", rest="", body=(), message=later),
        Piece(tag="[TOOL RESULT]", rest="", body=('{"status": "changed"}',), message=later),
    ]
    return [*parts[:-1], *more, parts[-1]]


_ENCODINGS: dict[str, Callable[[bytes], bytes]] = {
    "CRLF": lambda data: data.replace(b"\n", b"\r\n"),
    "NUL": lambda data: data.replace(b"order", b"or\x00der", 1),
    "no UTF-8": lambda data: data.replace(b"order", b"or\xffder", 1),
    "no last line end": lambda data: data.removesuffix(b"\n"),
    "byte order mark": lambda data: b"\xef\xbb\xbf" + data,
}


def _bytes(edit: Callable[[bytes], bytes]) -> _Alter:
    def change(packets: Sequence[Packet]) -> Sequence[Packet]:
        return [
            remade(packet, edit(packet.data)) if _chosen(packet, Rendering.COMPLETE, Scope.PREFIX) else packet
            for packet in packets
        ]

    return change


def _unasked(packets: Sequence[Packet]) -> Sequence[Packet]:
    kind = packets[0].key.kind
    stranger = packet_key(packets[0].key.target.record_id, 14, kind.scope, kind.rendering)
    return [replace(packets[0], key=stranger), *packets[1:]]


_SETS: dict[Mutator, _Alter] = {
    Mutator.DROP: lambda packets: packets[:-1],
    Mutator.DUPLICATE: lambda packets: [*packets, packets[0]],
    Mutator.EDIT: _unasked,
}
