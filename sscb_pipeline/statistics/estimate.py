"""A share with all that is needed to judge it, or the statement that it was not observed.

There is no rate without a denominator: an empty population gives `Unobserved`, which holds neither numerator nor
denominator nor limits, so that no renderer can print it as a percentage (SPEC 8).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from sscb_pipeline.errors import InputError
from sscb_pipeline.statistics.cluster_bootstrap import cluster_bootstrap, seed_of
from sscb_pipeline.statistics.interval import Interval
from sscb_pipeline.statistics.wilson import wilson


class Boundary(StrEnum):
    """Whether the observed share lies on a boundary; there the interval describes the observed clusters only."""

    INSIDE = "inside"
    ALL_ZERO = "all_zero"
    ALL_ONE = "all_one"


class Method(StrEnum):
    """How the interval was made: Wilson where every contributing cluster gives one evaluable run, else bootstrap."""

    WILSON = "wilson"
    CLUSTER_BOOTSTRAP = "cluster_bootstrap"


class NoSeed(StrEnum):
    """Stands where a seed would, for methods that draw nothing."""

    DETERMINISTIC = "deterministic"


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """k of n evaluable runs, from `clusters` contributing entity clusters.

    `undeterminable` runs belong to the population but could not be evaluated; they are in neither k nor n.
    `undefined_resamples` counts bootstrap resamples without a denominator (0 for Wilson).
    """

    k: int
    n: int
    clusters: int
    undeterminable: int
    interval: Interval
    method: Method
    seed: int | NoSeed
    undefined_resamples: int
    boundary: Boundary

    @property
    def share(self) -> float:
        """k/n, in [0, 1]."""
        return self.k / self.n

    @property
    def stratum_total(self) -> int:
        """Evaluable and undeterminable runs together."""
        return self.n + self.undeterminable


@dataclass(frozen=True, slots=True, kw_only=True)
class Unobserved:
    """No run of the population was evaluable: `claim` is unobserved, for the reason `why`. Printed as 0/0/0.

    `undeterminable` runs may still belong to the population.
    """

    claim: str
    why: str
    undeterminable: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterCounts:
    """Evaluable runs and successes per contributing cluster; both arrays have shape (clusters,), n >= 1 in each."""

    numerators: NDArray[np.int64]
    denominators: NDArray[np.int64]


def estimate(*, claim: str, key: str, counts: ClusterCounts, undeterminable: int) -> Estimate | Unobserved:
    """The estimate of one share. `key` names the unit and fixes the bootstrap seed; `claim` is a sentence for people.

    Raises InputError if a cluster contributes no run: such clusters are not contributing and must be left out.
    """
    if not len(counts.denominators):
        if undeterminable:
            why = f"none of the {undeterminable} runs of this population could be evaluated"
        else:
            why = "no run of this analysis belongs to this population"
        return Unobserved(claim=claim, why=why, undeterminable=undeterminable)
    if int(counts.denominators.min()) < 1:
        raise InputError(
            subject=f"estimate {key}",
            expected="contributing clusters only, each with at least one evaluable run",
            found="a cluster without an evaluable run",
            remedy="leave out clusters that contribute nothing",
        )
    k, n = int(counts.numerators.sum()), int(counts.denominators.sum())
    if int(counts.denominators.max()) == 1:
        interval, method = wilson(k, n), Method.WILSON
        seed: int | NoSeed = NoSeed.DETERMINISTIC
        undefined = 0
    else:
        drawn = cluster_bootstrap(counts.numerators, counts.denominators, seed=seed_of(key))
        interval, method = drawn.interval, Method.CLUSTER_BOOTSTRAP
        seed, undefined = drawn.seed, drawn.undefined
    return Estimate(
        k=k,
        n=n,
        clusters=len(counts.denominators),
        undeterminable=undeterminable,
        interval=interval,
        method=method,
        seed=seed,
        undefined_resamples=undefined,
        boundary=_boundary(k, n),
    )


def _boundary(k: int, n: int) -> Boundary:
    if k == 0:
        return Boundary.ALL_ZERO
    return Boundary.ALL_ONE if k == n else Boundary.INSIDE
