"""Where the arguments of a call come from: every value must stand in visible bytes or in the tool schema (SSC §III-B).

What the agent itself said or called is no source, and neither is an observation that only echoes the call it answers: a
value known only from the database would otherwise launder itself by being called once. Names of arguments need a source
like their values, and an empty value has none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sscb_pipeline.trajectories.steps import (
    AgentMessage,
    Handoff,
    Step,
    SystemText,
    ToolCall,
    ToolObservation,
    Trajectory,
    UserMessage,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FromStep:
    """The value stands in the text of a visible step (index from 0)."""

    step: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FromSchema:
    """The value stands in the definition of a tool."""

    tool: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NotVisible:
    """Nothing visible before the call holds the value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArgumentSource:
    """One leaf or one name in a call's arguments: its path, its text, and where that text is visible."""

    call: int
    path: str
    value: str
    source: FromStep | FromSchema | NotVisible


def argument_sources(
    trajectory: Trajectory, call: ToolCall, arguments: Mapping[str, Any]
) -> tuple[ArgumentSource, ...]:
    """The source of every name and leaf of `arguments`, searched in what was visible before `call`."""
    return tuple(
        ArgumentSource(call=call.index, path=path, value=value, source=_source(value, trajectory, call.index))
        for path, value in _leaves(arguments, "")
    )


def visible_text(step: Step) -> str:
    """The text of a step that was given to the agent; empty for what the agent made itself."""
    match step:
        case SystemText() | UserMessage() | Handoff():
            return step.text
        case ToolObservation():
            return step.content
        case AgentMessage() | ToolCall():
            return ""


def _source(value: str, trajectory: Trajectory, before: int) -> FromStep | FromSchema | NotVisible:
    if not value:
        return NotVisible()
    whole = _whole(value)
    for step in trajectory.steps[:before]:
        if whole.search(visible_text(step)) and not _echoes(step, whole, trajectory):
            return FromStep(step=step.index)
    for tool in trajectory.tools:
        if whole.search(tool.description) or whole.search(json.dumps(dict(tool.parameters))):
            return FromSchema(tool=tool.name)
    return NotVisible()


def _echoes(step: Step, whole: re.Pattern[str], trajectory: Trajectory) -> bool:
    """Whether an observation may hold the text only because the call it answers did."""
    if not isinstance(step, ToolObservation):
        return False
    call = trajectory.call_of(step)
    return isinstance(call, ToolCall) and bool(whole.search(call.arguments.raw) or whole.search(call.tool))


def _whole(value: str) -> re.Pattern[str]:
    """The value as a whole token, plain or as JSON text writes it. `W12` does not stand in `W123`, nor 12 in 12.50."""
    forms = dict.fromkeys((value, json.dumps(value)[1:-1]))
    alternatives = "|".join(re.escape(form) for form in forms)
    return re.compile(rf"(?<![\w-])(?<!\d\.)(?:{alternatives})(?![\w-])(?!\.\d)", re.IGNORECASE)


def _leaves(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            place = f"{path}.{key}" if path else str(key)
            yield f"{place} (name)", str(key)
            yield from _leaves(inner, place)
    elif isinstance(value, list | tuple):
        for index, inner in enumerate(value):
            yield from _leaves(inner, f"{path}[{index}]")
    else:
        yield path, value if isinstance(value, str) else json.dumps(value)
