"""The visible history as chat messages.

The messages are the history and nothing else: texts and argument texts go back exactly as they came, call ids too,
repeated ones included. Thinking goes back only where the configuration says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sscb_pipeline.completions.request import Message
from sscb_pipeline.trajectories.steps import (
    AgentMessage,
    Handoff,
    Step,
    SystemText,
    ToolCall,
    ToolObservation,
    UserMessage,
)


class Conversation:
    """Grows with the history; each step becomes a part of a message once."""

    def __init__(self) -> None:
        self._messages: list[dict[str, Any]] = []
        self._seen = 0
        self._turn = -1
        self._thoughts: dict[int, str] = {}

    def think(self, turn: int, reasoning: str) -> None:
        """Send `reasoning` back with the agent's turn of that number."""
        self._thoughts[turn] = reasoning

    def messages(self, history: Sequence[Step]) -> tuple[Message, ...]:
        """The messages of a history that the history given before is the beginning of."""
        for step in history[self._seen :]:
            self._take(step)
        self._seen = len(history)
        return tuple(self._messages)

    def _take(self, step: Step) -> None:
        match step:
            case SystemText(text=text):
                self._messages.append({"role": "system", "content": text})
            case UserMessage(text=text):
                self._messages.append({"role": "user", "content": text})
            case AgentMessage(text=text, turn=turn):
                self._assistant(turn)["content"] = text
            case ToolCall(turn=turn):
                self._assistant(turn).setdefault("tool_calls", []).append(_call(step))
            case ToolObservation(call_id=call_id, content=content):
                self._messages.append({"role": "tool", "tool_call_id": call_id, "content": content})
            case Handoff(text=text):
                self._messages.append({"role": "assistant", "content": text})

    def _assistant(self, turn: int) -> dict[str, Any]:
        """The message of an agent's turn, begun where this is its first step."""
        if turn != self._turn:
            self._turn = turn
            message: dict[str, Any] = {"role": "assistant", "content": None}
            if turn in self._thoughts:
                message["reasoning_content"] = self._thoughts[turn]
            self._messages.append(message)
        return self._messages[-1]


def _call(step: ToolCall) -> Mapping[str, Any]:
    return {
        "id": step.call_id,
        "type": "function",
        "function": {"name": step.tool, "arguments": step.arguments.raw},
    }
