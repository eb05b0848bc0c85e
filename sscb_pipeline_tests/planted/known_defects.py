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


DELIVERY: Mapping[str, Defect] = {}
ARRIVAL: Mapping[str, Defect] = {}
RECONSTRUCTION: Mapping[str, Defect] = {}


def marked(cases: Iterable[Planted], defects: Mapping[str, Defect]) -> Sequence[Any]:
    """The cases as test parameters, those with a known defect marked."""
    return [
        pytest.param(case, id=case.id, marks=[defects[case.id].mark] if case.id in defects else []) for case in cases
    ]
