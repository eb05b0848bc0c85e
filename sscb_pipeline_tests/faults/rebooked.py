"""WriteEffect on the real airline: requests, foreign requests, and the calls that show a reservation."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sscb_pipeline.environments.port import Substrate
from sscb_pipeline.faults.flight_request import CHANGE, READ
from sscb_pipeline.faults.operator import Case
from sscb_pipeline.faults.operators.write_effect import WriteEffect
from sscb_pipeline.faults.suppression import Acknowledgement

STATUS = WriteEffect(Acknowledgement.STATUS)
NATIVE = WriteEffect(Acknowledgement.NATIVE)
DEAR = 50
"""Dollars; what a piece of baggage costs."""
FORMS = {"status": STATUS, "native": NATIVE}


def request_of(case: Case) -> dict[str, Any]:
    return dict(case.contract.injection.match)


def reservation_of(case: Case) -> str:
    return case.contract.target.identifier


def as_booked(case: Case, airline: Substrate) -> list[dict[str, str]]:
    """The flights argument that names the itinerary as it is."""
    flights = airline.records("reservations")[reservation_of(case)]["flights"]
    return [{"flight_number": segment["flight_number"], "date": segment["date"]} for segment in flights]


def foreign_request(case: Case, airline: Substrate) -> dict[str, Any]:
    """A change of the same reservation to other days than the request's, found by trying them on a clean state."""
    wanted = request_of(case)
    for day in range(16, 31):
        flights = [*wanted["flights"][:-1], {**wanted["flights"][-1], "date": f"2024-05-{day}"}]
        if flights in (wanted["flights"], as_booked(case, airline)):
            continue
        found = {**wanted, "flights": flights}
        if not airline.fresh().call(CHANGE, found).error:
            return found
    raise LookupError(f"{case.contract.contract_id}: no other day has seats")


def with_foreign_request(cases: Sequence[Case], airline: Substrate) -> tuple[Case, dict[str, Any]]:
    """The first case that another change is possible for, and that change."""
    for case in cases:
        try:
            return case, foreign_request(case, airline)
        except LookupError:
            continue
    raise LookupError("none of the cases allows another change")


def shows_record(case: Case, airline: Substrate) -> dict[str, tuple[str, Mapping[str, Any]]]:
    """Every call that returns the whole reservation, by name of the channel."""
    record = airline.records("reservations")[reservation_of(case)]
    target = {"reservation_id": reservation_of(case)}
    return {
        "read": (READ, target),
        "baggage": (
            "update_reservation_baggages",
            {
                **target,
                "total_baggages": record["total_baggages"],
                "nonfree_baggages": record["nonfree_baggages"],
                "payment_id": request_of(case)["payment_id"],
            },
        ),
        "passengers": ("update_reservation_passengers", {**target, "passengers": record["passengers"]}),
        "cancel": ("cancel_reservation", target),
    }


def paid_by_gift_card(cases: Sequence[Case], airline: Substrate) -> Case:
    """A case whose change costs at least DEAR and can be paid by gift card; the request is made to pay so."""
    for case in cases:
        record = airline.records("reservations")[reservation_of(case)]
        methods = airline.records("users")[record["user_id"]]["payment_methods"]
        for payment_id, method in methods.items():
            if method["source"] != "gift_card":
                continue
            request = {**request_of(case), "payment_id": payment_id}
            state = airline.fresh()
            if state.call(CHANGE, request).error:
                continue
            left = state.record("users", record["user_id"])["payment_methods"][payment_id]["amount"]
            if method["amount"] - left < DEAR:
                continue
            injection = replace(case.contract.injection, match=request)
            return replace(case, contract=replace(case.contract, injection=injection))
    raise LookupError("no case can be paid with a gift card")


def searches(case: Case, airline: Substrate) -> list[tuple[str, Mapping[str, Any]]]:
    """Direct-flight searches that show the fare of every new segment."""
    flights = airline.records("flights")
    booked = as_booked(case, airline)
    return [
        (
            "search_direct_flight",
            {
                "origin": flights[segment["flight_number"]]["origin"],
                "destination": flights[segment["flight_number"]]["destination"],
                "date": segment["date"],
            },
        )
        for segment in request_of(case)["flights"]
        if segment not in booked
    ]


def in_form(case: Case, form: str) -> Case:
    """The case with the acknowledgement form written into its contract."""
    parameters = {**case.contract.parameters, "acknowledgement": form}
    return replace(case, contract=replace(case.contract, parameters=parameters))


def flights_in(content: str) -> list[dict[str, str]]:
    """Flight numbers and dates of a delivered reservation."""
    return [
        {"flight_number": segment["flight_number"], "date": segment["date"]}
        for segment in json.loads(content)["flights"]
    ]
