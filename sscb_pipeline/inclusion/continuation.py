"""The participants a witness is played with: an agent that opens, continues and uses; a user who states the task."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from sscb_pipeline.environments.port import Task
from sscb_pipeline.episodes.participants import (
    AgentStops,
    AgentTurn,
    CallRequest,
    Speak,
    UserSignal,
    UserTurn,
)
from sscb_pipeline.faults.operator import WitnessCall, WitnessPlan
from sscb_pipeline.measured import Undeterminable
from sscb_pipeline.trajectories.steps import Complete, Step, ToolDefinition, Trajectory

Planner = Callable[[Trajectory], WitnessPlan | Undeterminable]


class WitnessAgent:
    """Plays an opening, then the continuation planned from what is visible by then, then stops.

    The opening is either calls of the operator's or the turns of a recorded execution up to its fault.
    """

    def __init__(self, opening: Sequence[AgentTurn], planner: Planner) -> None:
        self._opening = list(opening)
        self._planner = planner
        self._planned: list[AgentTurn] = []
        self._stage = self._open

    async def turn(self, history: Sequence[Step], tools: Sequence[ToolDefinition]) -> AgentTurn:
        """The next turn of opening, continuation or end."""
        return self._stage(history, tools)

    def _open(self, history: Sequence[Step], tools: Sequence[ToolDefinition]) -> AgentTurn:
        if self._opening:
            return self._opening.pop(0)
        plan = self._planner(Trajectory(tools=tuple(tools), steps=tuple(history), extent=Complete()))
        if isinstance(plan, Undeterminable):
            return AgentStops(reason=plan.reason)
        self._planned = [*as_turns(plan.calls, "witness"), Speak(text=plan.use, calls=())]
        self._stage = self._continue
        return self._continue(history, tools)

    def _continue(self, history: Sequence[Step], tools: Sequence[ToolDefinition]) -> AgentTurn:
        return self._planned.pop(0) if self._planned else AgentStops(reason="the continuation is over")


class StatedUser:
    """Says what the task tells the user to know and want, then listens."""

    def __init__(self, task: Task) -> None:
        scenario = task.scenario
        self._lines = [f"{scenario.reason_for_call}\n{scenario.known_info}".strip()]

    async def turn(self, history: Sequence[Step]) -> UserTurn:
        """The next line; the conversation is over once the use has been made."""
        if self._lines:
            return UserTurn(text=self._lines.pop(0), signal=UserSignal.CONTINUES)
        return UserTurn(text="", signal=UserSignal.STOP)


class ReplayedUser:
    """Says again what the user of a recorded execution said, then stops."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = list(lines)

    async def turn(self, history: Sequence[Step]) -> UserTurn:
        """The next recorded line."""
        if self._lines:
            return UserTurn(text=self._lines.pop(0), signal=UserSignal.CONTINUES)
        return UserTurn(text="", signal=UserSignal.STOP)


def as_turns(calls: Sequence[WitnessCall], prefix: str) -> list[AgentTurn]:
    """One assistant turn per call, with the arguments as exact JSON text."""
    return [
        Speak(
            text="",
            calls=(
                CallRequest(
                    call_id=f"{prefix}-{number}", tool=call.tool, raw_arguments=json.dumps(dict(call.arguments))
                ),
            ),
        )
        for number, call in enumerate(calls)
    ]
