"""An interval for a proportion."""

from __future__ import annotations

from dataclasses import dataclass

CONFIDENCE = 0.95
"""Every interval of the project has this nominal coverage (SSC §V-B)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """Limits of a proportion, both in [0, 1], `low <= high`."""

    low: float
    high: float
