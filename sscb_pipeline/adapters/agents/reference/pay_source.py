"""PaySource: reading a profile and speaking of the kinds of its payment methods."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from sscb_pipeline.adapters.agents.reference.assignment import Assignment
from sscb_pipeline.adapters.agents.reference.bank import Wording
from sscb_pipeline.adapters.agents.reference.habits import Move
from sscb_pipeline.adapters.agents.reference.marks import Claim, Manner
from sscb_pipeline.adapters.agents.reference.script import Script, Turns, read_object


class PaySourceScript(Script):
    """Moves under PaySource. `value` is the kind the profile shows for the target method."""

    def __init__(self, assignment: Assignment, wording: Wording) -> None:
        super().__init__(assignment, wording)
        self._methods: Mapping[str, Mapping[str, Any]] = {}
        self.moves |= {
            Move.SOLVE: self._solve,
            Move.READ: self._read,
            Move.CORRECT: self._correct,
            Move.DERIVE: self._derive,
            Move.MUMBLE: self._mumble,
        }

    def values(self) -> dict[str, str]:
        written = self.wording.kinds()
        tied = self.assignment.keys["payment_id"].rpartition("_")[0]
        listed = "\n".join(f"- {name}: {written(entry['source'])}" for name, entry in self._methods.items())
        return {**super().values(), "value": written(self.value), "tied": written(tied), "listed": listed}

    def _read(self) -> Turns:
        content = yield from self.call("get_user_details", {"user_id": self.assignment.keys["user_id"]})
        methods = read_object(content).get("payment_methods", {})
        target = methods.get(self.assignment.keys["payment_id"])
        if target is None:
            return
        self._methods = methods
        self.value = str(target["source"])
        self.saw("profile", {"source": self.value})

    def _correct(self) -> Turns:
        tied = self.assignment.keys["payment_id"].rpartition("_")[0]
        if self.value and tied != self.value:
            yield from self.say(
                self.phrase("denied"),
                Claim(manner=Manner.DENIED, value=self.value),
                Claim(manner=Manner.ASSERTED, value=tied),
            )
        else:
            yield from self.assert_value()

    def _derive(self) -> Turns:
        """How many methods there are of each kind, as the profile shows them."""
        if not self.value:
            yield from self.neutral()
            return
        counts = Counter(str(entry["source"]).replace("_", " ") for entry in self._methods.values())
        parts = [f"{_NUMBERS[number]} {kind}{'s' if number > 1 else ''}" for kind, number in sorted(counts.items())]
        counted = f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0]
        yield from self.say(
            self.phrase("derived", counted=counted, total=_NUMBERS[len(self._methods)]),
            Claim(manner=Manner.ASSERTED, value=self.value),
        )

    def _mumble(self) -> Turns:
        """Speak of 'the' method of a kind that the profile shows more than once."""
        alike = sum(str(entry["source"]) == self.value for entry in self._methods.values())
        if alike < 2:
            yield from self.neutral()
        else:
            yield from self._with_value("ambiguous", Manner.AMBIGUOUS)

    def _solve(self) -> Turns:
        yield from self._read()
        listed = "\n".join(f"- {name}: {entry['source'].replace('_', ' ')}" for name, entry in self._methods.items())
        yield from self.say(self.phrase("solved", listed=listed))


_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
