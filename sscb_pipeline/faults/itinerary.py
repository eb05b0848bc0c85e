"""Reading the legs of a reservation record. Segments carry no leg marker; `flight_type` says whether there are two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

Segment = Mapping[str, Any]


def return_leg_start(reservation: Mapping[str, Any]) -> int:
    """Index of the first return segment: the first that leaves the destination after arriving there.

    Equals the number of segments where the record shows no return leg.
    """
    segments: Sequence[Segment] = reservation["flights"]
    destination = reservation["destination"]
    for index in range(1, len(segments)):
        if segments[index - 1]["destination"] == destination and segments[index]["origin"] == destination:
            return index
    return len(segments)


def shift(iso: str, days: int) -> str:
    """The ISO date `days` later (earlier when negative)."""
    return (date.fromisoformat(iso) + timedelta(days=days)).isoformat()


def days_between(earlier: str, later: str) -> int:
    """Days from one ISO date to another; negative when they stand the other way round."""
    return (date.fromisoformat(later) - date.fromisoformat(earlier)).days
