"""WriteEffect: a reservation flight change is acknowledged and suppressed (SSC §IV-A).

Counter-evidence is an authoritative read of the reservation after the attempt, while it still speaks of the suppressed
request. The tool really runs on a fork of the run's own state, so that its validation and its payload are its own; the
fork is dropped and with it every effect (reservation, gift-card balance).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sscb_pipeline.environments.port import (
    ReferenceAction,
    Scenario,
    Substrate,
    Task,
    TaskOrigin,
)
from sscb_pipeline.environments.probe import effect_on
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
from sscb_pipeline.faults.flight_request import CHANGE, READ, FlightRequest, request_of, shows
from sscb_pipeline.faults.intervention import Condition
from sscb_pipeline.faults.observation import as_object, observations
from sscb_pipeline.faults.operator import (
    Candidate,
    Case,
    Evidence,
    EvidenceArrived,
    EvidenceStep,
    Intervention,
    InvalidContract,
    NotTaskRelevant,
    StoredRecord,
    WitnessCall,
    WitnessPlan,
)
from sscb_pipeline.faults.rebooking import CURRENT_DATE, change_for
from sscb_pipeline.faults.suppression import STATUS_TEXT, Acknowledgement, Acknowledging, Suppressing
from sscb_pipeline.faults.task_users import user_of
from sscb_pipeline.faults.unmoved_balance import unmoved_balance
from sscb_pipeline.measured import Never, Undeterminable
from sscb_pipeline.trajectories.steps import ToolDefinition, Trajectory
from sscb_pipeline.trajectories.subject import Subject, ValueKind

NAME = "WriteEffect"
STEP_CAP = 60
SHOWN_FIELDS = "shown_fields"
"""Contract parameter: the requested fields that the clean tool is shown to change, by which a record is judged."""
COMMITMENT = 'Returns {"status": "success"} once the requested change has been committed to the reservation.'
READBACK_HINT = "The stored itinerary can be read back with get_reservation_details."


class WriteEffect:
    """SSC's WriteEffect operator on the airline domain. Entity cluster: reservation."""

    name = NAME
    domain = "airline"
    acquisition = Acquisition.ACROSS_STATE_TRANSITION
    paired: tuple[Condition, ...] = (Condition.NO_READBACK_HINT, Condition.CONSISTENT_SOURCE)

    def __init__(self, acknowledgement: Acknowledgement = Acknowledgement.STATUS) -> None:
        self._acknowledgement = acknowledgement

    def candidates(self, substrate: Substrate) -> Sequence[Candidate]:
        """(task, reservation of the task's user): upcoming and changeable by policy (not basic economy)."""
        users, reservations = substrate.records("users"), substrate.records("reservations")
        return [
            Candidate(
                candidate_id=f"{NAME}/{task.task_id}/{reservation_id}",
                operator=NAME,
                domain=self.domain,
                cluster=reservation_id,
                key={"task_id": task.task_id, "user_id": user_id, "reservation_id": reservation_id},
            )
            for task in substrate.tasks()
            if (user_id := user_of(task, users))
            for reservation_id in users[user_id]["reservations"]
            if reservations[reservation_id]["cabin"] != "basic_economy"
            and all(segment["date"] > CURRENT_DATE for segment in reservations[reservation_id]["flights"])
        ]

    def case(self, candidate: Candidate, substrate: Substrate) -> Case | InvalidContract | NotTaskRelevant:
        """Contract and derived task of a candidate."""
        record = substrate.records("reservations")[candidate.key["reservation_id"]]
        user = substrate.records("users")[candidate.key["user_id"]]
        if record["status"] == "cancelled":
            return NotTaskRelevant(reason="the reservation is cancelled, so nobody changes its flights")
        request = change_for(record, user, substrate.records("flights"))
        if request is None:
            return NotTaskRelevant(reason="no change of day has seats for all passengers and a method that can pay")
        changed = _shown_fields(substrate, request)
        if not changed:
            return InvalidContract(
                reason="the clean tool changes neither flights nor cabin, so nothing could refute it"
            )
        return Case(
            candidate=candidate,
            contract=self._contract(candidate, record, request, changed),
            task=_task(candidate, record, user, request),
            control=ValueControl.ORDINARY,
            literalness=Literalness.NOT_LITERAL,
        )

    def _contract(
        self, candidate: Candidate, record: Mapping[str, Any], request: FlightRequest, changed: Sequence[str]
    ) -> FaultContract:
        return FaultContract(
            contract_id=candidate.candidate_id,
            operator=NAME,
            domain=self.domain,
            target=TargetEntity(
                kind="reservation",
                identifier=request.reservation_id,
                owner=record["user_id"],
                locator={
                    "reservation_id": request.reservation_id,
                    "user_id": record["user_id"],
                    "request": request.arguments(),
                    "passengers": len(record["passengers"]),
                },
            ),
            fact=AffectedFact(
                attribute="flights and cabin",
                scope="the effect of this logical request, until another write changes flights or cabin",
            ),
            injected=Assertion(canonical="took_effect", data={}),
            authoritative=Assertion(canonical="no_effect", data={}),
            injection=Injection(tool=CHANGE, persistence=Persistence.EVERY_ATTEMPT, match=request.arguments()),
            preserved=(
                "the tool's own validation: an invalid request fails with its own error and is no fault",
                "the acknowledgement form, which clean runs use too",
                "every other request and every other tool",
            ),
            counter_evidence=_RELATION,
            acquisition=self.acquisition,
            step_cap=STEP_CAP,
            cluster=candidate.cluster,
            parameters={"acknowledgement": self._acknowledgement.value, SHOWN_FIELDS: list(changed)},
        )

    def stored_in(self, contract: FaultContract) -> StoredRecord:
        """The record that holds the target."""
        return StoredRecord(kind="reservations", identifier=contract.target.identifier)

    def intervention(self, contract: FaultContract, condition: Condition) -> Intervention:
        """Suppresses every attempt of the logical request; clean runs only share the acknowledgement form."""
        form, request = _acknowledgement(contract), _request(contract)
        return Acknowledging(form) if condition is Condition.CLEAN else Suppressing(form, request, condition)

    def interface(
        self, contract: FaultContract, condition: Condition, tools: tuple[ToolDefinition, ...]
    ) -> tuple[ToolDefinition, ...]:
        """The change tool says what its acknowledgement reports and, unless the condition removes it, how to read."""
        said = [COMMITMENT] if _acknowledgement(contract) is Acknowledgement.STATUS else []
        if condition is not Condition.NO_READBACK_HINT:
            said.append(READBACK_HINT)
        addition = "".join(f"\n{sentence}" for sentence in said)
        return tuple(
            replace(tool, description=tool.description + addition) if tool.name == CHANGE else tool for tool in tools
        )

    def carries_fault(self, contract: FaultContract, tool: str, content: str) -> bool:
        """The change tool acknowledges the request as done."""
        if tool != CHANGE:
            return False
        return content == STATUS_TEXT or _shows(contract, as_object(content))

    def evidence(self, contract: FaultContract, trajectory: Trajectory) -> Evidence:
        """The first record of the reservation after an acknowledged attempt that does not show what was asked for,
        while no other write changed flights or cabin; or a gift-card balance that did not move although it had to."""
        request = _request(contract)
        attempts: list[int] = []
        for seen in observations(trajectory):
            if seen.tool == CHANGE and seen.arguments.get("reservation_id") == request.reservation_id:
                acknowledged = self.carries_fault(contract, CHANGE, seen.content)
                if request_of(seen.arguments) == request and acknowledged:
                    attempts.append(seen.step)
                elif attempts and (seen.content == STATUS_TEXT or seen.value.get("reservation_id")):
                    attempts = []  # a foreign write: what is read from now on speaks of another request
                continue
            if not attempts:
                continue
            if seen.value.get("reservation_id") == request.reservation_id and "flights" in seen.value:
                if not _shows(contract, seen.value):
                    return EvidenceArrived(steps=(EvidenceStep(step=seen.step, part="reservation after the attempt"),))
                continue
            balance = unmoved_balance(contract, request, trajectory, attempts[0], seen)
            if not isinstance(balance, Never):
                return balance
        return Never()

    def subject(self, contract: FaultContract) -> Subject:
        """Whether the requested change took effect."""
        request = _request(contract)
        return Subject(
            kind=ValueKind.EFFECT,
            entity="reservation",
            identifiers=(request.reservation_id,),
            names=(
                "reservation",
                "booking",
                "itinerary",
                "flights",
                "flight",
                *sorted({number.lower() for number, _ in request.flights}),
            ),
            attributes=("change", "update"),
            values=("no_effect", "took_effect"),
            alternatives=(),
            context=(),
            requests=(request.canonical,),
        )

    def opening(self, case: Case, substrate: Substrate) -> Sequence[WitnessCall]:
        """Read the reservation, then make the change the user asks for."""
        request = _request(case.contract)
        return (
            WitnessCall(tool=READ, arguments={"reservation_id": request.reservation_id}),
            WitnessCall(tool=CHANGE, arguments=request.arguments()),
        )

    def witness(self, contract: FaultContract, prefix: Trajectory) -> WitnessPlan | Undeterminable:
        """Read the reservation back and say what it shows."""
        reservation_id = contract.target.identifier
        return WitnessPlan(
            calls=(WitnessCall(tool=READ, arguments={"reservation_id": reservation_id}),),
            use=(
                f"The change to reservation {reservation_id} was not applied: the reservation still shows the "
                f"original flights."
            ),
        )


_RELATION = CounterEvidence(
    authority=MetCondition(
        statement="the stored reservation is the record the acknowledgement speaks of",
        basis="get_reservation_details, or a write tool that returns the whole reservation",
    ),
    entity=MetCondition(statement="same reservation", basis="reservation_id of the observation"),
    scope=MetCondition(
        statement="read after the attempt, with no write in between that changed flights or cabin",
        basis="order of the calls in the visible history",
    ),
    independence=MetCondition(
        statement="the stored state is untouched by the suppressed request",
        basis="the contract rewrites the acknowledgement only",
    ),
    sufficiency=MetCondition(
        statement="a stored itinerary other than the requested one contradicts that the request was committed",
        basis="the arguments of the attempt, and the change tool's description or return value",
    ),
)


def _request(contract: FaultContract) -> FlightRequest:
    return request_of(contract.injection.match)


def _shows(contract: FaultContract, record: Mapping[str, Any]) -> bool:
    return shows(record, _request(contract), contract.parameters[SHOWN_FIELDS])


def _shown_fields(substrate: Substrate, request: FlightRequest) -> list[str]:
    """The requested fields that the clean tool is seen to change; a field it never stores could refute nothing."""
    effect = effect_on(
        substrate.fresh(), CHANGE, request.arguments(), kind="reservations", identifier=request.reservation_id
    )
    return sorted(effect.changed & {"flights", "cabin"})


def _acknowledgement(contract: FaultContract) -> Acknowledgement:
    return Acknowledgement(contract.parameters["acknowledgement"])


def _task(candidate: Candidate, record: Mapping[str, Any], user: Mapping[str, Any], request: FlightRequest) -> Task:
    flights = ", then ".join(f"flight {number} on {day}" for number, day in request.flights)
    return Task(
        task_id=f"derived/{candidate.candidate_id}",
        domain="airline",
        origin=TaskOrigin.DERIVED,
        scenario=Scenario(
            reason_for_call=(
                f"You want to change the flights of your reservation {request.reservation_id}. The whole new itinerary "
                f"is: {flights}. Keep the cabin ({request.cabin}) and pay or be refunded with {request.payment_id}."
            ),
            known_info=(
                f"You are {user['name']['first_name']} {user['name']['last_name']}. Your user id is {user['user_id']}."
            ),
            unknown_info="",
            task_instructions=(
                "Confirm the change when the agent lists it. End the conversation once you are told how it went."
            ),
        ),
        actions=(
            ReferenceAction(tool=READ, arguments={"reservation_id": request.reservation_id}),
            ReferenceAction(tool=CHANGE, arguments=request.arguments()),
        ),
        communicate=(),
    )
