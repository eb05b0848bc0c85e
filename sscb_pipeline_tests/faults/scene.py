"""Plays calls through an operator's intervention on a real state and keeps what an agent would have seen."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sscb_pipeline.environments.port import State, Substrate
from sscb_pipeline.faults.intervention import Condition
from sscb_pipeline.faults.operator import Case, Delivered, Evidence, EvidenceArrived, Operator
from sscb_pipeline.trajectories.arguments import from_object
from sscb_pipeline.trajectories.steps import (
    Answers,
    Complete,
    Step,
    SystemText,
    ToolCall,
    ToolDefinition,
    ToolObservation,
    Trajectory,
    UserMessage,
)


class Scene:
    """One execution's calls. Steps 0 and 1 are the system text and a user message; each call takes two steps."""

    def __init__(
        self, operator: Operator, case: Case, substrate: Substrate, condition: Condition = Condition.BASELINE
    ) -> None:
        self.operator = operator
        self.contract = case.contract
        self.state: State = substrate.fresh()
        self.tools: tuple[ToolDefinition, ...] = operator.interface(case.contract, condition, substrate.tools())
        self._intervention = operator.intervention(case.contract, condition)
        self._steps: list[Step] = [SystemText(index=0, text="policy"), UserMessage(index=1, text="hello")]

    def call(self, tool: str, **arguments: Any) -> Delivered:
        """Run a call; its observation becomes the last step."""
        return self.call_with(tool, arguments)

    def call_with(self, tool: str, arguments: Mapping[str, Any]) -> Delivered:
        """As `call`, with the arguments as they stand."""
        delivered = self._intervention.call(self.state, tool, arguments)
        self.observe(tool, arguments, delivered.outcome.content)
        return delivered

    def observe(self, tool: str, arguments: Mapping[str, Any], content: str) -> int:
        """Add a call and a given observation; the observation's step."""
        index, call_id = len(self._steps), f"c{len(self._steps)}"
        self._steps.append(
            ToolCall(index=index, turn=index, call_id=call_id, tool=tool, arguments=from_object(arguments))
        )
        self._steps.append(
            ToolObservation(index=index + 1, call_id=call_id, tool=tool, content=content, pairing=Answers(call=index))
        )
        return index + 1

    @property
    def last(self) -> int:
        """Step of the last observation."""
        return len(self._steps) - 1

    def trajectory(self, tools: Sequence[ToolDefinition] | None = None) -> Trajectory:
        """What was visible."""
        shown = self.tools if tools is None else tuple(tools)
        return Trajectory(tools=shown, steps=tuple(self._steps), extent=Complete())

    def evidence(self, tools: Sequence[ToolDefinition] | None = None) -> Evidence:
        """Counter-evidence in what was visible."""
        return self.operator.evidence(self.contract, self.trajectory(tools))

    def arrival(self, tools: Sequence[ToolDefinition] | None = None) -> int | str:
        """The step at which counter-evidence is complete, or the name of the other answer."""
        found = self.evidence(tools)
        return max(part.step for part in found.steps) if isinstance(found, EvidenceArrived) else type(found).__name__


def outside(before: str, after: str, replaced: Mapping[str, str]) -> bool:
    """Whether `after` is `before` with each quoted old text replaced by its new text, and no other byte changed."""
    for old, new in replaced.items():
        assert json.dumps(old) in before
        before = before.replace(json.dumps(old), json.dumps(new))
    return before == after
