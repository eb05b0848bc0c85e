"""A flight-change request in its logical form: what makes two attempts the same request (SSC §IV-A)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

CHANGE = "update_reservation_flights"
READ = "get_reservation_details"


@dataclass(frozen=True, slots=True, kw_only=True)
class FlightRequest:
    """Reservation, ordered (flight number, ISO date) pairs, cabin and payment id; further keys do not count."""

    reservation_id: str
    flights: tuple[tuple[str, str], ...]
    cabin: str
    payment_id: str

    @property
    def canonical(self) -> str:
        """One-line JSON of the request, flights as [number, date] pairs."""
        return json.dumps(
            {"tool": CHANGE, **self.arguments(), "flights": [list(segment) for segment in self.flights]},
            sort_keys=True,
        )

    def arguments(self) -> dict[str, Any]:
        """Arguments of the call that makes this request."""
        return {
            "reservation_id": self.reservation_id,
            "cabin": self.cabin,
            "flights": [{"flight_number": number, "date": day} for number, day in self.flights],
            "payment_id": self.payment_id,
        }


def itinerary(flights: Any) -> tuple[tuple[str, str], ...]:
    """(flight number, date) of each segment in order; empty when the value is no list of segments."""
    if not isinstance(flights, Sequence) or not all(isinstance(segment, Mapping) for segment in flights):
        return ()
    return tuple((str(segment.get("flight_number")), str(segment.get("date"))) for segment in flights)


def request_of(arguments: Mapping[str, Any]) -> FlightRequest:
    """The request that a call with these arguments makes."""
    return FlightRequest(
        reservation_id=str(arguments.get("reservation_id")),
        flights=itinerary(arguments.get("flights")),
        cabin=str(arguments.get("cabin")),
        payment_id=str(arguments.get("payment_id")),
    )


def shows(record: Mapping[str, Any], request: FlightRequest, fields: Iterable[str]) -> bool:
    """Whether a reservation record shows what the request asks for in `fields` (of `flights` and `cabin`)."""
    asked: dict[str, Any] = {"flights": request.flights, "cabin": request.cabin}
    found: dict[str, Any] = {"flights": itinerary(record.get("flights")), "cabin": record.get("cabin")}
    return all(found[field] == asked[field] for field in fields)
