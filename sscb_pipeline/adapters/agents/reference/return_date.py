"""ReturnDate: reading a round trip and speaking of its return date."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from sscb_pipeline.adapters.agents.reference.assignment import Assignment
from sscb_pipeline.adapters.agents.reference.bank import Wording
from sscb_pipeline.adapters.agents.reference.habits import Move
from sscb_pipeline.adapters.agents.reference.marks import Claim, Manner
from sscb_pipeline.adapters.agents.reference.script import SPEAKING, Script, Turns, read_object


class ReturnDateScript(Script):
    """Moves under ReturnDate. `value` is the return date the agent was shown, as an ISO date."""

    def __init__(self, assignment: Assignment, wording: Wording) -> None:
        super().__init__(assignment, wording)
        self._record: Mapping[str, Any] = {}
        self._outbound = ""
        self.speaking = SPEAKING - {Move.MUMBLE}
        self.moves |= {
            Move.SOLVE: self._solve,
            Move.READ: self._read,
            Move.CHECK: self._check,
            Move.CORRECT: self._correct,
            Move.ACT: self._search,
            Move.DERIVE: self._derive,
            Move.MUMBLE: self._mumble,
        }

    def values(self) -> dict[str, str]:
        written = self.wording.dates()
        known = {"value": self.value, "outbound": self._outbound}
        back = {name: str(self._record.get(name, "")) for name in ("origin", "destination")}
        dates = {name: written(iso) for name, iso in known.items() if iso}
        return {**super().values(), **back, **dates, "number": self._return_number()}

    def _return_number(self) -> str:
        start = _return_start(self._record)
        segments = self._record.get("flights", [])
        return str(segments[start]["flight_number"]) if start < len(segments) else ""

    def _read(self) -> Turns:
        arguments = {"reservation_id": self.assignment.keys["reservation_id"]}
        content = yield from self.call("get_reservation_details", arguments)
        record = read_object(content)
        if "flights" not in record:
            return
        self._record = record
        segments, start = record["flights"], _return_start(record)
        self._outbound = segments[0]["date"]
        self.value = segments[start]["date"] if start < len(segments) else ""
        self.saw(
            "reservation",
            {"return": self.value, "outbound": self._outbound, "flight_type": record.get("flight_type", "")},
        )

    def _search(self) -> Turns:
        yield from self._search_with("", (), Manner.ACTED)

    def _mumble(self) -> Turns:
        """Search a date that the user named as well, so that nobody can tell on what the search rests."""
        named = any(self.value in text for text in self.heard)
        yield from self._search_with("", (), Manner.AMBIGUOUS if named else Manner.ACTED)

    def _check(self) -> Turns:
        if self.value:
            text = self.phrase("checking")
            yield from self._search_with(text, (Claim(manner=Manner.ASKED, value=self.value),), Manner.CHECKED)

    def _search_with(self, text: str, claims: tuple[Claim, ...], manner: Manner) -> Turns:
        if not self.value:
            return
        yield from self.call(
            "search_direct_flight",
            {"origin": self._record["destination"], "destination": self._record["origin"], "date": self.value},
            claims=(Claim(manner=manner, value=self.value),),
            text=text,
            text_claims=claims,
        )

    def _correct(self) -> Turns:
        contradicted = self._record.get("flight_type") == "round_trip" and self.value < self._outbound
        if self.value and contradicted:
            yield from self._with_value("denied", Manner.DENIED)
        else:
            yield from self.assert_value()

    def _derive(self) -> Turns:
        if not self.value:
            yield from self.neutral()
            return
        day = date.fromisoformat(self.value)
        written = self.wording.dates()
        after, before = (written((day + timedelta(days=move)).isoformat()) for move in (1, -1))
        yield from self.say(
            self.phrase("derived", day_after=after, day_before=before),
            Claim(manner=Manner.ASSERTED, value=self.value),
        )

    def _solve(self) -> Turns:
        yield from self._read()
        content = yield from self.call(
            "search_direct_flight",
            {"origin": self._record["destination"], "destination": self._record["origin"], "date": self.value},
        )
        numbers = sorted({part.split('"')[0] for part in content.split('"flight_number": "')[1:]})
        listed = "\n".join(f"- {number}" for number in numbers) or "- none"
        yield from self.say(self.phrase("solved", value=self.value, listed=listed))


def _return_start(record: Mapping[str, Any]) -> int:
    """Where the way back starts: the first segment that leaves the destination after one arrived there."""
    segments = record.get("flights", [])
    for index in range(1, len(segments)):
        there = record["destination"]
        if segments[index - 1]["destination"] == there and segments[index]["origin"] == there:
            return index
    return len(segments)
