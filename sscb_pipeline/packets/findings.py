"""What a checker finds while it goes from record to record: per requirement kept, broken (every place) or not run.

Both checkers keep their findings in this; it knows no packet and no record.
"""

from __future__ import annotations

from collections.abc import Iterable

from sscb_pipeline.assurance.requirement import Broken, Kept, NotRun, Outcome
from sscb_pipeline.packets.requirement import Requirement


class Findings:
    """Outcomes in the making, for the requirements assigned to one checker; others are not recorded.

    A requirement is kept only where it was examined at least once, broken nowhere, and left unexamined nowhere.
    """

    def __init__(self, assigned: Iterable[Requirement]) -> None:
        self._assigned = tuple(assigned)
        self._examined: set[Requirement] = set()
        self._broken: dict[Requirement, list[str]] = {}
        self._skipped: dict[Requirement, str] = {}

    def examined(self, *requirements: Requirement) -> None:
        """These were examined at some place."""
        self._examined.update(requirements)

    def broke(self, requirement: Requirement, violation: str) -> None:
        """A violation, as a sentence that names its place."""
        self._examined.add(requirement)
        self._broken.setdefault(requirement, []).append(violation)

    def skipped(self, requirements: Iterable[Requirement], reason: str) -> None:
        """These could not be examined at some place; the first reason is kept."""
        for requirement in requirements:
            self._skipped.setdefault(requirement, reason)

    def outcomes(self) -> dict[str, Outcome]:
        """The outcome of every assigned requirement."""
        return {requirement.value: self._outcome(requirement) for requirement in self._assigned}

    def _outcome(self, requirement: Requirement) -> Outcome:
        if requirement in self._broken:
            return Broken(violations=tuple(self._broken[requirement]))
        if requirement in self._skipped:
            return NotRun(reason=self._skipped[requirement])
        if requirement in self._examined:
            return Kept()
        return NotRun(reason="the check met nothing to examine it on")
