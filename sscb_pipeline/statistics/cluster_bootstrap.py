"""Percentile bootstrap of a ratio k/n over entity clusters (SSC §V-B, B = 2,000).

Clusters are resampled with replacement, with all their runs. Only each cluster's pair (numerator, denominator)
enters the ratio, and clusters with the same pair are exchangeable; so a resample is drawn as one multinomial over
the distinct pairs. That has exactly the distribution of drawing clusters one by one, costs little where pairs repeat,
and does not depend on the order of the rows.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sscb_pipeline.errors import InputError
from sscb_pipeline.statistics.interval import CONFIDENCE, Interval

RESAMPLES = 2_000
_CELLS_AT_ONCE = 4_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class BootstrapInterval:
    """A percentile interval, the seed it was drawn with, and how many of `resamples` had no denominator.

    Those `undefined` resamples have no ratio; they are left out of the percentiles and their number is kept.
    """

    interval: Interval
    seed: int
    resamples: int
    undefined: int


def seed_of(key: str) -> int:
    """The seed of a unit: the first 63 bits of the sha256 of its key, never of order or clock."""
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big") >> 1


def cluster_bootstrap(
    numerators: NDArray[np.int64], denominators: NDArray[np.int64], *, seed: int, resamples: int = RESAMPLES
) -> BootstrapInterval:
    """The 95 % percentile interval of sum(numerators)/sum(denominators) under resampling of clusters.

    Both arrays have shape (clusters,), one entry per cluster. A cluster may have denominator 0. Raises InputError when
    there is no cluster, when a numerator is not within 0..denominator, or when no resample has a denominator.
    """
    _check(numerators, denominators)
    pairs, multiplicity = np.unique(np.stack([numerators, denominators], axis=1), axis=0, return_counts=True)
    generator = np.random.default_rng(seed)
    ratios: list[NDArray[np.float64]] = []
    undefined = 0
    rows = max(1, min(resamples, _CELLS_AT_ONCE // len(pairs)))
    for start in range(0, resamples, rows):
        drawn = generator.multinomial(
            int(multiplicity.sum()), multiplicity / multiplicity.sum(), size=min(rows, resamples - start)
        )
        totals = drawn @ pairs
        defined = totals[:, 1] > 0
        undefined += int((~defined).sum())
        ratios.append(totals[defined, 0] / totals[defined, 1])
    kept = np.concatenate(ratios)
    if not len(kept):
        raise InputError(
            subject="cluster bootstrap",
            expected="a denominator in at least one resample",
            found=f"none in {resamples}",
            remedy="report an empty stratum as unobserved",
        )
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(kept, [tail, 1 - tail])
    return BootstrapInterval(
        interval=Interval(low=float(low), high=float(high)), seed=seed, resamples=resamples, undefined=undefined
    )


def _check(numerators: NDArray[np.int64], denominators: NDArray[np.int64]) -> None:
    if numerators.shape == denominators.shape and numerators.ndim == 1 and len(numerators):
        if bool(np.all((numerators >= 0) & (numerators <= denominators))):
            return
        found = "a numerator outside its denominator"
    else:
        found = f"shapes {numerators.shape} and {denominators.shape}"
    raise InputError(
        subject="cluster bootstrap",
        expected="one numerator within 0..denominator per cluster, and at least one cluster",
        found=found,
        remedy="count the runs of each cluster again",
    )
