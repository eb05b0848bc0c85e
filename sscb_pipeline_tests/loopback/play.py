"""The parts of agent and user, played from a request alone.

The conversation in the request is played again from its beginning by the same reference agents and scripted user that
the embedded study uses; their next turn is the answer. An agent's model name is that of a reference configuration and
decides the habit. A turn that an answer fault spoilt is left out of what is played again, so the agent makes it anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sscb_pipeline.adapters.agents.reference.agent import ReferenceAgent, reference_agent
from sscb_pipeline.adapters.agents.reference.assignment import assignment_of
from sscb_pipeline.adapters.agents.reference.bank import seed_of
from sscb_pipeline.adapters.agents.reference.configurations import REFERENCE_CONFIGURATIONS
from sscb_pipeline.adapters.agents.reference.habits import PLANS, Habit
from sscb_pipeline.adapters.users.scripted import ScriptedUser
from sscb_pipeline.adapters.users.simulated import SIGNALS, instructions
from sscb_pipeline.episodes.participants import AgentStops, Speak, UserSignal
from sscb_pipeline.faults.intervention import Condition
from sscb_pipeline.inclusion.screening import Seed
from sscb_pipeline.trajectories.arguments import UnparsableArguments, from_text, read_text
from sscb_pipeline.trajectories.steps import (
    AgentMessage,
    Answers,
    Step,
    SystemText,
    ToolCall,
    ToolObservation,
    UserMessage,
)
from sscb_pipeline_tests.loopback.plan import Fault

MISNAMED = "_misnamed"
FILLER = "All work and no play makes a long answer. " * 5000
CLOSING = "Is there anything else I can help you with?"
_MARKERS = {signal: marker for marker, signal in SIGNALS.items()}
_CONFIGURATIONS = {configuration.configuration_id: configuration for configuration in REFERENCE_CONFIGURATIONS}


class Players:
    """Everyone who can be played: the seeds, found by what is said about them."""

    def __init__(self, seeds: Iterable[Seed]) -> None:
        self._by_scenario: dict[str, Seed] = {}
        self._by_opening: dict[str, Seed] = {}
        for seed in seeds:
            task = seed.case.task
            told = instructions(task.scenario, task.domain)
            self._by_scenario.setdefault(told, seed)

    async def prepare(self) -> None:
        """Learn how each user opens a conversation."""
        for seed in self._by_scenario.values():
            opening = await _user(seed).turn([])
            self._by_opening.setdefault(opening.text, seed)

    async def answer(self, body: Mapping[str, Any], fault: Fault) -> dict[str, Any]:
        """The assistant message and finish reason for a chat completion request."""
        messages = body["messages"]
        if "response_format" in body:
            schema = body["response_format"]["json_schema"]["schema"]
            return {"message": {"role": "assistant", "content": json.dumps(instance(schema))}, "finish": "stop"}
        if body.get("tools"):
            return _spoilt(await self._agent(body["model"], messages), fault)
        return await self._user_turn(messages)

    async def _agent(self, model: str, messages: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        steps = steps_of(messages)
        opening = next(step.text for step in steps if isinstance(step, UserMessage))
        agent = _agent_for(self._by_opening[opening], model.rpartition("/")[2])
        for number in _own_turns(steps):
            first = next(
                step.index for step in steps if isinstance(step, AgentMessage | ToolCall) and step.turn == number
            )
            await agent.turn(steps[:first], ())
        turn = await agent.turn(steps, ())
        if isinstance(turn, AgentStops):
            return {"message": {"role": "assistant", "content": CLOSING}, "finish": "stop"}
        assert isinstance(turn, Speak)
        calls = [
            {
                "id": call.call_id,
                "type": "function",
                "function": {"name": call.tool, "arguments": call.raw_arguments},
            }
            for call in turn.calls
        ]
        message: dict[str, Any] = {"role": "assistant", "content": turn.text or None}
        if calls:
            message["tool_calls"] = calls
        return {"message": message, "finish": "tool_calls" if calls else "stop"}

    async def _user_turn(self, messages: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        told = str(messages[0]["content"])
        scenario = told[told.index("<scenario>\n") + len("<scenario>\n") : told.rindex("\n</scenario>")]
        user = _user(self._by_scenario[scenario])
        flipped: list[Step] = []
        for message in messages[1:]:
            index = len(flipped)
            if message["role"] == "user":
                flipped.append(AgentMessage(index=index, turn=index, text=message["content"]))
            else:
                await user.turn(flipped)
                flipped.append(UserMessage(index=index, text=message["content"]))
        turn = await user.turn(flipped)
        marker = "" if turn.signal is UserSignal.CONTINUES else _MARKERS[turn.signal]
        return {
            "message": {"role": "assistant", "content": f"{turn.text} {marker}".strip()},
            "finish": "stop",
        }


def _agent_for(seed: Seed, configuration: str) -> ReferenceAgent:
    habit = _CONFIGURATIONS[configuration].habit(
        operator=seed.case.contract.operator, seed_id=seed.seed_id, condition=Condition.BASELINE, repeat=0
    )
    if habit not in PLANS[seed.case.contract.operator]:
        habit = Habit.SOLVER
    return reference_agent(assignment_of(seed.case), habit, wording_seed=seed_of(configuration, seed.seed_id))


def _user(seed: Seed) -> ScriptedUser:
    return ScriptedUser(seed.case.task.scenario, seed=seed_of("loopback", seed.seed_id))


def _own_turns(steps: Sequence[Step]) -> list[int]:
    """Numbers of the agent's turns after the greeting, in order."""
    turns = [step.turn for step in steps if isinstance(step, AgentMessage | ToolCall)]
    return [turn for turn in dict.fromkeys(turns) if turn > 0]


def steps_of(messages: Sequence[Mapping[str, Any]]) -> list[Step]:
    """The conversation of an agent's request as steps, spoilt turns left out."""
    steps: list[Step] = []
    places: dict[str, int] = {}
    spoilt: set[str] = set()
    turn = -1
    for message in messages:
        calls = message.get("tool_calls") or ()
        if any(_is_spoilt(call) for call in calls):
            spoilt.update(call["id"] for call in calls)
            continue
        match message["role"]:
            case "system":
                steps.append(SystemText(index=len(steps), text=message["content"]))
            case "user":
                steps.append(UserMessage(index=len(steps), text=message["content"]))
            case "assistant":
                turn += 1
                if message.get("content"):
                    text = message["content"].removeprefix(FILLER)
                    steps.append(AgentMessage(index=len(steps), turn=turn, text=text))
                for call in calls:
                    spoilt.discard(call["id"])
                    places[call["id"]] = len(steps)
                    steps.append(
                        ToolCall(
                            index=len(steps),
                            turn=turn,
                            call_id=call["id"],
                            tool=call["function"]["name"],
                            arguments=from_text(call["function"]["arguments"]),
                        )
                    )
            case "tool":
                if message["tool_call_id"] in spoilt:
                    continue
                call = steps[places[message["tool_call_id"]]]
                assert isinstance(call, ToolCall)
                steps.append(
                    ToolObservation(
                        index=len(steps),
                        call_id=call.call_id,
                        tool=call.tool,
                        content=message["content"],
                        pairing=Answers(call=call.index),
                    )
                )
    return steps


def _is_spoilt(call: Mapping[str, Any]) -> bool:
    function = call["function"]
    return function["name"].endswith(MISNAMED) or isinstance(read_text(function["arguments"]), UnparsableArguments)


def _spoilt(answer: dict[str, Any], fault: Fault) -> dict[str, Any]:
    """The answer as an answer fault leaves it; an answer without calls can not have wrong ones."""
    message = answer["message"]
    match fault:
        case Fault.WRONG_TOOL:
            for call in message.get("tool_calls", ()):
                call["function"]["name"] += MISNAMED
        case Fault.BAD_ARGUMENTS:
            for call in message.get("tool_calls", ()):
                call["function"]["arguments"] = call["function"]["arguments"][:-1]
        case Fault.GIANT:
            message["content"] = FILLER + (message["content"] or "")
        case _:
            pass
    return answer


def instance(schema: Mapping[str, Any]) -> Any:
    """The plainest value a JSON schema allows."""
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][-1]
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return instance(schema[key][-1])
    match schema.get("type"):
        case "object":
            return {name: instance(inner) for name, inner in schema.get("properties", {}).items()}
        case "array":
            return []
        case "integer" | "number":
            return 0
        case "boolean":
            return False
        case "null":
            return None
        case _:
            return "none"
