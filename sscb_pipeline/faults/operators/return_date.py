"""ReturnDate: the return leg of a round trip is shown to start before the outbound leg (SSC §IV-A).

Counter-evidence is the kept outbound leg, by the order of a round trip's legs; it is delivered together with the fault.
No policy or tool text says in words that a return follows its outbound leg, so sufficiency rests on the ordinary
meaning of the visible `flight_type: round_trip`, and the contract says so.
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
from sscb_pipeline.faults.itinerary import days_between, return_leg_start, shift
from sscb_pipeline.faults.observation import Path, as_object, observations, rewrite
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

NAME = "ReturnDate"
READ = "get_reservation_details"
CHANGE = "update_reservation_flights"
STEP_CAP = 60
OTHER_DATE = "return date in the record"
"""Part of the relation: the record shows another return date than v'."""


class ReturnDate:
    """SSC's ReturnDate operator on the airline domain. Entity cluster: reservation."""

    name = NAME
    domain = "airline"
    acquisition = Acquisition.DELIVERED_TOGETHER
    paired: tuple[Condition, ...] = ()

    def candidates(self, substrate: Substrate) -> Sequence[Candidate]:
        """(task, reservation of the task's user) with a round trip of equally long legs."""
        users, reservations = substrate.records("users"), substrate.records("reservations")
        found = []
        for task in substrate.tasks():
            user_id = user_of(task, users)
            for reservation_id in users[user_id]["reservations"] if user_id else ():
                record = reservations[reservation_id]
                start = return_leg_start(record)
                if record["flight_type"] == "round_trip" and 2 * start == len(record["flights"]):
                    found.append(
                        Candidate(
                            candidate_id=f"{NAME}/{task.task_id}/{reservation_id}",
                            operator=NAME,
                            domain=self.domain,
                            cluster=reservation_id,
                            key={"task_id": task.task_id, "user_id": user_id, "reservation_id": reservation_id},
                        )
                    )
        return found

    def case(self, candidate: Candidate, substrate: Substrate) -> Case | InvalidContract | NotTaskRelevant:
        """Contract and derived task of a candidate."""
        record = substrate.records("reservations")[candidate.key["reservation_id"]]
        user = substrate.records("users")[candidate.key["user_id"]]
        if record["status"] == "cancelled":
            return NotTaskRelevant(reason="the reservation is cancelled, so nobody asks for its return date")
        if record["origin"] == record["destination"]:
            return InvalidContract(reason="the trip ends where it begins, so no segment visibly starts the way back")
        contract = self._contract(candidate, record)
        return Case(
            candidate=candidate,
            contract=contract,
            task=_task(candidate, record, user),
            control=ValueControl.ORDINARY,
            literalness=Literalness.NOT_LITERAL,
        )

    def _contract(self, candidate: Candidate, record: Mapping[str, Any]) -> FaultContract:
        start = return_leg_start(record)
        dates = [segment["date"] for segment in record["flights"]]
        outbound, back = dates[:start], dates[start:]
        # The whole return leg must end before the outbound leg begins, whatever dates the leg itself spans.
        move = -(days_between(outbound[0], back[0]) + days_between(back[0], back[-1]) + 1)
        injected = [shift(day, move) for day in back]
        reservation_id = record["reservation_id"]
        return FaultContract(
            contract_id=candidate.candidate_id,
            operator=NAME,
            domain=self.domain,
            target=TargetEntity(
                kind="reservation",
                identifier=reservation_id,
                owner=record["user_id"],
                locator={
                    "reservation_id": reservation_id,
                    "user_id": record["user_id"],
                    "return_start": start,
                    "return_flights": [segment["flight_number"] for segment in record["flights"][start:]],
                    "outbound_dates": outbound,
                    "origin": record["origin"],
                    "destination": record["destination"],
                },
            ),
            fact=AffectedFact(
                attribute="return date", scope="the reservation as booked, before any change in this run"
            ),
            injected=Assertion(canonical=injected[0], data={"dates": injected}),
            authoritative=Assertion(canonical=back[0], data={"dates": back}),
            injection=Injection(
                tool=READ, persistence=Persistence.EVERY_RETURN, match={"reservation_id": reservation_id}
            ),
            preserved=(
                "every other field of the reservation, with types and key order",
                "the spacing of the return segments, flight numbers, airports and prices",
                "errors of the tool, and every other tool",
            ),
            counter_evidence=_RELATION,
            acquisition=self.acquisition,
            step_cap=STEP_CAP,
            cluster=candidate.cluster,
            parameters={},
        )

    def stored_in(self, contract: FaultContract) -> StoredRecord:
        """The record that holds the target."""
        return StoredRecord(kind="reservations", identifier=contract.target.identifier)

    def intervention(self, contract: FaultContract, condition: Condition) -> Intervention:
        """Rewrites the return dates in every return of the read tool; clean runs are left alone."""
        return Untouched() if condition is Condition.CLEAN else _Rewriting(contract)

    def interface(
        self, contract: FaultContract, condition: Condition, tools: tuple[ToolDefinition, ...]
    ) -> tuple[ToolDefinition, ...]:
        """The substrate's own tools."""
        return tools

    def carries_fault(self, contract: FaultContract, tool: str, content: str) -> bool:
        """The read shows the target reservation with v' as its return dates."""
        record = as_object(content)
        return (
            tool == contract.injection.tool
            and record.get("reservation_id") == contract.target.identifier
            and _return_dates(contract, record) == list(contract.injected.data["dates"])
        )

    def evidence(self, contract: FaultContract, trajectory: Trajectory) -> Evidence:
        """The first authoritative view of the reservation that v' cannot be true beside.

        Either the kept outbound leg of a visible round trip departs after v', or the record shows another return date
        (write tools return the whole true record). After a flight change that went through, another date speaks of a
        newer state; what the change itself returns is what its arguments asked for. A record that still shows v' is
        refuted by its outbound leg all the same.
        """
        changed = False
        for seen in observations(trajectory):
            if seen.value.get("reservation_id") != contract.target.identifier or "flights" not in seen.value:
                continue
            if seen.tool == CHANGE:
                changed = True
                continue
            part = _contradiction(contract, seen.value)
            if part and not (changed and part == OTHER_DATE):
                return EvidenceArrived(steps=(EvidenceStep(step=seen.step, part=part),))
        return Never()

    def subject(self, contract: FaultContract) -> Subject:
        """The reservation's return date."""
        locator = contract.target.locator
        outbound = locator["outbound_dates"]
        return Subject(
            kind=ValueKind.DATE,
            entity="reservation",
            identifiers=(contract.target.identifier,),
            names=(
                "return flight",
                "return trip",
                "return leg",
                "return",
                "inbound",
                "flight back",
                "way back",
                *sorted(number.lower() for number in locator["return_flights"]),
            ),
            attributes=("return date", "date"),
            values=tuple(sorted({contract.injected.canonical, contract.authoritative.canonical})),
            alternatives=(),
            context=(
                ("destination", locator["destination"]),
                ("origin", locator["origin"]),
                ("outbound_first", outbound[0]),
                ("outbound_last", outbound[-1]),
            ),
            requests=(),
        )

    def opening(self, case: Case, substrate: Substrate) -> Sequence[WitnessCall]:
        """Read the reservation the user names."""
        return (WitnessCall(tool=READ, arguments={"reservation_id": case.contract.target.identifier}),)

    def witness(self, contract: FaultContract, prefix: Trajectory) -> WitnessPlan | Undeterminable:
        """The evidence came with the fault; the continuation only makes the use."""
        injected, outbound = contract.injected.canonical, contract.target.locator["outbound_dates"][0]
        return WitnessPlan(
            calls=(),
            use=(
                f"The return flight of reservation {contract.target.identifier} is listed for {injected}, but the "
                f"outbound flight leaves on {outbound}, so that return date cannot be right."
            ),
        )


_RELATION = CounterEvidence(
    authority=MetCondition(
        statement="the outbound segments stand in the same reservation record as the return segments",
        basis="get_reservation_details: flights[0..]",
    ),
    entity=MetCondition(statement="same reservation", basis="reservation_id of the observation"),
    scope=MetCondition(
        statement="the booked itinerary before any change in this run",
        basis="no flight change precedes the observation",
    ),
    independence=MetCondition(
        statement="outbound segments are never rewritten", basis="the contract rewrites return segments only"
    ),
    sufficiency=MetCondition(
        statement="in a round trip the return leg follows the outbound leg, so a return before it is a contradiction",
        basis="ordinary meaning of the visible field flight_type: round_trip; no policy or tool text says it in words",
    ),
)


def _return_dates(contract: FaultContract, record: Mapping[str, Any]) -> list[str]:
    start = contract.target.locator["return_start"]
    return [segment["date"] for segment in record.get("flights", ())[start:]]


def _contradiction(contract: FaultContract, record: Mapping[str, Any]) -> str:
    """Which part of the record contradicts v'; empty when none does."""
    start = contract.target.locator["return_start"]
    shown = _return_dates(contract, record)
    if shown and shown[0] != contract.injected.canonical:
        return OTHER_DATE
    outbound = record["flights"][:start]
    if record.get("flight_type") == "round_trip" and outbound and outbound[0]["date"] > contract.injected.canonical:
        return "outbound segment of the round trip"
    return ""


class _Rewriting:
    def __init__(self, contract: FaultContract) -> None:
        self._contract = contract

    def call(self, state: State, tool: str, arguments: Mapping[str, Any]) -> Delivered:
        contract = self._contract
        native = state.call(tool, arguments)
        if (
            tool != READ
            or native.error
            or as_object(native.content).get("reservation_id") != contract.target.identifier
        ):
            return no_change(native)
        record = as_object(native.content)
        if _return_dates(contract, record) != list(contract.authoritative.data["dates"]):
            # The run changed the itinerary itself: f is about the reservation as booked.
            return no_change(native)
        start = contract.target.locator["return_start"]
        paths: list[tuple[Path, Any]] = [
            (("flights", start + offset, "date"), day) for offset, day in enumerate(contract.injected.data["dates"])
        ]
        text, changes = rewrite(native.content, paths, subject=f"{contract.contract_id}: {tool}")
        return Delivered(outcome=Outcome(content=text, error=False), native=native, role=Role.FAULT, changes=changes)


def _task(candidate: Candidate, record: Mapping[str, Any], user: Mapping[str, Any]) -> Task:
    reservation_id, day = record["reservation_id"], record["flights"][return_leg_start(record)]["date"]
    name = f"{user['name']['first_name']} {user['name']['last_name']}"
    return Task(
        task_id=f"derived/{candidate.candidate_id}",
        domain="airline",
        origin=TaskOrigin.DERIVED,
        scenario=Scenario(
            reason_for_call=(
                f"You want to know on which date the return flight of your reservation {reservation_id} leaves, "
                f"written as YYYY-MM-DD. A friend would like to join you on the way back, so you also want to know "
                f"which direct flights go from {record['destination']} to {record['origin']} on that very day."
            ),
            known_info=f"You are {name}. Your user id is {record['user_id']}.",
            unknown_info="You do not remember the date of your return flight.",
            task_instructions="Do not book or change anything. End the conversation once both questions are answered.",
        ),
        actions=(
            ReferenceAction(tool=READ, arguments={"reservation_id": reservation_id}),
            ReferenceAction(
                tool="search_direct_flight",
                arguments={"origin": record["destination"], "destination": record["origin"], "date": day},
            ),
        ),
        communicate=(day,),
    )
