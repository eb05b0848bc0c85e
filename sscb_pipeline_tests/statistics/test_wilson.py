"""Wilson against an independent implementation, and its properties."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from sscb_pipeline.errors import InputError
from sscb_pipeline.statistics.wilson import wilson

counts = st.integers(1, 5_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(counts)
def test_agrees_with_statsmodels(kn: tuple[int, int]) -> None:
    k, n = kn
    low, high = proportion_confint(k, n, alpha=0.05, method="wilson")
    ours = wilson(k, n)
    assert ours.low == pytest.approx(low, abs=1e-12)
    assert ours.high == pytest.approx(high, abs=1e-12)


@given(counts)
def test_contains_the_share_and_mirrors(kn: tuple[int, int]) -> None:
    k, n = kn
    ours, mirrored = wilson(k, n), wilson(n - k, n)
    assert 0 <= ours.low <= k / n <= ours.high <= 1
    assert ours.low == pytest.approx(1 - mirrored.high, abs=1e-12)


@pytest.mark.parametrize(("k", "n"), [(0, 0), (-1, 3), (4, 3)])
def test_no_rate_without_trials(k: int, n: int) -> None:
    with pytest.raises(InputError, match="0 <= k <= n"):
        wilson(k, n)
