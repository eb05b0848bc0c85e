"""Numbers and names as a reader sees them."""

from __future__ import annotations

from sscb_pipeline.statistics.estimate import Estimate, Method
from sscb_pipeline.statistics.interval import Interval

NARROW_SPACE = "\u202f"


def percent(share: float) -> str:
    """A share in whole percent; never rounded onto 0 or 100 from inside."""
    if 0 < share < 0.005:
        return f"<1{NARROW_SPACE}%"
    if 0.995 <= share < 1:
        return f">99{NARROW_SPACE}%"
    return f"{round(share * 100)}{NARROW_SPACE}%"


def interval_text(interval: Interval) -> str:
    """Limits in whole percent."""
    return f"{round(interval.low * 100)}–{round(interval.high * 100)}{NARROW_SPACE}%"


def method_text(value: Estimate) -> str:
    """How the interval was made."""
    if value.method is Method.WILSON:
        return "Wilson, one evaluable run per entity"
    left_out = f", {value.undefined_resamples} resamples without denominator" if value.undefined_resamples else ""
    return f"cluster bootstrap, B = 2,000, seed {value.seed}{left_out}"


def words(name: str) -> str:
    """An identifier as words."""
    return name.replace("_", " ")
