"""Planned outages: a substrate whose environment is unavailable at calls named in advance.

It stands before any substrate and implements the same port, so that *missing* executions come about the way they
would with a remote environment, through EnvironmentUnavailableError and the retries of whoever calls.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sscb_pipeline.environments.port import Outcome, Score, State, Substrate, Task
from sscb_pipeline.errors import EnvironmentUnavailableError, InputError
from sscb_pipeline.trajectories.steps import ToolDefinition


@dataclass(frozen=True, slots=True, kw_only=True)
class Outage:
    """The call number `occurrence` (from 0) of `tool` in an execution fails `attempts` times before it is answered.

    A call that failed and is made again is the same occurrence. To make an execution missing, plan more attempts
    than the caller makes.
    """

    tool: str
    occurrence: int
    attempts: int

    def __post_init__(self) -> None:
        if self.occurrence < 0 or self.attempts < 1:
            raise InputError(
                subject=f"outage of {self.tool}",
                expected="occurrence of at least 0 and attempts of at least 1",
                found=f"occurrence {self.occurrence}, attempts {self.attempts}",
                remedy="correct the outage plan",
            )


class _Weather:
    """What one execution has met so far. Forks of a state share it: an outage is of the world, not of the state."""

    __slots__ = ("_answered", "_failed", "_plan")

    def __init__(self, plan: Mapping[tuple[str, int], int]) -> None:
        self._plan = plan
        self._answered: dict[str, int] = {}
        self._failed: dict[tuple[str, int], int] = {}

    def let_through(self, tool: str) -> None:
        """Raise EnvironmentUnavailableError if this attempt is planned to fail, else count an answered call."""
        occurrence = self._answered.get(tool, 0)
        place = (tool, occurrence)
        failed = self._failed.get(place, 0)
        if failed < self._plan.get(place, 0):
            self._failed[place] = failed + 1
            raise EnvironmentUnavailableError(
                subject=f"environment, call {occurrence} of {tool}",
                expected="an answer",
                found=f"a planned outage, attempt {failed + 1} of {self._plan[place]}",
                remedy="try again, or take the outage out of the plan",
            )
        self._answered[tool] = occurrence + 1


class _ExposedState:
    """A state behind the weather."""

    __slots__ = ("_state", "_weather")

    def __init__(self, state: State, weather: _Weather) -> None:
        self._state = state
        self._weather = weather

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Outcome:
        """As the state, unless an outage is planned for this attempt."""
        self._weather.let_through(tool)
        return self._state.call(tool, arguments)

    def fork(self) -> State:
        """An independent copy under the same weather."""
        return _ExposedState(self._state.fork(), self._weather)

    def digest(self) -> str:
        """The state's own digest: an outage changes nothing."""
        return self._state.digest()

    def record(self, kind: str, identifier: str) -> Mapping[str, Any]:
        """As the state; the evaluator's eye does not go through the interface that fails."""
        return self._state.record(kind, identifier)


class WithOutages:
    """The substrate `substrate` with `plan`; each fresh state starts the plan anew. Scoring is not exposed to it."""

    def __init__(self, substrate: Substrate, plan: Sequence[Outage]) -> None:
        """Raises InputError for a plan that names a call twice or a tool the substrate lacks."""
        known = {tool.name for tool in substrate.tools()}
        attempts: dict[tuple[str, int], int] = {}
        for outage in plan:
            place = (outage.tool, outage.occurrence)
            if outage.tool not in known or place in attempts:
                raise InputError(
                    subject=f"outage plan, call {outage.occurrence} of {outage.tool}",
                    expected=f"one entry per call, of a tool of {substrate.domain}",
                    found="a second entry" if place in attempts else "an unknown tool",
                    remedy="correct the outage plan",
                )
            attempts[place] = outage.attempts
        self._substrate = substrate
        self._attempts = attempts

    @property
    def domain(self) -> str:
        """As the substrate."""
        return self._substrate.domain

    @property
    def data_sha256(self) -> Mapping[str, str]:
        """As the substrate."""
        return self._substrate.data_sha256

    def tasks(self) -> Sequence[Task]:
        """As the substrate."""
        return self._substrate.tasks()

    def tools(self) -> tuple[ToolDefinition, ...]:
        """As the substrate."""
        return self._substrate.tools()

    def system_prompt(self) -> str:
        """As the substrate."""
        return self._substrate.system_prompt()

    def user_guidelines(self) -> str:
        """As the substrate."""
        return self._substrate.user_guidelines()

    def greeting(self) -> str:
        """As the substrate."""
        return self._substrate.greeting()

    def records(self, kind: str) -> Mapping[str, Mapping[str, Any]]:
        """As the substrate."""
        return self._substrate.records(kind)

    def writes(self) -> frozenset[str]:
        """As the substrate."""
        return self._substrate.writes()

    def fresh(self) -> State:
        """A fresh state that will meet the planned outages."""
        return _ExposedState(self._substrate.fresh(), _Weather(self._attempts))

    def score(self, task: Task, state: State, said: Sequence[str]) -> Score:
        """As the substrate."""
        return self._substrate.score(task, state, said)
