"""Small hand-built contracts, subjects and conversations, and an operator that implements the port over them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sscb_pipeline.environments.port import State, Substrate
from sscb_pipeline.faults.contract import (
    Acquisition,
    AffectedFact,
    Assertion,
    CounterEvidence,
    FaultContract,
    Injection,
    MetCondition,
    Persistence,
    TargetEntity,
)
from sscb_pipeline.faults.intervention import Condition, InterventionRecord, Rewrite, Role
from sscb_pipeline.faults.operator import (
    Candidate,
    Case,
    Evidence,
    EvidenceArrived,
    EvidenceStep,
    Intervention,
    InvalidContract,
    StoredRecord,
    WitnessCall,
    WitnessPlan,
)
from sscb_pipeline.measured import Never, Undeterminable
from sscb_pipeline.reconstruction.deterministic import DETERMINISTIC
from sscb_pipeline.reconstruction.measurement import Measurement, Stance, UseEvent
from sscb_pipeline.reconstruction.reconstruct import reconstruct
from sscb_pipeline.trajectories.arguments import from_object
from sscb_pipeline.trajectories.steps import (
    AgentMessage,
    Answers,
    Complete,
    CutShort,
    Handoff,
    Step,
    SystemText,
    ToolCall,
    ToolDefinition,
    ToolObservation,
    Trajectory,
    UserMessage,
)
from sscb_pipeline.trajectories.subject import Subject, ValueKind

_MET = MetCondition(statement="met", basis="test")


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """A contract with its subject, the fault-bearing call and the user's opening words."""

    contract: FaultContract
    subject: Subject
    tool: str
    arguments: Mapping[str, Any]
    native: str
    delivered: str
    opening: str


def _contract(operator: str, identifier: str, injected: str, authoritative: str, tool: str) -> FaultContract:
    return FaultContract(
        contract_id=f"{operator}/test",
        operator=operator,
        domain="test",
        target=TargetEntity(kind="record", identifier=identifier, owner="u", locator={}),
        fact=AffectedFact(attribute="attribute", scope="as delivered"),
        injected=Assertion(canonical=injected, data={}),
        authoritative=Assertion(canonical=authoritative, data={}),
        injection=Injection(tool=tool, persistence=Persistence.EVERY_RETURN, match={}),
        preserved=(),
        counter_evidence=CounterEvidence(authority=_MET, entity=_MET, scope=_MET, independence=_MET, sufficiency=_MET),
        acquisition=Acquisition.DELIVERED_TOGETHER,
        step_cap=60,
        cluster=identifier,
        parameters={},
    )


def _reservation(day: str) -> str:
    flights = [
        {"flight_number": "HAT111", "origin": "SFO", "destination": "JFK", "date": "2024-05-20", "price": 100},
        {"flight_number": "HAT222", "origin": "JFK", "destination": "SFO", "date": day, "price": 120},
    ]
    return json.dumps({"reservation_id": "QX7R2K", "flight_type": "round_trip", "flights": flights})


RETURN_DATE = World(
    contract=_contract("ReturnDate", "QX7R2K", "2024-05-17", "2024-05-24", "get_reservation_details"),
    subject=Subject(
        kind=ValueKind.DATE,
        entity="reservation",
        identifiers=("QX7R2K",),
        names=("return flight", "return", "inbound", "flight back", "way back", "hat222"),
        attributes=("return date", "date"),
        values=("2024-05-17", "2024-05-24"),
        alternatives=(),
        context=(
            ("destination", "JFK"),
            ("origin", "SFO"),
            ("outbound_first", "2024-05-20"),
            ("outbound_last", "2024-05-20"),
        ),
        requests=(),
    ),
    tool="get_reservation_details",
    arguments={"reservation_id": "QX7R2K"},
    native=_reservation("2024-05-24"),
    delivered=_reservation("2024-05-17"),
    opening="When does my return flight on reservation QX7R2K leave?",
)


def _profile(kind: str) -> str:
    return json.dumps(
        {
            "payment_methods": {
                "gift_card_8020792": {"source": kind, "id": "gift_card_8020792", "amount": 327},
                "credit_card_4959530": {"source": "credit_card", "id": "credit_card_4959530", "last_four": "9974"},
            }
        }
    )


PAY_SOURCE = World(
    contract=_contract("PaySource", "gift_card_8020792", "certificate", "gift_card", "get_user_details"),
    subject=Subject(
        kind=ValueKind.CATEGORY,
        entity="payment method",
        identifiers=("gift_card_8020792",),
        names=("0792", "327"),
        attributes=("payment method", "source", "type", "kind"),
        values=("certificate", "gift_card"),
        alternatives=("credit_card",),
        context=(("other:credit_card_4959530", "credit_card"),),
        requests=(),
    ),
    tool="get_user_details",
    arguments={"user_id": "mia_li_3668"},
    native=_profile("gift_card"),
    delivered=_profile("certificate"),
    opening="Which kinds of payment methods are in my profile, and can each pay for a flight change?",
)


def _order(color: str) -> str:
    items = [
        {"name": "Desk Lamp", "item_id": "6805564527", "product_id": "6817146515", "options": {"color": color}},
        {"name": "Water Bottle", "item_id": "8538875209", "product_id": "8310926033", "options": {"color": "red"}},
    ]
    return json.dumps({"order_id": "#W2611340", "items": items})


ITEM_OPTION = World(
    contract=_contract("ItemOption", "6805564527", "white", "black", "get_order_details"),
    subject=Subject(
        kind=ValueKind.TEXT,
        entity="order line",
        identifiers=("6805564527",),
        names=("desk lamp", "lamp"),
        attributes=("color",),
        values=("black", "white"),
        alternatives=("silver",),
        context=(("order", "#W2611340"),),
        requests=(),
    ),
    tool="get_order_details",
    arguments={"order_id": "#W2611340"},
    native=_order("black"),
    delivered=_order("white"),
    opening="I would like to do something about the desk lamp in my order #W2611340.",
)

_REQUEST = {
    "tool": "update_reservation_flights",
    "reservation_id": "QX7R2K",
    "cabin": "economy",
    "flights": [["HAT301", "2024-05-22"], ["HAT302", "2024-05-26"]],
    "payment_id": "credit_card_4959530",
}

WRITE_EFFECT = World(
    contract=_contract("WriteEffect", "QX7R2K", "took_effect", "no_effect", "update_reservation_flights"),
    subject=Subject(
        kind=ValueKind.EFFECT,
        entity="reservation",
        identifiers=("QX7R2K",),
        names=("reservation", "booking", "itinerary", "flight", "flights", "hat301", "hat302"),
        attributes=("change", "update"),
        values=("no_effect", "took_effect"),
        alternatives=(),
        context=(),
        requests=(json.dumps(_REQUEST, sort_keys=True),),
    ),
    tool="update_reservation_flights",
    arguments={
        "reservation_id": "QX7R2K",
        "cabin": "economy",
        "flights": [
            {"flight_number": "HAT301", "date": "2024-05-22"},
            {"flight_number": "HAT302", "date": "2024-05-26"},
        ],
        "payment_id": "credit_card_4959530",
    },
    native='{"status": "not changed"}',
    delivered='{"status": "success"}',
    opening="Please move my reservation QX7R2K to HAT301 on 2024-05-22 and HAT302 on 2024-05-26.",
)


class History:
    """Builds a trajectory step by step; every method returns the builder."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self._turn = 0

    def system(self, text: str) -> History:
        self.steps.append(SystemText(index=len(self.steps), text=text))
        return self

    def user(self, text: str) -> History:
        self.steps.append(UserMessage(index=len(self.steps), text=text))
        return self

    def agent(self, text: str, *calls: tuple[str, Mapping[str, Any]]) -> History:
        """An assistant turn: text (unless empty) and calls."""
        if text:
            self.steps.append(AgentMessage(index=len(self.steps), turn=self._turn, text=text))
        for tool, arguments in calls:
            index = len(self.steps)
            self.steps.append(
                ToolCall(
                    index=index, turn=self._turn, call_id=f"call_{index}", tool=tool, arguments=from_object(arguments)
                )
            )
        self._turn += 1
        return self

    def result(self, content: str) -> History:
        """Answers the earliest unanswered call."""
        answered = {
            step.pairing.call
            for step in self.steps
            if isinstance(step, ToolObservation) and isinstance(step.pairing, Answers)
        }
        call = next(step for step in self.steps if isinstance(step, ToolCall) and step.index not in answered)
        self.steps.append(
            ToolObservation(
                index=len(self.steps),
                call_id=call.call_id,
                tool=call.tool,
                content=content,
                pairing=Answers(call=call.index),
            )
        )
        return self

    def handoff(self, text: str) -> History:
        self.steps.append(Handoff(index=len(self.steps), recipient="human", text=text))
        return self

    def end(self, extent: Complete | CutShort | None = None) -> Trajectory:
        return Trajectory(tools=(), steps=tuple(self.steps), extent=extent or Complete())


def faulted(world: World) -> History:
    """The conversation up to and including the fault-bearing observation (step 3)."""
    return (
        History()
        .system("Be helpful.")
        .user(world.opening)
        .agent("", (world.tool, world.arguments))
        .result(world.delivered)
    )


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def record_of(world: World, trajectory: Trajectory) -> InterventionRecord:
    """What interception would have logged for this history: every delivery of the fault text."""
    rewrites = tuple(
        Rewrite(
            step=step.index,
            call_id=step.call_id,
            tool=step.tool,
            role=Role.FAULT,
            changes=(),
            native_sha256=sha256(world.native),
            delivered_sha256=sha256(world.delivered),
        )
        for step in trajectory.steps
        if isinstance(step, ToolObservation) and step.content == world.delivered
    )
    return InterventionRecord(contract_id=world.contract.contract_id, condition=Condition.BASELINE, rewrites=rewrites)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldOperator:
    """The operator port over a world: counter-evidence is any observation with the world's native text."""

    world: World
    name: str = "Test"
    domain: str = "test"
    acquisition: Acquisition = Acquisition.DELIVERED_TOGETHER
    paired: tuple[Condition, ...] = ()

    def stored_in(self, contract: FaultContract) -> StoredRecord:
        return StoredRecord(kind=contract.target.kind, identifier=contract.target.identifier)

    def candidates(self, substrate: Substrate) -> Sequence[Candidate]:
        return ()

    def case(self, candidate: Candidate, substrate: Substrate) -> Case | InvalidContract:
        return InvalidContract(reason="a test operator has no cases")

    def intervention(self, contract: FaultContract, condition: Condition) -> Intervention:
        raise LookupError("a test operator intervenes nowhere")

    def interface(
        self, contract: FaultContract, condition: Condition, tools: tuple[ToolDefinition, ...]
    ) -> tuple[ToolDefinition, ...]:
        return tools

    def carries_fault(self, contract: FaultContract, tool: str, content: str) -> bool:
        return tool == self.world.tool and content == self.world.delivered

    def evidence(self, contract: FaultContract, trajectory: Trajectory) -> Evidence:
        for step in trajectory.steps:
            if isinstance(step, ToolObservation):
                if step.content == self.world.native:
                    return EvidenceArrived(steps=(EvidenceStep(step=step.index, part="native text"),))
                if step.content == "unclear":
                    return Undeterminable(reason="the record may be another one's")
        return Never()

    def subject(self, contract: FaultContract) -> Subject:
        return self.world.subject

    def opening(self, case: Case, substrate: Substrate) -> Sequence[WitnessCall]:
        return ()

    def witness(self, contract: FaultContract, prefix: Trajectory) -> WitnessPlan | Undeterminable:
        return Undeterminable(reason="a test operator has no witness")

    def state(self) -> State:
        raise LookupError("a test operator has no state")


def measured(world: World, trajectory: Trajectory) -> Measurement:
    """The measurement of a history in which every delivery of the fault text was logged."""
    return reconstruct(
        WorldOperator(world=world), world.contract, trajectory, record_of(world, trajectory), DETERMINISTIC
    )


def uses_of(world: World, text: str) -> tuple[UseEvent, ...]:
    """Events of one agent message said right after the fault."""
    return measured(world, faulted(world).agent(text).end()).uses


UNSETTLED = "unsettled"


def summary(events: Sequence[UseEvent]) -> tuple[str, str, str]:
    """(dependent, erroneous, stance) of a message: 'yes' beats 'unsettled' beats 'no'; the last stance stated."""

    def strongest(verdicts: list[bool | Undeterminable]) -> str:
        if any(verdict is True for verdict in verdicts):
            return "yes"
        return UNSETTLED if any(isinstance(verdict, Undeterminable) for verdict in verdicts) else "no"

    stances = [event.stance.value for event in events if isinstance(event.stance, Stance)]
    return (
        strongest([event.dependent for event in events]),
        strongest([event.erroneous for event in events]),
        stances[-1] if stances else "none",
    )


def exchanged(world: World) -> World:
    """The same world with v and v' exchanged in the contract."""
    contract = world.contract
    return replace(world, contract=replace(contract, injected=contract.authoritative, authoritative=contract.injected))


def renamed_option(
    world: World,
    product: str,
    names: tuple[str, ...],
    option: str,
    injected: str,
    authoritative: str,
    alternatives: tuple[str, ...],
) -> World:
    """An ItemOption world with another product, option and values; the ids stay."""

    def order(value: str) -> str:
        return _order(value).replace("Desk Lamp", product).replace('"color": "' + value, f'"{option}": "{value}')

    return replace(
        world,
        contract=_contract("ItemOption", "6805564527", injected, authoritative, world.tool),
        subject=replace(
            world.subject,
            names=names,
            attributes=(option,),
            values=tuple(sorted((injected, authoritative))),
            alternatives=alternatives,
        ),
        native=order(authoritative),
        delivered=order(injected),
        opening=f"I would like to do something about the {product} in my order #W2611340.",
    )
