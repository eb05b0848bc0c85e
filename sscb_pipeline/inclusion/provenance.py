"""Where the arguments of a call come from: every value must stand in visible bytes or in the tool schema (SSC §III-B).

What the agent itself said or called is no source: a value known only from the database would otherwise launder itself
by being called once.
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
    ToolDefinition,
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
    """One leaf of a call's arguments: its path, its value as text, and where that text is visible."""

    call: int
    path: str
    value: str
    source: FromStep | FromSchema | NotVisible


def argument_sources(
    trajectory: Trajectory, call: ToolCall, arguments: Mapping[str, Any]
) -> tuple[ArgumentSource, ...]:
    """The source of every leaf of `arguments`, searched in what was visible before `call`."""
    before = trajectory.steps[: call.index]
    return tuple(
        ArgumentSource(call=call.index, path=path, value=value, source=_source(value, before, trajectory.tools))
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


def _source(
    value: str, before: tuple[Step, ...], tools: tuple[ToolDefinition, ...]
) -> FromStep | FromSchema | NotVisible:
    whole = _whole(value)
    for step in before:
        if whole.search(visible_text(step)):
            return FromStep(step=step.index)
    for tool in tools:
        if whole.search(tool.description) or whole.search(json.dumps(dict(tool.parameters))):
            return FromSchema(tool=tool.name)
    return NotVisible()


def _whole(value: str) -> re.Pattern[str]:
    """The value as a whole token, plain or as JSON text writes it. `W12` does not stand in `W123`, nor 12 in 12.50."""
    forms = dict.fromkeys((value, json.dumps(value)[1:-1]))
    alternatives = "|".join(re.escape(form) for form in forms)
    return re.compile(rf"(?<![\w-])(?<!\d\.)(?:{alternatives})(?![\w-])(?!\.\d)", re.IGNORECASE)


def _leaves(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _leaves(inner, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list | tuple):
        for index, inner in enumerate(value):
            yield from _leaves(inner, f"{path}[{index}]")
    else:
        yield path, value if isinstance(value, str) else json.dumps(value)
