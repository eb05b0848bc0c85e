"""The cluster bootstrap against scipy's, its handling of empty denominators, and its invariances."""

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import bootstrap

from sscb_pipeline.errors import InputError
from sscb_pipeline.statistics.cluster_bootstrap import cluster_bootstrap, seed_of


def _clusters(size: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    denominators = generator.integers(1, 6, size)
    return generator.binomial(denominators, generator.beta(2, 3, size)), denominators


@pytest.mark.parametrize("size", [12, 30, 150])
def test_agrees_with_scipy_within_monte_carlo_error(size: int) -> None:
    numerators, denominators = _clusters(size, seed=size)
    theirs = bootstrap(
        (numerators, denominators),
        lambda k, n, axis: k.sum(axis=axis) / n.sum(axis=axis),
        paired=True,
        vectorized=True,
        n_resamples=20_000,
        method="percentile",
        rng=np.random.default_rng(7),
    ).confidence_interval
    ours = cluster_bootstrap(numerators, denominators, seed=seed_of(f"scipy/{size}"), resamples=20_000).interval
    spread = theirs.high - theirs.low
    assert ours.low == pytest.approx(theirs.low, abs=0.02 * spread + 0.004)
    assert ours.high == pytest.approx(theirs.high, abs=0.02 * spread + 0.004)


def test_resamples_without_denominator_are_counted_and_left_out() -> None:
    drawn = cluster_bootstrap(np.array([1, 0]), np.array([1, 0]), seed=3)
    assert 400 < drawn.undefined < 600  # each of 2,000 resamples misses the first cluster with probability 1/4
    assert (drawn.interval.low, drawn.interval.high) == (1.0, 1.0)


def test_no_denominator_at_all_is_refused() -> None:
    with pytest.raises(InputError, match="unobserved"):
        cluster_bootstrap(np.array([0, 0]), np.array([0, 0]), seed=3)


@pytest.mark.parametrize(
    ("numerators", "denominators"), [([], []), ([2], [1]), ([-1], [1]), ([1, 1], [1]), ([[1]], [[1]])]
)
def test_impossible_counts_are_refused(numerators: list[int], denominators: list[int]) -> None:
    with pytest.raises(InputError, match="cluster bootstrap"):
        cluster_bootstrap(np.array(numerators, dtype=np.int64), np.array(denominators, dtype=np.int64), seed=1)


pairs = st.lists(st.integers(1, 4).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), min_size=1, max_size=40)


@settings(max_examples=60)
@given(pairs, st.randoms(use_true_random=False))
def test_order_of_clusters_does_not_matter_and_the_limits_are_ratios(clusters, shuffler) -> None:
    counts = np.array(clusters, dtype=np.int64)
    shuffled = list(clusters)
    shuffler.shuffle(shuffled)
    again = np.array(shuffled, dtype=np.int64)
    first = cluster_bootstrap(counts[:, 0], counts[:, 1], seed=11, resamples=400)
    second = cluster_bootstrap(again[:, 0], again[:, 1], seed=11, resamples=400)
    assert first == second
    rates = counts[:, 0] / counts[:, 1]
    assert rates.min() - 1e-12 <= first.interval.low <= first.interval.high <= rates.max() + 1e-12


def test_the_seed_is_of_the_key_alone() -> None:
    assert seed_of("adoption/WriteEffect") == seed_of("adoption/WriteEffect")
    assert seed_of("adoption/WriteEffect") != seed_of("adoption/ItemOption")
    assert 0 <= seed_of("adoption/WriteEffect") < 2**63


def test_a_thousand_clusters_are_quick() -> None:
    numerators, denominators = _clusters(1_000, seed=1)
    started = time.process_time()
    cluster_bootstrap(numerators, denominators, seed=1)
    assert time.process_time() - started < 0.3
