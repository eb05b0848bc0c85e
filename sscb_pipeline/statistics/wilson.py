"""Wilson's score interval for one binomial proportion, without continuity correction."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

from sscb_pipeline.errors import InputError
from sscb_pipeline.statistics.interval import CONFIDENCE, Interval

Z = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)


def wilson(k: int, n: int) -> Interval:
    """The 95 % Wilson interval of k successes in n independent trials (SSC §V-B).

    Contains k/n always. Raises InputError unless 0 <= k <= n and n >= 1: without trials there is no rate.
    """
    if n < 1 or not 0 <= k <= n:
        raise InputError(
            subject="Wilson interval",
            expected="0 <= k <= n and n >= 1",
            found=f"k={k}, n={n}",
            remedy="report an empty stratum as unobserved",
        )
    share = k / n
    shrink = 1 + Z * Z / n
    centre = (share + Z * Z / (2 * n)) / shrink
    half = Z * sqrt(share * (1 - share) / n + Z * Z / (4 * n * n)) / shrink
    # Rounding may push a limit past the boundary or the observed share by one ulp.
    low = 0.0 if k == 0 else min(max(0.0, centre - half), share)
    high = 1.0 if k == n else max(min(1.0, centre + half), share)
    return Interval(low=low, high=high)
