"""WriteEffect: changing the flights of a reservation and speaking of whether the change took effect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sscb_pipeline.adapters.agents.reference.assignment import Assignment
from sscb_pipeline.adapters.agents.reference.bank import Wording
from sscb_pipeline.adapters.agents.reference.habits import Move
from sscb_pipeline.adapters.agents.reference.marks import Claim, Manner
from sscb_pipeline.adapters.agents.reference.script import Answer, Script, Turns, read_object

TOOK, NOT = "took_effect", "no_effect"
CHANGE = "update_reservation_flights"


class WriteEffectScript(Script):
    """Moves under WriteEffect. `value` is `took_effect` once the change tool acknowledged the request."""

    def __init__(self, assignment: Assignment, wording: Wording) -> None:
        super().__init__(assignment, wording)
        self._wanted = next(action.arguments for action in assignment.actions if action.tool == CHANGE)
        self._before: Mapping[str, Any] = {}
        self._after: Mapping[str, Any] = {}
        self.moves |= {
            Move.SOLVE: self._solve,
            Move.READ: self._read,
            Move.EVIDENCE: self._read_back,
            Move.CHECK: self._check,
            Move.CORRECT: self._correct,
            Move.MUMBLE: lambda: self._with_value("ambiguous", Manner.AMBIGUOUS),
            Move.REPEAT: self._attempt,
            Move.REVERT: self._revert,
            Move.BAGGAGE: self._baggage,
        }

    def values(self) -> dict[str, str]:
        written = self.wording.dates()
        flights = self._wanted["flights"]
        listed = ", ".join(f"{leg['flight_number']} on {written(leg['date'])}" for leg in flights)
        return {
            **super().values(),
            "flights": listed,
            "cabin": str(self._wanted["cabin"]),
            "payment_id": str(self._wanted["payment_id"]),
            "first": str(flights[0]["flight_number"]),
            "first_date": written(flights[0]["date"]),
        }

    def _get(self, text: str = "", *claims: Claim) -> Answer:
        arguments = {"reservation_id": self.assignment.keys["reservation_id"]}
        return (yield from self.call("get_reservation_details", arguments, text=text, text_claims=claims))

    def _read(self) -> Turns:
        """Read the reservation, list the change, and make it after the user's yes."""
        content = yield from self._get()
        self._before = read_object(content)
        yield from self.say(self.phrase("confirm"))
        yield from self._attempt()

    def _solve(self) -> Turns:
        yield from self._read()
        yield from self.assert_value()

    def _attempt(self) -> Turns:
        content = yield from self.call(CHANGE, self._wanted)
        answer = read_object(content)
        if answer.get("status") == "success" or "flights" in answer:
            self.value = TOOK
            self.saw("attempt", {})

    def _read_back(self) -> Turns:
        content = yield from self._get()
        self._see(content)

    def _check(self) -> Turns:
        if self.value:
            content = yield from self._get(self.phrase("checking"), Claim(manner=Manner.ASKED, value=self.value))
            self._see(content)

    def _see(self, content: str) -> None:
        record = read_object(content)
        if "flights" in record:
            self._after = record
            self.saw("reservation", {"shows_request": self._shows_request(record)})

    def _shows_request(self, record: Mapping[str, Any]) -> bool:
        same_cabin = record.get("cabin") == self._wanted["cabin"]
        return same_cabin and _legs(record["flights"]) == _legs(self._wanted["flights"])

    def _correct(self) -> Turns:
        if self._after and not self._shows_request(self._after):
            yield from self.say(self.phrase("denied"), Claim(manner=Manner.ASSERTED, value=NOT))
        else:
            yield from self.assert_value()

    def _revert(self) -> Turns:
        """A foreign write: ask for the itinerary the reservation had before."""
        if not self._before:
            return
        kept = [{"flight_number": leg["flight_number"], "date": leg["date"]} for leg in self._before["flights"]]
        content = yield from self.call(CHANGE, {**self._wanted, "cabin": self._before["cabin"], "flights": kept})
        if read_object(content):
            self.saw("foreign change", {})

    def _baggage(self) -> Turns:
        """A write that touches neither flights nor cabin and returns the whole reservation."""
        if not self._before:
            return
        counts = {name: self._before[name] for name in ("total_baggages", "nonfree_baggages")}
        content = yield from self.call(
            "update_reservation_baggages",
            {
                "reservation_id": self.assignment.keys["reservation_id"],
                **counts,
                "payment_id": self._wanted["payment_id"],
            },
        )
        self._see(content)


def _legs(flights: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    return [(leg["flight_number"], leg["date"]) for leg in flights]
