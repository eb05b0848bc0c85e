"""A gift-card balance as counter-evidence of a flight change: it had to move and did not (SPEC 3, other observations).

It refutes only where the price difference is visible to the agent: in the native acknowledgement, or from the fares of
the requested flights that searches delivered and the fares the reservation holds.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sscb_pipeline.faults.contract import FaultContract
from sscb_pipeline.faults.flight_request import CHANGE, FlightRequest, request_of
from sscb_pipeline.faults.observation import Seen, observations
from sscb_pipeline.faults.operator import Evidence, EvidenceArrived, EvidenceStep
from sscb_pipeline.measured import Never, Undeterminable
from sscb_pipeline.trajectories.steps import Trajectory


def unmoved_balance(
    contract: FaultContract, request: FlightRequest, trajectory: Trajectory, attempt: int, seen: Seen
) -> Evidence:
    """Whether the profile seen at `seen.step` refutes that the request acknowledged at step `attempt` was committed."""
    after = _balance(seen, request.payment_id)
    if after is None:
        return Never()
    earlier = [other for other in observations(trajectory) if other.step < seen.step]
    known = [
        (other.step, balance)
        for other in earlier
        if other.step < attempt and (balance := _balance(other, request.payment_id)) is not None
    ]
    # Had the change taken effect, the same request made again would have cost nothing more.
    paid_in_between = any(
        other.step > attempt
        and other.arguments.get("payment_id") == request.payment_id
        and not (other.tool == CHANGE and request_of(other.arguments) == request)
        for other in earlier
    )
    if not known or known[-1][1] != after or paid_in_between:
        return Never()
    difference = _price_difference(request, earlier, attempt)
    if difference is None:
        return Undeterminable(reason="the balance did not move, but whether the change had to move it is not visible")
    if difference == 0:
        return Never()
    return EvidenceArrived(
        steps=(
            EvidenceStep(step=known[-1][0], part="gift-card balance before the attempt"),
            EvidenceStep(step=seen.step, part="gift-card balance after the attempt"),
        )
    )


def _balance(seen: Seen, payment_id: str) -> float | None:
    methods = seen.value.get("payment_methods")
    method = methods.get(payment_id, {}) if isinstance(methods, Mapping) else {}
    amount = method.get("amount")
    return float(amount) if method.get("source") == "gift_card" and isinstance(amount, int | float) else None


def _price_difference(request: FlightRequest, earlier: Sequence[Seen], attempt: int) -> float | None:
    """What the change costs per passenger as far as visible text tells; None where a fare is not visible.

    The payment history of a native acknowledgement is no guide: where nothing was to be paid, it ends with the
    payment of the booking.
    """
    held: dict[tuple[str, str], float] = {}
    asked: dict[tuple[str, str], float] = {}
    for seen in earlier:
        shown = _held(seen, request)
        if shown and seen.step < attempt:
            held = shown
        elif shown and seen.step == attempt:
            asked = shown
    offered = {key: fare for seen in earlier for key, fare in _fares(seen, request.cabin)}
    fares = [asked.get(segment, held.get(segment, offered.get(segment))) for segment in request.flights]
    if not held or any(fare is None for fare in fares):
        return None
    return sum(fare for fare in fares if fare is not None) - sum(held.values())


def _held(seen: Seen, request: FlightRequest) -> dict[tuple[str, str], float]:
    """Fares of the segments a record of the request's reservation holds; empty where it is no such record."""
    if seen.value.get("reservation_id") != request.reservation_id or seen.value.get("cabin") != request.cabin:
        return {}
    return {(one["flight_number"], one["date"]): float(one["price"]) for one in seen.value.get("flights", ())}


def _fares(seen: Seen, cabin: str) -> Iterator[tuple[tuple[str, str], float]]:
    """((flight number, date), fare) of each flight a search delivered."""
    if not seen.tool.startswith("search_"):
        return
    try:
        found = json.loads(seen.content)
    except ValueError:
        return
    for entry in found if isinstance(found, list) else ():
        for flight in entry if isinstance(entry, list) else (entry,):
            if isinstance(flight, Mapping) and cabin in flight.get("prices", {}):
                day = flight.get("date") or seen.arguments.get("date")
                yield (str(flight.get("flight_number")), str(day)), _number(flight["prices"][cabin])


def _number(value: Any) -> float:
    return float(value)
