"""One execution, turn by turn, on a state of its own.

Order of steps. Step 0 is the system text and step 1 the fixed greeting (the *opening*); then the user speaks first.
An assistant turn is its text, then its calls in order, then one observation per call in the same order. All
parallel calls run. A call whose arguments are no JSON object does not run: the agent is shown an error instead,
and the text it wrote is kept. A tool that does not exist gets the environment's own error.

How the cap counts. One per turn of the agent, as the loop of τ-bench counts its steps, so that a cap means the same
number of decisions whatever a turn holds. The turn that reaches the cap is carried out like any other, its calls are
answered and the user may still end the conversation; only a further turn is not asked for.
"""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from sscb_pipeline.environments.port import Outcome, State, Substrate
from sscb_pipeline.episodes.execution import Ending, EndingKind, StopReason
from sscb_pipeline.episodes.interception import Interception
from sscb_pipeline.episodes.participants import (
    Agent,
    AgentFiltered,
    AgentOverflows,
    AgentRefuses,
    AgentStops,
    AgentTurn,
    AgentUnreachable,
    CallRequest,
    Speak,
    User,
    UserSignal,
    UserTurn,
)
from sscb_pipeline.errors import EnvironmentUnavailableError, UserSimulatorFailedError
from sscb_pipeline.faults.intervention import InterventionRecord
from sscb_pipeline.faults.operator import Delivered, no_change
from sscb_pipeline.trajectories.arguments import ParsedArguments, UnparsableArguments, from_text
from sscb_pipeline.trajectories.steps import (
    AgentMessage,
    Answers,
    Complete,
    CutShort,
    Step,
    SystemText,
    ToolCall,
    ToolDefinition,
    ToolObservation,
    Trajectory,
    UserMessage,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds of one execution.

    `step_cap` counts turns of the agent. `empty_tries` is how often in all an empty agent turn is asked for
    again; `environment_pauses` are the waits in seconds before each retry of a call the environment could not answer;
    `deadline_seconds` is wall time for the whole conversation, after which the history is cut short.
    """

    step_cap: int
    empty_tries: int = 3
    environment_pauses: tuple[float, ...] = (0.0, 0.02)
    deadline_seconds: float = math.inf


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """Something that had to be tried again: the step that was to be delivered next, who failed, and why."""

    step: int
    participant: str
    cause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A finished execution: what the agent saw, and apart from it what only an evaluator may see.

    `said` holds the agent's own texts in order, without the greeting; `state` is the state the run really ended in.
    """

    trajectory: Trajectory
    record: InterventionRecord
    ending: Ending
    said: tuple[str, ...]
    state: State
    attempts: tuple[Attempt, ...]


class _EndedError(Exception):
    """Control flow inside one execution: it has ended."""

    def __init__(self, reason: StopReason, detail: str) -> None:
        super().__init__(detail)
        self.ending = Ending(reason=reason, detail=detail)


class _Conversation:
    """The growing history of one execution."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.said: list[str] = []
        self.attempts: list[Attempt] = []
        self.turns = 0

    @property
    def next_index(self) -> int:
        return len(self.steps)

    def deliver(self, step: Step) -> None:
        """Append a step."""
        self.steps.append(step)

    def failed(self, participant: str, cause: str) -> None:
        self.attempts.append(Attempt(step=self.next_index, participant=participant, cause=cause))


async def play(
    *,
    substrate: Substrate,
    state: State,
    interception: Interception,
    agent: Agent,
    user: User,
    tools: Sequence[ToolDefinition],
    limits: Limits,
) -> Played:
    """Play one execution to its one ending (SPEC 6).

    `tools` are the definitions as this execution shows them. Raises nothing for what participants and environment
    do within their ports; a broken port (any other exception) is a defect and propagates.
    """
    conversation = _Conversation()
    conversation.steps.append(SystemText(index=0, text=substrate.system_prompt()))
    conversation.steps.append(AgentMessage(index=1, turn=0, text=substrate.greeting()))
    conversation.turns = 1
    shown = tuple(tools)
    deadline = asyncio.timeout(None if math.isinf(limits.deadline_seconds) else limits.deadline_seconds)
    try:
        async with deadline:
            await _converse(conversation, state, interception, agent, user, shown, limits)
    except _EndedError as ended:
        ending = ended.ending
    except TimeoutError:
        if not deadline.expired():
            raise
        ending = Ending(reason=StopReason.DEADLINE, detail=f"{limits.deadline_seconds} s of wall time were used up")
    else:  # pragma: no cover - the conversation only ends by an ending
        raise AssertionError("a conversation ended without an ending")
    extent = Complete() if ending.kind is EndingKind.COMPLETED else CutShort(reason=ending.reason.value)
    return Played(
        trajectory=Trajectory(tools=shown, steps=tuple(conversation.steps), extent=extent),
        record=interception.record(),
        ending=ending,
        said=tuple(conversation.said),
        state=state,
        attempts=tuple(conversation.attempts),
    )


async def _converse(
    conversation: _Conversation,
    state: State,
    interception: Interception,
    agent: Agent,
    user: User,
    tools: tuple[ToolDefinition, ...],
    limits: Limits,
) -> None:
    await _user_turn(conversation, user, limits)
    for _ in range(limits.step_cap):
        turn = await _agent_turn(conversation, agent, tools, limits)
        calls = _deliver_turn(conversation, turn)
        if calls:
            for call in calls:
                await _answer(conversation, call, state, interception, tools, limits)
        else:
            await _user_turn(conversation, user, limits)
    raise _EndedError(StopReason.STEP_CAP, f"the cap of {limits.step_cap} agent turns was reached")


async def _user_turn(conversation: _Conversation, user: User, limits: Limits) -> None:
    turn = await _asked_user(conversation, user, limits)
    if turn.text:
        conversation.deliver(UserMessage(index=conversation.next_index, text=turn.text))
    match turn.signal:
        case UserSignal.CONTINUES:
            return
        case UserSignal.STOP:
            raise _EndedError(StopReason.USER_STOP, f"the user ended the conversation{_circumstance(conversation)}")
        case UserSignal.TRANSFER:
            raise _EndedError(StopReason.TRANSFER, "the user was transferred to a person")
        case UserSignal.OUT_OF_SCOPE:
            raise _EndedError(StopReason.OUT_OF_SCOPE, "the user found the conversation out of its scenario")
        case _:
            assert_never(turn.signal)


async def _asked_user(conversation: _Conversation, user: User, limits: Limits) -> UserTurn:
    for _ in range(limits.empty_tries):
        try:
            turn = await user.turn(conversation.steps)
        except UserSimulatorFailedError as error:
            conversation.failed("user", str(error))
            raise _EndedError(StopReason.USER_SIMULATOR_FAILURE, str(error)) from error
        if turn.text or turn.signal is not UserSignal.CONTINUES:
            return turn
        conversation.failed("user", "empty turn")
    raise _EndedError(
        StopReason.USER_SIMULATOR_FAILURE, f"{limits.empty_tries} user turns held neither words nor a signal"
    )


def _circumstance(conversation: _Conversation) -> str:
    """What is odd about a user's stop, for people who judge the simulator: it is no failure of the agent."""
    if not conversation.said:
        return " before the agent had said anything"
    last = conversation.said[-1].rstrip()
    return " on an open question of the agent" if last.endswith("?") and not _OFFER.search(last) else ""


_OFFER = re.compile(r"\b(anything|something) (else|more|further)\b[^?]*\?$", re.IGNORECASE)
"""A question that only offers more help leaves nothing open."""


async def _agent_turn(
    conversation: _Conversation, agent: Agent, tools: tuple[ToolDefinition, ...], limits: Limits
) -> Speak:
    for _ in range(limits.empty_tries):
        turn = _spoken(conversation, await agent.turn(conversation.steps, tools))
        if turn.text or turn.calls:
            return turn
        conversation.failed("agent", "empty response")
    raise _EndedError(StopReason.EMPTY_RESPONSE, f"{limits.empty_tries} agent turns held neither text nor calls")


def _spoken(conversation: _Conversation, turn: AgentTurn) -> Speak:
    """The turn where it is speech; every other turn ends the execution, its last words delivered first."""
    match turn:
        case Speak():
            return turn
        case AgentStops(reason=reason):
            raise _EndedError(StopReason.AGENT_STOP, reason)
        case AgentRefuses(text=text):
            _deliver_turn(conversation, Speak(text=text, calls=()))
            raise _EndedError(StopReason.REFUSAL, "the agent declined")
        case AgentFiltered(text=text, detail=detail):
            _deliver_turn(conversation, Speak(text=text, calls=()))
            raise _EndedError(StopReason.CONTENT_FILTER, detail)
        case AgentOverflows(detail=detail):
            raise _EndedError(StopReason.CONTEXT_OVERFLOW, detail)
        case AgentUnreachable(cause=cause):
            conversation.failed("agent", cause)
            raise _EndedError(StopReason.PROVIDER_FAILURE, cause)
        case _:
            assert_never(turn)


def _deliver_turn(conversation: _Conversation, turn: Speak) -> list[ToolCall]:
    number = conversation.turns
    conversation.turns += 1
    if turn.text:
        conversation.deliver(AgentMessage(index=conversation.next_index, turn=number, text=turn.text))
        conversation.said.append(turn.text)
    return [_deliver_call(conversation, request, number) for request in turn.calls]


def _deliver_call(conversation: _Conversation, request: CallRequest, turn: int) -> ToolCall:
    call = ToolCall(
        index=conversation.next_index,
        turn=turn,
        call_id=request.call_id,
        tool=request.tool,
        arguments=from_text(request.raw_arguments),
    )
    conversation.deliver(call)
    return call


def _needs_none(name: str, tools: tuple[ToolDefinition, ...]) -> bool:
    """Whether a tool of that name declares that it requires no argument, so that no text at all stands for `{}`."""
    return any(
        tool.name == name and "properties" in tool.parameters and not tool.parameters.get("required") for tool in tools
    )


async def _answer(
    conversation: _Conversation,
    call: ToolCall,
    state: State,
    interception: Interception,
    tools: tuple[ToolDefinition, ...],
    limits: Limits,
) -> None:
    delivered = await _run(conversation, call, state, interception, tools, limits)
    step = conversation.next_index
    conversation.deliver(
        ToolObservation(
            index=step,
            call_id=call.call_id,
            tool=call.tool,
            content=delivered.outcome.content,
            pairing=Answers(call=call.index),
        )
    )
    interception.delivered(delivered, step=step, call_id=call.call_id, tool=call.tool)


async def _run(
    conversation: _Conversation,
    call: ToolCall,
    state: State,
    interception: Interception,
    tools: tuple[ToolDefinition, ...],
    limits: Limits,
) -> Delivered:
    reading = call.arguments.reading
    if isinstance(reading, UnparsableArguments) and not call.arguments.raw.strip() and _needs_none(call.tool, tools):
        reading = ParsedArguments(value={})
    if isinstance(reading, UnparsableArguments):
        text = f"Error: the arguments are not a JSON object ({reading.reason}). The tool {call.tool} was not run."
        return no_change(Outcome(content=text, error=True))
    for pause in (*limits.environment_pauses, math.inf):
        try:
            return interception.call(state, call.tool, reading.value)
        except EnvironmentUnavailableError as error:
            conversation.failed("environment", str(error))
            if math.isinf(pause):
                raise _EndedError(StopReason.ENVIRONMENT_FAILURE, str(error)) from error
            await asyncio.sleep(pause)
    raise AssertionError("unreachable: the last try returns or ends")  # pragma: no cover
