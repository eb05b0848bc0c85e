"""Which interval a population gets, and that an empty one gets none."""

import dataclasses

import numpy as np
import pytest

from sscb_pipeline.errors import InputError
from sscb_pipeline.statistics.cluster_bootstrap import seed_of
from sscb_pipeline.statistics.estimate import (
    Boundary,
    ClusterCounts,
    Estimate,
    Method,
    NoSeed,
    Unobserved,
    estimate,
)
from sscb_pipeline.statistics.wilson import wilson


def _estimate(numerators: list[int], denominators: list[int], undeterminable: int = 0) -> Estimate | Unobserved:
    counts = ClusterCounts(
        numerators=np.array(numerators, dtype=np.int64), denominators=np.array(denominators, dtype=np.int64)
    )
    return estimate(claim="adoption", key="k", counts=counts, undeterminable=undeterminable)


def test_one_run_per_cluster_gives_wilson() -> None:
    value = _estimate([1, 0, 1], [1, 1, 1], undeterminable=2)
    assert isinstance(value, Estimate)
    assert (value.k, value.n, value.clusters, value.stratum_total) == (2, 3, 3, 5)
    assert (value.method, value.seed, value.interval) == (Method.WILSON, NoSeed.DETERMINISTIC, wilson(2, 3))


def test_one_cluster_with_two_runs_gives_the_bootstrap_with_its_seed() -> None:
    value = _estimate([1, 0, 1], [1, 1, 2])
    assert isinstance(value, Estimate)
    assert (value.method, value.seed, value.boundary) == (Method.CLUSTER_BOOTSTRAP, seed_of("k"), Boundary.INSIDE)
    assert value.interval.low < value.share < value.interval.high


@pytest.mark.parametrize(("numerators", "boundary"), [([0, 0], Boundary.ALL_ZERO), ([2, 1], Boundary.ALL_ONE)])
def test_a_boundary_is_marked(numerators: list[int], boundary: Boundary) -> None:
    value = _estimate(numerators, [2, 1])
    assert isinstance(value, Estimate)
    assert value.boundary is boundary


@pytest.mark.parametrize(("undeterminable", "why"), [(0, "no run"), (3, "none of the 3")])
def test_an_empty_population_is_unobserved_and_holds_no_rate(undeterminable: int, why: str) -> None:
    value = _estimate([], [], undeterminable)
    assert isinstance(value, Unobserved)
    assert why in value.why
    assert {field.name for field in dataclasses.fields(value)} == {"claim", "why", "undeterminable"}


def test_a_cluster_that_contributes_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="contributing"):
        _estimate([0, 1], [0, 1])
