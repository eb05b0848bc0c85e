"""What the measurement needs from an environment: τ²-bench is one implementation, a user's own domain another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from sscb_pipeline.trajectories.steps import ToolDefinition


class TaskOrigin(StrEnum):
    """Where a task comes from."""

    NATIVE = "native"
    DERIVED = "derived"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """What the simulated user is told. Empty text where the task gives none."""

    reason_for_call: str
    known_info: str
    unknown_info: str
    task_instructions: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceAction:
    """One call of the reference solution."""

    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A task in τ² format: scenario, reference actions, information to communicate."""

    task_id: str
    domain: str
    origin: TaskOrigin
    scenario: Scenario
    actions: tuple[ReferenceAction, ...]
    communicate: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Exact text a tool call delivers, and whether it is the tool's own error."""

    content: str
    error: bool


class State(Protocol):
    """One execution's own environment state."""

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Outcome:
        """Run a tool on this state. The tool's own errors come back as an Outcome.

        Raises EnvironmentUnavailableError for failures of infrastructure only.
        """
        ...

    def fork(self) -> State:
        """An independent copy of this state as it is now; what is done to one does not show in the other."""
        ...

    def digest(self) -> str:
        """sha256 over what differs from the base; equal for states the substrate's own comparison calls equal."""
        ...

    def record(self, kind: str, identifier: str) -> Mapping[str, Any]:
        """A plain copy of one record (evaluator's eye; never shown to an agent). Raises KeyError."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Task success by the substrate's own reward definition (τ²: database and communicated information)."""

    database: bool
    communicated: bool

    @property
    def solved(self) -> bool:
        """Whether the reward is full."""
        return self.database and self.communicated


class Substrate(Protocol):
    """A domain: its data, tools, texts and tasks, shared by all executions and never changed."""

    @property
    def domain(self) -> str:
        """Name of the domain, for example `airline`."""
        ...

    @property
    def data_sha256(self) -> Mapping[str, str]:
        """sha256 of each data file in use, by file name, verified against recorded values."""
        ...

    def tasks(self) -> Sequence[Task]:
        """Native tasks in their own order."""
        ...

    def tools(self) -> tuple[ToolDefinition, ...]:
        """Tool definitions as shown to the agent."""
        ...

    def system_prompt(self) -> str:
        """The agent's instruction with the domain policy, as the substrate composes them."""
        ...

    def user_guidelines(self) -> str:
        """The substrate's guidelines for its user simulator."""
        ...

    def greeting(self) -> str:
        """The fixed first message of the agent."""
        ...

    def records(self, kind: str) -> Mapping[str, Mapping[str, Any]]:
        """All base records of a kind (`reservations`, `users`, `flights`, `orders`, `products`) as plain data."""
        ...

    def writes(self) -> frozenset[str]:
        """Names of the tools that change state."""
        ...

    def fresh(self) -> State:
        """A new state equal to the base."""
        ...

    def score(self, task: Task, state: State, said: Sequence[str]) -> Score:
        """Score a finished run from the state it really ended in and the texts the agent said."""
        ...
