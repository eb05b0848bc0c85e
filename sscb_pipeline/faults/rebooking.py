"""Finding a flight change that the records allow: same flights, another day, seats for all, a method that can pay."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sscb_pipeline.faults.flight_request import FlightRequest
from sscb_pipeline.faults.itinerary import return_leg_start, shift

Records = Mapping[str, Mapping[str, Any]]
CURRENT_DATE = "2024-05-15"
"""The date the airline policy gives as current."""
SHIFTS = (1, 2, 3, -1, -2, -3, 4, 5, 6, 7)
"""Days by which a leg is moved, in order of preference."""


def change_for(reservation: Mapping[str, Any], user: Mapping[str, Any], flights: Records) -> FlightRequest | None:
    """The first change the records allow, or None when there is none."""
    for segments in _moved(reservation):
        cost = _cost(reservation, segments, flights)
        if cost is None:
            continue
        payment_id = _payment(user["payment_methods"], cost)
        if payment_id:
            return FlightRequest(
                reservation_id=reservation["reservation_id"],
                flights=tuple(segments),
                cabin=reservation["cabin"],
                payment_id=payment_id,
            )
    return None


def _moved(reservation: Mapping[str, Any]) -> Iterator[list[tuple[str, str]]]:
    """Itineraries with one leg moved: the return leg of a round trip first, else the whole trip."""
    segments = [(segment["flight_number"], segment["date"]) for segment in reservation["flights"]]
    start = return_leg_start(reservation) if reservation["flight_type"] == "round_trip" else 0
    kept = segments[:start]
    for days in SHIFTS:
        moved = [(number, shift(day, days)) for number, day in segments[start:]]
        if moved[0][1] > max([CURRENT_DATE, *(day for _, day in kept)]):
            yield kept + moved


def _cost(reservation: Mapping[str, Any], segments: Sequence[tuple[str, str]], flights: Records) -> int | None:
    """Price difference in dollars for all passengers; None when a new segment is not to be had."""
    passengers, cabin = len(reservation["passengers"]), reservation["cabin"]
    held = {(segment["flight_number"], segment["date"]): segment["price"] for segment in reservation["flights"]}
    total = -sum(held.values())
    for number, day in segments:
        if (number, day) in held:
            total += held[number, day]
            continue
        offer = flights[number]["dates"].get(day, {})
        if offer.get("status") != "available" or offer["available_seats"][cabin] < passengers:
            return None
        total += offer["prices"][cabin]
    return int(total * passengers)


def _payment(methods: Records, cost: int) -> str:
    """A credit card, or a gift card that covers the cost (policy: one of these for flight changes); else empty."""
    cards = [payment_id for payment_id, method in methods.items() if method["source"] == "credit_card"]
    funded = [
        payment_id
        for payment_id, method in methods.items()
        if method["source"] == "gift_card" and method["amount"] >= cost
    ]
    return next(iter(cards + funded), "")
