"""A model behind the agent port.

What ends a conversation is told apart here: words that decline, an answer the provider withheld, a history that no
longer fits, no answer at all. What stops everything (a refused key, a spent budget) is raised.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from sscb_pipeline.adapters.agents.model.conversation import Conversation
from sscb_pipeline.completions.call_log import Slot
from sscb_pipeline.completions.client import Completions
from sscb_pipeline.completions.failures import CompletionFailedError, Consequence, FailureKind
from sscb_pipeline.completions.reply import Reply
from sscb_pipeline.completions.request import ChatRequest
from sscb_pipeline.episodes.participants import (
    AgentFiltered,
    AgentOverflows,
    AgentRefuses,
    AgentTurn,
    AgentUnreachable,
    CallRequest,
    Speak,
)
from sscb_pipeline.trajectories.steps import AgentMessage, Step, ToolCall, ToolDefinition

PARTICIPANT = "agent"


class Reasoning(StrEnum):
    """Whether a model's thinking is sent back to it with the history. It never becomes a step."""

    RESENT = "resent"
    DROPPED = "dropped"


class ModelAgent:
    """Plays one execution. `unit` is the execution's id."""

    def __init__(
        self, completions: Completions, *, unit: str, model: str, settings: Mapping[str, Any], reasoning: Reasoning
    ) -> None:
        self._completions = completions
        self._unit = unit
        self._model = model
        self._settings = settings
        self._reasoning = reasoning
        self._conversation = Conversation()
        self._asked = 0

    async def turn(self, history: Sequence[Step], tools: Sequence[ToolDefinition]) -> AgentTurn:
        """The model's next turn. Raises CompletionFailedError where every further call would fail too, and
        BudgetSpentError."""
        request = ChatRequest(
            model=self._model,
            messages=self._conversation.messages(history),
            tools=tools if isinstance(tools, tuple) else tuple(tools),
            settings=self._settings,
        )
        slot = Slot(unit=self._unit, participant=PARTICIPANT, ordinal=self._asked)
        self._asked += 1
        try:
            reply = await self._completions.complete(request, slot)
        except CompletionFailedError as error:
            return _ended_by(error)
        if self._reasoning is Reasoning.RESENT and reply.reasoning:
            self._conversation.think(_next_turn(history), reply.reasoning)
        return _turn(reply)


def _turn(reply: Reply) -> AgentTurn:
    if reply.refusal.strip() and not reply.calls:
        return AgentRefuses(text=reply.text or reply.refusal)
    if reply.finish == "content_filter" and not reply.calls:
        return AgentFiltered(text=reply.text, detail="the provider's content filter ended the answer")
    calls = tuple(
        CallRequest(call_id=call.call_id, tool=call.tool, raw_arguments=call.raw_arguments) for call in reply.calls
    )
    # White space alone is no message: nobody would say it, and providers refuse to take it back.
    return Speak(text=reply.text if reply.text.strip() else "", calls=calls)


def _ended_by(error: CompletionFailedError) -> AgentTurn:
    failed = error.failure
    if failed.consequence is Consequence.STOP_EVERYTHING:
        raise error
    detail = f"{failed.kind.value}: {failed.detail}"
    match failed.kind:
        case FailureKind.CONTEXT_OVERFLOW:
            return AgentOverflows(detail=detail)
        case FailureKind.CONTENT_FILTER:
            return AgentFiltered(text="", detail=detail)
        case _:
            return AgentUnreachable(cause=detail)


def _next_turn(history: Sequence[Step]) -> int:
    """Number of the agent's turn that comes after the history."""
    last = next(step.turn for step in reversed(history) if isinstance(step, AgentMessage | ToolCall))
    return last + 1
