"""Measured values against the labels that reference agents were built to realise.

A determinate label must be measured exactly. An ambiguity by construction must be reported undeterminable. Everything
else is a disagreement, listed with its execution.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

UNDETERMINABLE = "undeterminable"


class Outcome(StrEnum):
    """How a measured value stands to the realised label."""

    EXACT = "exact"
    UNDETERMINABLE_AS_CONSTRUCTED = "undeterminable_as_constructed"
    WRONG = "wrong"
    """Both determinate, and different."""
    LOST = "lost"
    """The label is determinate, the measurement reports undeterminable."""
    OVERCLAIMED = "overclaimed"
    """The label is ambiguous by construction, the measurement is determinate."""


DISAGREEMENTS = (Outcome.WRONG, Outcome.LOST, Outcome.OVERCLAIMED)


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelPair:
    """One label of one execution. `realised` and `measured` are one-line texts in the same notation ('located 12',
    'never', 'true', 'before', 'undeterminable: reason'); what follows 'undeterminable' is not compared."""

    execution_id: str
    configuration: str
    operator: str
    habit: str
    quantity: str
    realised: str
    measured: str

    @property
    def outcome(self) -> Outcome:
        """The relation of the two."""
        ambiguous, unsettled = _is_undeterminable(self.realised), _is_undeterminable(self.measured)
        if ambiguous:
            return Outcome.UNDETERMINABLE_AS_CONSTRUCTED if unsettled else Outcome.OVERCLAIMED
        if unsettled:
            return Outcome.LOST
        return Outcome.EXACT if self.realised == self.measured else Outcome.WRONG


@dataclass(frozen=True, slots=True, kw_only=True)
class QuantityCalibration:
    """One quantity: number of labels, and how many stand in each relation."""

    quantity: str
    labels: int
    exact: int
    undeterminable_as_constructed: int
    disagreements: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """Per quantity in order of first appearance, and every disagreement."""

    quantities: tuple[QuantityCalibration, ...]
    disagreements: tuple[LabelPair, ...]

    @property
    def labels(self) -> int:
        """Number of labels compared."""
        return sum(quantity.labels for quantity in self.quantities)


def calibrate(pairs: Iterable[LabelPair]) -> Calibration:
    """Compare every label; disagreements keep the order of `pairs`."""
    tallies: dict[str, Counter[Outcome]] = {}
    disagreements: list[LabelPair] = []
    for pair in pairs:
        outcome = pair.outcome
        tallies.setdefault(pair.quantity, Counter())[outcome] += 1
        if outcome in DISAGREEMENTS:
            disagreements.append(pair)
    return Calibration(
        quantities=tuple(
            QuantityCalibration(
                quantity=quantity,
                labels=tally.total(),
                exact=tally[Outcome.EXACT],
                undeterminable_as_constructed=tally[Outcome.UNDETERMINABLE_AS_CONSTRUCTED],
                disagreements=sum(tally[outcome] for outcome in DISAGREEMENTS),
            )
            for quantity, tally in tallies.items()
        ),
        disagreements=tuple(disagreements),
    )


def _is_undeterminable(text: str) -> bool:
    return text == UNDETERMINABLE or text.startswith((f"{UNDETERMINABLE}:", f"{UNDETERMINABLE} "))
