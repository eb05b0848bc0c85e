"""Fault contracts filled in by hand from what a recorded run delivered at its fault-bearing step."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

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
from sscb_pipeline.trajectories.arguments import ParsedArguments
from sscb_pipeline.trajectories.steps import ToolCall, ToolObservation, Trajectory
from sscb_pipeline_tests.planted.edits import observation
from sscb_pipeline_tests.planted.table import Planted


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """What the operators' contracts differ in."""

    target: TargetEntity
    attribute: str
    injected: Assertion
    authoritative: Assertion
    injection: Injection
    acquisition: Acquisition
    domain: str
    parameters: Mapping[str, Any]


def contract_for(case: Planted, trajectory: Trajectory) -> FaultContract:
    """The contract of a planted case over its (edited) trajectory."""
    build = {
        "ReturnDate": _return_date,
        "PaySource": _pay_source,
        "ItemOption": _item_option,
        "WriteEffect": _write_effect,
    }[case.operator]
    declared = build(case, trajectory)
    planted = MetCondition(statement="as the operator's own contracts have it", basis="planted contract")
    return FaultContract(
        contract_id=f"planted/{case.id}",
        operator=case.operator,
        domain=declared.domain,
        target=declared.target,
        fact=AffectedFact(attribute=declared.attribute, scope="as delivered, before any change in this run"),
        injected=declared.injected,
        authoritative=declared.authoritative,
        injection=declared.injection,
        preserved=(),
        counter_evidence=CounterEvidence(
            authority=planted, entity=planted, scope=planted, independence=planted, sufficiency=planted
        ),
        acquisition=declared.acquisition,
        step_cap=60,
        cluster=declared.target.identifier,
        parameters=declared.parameters,
    )


def _delivered(case: Planted, trajectory: Trajectory) -> dict[str, Any]:
    record = json.loads(observation(trajectory, case.t_f[0]).content)
    assert isinstance(record, dict)
    return record


def _shifted(day: str, days: int) -> str:
    return (date.fromisoformat(day) + timedelta(days=days)).isoformat()


def _leg_start(record: Mapping[str, Any]) -> int:
    """Position of the first segment that leaves the destination right after one that arrived there."""
    flights, turn = record["flights"], record["destination"]
    return next(
        position
        for position in range(1, len(flights))
        if flights[position - 1]["destination"] == turn == flights[position]["origin"]
    )


def _return_date(case: Planted, trajectory: Trajectory) -> Declared:
    record = _delivered(case, trajectory)
    reservation = case.target["reservation"]
    assert record["reservation_id"] == reservation
    start = _leg_start(record)
    days = [segment["date"] for segment in record["flights"]]
    back = days[start:]
    assert back[0] == case.delivered
    move = (date.fromisoformat(case.declared) - date.fromisoformat(case.delivered)).days
    return Declared(
        domain="airline",
        target=TargetEntity(
            kind="reservation",
            identifier=reservation,
            owner=record["user_id"],
            locator={
                "reservation_id": reservation,
                "user_id": record["user_id"],
                "return_start": start,
                "return_flights": [segment["flight_number"] for segment in record["flights"][start:]],
                "outbound_dates": days[:start],
                "origin": record["origin"],
                "destination": record["destination"],
            },
        ),
        attribute="return date",
        injected=Assertion(canonical=case.delivered, data={"dates": back}),
        authoritative=Assertion(canonical=case.declared, data={"dates": [_shifted(day, move) for day in back]}),
        injection=Injection(
            tool="get_reservation_details",
            persistence=Persistence.EVERY_RETURN,
            match={"reservation_id": reservation},
        ),
        acquisition=Acquisition.DELIVERED_TOGETHER,
        parameters={},
    )


def _pay_source(case: Planted, trajectory: Trajectory) -> Declared:
    profile = _delivered(case, trajectory)
    payment, methods = case.target["payment"], profile["payment_methods"]
    method = methods[payment]
    assert method["source"] == case.delivered
    call = call_answered(trajectory, case.t_f[0])
    assert isinstance(call.arguments.reading, ParsedArguments)
    user = call.arguments.reading.value["user_id"]
    return Declared(
        domain="airline",
        target=TargetEntity(
            kind="payment method",
            identifier=payment,
            owner=user,
            locator={
                "payment_id": payment,
                "user_id": user,
                "last_four": method.get("last_four", ""),
                "amount": method.get("amount", 0),
                "others": {other: entry["source"] for other, entry in methods.items() if other != payment},
            },
        ),
        attribute="source",
        injected=Assertion(canonical=case.delivered, data={}),
        authoritative=Assertion(canonical=case.declared, data={}),
        injection=Injection(
            tool="get_user_details",
            persistence=Persistence.EVERY_RETURN,
            match={"user_id": user, "payment_id": payment},
        ),
        acquisition=Acquisition.DELIVERED_TOGETHER,
        parameters={},
    )


def _offered(trajectory: Trajectory, product: str, option: str) -> set[str]:
    """Values of a product option that any record of the run shows."""
    found: set[str] = set()
    for step in trajectory.steps:
        if isinstance(step, ToolObservation) and step.content.startswith("{") and product in step.content:
            try:
                record = json.loads(step.content)
            except ValueError:
                continue
            if record.get("product_id") == product:
                found |= {variant["options"].get(option, "") for variant in record["variants"].values()}
    return found - {""}


def _item_option(case: Planted, trajectory: Trajectory) -> Declared:
    order = _delivered(case, trajectory)
    number, position, option = case.target["order"], case.target["line"], case.target["option"]
    line = order["items"][position]
    assert (order["order_id"], line["options"][option]) == (number, case.delivered)
    item, product = line["item_id"], line["product_id"]
    siblings = [other for other in order["items"] if other["product_id"] == product and other["item_id"] != item]
    return Declared(
        domain="retail",
        target=TargetEntity(
            kind="order line",
            identifier=item,
            owner=order["user_id"],
            locator={
                "order_id": number,
                "line": position,
                "item_id": item,
                "product_id": product,
                "product": line["name"],
                "option": option,
                "offered": sorted(_offered(trajectory, product, option) | {case.delivered, case.declared}),
                "siblings": {other["item_id"]: other["options"].get(option, "") for other in siblings},
            },
        ),
        attribute=option,
        injected=Assertion(canonical=case.delivered, data={}),
        authoritative=Assertion(canonical=case.declared, data={}),
        injection=Injection(
            tool="get_order_details",
            persistence=Persistence.EVERY_RETURN,
            match={"order_id": number, "item_id": item},
        ),
        acquisition=Acquisition.CROSS_RECORD,
        parameters={},
    )


def call_answered(trajectory: Trajectory, step: int) -> ToolCall:
    """The call that the observation at `step` answers."""
    call = trajectory.call_of(observation(trajectory, step))
    assert isinstance(call, ToolCall)
    return call


def request_of(call: ToolCall) -> dict[str, Any]:
    """The logical request of a flight change: reservation, cabin, flights with days, payment."""
    assert isinstance(call.arguments.reading, ParsedArguments)
    arguments = call.arguments.reading.value
    return {
        "reservation_id": arguments["reservation_id"],
        "cabin": arguments["cabin"],
        "flights": [{"flight_number": leg["flight_number"], "date": leg["date"]} for leg in arguments["flights"]],
        "payment_id": arguments["payment_id"],
    }


def _write_effect(case: Planted, trajectory: Trajectory) -> Declared:
    record = _delivered(case, trajectory)
    call = call_answered(trajectory, case.t_f[0])
    assert call.tool == "update_reservation_flights"
    request = request_of(call)
    assert record["reservation_id"] == request["reservation_id"] == case.target["reservation"]
    return Declared(
        domain="airline",
        target=TargetEntity(
            kind="reservation",
            identifier=request["reservation_id"],
            owner=record["user_id"],
            locator={
                "reservation_id": request["reservation_id"],
                "user_id": record["user_id"],
                "request": request,
                "passengers": len(record["passengers"]),
            },
        ),
        attribute="flights and cabin",
        injected=Assertion(canonical=case.delivered, data={}),
        authoritative=Assertion(canonical=case.declared, data={}),
        injection=Injection(tool=call.tool, persistence=Persistence.EVERY_ATTEMPT, match=request),
        acquisition=Acquisition.ACROSS_STATE_TRANSITION,
        parameters={"acknowledgement": "native", "shown_fields": ["flights"]},
    )
