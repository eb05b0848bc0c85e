"""τ²-bench's user simulator: its guidelines and scenario text, played by a model of its own.

The model sees what a user would: the agent's words in turns that call no tool, and its own. What it writes is split at
the first stop marker; the marker is a signal and is not said. Its failures are the simulator's and never the agent's.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from sscb_pipeline.completions.call_log import Slot
from sscb_pipeline.completions.client import Completions
from sscb_pipeline.completions.failures import CompletionFailedError, Consequence
from sscb_pipeline.completions.reply import Reply
from sscb_pipeline.completions.request import ChatRequest, Message
from sscb_pipeline.environments.port import Scenario
from sscb_pipeline.episodes.participants import UserSignal, UserTurn
from sscb_pipeline.errors import UserSimulatorFailedError
from sscb_pipeline.trajectories.steps import AgentMessage, Step, ToolCall, UserMessage
from sscb_pipeline.trajectories.stop_markers import OUT_OF_SCOPE, STOP, TAU2, TRANSFER, Marked, split

PARTICIPANT = "user"
SIGNALS: Mapping[str, UserSignal] = {
    STOP: UserSignal.STOP,
    TRANSFER: UserSignal.TRANSFER,
    OUT_OF_SCOPE: UserSignal.OUT_OF_SCOPE,
}


def instructions(scenario: Scenario, domain: str) -> str:
    """A scenario as τ² writes it into the simulator's prompt; what the task does not give is left out."""
    parts = [f"Domain: {domain}", _part("Reason for call", scenario.reason_for_call)]
    if scenario.known_info:
        parts.append(_part("Known info", scenario.known_info))
    if scenario.unknown_info:
        parts.append(_part("Unknown info", scenario.unknown_info))
    parts.append(_part("Task instructions", scenario.task_instructions))
    return "Instructions:\n" + textwrap.indent("\n".join(parts), "\t")


def simulator_prompt(guidelines: str, scenario: Scenario, domain: str) -> str:
    """The simulator's system prompt in τ²'s own frame."""
    return f"{guidelines}\n\n<scenario>\n{instructions(scenario, domain)}\n</scenario>"


class SimulatedUser:
    """One conversation's user. `unit` is the execution's id."""

    def __init__(
        self, completions: Completions, *, unit: str, model: str, settings: Mapping[str, Any], prompt: str
    ) -> None:
        self._completions = completions
        self._unit = unit
        self._model = model
        self._settings = settings
        self._prompt = prompt
        self._asked = 0

    async def turn(self, history: Sequence[Step]) -> UserTurn:
        """The next turn; an empty one is returned as it is. Raises UserSimulatorFailedError for a model that gives no
        answer, and what would stop everything as it came."""
        request = ChatRequest(
            model=self._model, messages=_messages(self._prompt, history), tools=(), settings=self._settings
        )
        slot = Slot(unit=self._unit, participant=PARTICIPANT, ordinal=self._asked)
        self._asked += 1
        try:
            reply = await self._completions.complete(request, slot)
        except CompletionFailedError as error:
            if error.failure.consequence is Consequence.STOP_EVERYTHING:
                raise
            raise _failed(f"{error.failure.kind.value}: {error.failure.detail}") from error
        return _turn(reply)


def _turn(reply: Reply) -> UserTurn:
    if reply.refusal.strip():
        raise _failed("the model declined to play the user")
    if reply.finish == "content_filter":
        raise _failed("the provider's content filter ended the turn")
    found = split(reply.text, TAU2)
    if isinstance(found, Marked):
        return UserTurn(text=found.said if found.said.strip() else "", signal=SIGNALS[found.marker])
    return UserTurn(text=found.said if found.said.strip() else "", signal=UserSignal.CONTINUES)


def _messages(prompt: str, history: Sequence[Step]) -> tuple[Message, ...]:
    """The conversation with the roles exchanged. An agent's turn with calls goes to the tools and not to the user."""
    calling = {step.turn for step in history if isinstance(step, ToolCall)}
    messages: list[Message] = [{"role": "system", "content": prompt}]
    for step in history:
        match step:
            case AgentMessage(text=text, turn=turn) if turn not in calling:
                messages.append({"role": "user", "content": text})
            case UserMessage(text=text):
                messages.append({"role": "assistant", "content": text})
            case _:
                continue
    return tuple(messages)


def _part(title: str, text: str) -> str:
    return f"{title}:\n{textwrap.indent(text, chr(9))}"


def _failed(cause: str) -> UserSimulatorFailedError:
    return UserSimulatorFailedError(
        subject="simulated user", expected="a turn", found=cause, remedy="the execution is missing, not failed"
    )
