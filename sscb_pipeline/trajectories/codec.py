"""Trajectories as bytes, lossless both ways.

Three lines, each compact JSON in UTF-8 and ended by a line feed: header (format and extent), tool definitions,
steps. JSON text holds no raw line feed, so the lines can be taken apart without parsing: equal tool lines are
parsed once, and `encode_visible` is the last two lines alone. Lone surrogates are written as they stand
(`surrogatepass`), so bytes are a blob and not always valid UTF-8; keys keep their order, since the agent saw it.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any, assert_never

from sscb_pipeline.errors import InputError
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
from sscb_pipeline.trajectories.steps import (
    AgentMessage,
    Answers,
    Complete,
    CutShort,
    Handoff,
    Orphan,
    Step,
    SystemText,
    ToolCall,
    ToolObservation,
    Trajectory,
    UserMessage,
)
from sscb_pipeline.trajectories.tool_table import decode_tools, encode_tools

FORMAT = "sscb.trajectory/1"
"""Name and version. A change of the bytes' meaning is a new version; old ones stay readable."""


def encode(trajectory: Trajectory) -> bytes:
    """The bytes of a trajectory; equal trajectories give equal bytes. Raises InputError where steps are ill-formed."""
    header = dump({"format": FORMAT, "extent": dump_extent(trajectory.extent)})
    return b"%b\n%b" % (header, encode_visible(trajectory))


def encode_visible(trajectory: Trajectory) -> bytes:
    """The tool and step lines alone: what the agent saw, without how the history ended."""
    violation = ill_formed(trajectory.steps)
    if violation:
        raise Place("trajectory", "steps").refuse("steps in order, observations linked one-to-one", violation)
    return b"%b\n%b\n" % (encode_tools(trajectory.tools), dump([_dump_step(step) for step in trajectory.steps]))


def digest(trajectory: Trajectory) -> str:
    """sha256 (hex, 64) of the bytes."""
    return sha256(encode(trajectory)).hexdigest()


def decode(data: bytes, file: str) -> Trajectory:
    """The trajectory of some bytes; `file` names them in errors. Raises InputError with place and remedy."""
    header_line, tools_line, steps_line = split_lines(data, file)
    place = Place(file, "line 1")
    header = a_mapping(load_line(header_line, place), place, _HEADER_KEYS)
    check_format(header, place, FORMAT)
    extent = load_extent(header["extent"], place.at(".extent"))
    tools = decode_tools(tools_line, Place(file, "line 2, tools"))
    place = Place(file, "line 3, steps")
    values = a_list(load_line(steps_line, place), place)
    steps = tuple(_load_step(value, place.at(f"[{number}]")) for number, value in enumerate(values))
    violation = ill_formed(steps)
    if violation:
        raise place.refuse("steps in order, observations linked one-to-one", violation)
    return Trajectory(tools=tools, steps=steps, extent=extent)


def check_format(header: Any, place: Place, expected: str) -> None:
    """Refuse another format or version by name."""
    found = header["format"]
    if found != expected:
        raise InputError(
            subject=str(place),
            expected=f"the format {expected}",
            found=repr(found),
            remedy="read it with the version that wrote it, or import the original recording again",
        )


def dump_extent(extent: Complete | CutShort) -> dict[str, str]:
    """An extent as a JSON object."""
    match extent:
        case Complete():
            return {"kind": "complete"}
        case CutShort():
            return {"kind": "cut_short", "reason": extent.reason}
        case _:
            assert_never(extent)


def load_extent(value: Any, place: Place) -> Complete | CutShort:
    """An extent from its JSON object. Raises InputError."""
    if not isinstance(value, dict):
        raise place.refuse("an object", type(value).__name__)
    if value.get("kind") == "complete":
        a_mapping(value, place, _COMPLETE_KEYS)
        return Complete()
    record = a_mapping(value, place, _CUT_SHORT_KEYS)
    one_of(record, "kind", place, _CUT_SHORT)
    return CutShort(reason=a_string(record, "reason", place))


def ill_formed(steps: tuple[Step, ...]) -> str:
    """What is wrong with a list of steps, empty if nothing is.

    Indices count from 0; turns do not run backwards; an observation answers an earlier call, of its own tool where
    it names one, and no two answer the same call.
    """
    answered: set[int] = set()
    turn = 0
    for number, step in enumerate(steps):
        if step.index != number:
            return f"step {number} says that its index is {step.index}"
        if isinstance(step, AgentMessage | ToolCall):
            if step.turn < turn:
                return f"step {number} is in turn {step.turn}, after turn {turn}"
            turn = step.turn
        elif isinstance(step, ToolObservation) and isinstance(step.pairing, Answers):
            target = step.pairing.call
            call = steps[target] if 0 <= target < number else step
            if not isinstance(call, ToolCall):
                return f"step {number} answers step {target}, which is no earlier call"
            if target in answered:
                return f"step {number} answers step {target}, which is already answered"
            if step.tool and step.tool != call.tool:
                return f"step {number} is of the tool {step.tool!r} and answers a call of {call.tool!r}"
            answered.add(target)
    return ""


_HEADER_KEYS = frozenset({"format", "extent"})
_COMPLETE_KEYS = frozenset({"kind"})
_CUT_SHORT_KEYS = frozenset({"kind", "reason"})
_CUT_SHORT = frozenset({"cut_short"})
_TEXT_KEYS = frozenset({"kind", "index", "text"})
_KEYS = {
    "system": _TEXT_KEYS,
    "user": _TEXT_KEYS,
    "agent": _TEXT_KEYS | {"turn"},
    "call": frozenset({"kind", "index", "turn", "id", "tool", "arguments"}),
    "observation": frozenset({"kind", "index", "id", "tool", "content", "answers"}),
    "handoff": _TEXT_KEYS | {"recipient"},
}


def _dump_step(step: Step) -> dict[str, Any]:
    match step:
        case SystemText():
            return {"kind": "system", "index": step.index, "text": step.text}
        case UserMessage():
            return {"kind": "user", "index": step.index, "text": step.text}
        case AgentMessage():
            return {"kind": "agent", "index": step.index, "turn": step.turn, "text": step.text}
        case ToolCall():
            return {
                "kind": "call",
                "index": step.index,
                "turn": step.turn,
                "id": step.call_id,
                "tool": step.tool,
                "arguments": dump_arguments(step.arguments),
            }
        case ToolObservation():
            link = step.pairing
            return {
                "kind": "observation",
                "index": step.index,
                "id": step.call_id,
                "tool": step.tool,
                "content": step.content,
                "answers": link.call if isinstance(link, Answers) else {"orphan": link.reason},
            }
        case Handoff():
            return {"kind": "handoff", "index": step.index, "recipient": step.recipient, "text": step.text}
        case _:
            assert_never(step)


def _load_step(value: Any, place: Place) -> Step:
    kind = value.get("kind") if isinstance(value, dict) else value
    if not isinstance(kind, str) or kind not in _KEYS:
        raise place.refuse(f"an object of one of the kinds {sorted(_KEYS)}", f"{kind!r:.80}")
    record = a_mapping(value, place, _KEYS[kind])
    index = a_number(record, "index", place)
    match kind:
        case "system":
            return SystemText(index=index, text=a_string(record, "text", place))
        case "user":
            return UserMessage(index=index, text=a_string(record, "text", place))
        case "agent":
            return AgentMessage(index=index, turn=a_number(record, "turn", place), text=a_string(record, "text", place))
        case "call":
            return ToolCall(
                index=index,
                turn=a_number(record, "turn", place),
                call_id=a_string(record, "id", place),
                tool=a_string(record, "tool", place),
                arguments=load_arguments(record["arguments"], place.at(".arguments")),
            )
        case "observation":
            return ToolObservation(
                index=index,
                call_id=a_string(record, "id", place),
                tool=a_string(record, "tool", place),
                content=a_string(record, "content", place),
                pairing=_load_link(record, place),
            )
        case _:
            return Handoff(
                index=index,
                recipient=a_string(record, "recipient", place),
                text=a_string(record, "text", place),
            )


def _load_link(record: Any, place: Place) -> Answers | Orphan:
    value = record["answers"]
    if isinstance(value, dict):
        inner = place.at(".answers")
        return Orphan(reason=a_string(a_mapping(value, inner, frozenset({"orphan"})), "orphan", inner))
    return Answers(call=a_number(record, "answers", place))
