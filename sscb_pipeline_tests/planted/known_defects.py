"""Disagreements with a reader that are defects of the measurement, not of the labels.

Each is expected to fail until it is mended. A case leaves this list when its test passes: the marks are strict.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pytest

from sscb_pipeline_tests.planted.table import Planted

CABIN = (
    "the v1 flight change never stores the cabin, so an acknowledgement that shows the requested flights is not "
    "recognised while the old cabin stands beside them"
)
ERROR_TEXT = "v1 writes the tool's refusal of a certificate with a small first letter, and it is not recognised"

DELIVERY: Mapping[str, str] = dict.fromkeys(
    ("WE01", "WE02", "WE03", "WE04", "WE05", "WE06", "WE16", "WE17", "WE24"), CABIN
)
ARRIVAL: Mapping[str, str] = {"PS02": ERROR_TEXT, "WE02": CABIN}


def marked(cases: Iterable[Planted], defects: Mapping[str, str]) -> Sequence[Any]:
    """The cases as test parameters, those with a known defect marked as strictly expected to fail."""
    return [
        pytest.param(
            case,
            id=case.id,
            marks=[pytest.mark.xfail(strict=True, reason=defects[case.id])] if case.id in defects else [],
        )
        for case in cases
    ]
