"""An operator that behaves like a real one except where a test says otherwise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sscb_pipeline.environments.port import Substrate
from sscb_pipeline.faults.contract import FaultContract
from sscb_pipeline.faults.intervention import Condition
from sscb_pipeline.faults.operator import (
    Candidate,
    Case,
    Evidence,
    Intervention,
    InvalidContract,
    NotTaskRelevant,
    Operator,
    StoredRecord,
    Untouched,
    WitnessCall,
    WitnessPlan,
)
from sscb_pipeline.measured import Undeterminable
from sscb_pipeline.trajectories.steps import ToolDefinition, Trajectory
from sscb_pipeline.trajectories.subject import Subject

Planner = Callable[[FaultContract, Trajectory], WitnessPlan | Undeterminable]


class Like:
    """Implements the operator port by another operator."""

    def __init__(self, operator: Operator) -> None:
        self._operator = operator
        self.name = operator.name
        self.domain = operator.domain
        self.acquisition = operator.acquisition
        self.paired = operator.paired

    def candidates(self, substrate: Substrate) -> Sequence[Candidate]:
        return self._operator.candidates(substrate)

    def case(self, candidate: Candidate, substrate: Substrate) -> Case | InvalidContract | NotTaskRelevant:
        return self._operator.case(candidate, substrate)

    def stored_in(self, contract: FaultContract) -> StoredRecord:
        return self._operator.stored_in(contract)

    def intervention(self, contract: FaultContract, condition: Condition) -> Intervention:
        return self._operator.intervention(contract, condition)

    def interface(
        self, contract: FaultContract, condition: Condition, tools: tuple[ToolDefinition, ...]
    ) -> tuple[ToolDefinition, ...]:
        return self._operator.interface(contract, condition, tools)

    def carries_fault(self, contract: FaultContract, tool: str, content: str) -> bool:
        return self._operator.carries_fault(contract, tool, content)

    def evidence(self, contract: FaultContract, trajectory: Trajectory) -> Evidence:
        return self._operator.evidence(contract, trajectory)

    def subject(self, contract: FaultContract) -> Subject:
        return self._operator.subject(contract)

    def opening(self, case: Case, substrate: Substrate) -> Sequence[WitnessCall]:
        return self._operator.opening(case, substrate)

    def witness(self, contract: FaultContract, prefix: Trajectory) -> WitnessPlan | Undeterminable:
        return self._operator.witness(contract, prefix)


class Planning(Like):
    """Continues as a test says."""

    def __init__(self, operator: Operator, planner: Planner) -> None:
        super().__init__(operator)
        self._planner = planner

    def witness(self, contract: FaultContract, prefix: Trajectory) -> WitnessPlan | Undeterminable:
        return self._planner(contract, prefix)


class NeverFaulting(Like):
    """Leaves every run clean."""

    def intervention(self, contract: FaultContract, condition: Condition) -> Intervention:
        return Untouched()


class Opening(Like):
    """Opens with the calls a test gives before its own."""

    def __init__(self, operator: Operator, *first: WitnessCall) -> None:
        super().__init__(operator)
        self._first = first

    def opening(self, case: Case, substrate: Substrate) -> Sequence[WitnessCall]:
        return (*self._first, *self._operator.opening(case, substrate))


class Judging(Like):
    """Gives the outcome a test wants for some candidates."""

    def __init__(self, operator: Operator, outcomes: dict[str, Any]) -> None:
        super().__init__(operator)
        self._outcomes = outcomes

    def case(self, candidate: Candidate, substrate: Substrate) -> Case | InvalidContract | NotTaskRelevant:
        given = self._outcomes.get(candidate.candidate_id)
        return self._operator.case(candidate, substrate) if given is None else given
