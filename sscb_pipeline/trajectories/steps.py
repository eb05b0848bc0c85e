"""The steps of a trajectory (SSC §IV-C): a closed union, numbered from 0 in order of delivery to the agent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sscb_pipeline.trajectories.arguments import Arguments


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemText:
    """Instructions and policy given to the agent."""

    index: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UserMessage:
    """What the user said, stop markers of a simulator removed."""

    index: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentMessage:
    """What the agent said. `turn` is shared by the text and the calls of one assistant turn (from 0)."""

    index: int
    turn: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A call the agent made. `call_id` is the source's own id and no key: ids repeat in real recordings."""

    index: int
    turn: int
    call_id: str
    tool: str
    arguments: Arguments


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """The observation answers the call at step `call`."""

    call: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Orphan:
    """The observation answers no call of this trajectory; a defect that checks must name."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolObservation:
    """Exact text delivered for a call. `tool` is empty where the source names none."""

    index: int
    call_id: str
    tool: str
    content: str
    pairing: Answers | Orphan


@dataclass(frozen=True, slots=True, kw_only=True)
class Handoff:
    """Control passes to another agent, with what was said to it."""

    index: int
    recipient: str
    text: str


Step = SystemText | UserMessage | AgentMessage | ToolCall | ToolObservation | Handoff


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDefinition:
    """A tool as the agent sees it: name, description and JSON schema of the parameters."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Complete:
    """The history ended of itself; the lack of an event in it is a fact."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CutShort:
    """The history was cut; the lack of an event in it is undeterminable (SPEC 6: truncated)."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Trajectory:
    """One execution's complete model-visible history. Tool definitions are visible from step 0 on."""

    tools: tuple[ToolDefinition, ...]
    steps: tuple[Step, ...]
    extent: Complete | CutShort

    def call_of(self, observation: ToolObservation) -> ToolCall | Orphan:
        """The call an observation answers, or why there is none."""
        if isinstance(observation.pairing, Orphan):
            return observation.pairing
        step = self.steps[observation.pairing.call]
        assert isinstance(step, ToolCall)
        return step
