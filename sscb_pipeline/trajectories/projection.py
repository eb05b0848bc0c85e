"""From source record to trajectory, the agent-visible projection (SPEC 1), and back for trajectories of our own.

What the agent sees: system texts, what the user says to it, its own turns, the results of its own calls. What it
does not see: the user's calls with their results, the text of a user turn that makes calls (such a turn goes to
the environment, not to the agent), reasoning, stop markers, error marks. A result that answers no call of either
is kept as an orphan unless it says that it belongs to the user.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import assert_never

from sscb_pipeline.errors import InputError
from sscb_pipeline.trajectories import stop_markers
from sscb_pipeline.trajectories.pairing import CallPlace, Pairing, PairingConflictError, Unanswering, pair
from sscb_pipeline.trajectories.source_record import (
    NO_KEY,
    Actor,
    ErrorMark,
    PairingRule,
    Requestor,
    SourceCall,
    SourceHandoff,
    SourceMessage,
    SourceOrigin,
    SourceRecord,
    SourceResult,
    SourceSystem,
    SourceTurn,
    SystemOrigin,
    TextForm,
    ToolsNotRecorded,
    given,
)
from sscb_pipeline.trajectories.steps import (
    AgentMessage,
    Answers,
    Handoff,
    Orphan,
    Step,
    SystemText,
    ToolCall,
    ToolObservation,
    Trajectory,
    UserMessage,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Projection:
    """The trajectory and where each step comes from.

    `places[i]` is the message index of step i; `calls` maps the step of every tool call to its place in the record.
    """

    trajectory: Trajectory
    places: tuple[int, ...]
    calls: dict[int, CallPlace]
    pairing: Pairing


@dataclass(slots=True)
class _Builder:
    """Steps under construction; ends in a frozen Projection."""

    steps: list[Step] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    step_of: dict[CallPlace, int] = field(default_factory=dict)
    turn: int = 0

    @property
    def next(self) -> int:
        return len(self.steps)

    def add(self, step: Step, place: int) -> None:
        self.steps.append(step)
        self.places.append(place)


def project(record: SourceRecord) -> Projection:
    """The agent-visible projection. Raises PairingConflictError where results cannot be linked to calls.

    An assistant turn with text and k calls is 1 + k steps, text first; blank text gives no step; a refusal is said
    like text, after it where there are both. A user turn without calls gives a step, an empty text included, unless
    only a marker was in it.
    """
    pairing = pair(record)
    built = _Builder()
    for place, message in enumerate(record.messages):
        match message:
            case SourceSystem():
                if not message.text.blank:
                    built.add(SystemText(index=built.next, text=message.text.value), place)
            case SourceTurn(actor=Actor.AGENT):
                _agent_turn(built, place, message)
            case SourceTurn():
                _user_turn(built, place, message, record.stop_markers)
            case SourceResult():
                _result(built, place, message, pairing)
            case SourceHandoff():
                step = Handoff(index=built.next, recipient=message.recipient, text=message.text.value)
                built.add(step, place)
            case _:
                assert_never(message)
    tools = () if isinstance(record.tools, ToolsNotRecorded) else record.tools
    return Projection(
        trajectory=Trajectory(tools=tools, steps=tuple(built.steps), extent=record.extent),
        places=tuple(built.places),
        calls={step: place for place, step in built.step_of.items()},
        pairing=pairing,
    )


def _agent_turn(built: _Builder, place: int, message: SourceTurn) -> None:
    before = built.next
    for said in (message.text, message.refusal):
        if not said.blank:
            built.add(AgentMessage(index=built.next, turn=built.turn, text=said.value), place)
    for position, call in enumerate(message.calls):
        built.step_of[CallPlace(message=place, position=position)] = built.next
        step = ToolCall(
            index=built.next,
            turn=built.turn,
            call_id=call.call_id.value,
            tool=call.tool,
            arguments=call.arguments,
        )
        built.add(step, place)
    if built.next > before:
        built.turn += 1


def _user_turn(built: _Builder, place: int, message: SourceTurn, markers: tuple[str, ...]) -> None:
    if message.calls or message.text.form is not TextForm.GIVEN:
        return
    parts = stop_markers.split(message.text.value, markers)
    if isinstance(parts, stop_markers.Marked) and not parts.said:
        return
    built.add(UserMessage(index=built.next, text=parts.said), place)


def _result(built: _Builder, place: int, message: SourceResult, pairing: Pairing) -> None:
    link = pairing.answers[place]
    if isinstance(link, Unanswering):
        if message.requestor is Requestor.USER:
            return
        status: Answers | Orphan = Orphan(reason=link.reason)
    elif link in built.step_of:
        status = Answers(call=built.step_of[link])
    else:
        return
    step = ToolObservation(
        index=built.next,
        call_id=message.call_id.value,
        tool=message.tool.value,
        content=message.content.value,
        pairing=status,
    )
    built.add(step, place)


def lift(trajectory: Trajectory, origin: SourceOrigin) -> SourceRecord:
    """The source record of a trajectory that our own harness recorded, where nothing was hidden from the agent.

    `project(lift(t, o)).trajectory == t` holds, or InputError is raised: pairing by id is declared where it gives
    the trajectory's own links, else pairing by position (providers may send empty or doubled ids).
    """
    messages = tuple(_lift_messages(trajectory))
    for rule in (PairingRule.BY_ID, PairingRule.BY_POSITION):
        record = SourceRecord(
            origin=origin,
            pairing_rule=rule,
            stop_markers=(),
            tools=trajectory.tools,
            messages=messages,
            extent=trajectory.extent,
        )
        try:
            same = project(record).trajectory.steps == trajectory.steps
        except PairingConflictError:
            same = False
        if same:
            return record
    raise InputError(
        subject=origin.place,
        expected="links between calls and observations that ids or positions give",
        found="other links, a turn without number order, or blank text as a step",
        remedy="record the run again; its steps are not what the turn loop writes",
    )


def _lift_messages(trajectory: Trajectory) -> Iterator[SourceMessage]:
    steps = trajectory.steps
    at = 0
    while at < len(steps):
        step = steps[at]
        at += 1
        match step:
            case SystemText():
                yield SourceSystem(text=given(step.text), origin=SystemOrigin.MESSAGE)
            case UserMessage():
                yield _turn(Actor.USER, [step.text], [])
            case AgentMessage() | ToolCall():
                said: list[str] = []
                calls: list[ToolCall] = []
                at -= 1
                while at < len(steps) and _continues(steps[at], step.turn, said, calls):
                    part = steps[at]
                    at += 1
                    if isinstance(part, ToolCall):
                        calls.append(part)
                    elif isinstance(part, AgentMessage):
                        said.append(part.text)
                yield _turn(Actor.AGENT, said, calls)
            case ToolObservation():
                yield SourceResult(
                    call_id=given(step.call_id),
                    tool=given(step.tool),
                    content=given(step.content),
                    requestor=Requestor.NOT_GIVEN,
                    error=ErrorMark.NOT_GIVEN,
                )
            case Handoff():
                yield SourceHandoff(recipient=step.recipient, text=given(step.text))
            case _:
                assert_never(step)


def _continues(step: Step, turn: int, said: list[str], calls: list[ToolCall]) -> bool:
    """Whether a step is a further part of an agent's turn: at most text and refusal, then calls."""
    if isinstance(step, ToolCall):
        return step.turn == turn
    return isinstance(step, AgentMessage) and step.turn == turn and not calls and len(said) < 2


def _turn(actor: Actor, said: list[str], calls: list[ToolCall]) -> SourceTurn:
    return SourceTurn(
        actor=actor,
        text=given(said[0]) if said else given(""),
        refusal=given(said[1]) if len(said) > 1 else NO_KEY,
        reasoning=NO_KEY,
        calls=tuple(
            SourceCall(call_id=given(call.call_id), tool=call.tool, arguments=call.arguments) for call in calls
        ),
    )
