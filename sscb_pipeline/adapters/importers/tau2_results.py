"""τ²-bench results: one object `{timestamp, info, tasks, simulations}`.

A simulation's messages hold no system message. The policy stands in `info.environment_info.policy`; the agent was
sent it inside an instruction whose wording the file does not hold, so it becomes a system text marked POLICY at
the beginning, exactly as the file has it, and message index i of the file is index i + 1 of the record. The fixed
greeting that opens every simulation is a turn of the agent like any other, since the agent has it in its history.
Arguments are objects, results name no tool but say whose call they answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sscb_pipeline.adapters.importers.foreign import Value, document
from sscb_pipeline.adapters.importers.imported import ImportedRun
from sscb_pipeline.trajectories import stop_markers
from sscb_pipeline.trajectories.source_record import (
    NO_KEY,
    Actor,
    ErrorMark,
    PairingRule,
    Requestor,
    SourceCall,
    SourceMessage,
    SourceOrigin,
    SourceRecord,
    SourceResult,
    SourceSystem,
    SourceText,
    SourceTurn,
    SystemOrigin,
    ToolsNotRecorded,
    given,
)
from sscb_pipeline.trajectories.steps import Complete, CutShort, ToolDefinition

_FIRST = re.compile(rb'\s*\{\s*"(timestamp|info|tasks|simulations)"\s*:')
_ANY = re.compile(rb'"(simulations|environment_info|agent_info|user_info)"\s*:')
_COMPLETE = frozenset({"user_stop", "agent_stop", "judge_stop", "max_steps", "too_many_errors"})
_ACTORS = {"assistant": Actor.AGENT, "user": Actor.USER}
_REQUESTORS = {"assistant": Requestor.AGENT, "user": Requestor.USER}
_MARKS = {True: ErrorMark.ERROR, False: ErrorMark.NO_ERROR}


class Tau2Results:
    """Importer of τ²-bench result files."""

    @property
    def name(self) -> str:
        """See `Importer`."""
        return "tau2_results"

    def recognises(self, head: bytes) -> bool:
        """An object that begins with one of the format's keys and holds another that is its own."""
        return _FIRST.match(head) is not None and _ANY.search(head) is not None

    def runs(self, data: bytes, file: str) -> Iterator[ImportedRun]:
        """See `Importer`."""
        top = document(data, file)
        environment = top.key("info").key("environment_info")
        policy = SourceSystem(text=environment.text("policy"), origin=SystemOrigin.POLICY)
        tools = _tools(environment)
        for position, simulation in enumerate(top.key("simulations").items()):
            yield self._run(simulation, file, position, policy, tools)

    def _run(
        self,
        simulation: Value,
        file: str,
        position: int,
        policy: SourceSystem,
        tools: tuple[ToolDefinition, ...] | ToolsNotRecorded,
    ) -> ImportedRun:
        origin = SourceOrigin(
            format=self.name,
            file=file,
            position=position,
            task=simulation.key("task_id").label(),
            trial=simulation.key("trial").label() if simulation.has("trial") else "",
        )
        messages = [_message(single) for message in simulation.key("messages").items() for single in _single(message)]
        record = SourceRecord(
            origin=origin,
            pairing_rule=PairingRule.BY_ID,
            stop_markers=stop_markers.TAU2,
            tools=tools,
            messages=(policy, *messages),
            extent=_extent(simulation),
        )
        evaluation = {key: value for key, value in simulation.mapping().items() if key != "messages"}
        return ImportedRun(record=record, evaluation=evaluation)


def _tools(environment: Value) -> tuple[ToolDefinition, ...] | ToolsNotRecorded:
    """`tool_defs` maps a tool's name to its signature; files at hand hold null."""
    if not environment.has("tool_defs"):
        return ToolsNotRecorded()
    signatures = environment.key("tool_defs")
    definitions = []
    for name in signatures.mapping():
        signature = signatures.key(name)
        parameters = signature.key("params").mapping() if signature.has("params") else {}
        doc = signature.text("doc")
        definitions.append(ToolDefinition(name=name, description=doc.value, parameters=parameters))
    return tuple(definitions)


def _extent(simulation: Value) -> Complete | CutShort:
    """Stops and limits leave a complete history; errors and unknown reasons do not."""
    if not simulation.has("termination_reason"):
        return CutShort(reason="no termination reason is recorded")
    reason = simulation.key("termination_reason").string()
    if not simulation.key("messages").items():
        return CutShort(reason="the run holds no message")
    return Complete() if reason in _COMPLETE else CutShort(reason=f"termination reason {reason}")


def _single(message: Value) -> list[Value]:
    """A message, or the results a group message holds."""
    return message.key("tool_messages").items() if message.has("tool_messages") else [message]


def _message(message: Value) -> SourceMessage:
    role = message.key("role")
    match role.value:
        case "system":
            return SourceSystem(text=message.text("content"), origin=SystemOrigin.MESSAGE)
        case "user" | "assistant":
            return _turn(message, _ACTORS[role.value])
        case "tool":
            return _result(message)
        case _:
            raise role.refuse("one of the roles system, user, assistant, tool")


def _turn(message: Value, actor: Actor) -> SourceTurn:
    calls = []
    for call in message.calls():
        if call.has("requestor") and _ACTORS.get(call.key("requestor").label()) is not actor:
            raise call.key("requestor").refuse(f"the {actor.value}, whose message holds the call")
        calls.append(
            SourceCall(call_id=call.text("id"), tool=call.key("name").string(), arguments=call.arguments("arguments"))
        )
    provider = _provider_message(message)
    return SourceTurn(
        actor=actor,
        text=message.text("content"),
        refusal=_at(provider, "refusal"),
        reasoning=_at(provider, "reasoning_content"),
        calls=tuple(calls),
    )


def _provider_message(message: Value) -> dict[str, object]:
    """The provider's own message, where the file keeps it."""
    raw = message.mapping().get("raw_data")
    inner = raw.get("message") if isinstance(raw, dict) else None
    return inner if isinstance(inner, dict) else {}


def _at(provider: dict[str, object], key: str) -> SourceText:
    value = provider.get(key)
    return given(value) if isinstance(value, str) else NO_KEY


def _result(message: Value) -> SourceResult:
    requestor = Requestor.NOT_GIVEN
    if message.has("requestor"):
        whose = message.key("requestor")
        if whose.value not in _REQUESTORS:
            raise whose.refuse("assistant or user")
        requestor = _REQUESTORS[whose.value]
    mark = ErrorMark.NOT_GIVEN
    if message.has("error"):
        error = message.key("error")
        if not isinstance(error.value, bool):
            raise error.refuse("true or false")
        mark = _MARKS[error.value]
    return SourceResult(
        call_id=message.text("id"),
        tool=message.text("name"),
        content=message.text("content"),
        requestor=requestor,
        error=mark,
    )
