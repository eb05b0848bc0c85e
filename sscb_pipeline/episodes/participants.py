"""The ports an episode is played through: the agent and the simulated user."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from sscb_pipeline.trajectories.steps import Step, ToolDefinition


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRequest:
    """A call as the agent made it. `raw_arguments` is the exact text."""

    call_id: str
    tool: str
    raw_arguments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Speak:
    """An assistant turn: text, calls, or both (text first). Neither is an empty response."""

    text: str
    calls: tuple[CallRequest, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentStops:
    """The agent ends the conversation."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentRefuses:
    """The agent declines in words of its own; they are delivered, and the history is complete."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentFiltered:
    """The provider withheld the answer; `text` is what came before it did. The history is complete."""

    text: str
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentOverflows:
    """The history no longer fits the agent's context; it is cut short."""

    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentUnreachable:
    """No answer after bounded retries; the execution is missing."""

    cause: str


AgentTurn = Speak | AgentStops | AgentRefuses | AgentFiltered | AgentOverflows | AgentUnreachable


class Agent(Protocol):
    """Sees only the visible history, as the steps delivered so far, in order."""

    async def turn(self, history: Sequence[Step], tools: Sequence[ToolDefinition]) -> AgentTurn:
        """The agent's next turn."""
        ...


class UserSignal(StrEnum):
    """What the simulated user signals beside words."""

    CONTINUES = "continues"
    STOP = "stop"
    TRANSFER = "transfer"
    OUT_OF_SCOPE = "out_of_scope"


@dataclass(frozen=True, slots=True, kw_only=True)
class UserTurn:
    """What the user said, markers removed, and the signal. Text may be empty when a signal ends the talk."""

    text: str
    signal: UserSignal


class User(Protocol):
    """The simulated user; sees what the agent said and its own words, no tool traffic of the agent."""

    async def turn(self, history: Sequence[Step]) -> UserTurn:
        """The user's next turn. Raises UserSimulatorFailedError after bounded retries."""
        ...


Metadata = Mapping[str, Any]
