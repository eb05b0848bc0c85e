"""PaySource: the kind of a stored payment method is flipped in the user's profile (SSC §IV-A).

Counter-evidence is the kept payment id, once visible text ties ids to kinds. The tie cited here is the tool schema,
whose parameter descriptions show an id of each kind as an example; a naming pattern mined from stored data would not
count. The id and the fault are delivered together, and the id may have been visible before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sscb_pipeline.environments.port import (
    Outcome,
    ReferenceAction,
    Scenario,
    State,
    Substrate,
    Task,
    TaskOrigin,
)
from sscb_pipeline.faults.contract import (
    Acquisition,
    AffectedFact,
    Assertion,
    CounterEvidence,
    FaultContract,
    Injection,
    Literalness,
    MetCondition,
    Persistence,
    TargetEntity,
    ValueControl,
)
from sscb_pipeline.faults.intervention import Condition, Role
from sscb_pipeline.faults.observation import Seen, as_object, observations, rewrite
from sscb_pipeline.faults.operator import (
    Candidate,
    Case,
    Delivered,
    Evidence,
    EvidenceArrived,
    EvidenceStep,
    Intervention,
    InvalidContract,
    NotTaskRelevant,
    StoredRecord,
    Untouched,
    WitnessCall,
    WitnessPlan,
    no_change,
)
from sscb_pipeline.faults.task_users import user_of
from sscb_pipeline.measured import Never, Undeterminable
from sscb_pipeline.trajectories.steps import ToolDefinition, Trajectory
from sscb_pipeline.trajectories.subject import Subject, ValueKind

NAME = "PaySource"
READ = "get_user_details"
STEP_CAP = 40
KINDS = ("certificate", "credit_card", "gift_card")
FLIPPED = {"certificate": "gift_card", "credit_card": "gift_card", "gift_card": "certificate"}

ERROR_REFUTES = {
    "certificate cannot be used to update reservation": frozenset({"credit_card", "gift_card"}),
    "gift card balance is not enough": frozenset({"certificate", "credit_card"}),
}
"""Tool errors (lower case) about the payment id of the call, and the kinds they rule out."""


class PaySource:
    """SSC's PaySource operator on the airline domain. Entity cluster: user."""

    name = NAME
    domain = "airline"
    acquisition = Acquisition.DELIVERED_TOGETHER
    paired: tuple[Condition, ...] = ()

    def candidates(self, substrate: Substrate) -> Sequence[Candidate]:
        """(user, payment method) of the tasks' users who have at least two methods."""
        users = substrate.records("users")
        named = {user_of(task, users) for task in substrate.tasks()} - {""}
        return [
            Candidate(
                candidate_id=f"{NAME}/{user_id}/{payment_id}",
                operator=NAME,
                domain=self.domain,
                cluster=user_id,
                key={"user_id": user_id, "payment_id": payment_id},
            )
            for user_id in sorted(named)
            if len(users[user_id]["payment_methods"]) >= 2
            for payment_id in users[user_id]["payment_methods"]
        ]

    def case(self, candidate: Candidate, substrate: Substrate) -> Case | InvalidContract | NotTaskRelevant:
        """Contract and derived task of a candidate."""
        user = substrate.records("users")[candidate.key["user_id"]]
        method = user["payment_methods"][candidate.key["payment_id"]]
        return Case(
            candidate=candidate,
            contract=self._contract(candidate, user, method),
            task=_task(candidate, user, method),
            control=ValueControl.ORDINARY,
            literalness=Literalness.NOT_LITERAL,
        )

    def _contract(self, candidate: Candidate, user: Mapping[str, Any], method: Mapping[str, Any]) -> FaultContract:
        payment_id, kind = method["id"], method["source"]
        others = {other: entry["source"] for other, entry in user["payment_methods"].items() if other != payment_id}
        return FaultContract(
            contract_id=candidate.candidate_id,
            operator=NAME,
            domain=self.domain,
            target=TargetEntity(
                kind="payment method",
                identifier=payment_id,
                owner=user["user_id"],
                locator={
                    "payment_id": payment_id,
                    "user_id": user["user_id"],
                    "last_four": method.get("last_four", ""),
                    "amount": method.get("amount", 0),
                    "others": others,
                },
            ),
            fact=AffectedFact(attribute="source", scope="the stored payment method"),
            injected=Assertion(canonical=FLIPPED[kind], data={}),
            authoritative=Assertion(canonical=kind, data={}),
            injection=Injection(
                tool=READ,
                persistence=Persistence.EVERY_RETURN,
                match={"user_id": user["user_id"], "payment_id": payment_id},
            ),
            preserved=(
                "payment ids, amounts, brand and last four digits, types and key order",
                "every other payment method and every other field of the profile",
                "errors of the tool, and every other tool",
            ),
            counter_evidence=_relation(kind),
            acquisition=self.acquisition,
            step_cap=STEP_CAP,
            cluster=candidate.cluster,
            parameters={},
        )

    def stored_in(self, contract: FaultContract) -> StoredRecord:
        """The record that holds the target."""
        return StoredRecord(kind="users", identifier=contract.target.owner)

    def intervention(self, contract: FaultContract, condition: Condition) -> Intervention:
        """Flips the kind in every return of the profile; clean runs are left alone."""
        return Untouched() if condition is Condition.CLEAN else _Flipping(contract)

    def interface(
        self, contract: FaultContract, condition: Condition, tools: tuple[ToolDefinition, ...]
    ) -> tuple[ToolDefinition, ...]:
        """The substrate's own tools."""
        return tools

    def carries_fault(self, contract: FaultContract, tool: str, content: str) -> bool:
        """The profile shows the target method with v' as its source."""
        methods = as_object(content).get("payment_methods", {})
        return (
            tool == contract.injection.tool
            and methods.get(contract.target.identifier, {}).get("source") == contract.injected.canonical
        )

    def evidence(self, contract: FaultContract, trajectory: Trajectory) -> Evidence:
        """The first record that shows the payment id while the schema ties its form to another kind than v', the
        first profile that shows another kind, or the first tool error that rules v' out."""
        tied = _schema_kind(contract.target.identifier, trajectory.tools)
        for seen in observations(trajectory):
            methods = seen.value.get("payment_methods", {})
            shown = methods.get(contract.target.identifier, {}).get("source") if isinstance(methods, dict) else None
            if shown in KINDS and shown != contract.injected.canonical:
                return _arrived(seen, "kind in the profile")
            if tied in KINDS and tied != contract.injected.canonical and _shows_id(seen, contract.target.identifier):
                return EvidenceArrived(
                    steps=(
                        EvidenceStep(step=0, part="tool schema that ties ids to kinds"),
                        EvidenceStep(step=seen.step, part="payment id in the record"),
                    )
                )
            if seen.arguments.get("payment_id") == contract.target.identifier and any(
                message in seen.content.lower() and contract.injected.canonical in ruled_out
                for message, ruled_out in ERROR_REFUTES.items()
            ):
                return _arrived(seen, "tool error that rules the kind out")
        return Never()

    def subject(self, contract: FaultContract) -> Subject:
        """The kind of the payment method."""
        locator = contract.target.locator
        values = sorted({contract.injected.canonical, contract.authoritative.canonical})
        amount = f"{locator['amount']:g}" if locator["amount"] else ""
        return Subject(
            kind=ValueKind.CATEGORY,
            entity="payment method",
            identifiers=(contract.target.identifier,),
            names=tuple(name for name in (locator["last_four"], amount) if name),
            attributes=("payment method", "source", "type", "kind"),
            values=tuple(values),
            alternatives=tuple(kind for kind in KINDS if kind not in values),
            context=tuple(sorted((f"other:{other}", kind) for other, kind in locator["others"].items())),
            requests=(),
        )

    def opening(self, case: Case, substrate: Substrate) -> Sequence[WitnessCall]:
        """Read the profile of the user who names their id."""
        return (WitnessCall(tool=READ, arguments={"user_id": case.contract.target.owner}),)

    def witness(self, contract: FaultContract, prefix: Trajectory) -> WitnessPlan | Undeterminable:
        """The evidence came with the fault; the continuation only makes the use."""
        tied = _schema_kind(contract.target.identifier, prefix.tools)
        if tied not in KINDS:
            return Undeterminable(reason="no visible text ties the payment id to a kind")
        return WitnessPlan(
            calls=(),
            use=(
                f"The profile lists {contract.target.identifier} as a {_words(contract.injected.canonical)}, but an id "
                f"of this form belongs to a {_words(tied)}, so the listed type cannot be right."
            ),
        )


def _relation(kind: str) -> CounterEvidence:
    return CounterEvidence(
        authority=MetCondition(
            statement="the payment id stands in the same stored record as its source",
            basis="get_user_details: payment_methods keys; payment_history of the user's reservations",
        ),
        entity=MetCondition(statement="same payment method", basis="the exact payment id"),
        scope=MetCondition(statement="the stored payment method", basis="profile and reservation records"),
        independence=MetCondition(
            statement="payment ids are never rewritten", basis="the contract rewrites the source field only"
        ),
        sufficiency=MetCondition(
            statement=f"the tool schema ties ids of this form to the kind {kind}",
            basis="update_reservation_flights, parameter payment_id: description with an example id of each kind",
        ),
    )


def _schema_kind(payment_id: str, tools: Sequence[ToolDefinition]) -> str:
    """The kind that the visible tool schema shows for ids of this form; empty when no description shows one."""
    prefix = payment_id.rpartition("_")[0]
    for tool in tools:
        for parameter in tool.parameters.get("properties", {}).values():
            if f"'{prefix}_" in str(parameter.get("description", "")):
                return prefix
    return ""


def _shows_id(seen: Seen, payment_id: str) -> bool:
    """Whether a stored record delivered by the tool holds the payment id (an echo of an argument is none)."""
    return bool(seen.value) and f'"{payment_id}"' in seen.content


def _arrived(seen: Seen, part: str) -> EvidenceArrived:
    return EvidenceArrived(steps=(EvidenceStep(step=seen.step, part=part),))


def _words(kind: str) -> str:
    return kind.replace("_", " ")


class _Flipping:
    def __init__(self, contract: FaultContract) -> None:
        self._contract = contract

    def call(self, state: State, tool: str, arguments: Mapping[str, Any]) -> Delivered:
        contract = self._contract
        native = state.call(tool, arguments)
        methods = {} if native.error or tool != READ else as_object(native.content).get("payment_methods", {})
        if contract.target.identifier not in methods:
            return no_change(native)
        text, changes = rewrite(
            native.content,
            [(("payment_methods", contract.target.identifier, "source"), contract.injected.canonical)],
            subject=f"{contract.contract_id}: {tool}",
        )
        return Delivered(outcome=Outcome(content=text, error=False), native=native, role=Role.FAULT, changes=changes)


def _task(candidate: Candidate, user: Mapping[str, Any], method: Mapping[str, Any]) -> Task:
    return Task(
        task_id=f"derived/{candidate.candidate_id}",
        domain="airline",
        origin=TaskOrigin.DERIVED,
        scenario=Scenario(
            reason_for_call=(
                "You want to know of each payment method on your profile whether it is a credit card, a gift card or a "
                "travel certificate, and which of them could pay for a flight change."
            ),
            known_info=(
                f"You are {user['name']['first_name']} {user['name']['last_name']}. Your user id is {user['user_id']}."
            ),
            unknown_info="You do not remember which payment methods you stored.",
            task_instructions="Do not book or change anything. End the conversation once every method has been named.",
        ),
        actions=(ReferenceAction(tool=READ, arguments={"user_id": user["user_id"]}),),
        communicate=(_words(method["source"]),),
    )
