"""What an operator supplies. A new operator is one module in `faults/operators/` and nothing else (SPEC 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from sscb_pipeline.environments.port import Outcome, State, Substrate, Task
from sscb_pipeline.faults.contract import Acquisition, FaultContract, Literalness, ValueControl
from sscb_pipeline.faults.intervention import Condition, FieldChange, Role
from sscb_pipeline.measured import Never, Undeterminable
from sscb_pipeline.trajectories.steps import ToolDefinition, Trajectory
from sscb_pipeline.trajectories.subject import Subject


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A place where the operator's fault could be injected, found without any agent outcome.

    `key` holds the record keys that single it out; `cluster` is the entity cluster (SSC §V-B).
    """

    candidate_id: str
    operator: str
    domain: str
    cluster: str
    key: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRecord:
    """A record of the environment by kind (`reservations`, `users`, `orders`, …) and key."""

    kind: str
    identifier: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InvalidContract:
    """No valid fault contract exists for this candidate; `reason` says what fails."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NotTaskRelevant:
    """The affected fact does not matter to any task this candidate can carry."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A candidate with its contract, task and flags: what screening decides on."""

    candidate: Candidate
    contract: FaultContract
    task: Task
    control: ValueControl
    literalness: Literalness


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivered:
    """What a call delivers under the intervention. Nothing was rewritten where `changes` is empty."""

    outcome: Outcome
    native: Outcome
    role: Role
    changes: tuple[FieldChange, ...]


class Intervention(Protocol):
    """A stateful interceptor of one execution: sits between the agent's calls and the environment state."""

    def call(self, state: State, tool: str, arguments: Mapping[str, Any]) -> Delivered:
        """Run the call on the run's own state and return what is delivered."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceStep:
    """An observation (or visible text) the counter-evidence rests on, and which part of the relation it carries.

    `step` is a step index from 0; `part` names the part ('outbound segment', 'product record', 'binding', …).
    """

    step: int
    part: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceArrived:
    """Valid counter-evidence is complete at the last of `steps` (SSC §III-A, T_E)."""

    steps: tuple[EvidenceStep, ...]


Evidence = EvidenceArrived | Never | Undeterminable


@dataclass(frozen=True, slots=True, kw_only=True)
class WitnessCall:
    """A call of a witness. Where its arguments come from is found by the verifier, not claimed by the operator."""

    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class WitnessPlan:
    """A continuation: calls that bring the counter-evidence, then the words of the dependent use."""

    calls: tuple[WitnessCall, ...]
    use: str


class Operator(Protocol):
    """One fault operator: contract template, candidate enumeration, intervention and evidence relation."""

    @property
    def name(self) -> str:
        """SSC's name of the operator."""
        ...

    @property
    def domain(self) -> str:
        """The substrate domain it works on."""
        ...

    @property
    def acquisition(self) -> Acquisition:
        """How its counter-evidence can become visible."""
        ...

    @property
    def paired(self) -> tuple[Condition, ...]:
        """The paired conditions it is also run under, on repeat 0 and counted apart (SPEC 6)."""
        ...

    def candidates(self, substrate: Substrate) -> Sequence[Candidate]:
        """The candidate frame in natural order (SPEC 4)."""
        ...

    def case(self, candidate: Candidate, substrate: Substrate) -> Case | InvalidContract | NotTaskRelevant:
        """The candidate's contract and task, or why there is none."""
        ...

    def stored_in(self, contract: FaultContract) -> StoredRecord:
        """The environment record that holds the target (evaluator's eye)."""
        ...

    def intervention(self, contract: FaultContract, condition: Condition) -> Intervention:
        """A fresh interceptor for one execution under `condition`."""
        ...

    def interface(
        self, contract: FaultContract, condition: Condition, tools: tuple[ToolDefinition, ...]
    ) -> tuple[ToolDefinition, ...]:
        """The tool definitions the agent is shown under `condition`; the same for clean and fault runs but for a
        paired condition that changes the interface itself."""
        ...

    def carries_fault(self, contract: FaultContract, tool: str, content: str) -> bool:
        """Whether a delivered text is a fault-bearing observation of this contract (it conveys v')."""
        ...

    def evidence(self, contract: FaultContract, trajectory: Trajectory) -> Evidence:
        """Arrival of valid counter-evidence in the visible history; sees no intervention record."""
        ...

    def subject(self, contract: FaultContract) -> Subject:
        """What references can be about, with v and v' as an unordered set."""
        ...

    def opening(self, case: Case, substrate: Substrate) -> Sequence[WitnessCall]:
        """The shortest calls that bring an agent to the fault-bearing observation (the witness prefix)."""
        ...

    def witness(self, contract: FaultContract, prefix: Trajectory) -> WitnessPlan | Undeterminable:
        """A continuation from a visible prefix, using only what is visible in it."""
        ...


def no_change(outcome: Outcome) -> Delivered:
    """A call delivered as it is."""
    return Delivered(outcome=outcome, native=outcome, role=Role.FAULT, changes=())


class Untouched:
    """The intervention of a clean run: every call is delivered as it is."""

    def call(self, state: State, tool: str, arguments: Mapping[str, Any]) -> Delivered:
        """Run the call and deliver its outcome."""
        return no_change(state.call(tool, arguments))
