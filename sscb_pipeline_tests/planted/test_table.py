"""The table itself: enough runs, spread over operators and histories, with labels that do not contradict each other."""

from __future__ import annotations

from collections import Counter

import pytest

from sscb_pipeline_tests.planted.table import RECORDINGS, TABLES, Planted, planted


def _derived_stratum(case: Planted) -> str:
    """Z_S from T_E and T_S (SSC §III-C)."""
    arrival, use = case.t_e[0], case.t_s[0]
    if use == "never":
        return "no_use"
    if "undeterminable" in (arrival, use):
        return "undeterminable"
    if arrival == "never":
        return "absent"
    assert isinstance(arrival, int)
    assert isinstance(use, int)
    return "before" if arrival < use else "after"


def test_the_table_is_large_and_spread() -> None:
    runs = {(case.run.file, case.run.index) for case in planted()}
    assert len(runs) >= 48
    assert {file for file, _ in runs} == set(RECORDINGS)
    per_operator = Counter(case.operator for case in planted())
    assert set(per_operator) == set(TABLES)
    assert min(per_operator.values()) >= 12
    assert {case.z[0] for case in planted()} == {"before", "after", "absent", "no_use", "undeterminable"}


def test_identifiers_are_unique() -> None:
    counts = Counter(case.id for case in planted())
    assert [name for name, n in counts.items() if n > 1] == []


@pytest.mark.parametrize("case", planted(), ids=lambda case: case.id)
def test_labels_agree_with_each_other(case: Planted) -> None:
    assert case.z[0] == _derived_stratum(case)
    fault, use, error, adopted = case.t_f[0], case.t_s[0], case.t_u[0], case.a[0]
    if isinstance(use, int):
        assert fault < use
    if isinstance(use, int) and isinstance(error, int):
        assert use <= error
    if isinstance(error, int):
        assert adopted == "true"
    if use == "never":
        assert (error, adopted) == ("never", "false")
    assert (case.y[0] == "not_adopted") == (adopted == "false")
    assert case.delivered != case.declared


@pytest.mark.parametrize("case", planted(), ids=lambda case: case.id)
def test_every_label_has_a_reason(case: Planted) -> None:
    for label in (case.t_f, case.t_e, case.t_s, case.t_u, case.a, case.z, case.y):
        assert len(label[1]) > 8
