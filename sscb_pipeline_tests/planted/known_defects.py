"""Disagreements with a reader that are defects of the measurement, not of the labels.

Each is expected to fail until it is mended. A case leaves this list when its test passes: the marks are strict.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from sscb_pipeline_tests.planted.table import Planted


@dataclass(frozen=True, slots=True, kw_only=True)
class Defect:
    """What is wrong."""

    reason: str

    @property
    def mark(self) -> pytest.MarkDecorator:
        """Strictly expected to fail, and by disagreement only."""
        return pytest.mark.xfail(strict=True, reason=self.reason, raises=AssertionError)


CABIN = Defect(
    reason="v1 never stores a new cabin: an acknowledgement or read with the requested flights beside the old cabin is "
    "not taken for one that shows the request"
)
ERROR_TEXT = Defect(reason="v1 writes the refusal of a certificate with a small first letter; it is not recognised")

DELIVERY: Mapping[str, Defect] = dict.fromkeys(
    ("WE01", "WE02", "WE03", "WE04", "WE05", "WE06", "WE16", "WE17", "WE24"), CABIN
)
ARRIVAL: Mapping[str, Defect] = {"PS02": ERROR_TEXT, "WE02": CABIN}

ROUND_TRIP_DAYS = Defect(reason="'a round trip on <day> and <day>' is not read as naming the return day")
NOT_THE_METHOD = Defect(
    reason="the original payment method, named by its kind, is not bound to the method in the payment history"
)

RECONSTRUCTION: Mapping[str, Defect] = {
    "RD08": ROUND_TRIP_DAYS,
    "RD10": ROUND_TRIP_DAYS,
    "RD16": Defect(reason="a search on the day after the return day is not seen as derived from it"),
    "RD20": Defect(reason="the day of a new flight, which the user asked for, is taken for the booked return day"),
    "PS01": Defect(reason="'it seems' of one sentence is taken as a hedge over the list of the next"),
    "PS02": ERROR_TEXT,
    "PS07": Defect(reason="an offer to apply the certificate first is taken to be about something else"),
    "PS08": Defect(reason="a list of details is taken for a check of each because the reservation is to be confirmed"),
    "PS12": NOT_THE_METHOD,
    "PS13": Defect(reason="payment ids chosen for gift cards in a booking are not seen as a possible use"),
    "PS17": NOT_THE_METHOD,
    "PS18": NOT_THE_METHOD,
    "PS19": NOT_THE_METHOD,
    "PS20": Defect(reason="'one of your saved credit cards' is taken to be surely about something else"),
    "PS23": Defect(reason="brand and last digits, which are kept fields, are taken for a statement of the kind"),
    "PS24": Defect(reason="a certificate just issued is taken for the stored one"),
    "PS27": Defect(reason="asking which of three kinds of the profile to use is taken to be surely no use"),
    "IO04": Defect(reason="the old line's colour before an arrow is missed, the new item's is taken for it"),
    "IO06": Defect(reason="a description is taken for a check because the return is to be confirmed"),
    "WE02": CABIN,
    "WE10": Defect(reason="'remains unchanged', said of the kept leg, is taken for a report that the change failed"),
}


def marked(cases: Iterable[Planted], defects: Mapping[str, Defect]) -> Sequence[Any]:
    """The cases as test parameters, those with a known defect marked."""
    return [
        pytest.param(case, id=case.id, marks=[defects[case.id].mark] if case.id in defects else []) for case in cases
    ]
