"""Replay of a recorded trajectory: its agent turns and its user turns, one after the other, behind the ports."""

from __future__ import annotations

from collections.abc import Sequence

from sscb_pipeline.episodes.participants import AgentStops, AgentTurn, CallRequest, Speak, UserSignal, UserTurn
from sscb_pipeline.trajectories.steps import AgentMessage, Step, ToolCall, ToolDefinition, Trajectory, UserMessage


class ReplayAgent:
    """Makes the recorded turns again, exact argument text included; the greeting (turn 0) is the scaffold's."""

    def __init__(self, trajectory: Trajectory) -> None:
        texts: dict[int, str] = {}
        calls: dict[int, list[CallRequest]] = {}
        for step in trajectory.steps:
            if isinstance(step, AgentMessage) and step.turn > 0:
                texts[step.turn] = step.text
            elif isinstance(step, ToolCall):
                request = CallRequest(call_id=step.call_id, tool=step.tool, raw_arguments=step.arguments.raw)
                calls.setdefault(step.turn, []).append(request)
        self._turns = [
            Speak(text=texts.get(turn, ""), calls=tuple(calls.get(turn, ()))) for turn in sorted({*texts, *calls})
        ]
        self._next = 0

    async def turn(self, history: Sequence[Step], tools: Sequence[ToolDefinition]) -> AgentTurn:
        """The next recorded turn; stops after the last."""
        if self._next == len(self._turns):
            return AgentStops(reason="the recording ends here")
        self._next += 1
        return self._turns[self._next - 1]


class ReplayUser:
    """Says the recorded user messages again; gives `ending` with the last words if the recording ends on them, and
    silently once the words are used up otherwise."""

    def __init__(self, trajectory: Trajectory, *, ending: UserSignal) -> None:
        self._texts = [step.text for step in trajectory.steps if isinstance(step, UserMessage)]
        self._with_words = isinstance(trajectory.steps[-1], UserMessage)
        self._ending = ending
        self._next = 0

    async def turn(self, history: Sequence[Step]) -> UserTurn:
        """The next recorded words."""
        if self._next == len(self._texts):
            return UserTurn(text="", signal=self._ending)
        self._next += 1
        last = self._next == len(self._texts) and self._with_words
        return UserTurn(text=self._texts[self._next - 1], signal=self._ending if last else UserSignal.CONTINUES)
