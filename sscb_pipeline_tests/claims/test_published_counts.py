"""Rows built to SSC's published counts print SSC's figures (SSC §VI)."""

from __future__ import annotations

import pytest

from sscb_pipeline.claims.analysis import Analysis, analyse
from sscb_pipeline.claims.cell import Count
from sscb_pipeline.claims.scope import POOLED
from sscb_pipeline.statistics.estimate import Boundary, Estimate, Method, Unobserved
from sscb_pipeline_tests.claims.published_counts import published_rows


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    return analyse(published_rows())


def shown(analysis: Analysis, table: str, row: tuple[str, ...], column: str) -> tuple[int, int]:
    value = analysis.cell(table, row, column).value
    assert isinstance(value, (Estimate, Count))
    return value.k, value.n


ITEM, WRITE = ("ItemOption", POOLED), ("WriteEffect", POOLED)
HINT, SOURCE = "no_readback_hint", "consistent_source"

PUBLISHED = [
    ("funnel", ("all repeats", "all operators"), "run", 1191, 1320),
    ("funnel", ("all repeats", "all operators"), "triggered", 1189, 1320),
    ("funnel", ("repeat 0", "ItemOption"), "run", 96, 150),
    ("funnel", ("repeat 0", "ItemOption"), "n_Z", 91, 150),
    ("funnel", ("repeat 0", "ItemOption"), "u_Z", 0, 150),
    ("arrival", ("ReturnDate", POOLED), "before", 149, 149),
    ("arrival", ("PaySource", POOLED), "before", 150, 150),
    ("arrival", ITEM, "before", 40, 91),
    ("arrival", ITEM, "after", 49, 91),
    ("arrival", ITEM, "absent", 2, 91),
    ("arrival", ("WriteEffect", "L"), "before", 29, 29),
    ("arrival", ("WriteEffect", "V"), "absent", 30, 30),
    ("arrival", ("WriteEffect", "T"), "after", 20, 25),
    ("arrival", ("WriteEffect", "T"), "before", 2, 25),
    ("adoption", ("ReturnDate", POOLED), "A_P", 149, 149),
    ("adoption", ("PaySource", POOLED), "A_P", 89, 150),
    ("adoption", ITEM, "A_P", 47, 58),
    ("adoption", ITEM, "a_before", 15, 25),
    ("adoption", ITEM, "a_after", 32, 33),
    ("adoption", WRITE, "A_P", 101, 141),
    ("adoption", ("WriteEffect", "V"), "A_P", 30, 30),
    ("adoption", ("WriteEffect", "T"), "A_P", 25, 25),
    ("claims", WRITE, "adoption", 101, 141),
    ("claims", WRITE, "adoption with eventual counter-evidence", 44, 84),
    ("claims", WRITE, "adoption under timely counter-evidence", 17, 57),
    ("same_runs", WRITE, "runs", 141, 141),
    ("same_runs", WRITE, "adopted", 101, 141),
    ("same_runs", WRITE, "with eventual counter-evidence", 44, 141),
    ("same_runs", WRITE, "before", 17, 141),
    ("same_runs", WRITE, "after", 27, 141),
    ("same_runs", WRITE, "absent", 57, 141),
    ("sensitivity", ("ItemOption", "strict literal ItemOption rule"), "a_before", 6, 13),
    ("sensitivity", ("ItemOption", "strict literal ItemOption rule"), "a_after", 16, 16),
    ("diagnosis", ("ReturnDate", POOLED), "q_U", 149, 149),
    ("diagnosis", ("PaySource", POOLED), "q_U", 89, 89),
    ("diagnosis", ITEM, "q_U", 15, 47),
    ("diagnosis", ITEM, "T_S = T_U", 45, 47),
    ("diagnosis", ITEM, "positive gap", 15, 47),
    ("diagnosis", ITEM, "negative gap", 32, 47),
    ("diagnosis", ITEM, "T_S < T_E < T_U", 0, 47),
    ("diagnosis", ("ItemOption", "F"), "q_U", 2, 15),
    ("diagnosis", ("ItemOption", "V"), "q_U", 5, 7),
    ("diagnosis", WRITE, "q_U", 17, 101),
    ("diagnosis", WRITE, "T_S = T_U", 101, 101),
    ("diagnosis", WRITE, "T_S < T_E < T_U", 0, 101),
    ("diagnosis", WRITE, "∞", 57, 101),
    ("diagnosis", ("WriteEffect", "L"), "q_U", 1, 1),
    ("gap", WRITE, "∞", 57, 101),
    ("final_stance", (*ITEM, "after"), "endorses", 20, 32),
    ("final_stance", (*WRITE, "before"), "endorses", 14, 17),
    ("final_stance", (*WRITE, "after"), "does_not_endorse", 26, 27),
    ("repeats", WRITE, "change arrival condition", 11, 89),
    ("paired", (HINT, *WRITE), "read-back, baseline", 61, 115),
    ("paired", (HINT, *WRITE), "read-back, changed", 18, 115),
    ("paired", (HINT, *WRITE), "before use, baseline", 54, 115),
    ("paired", (HINT, *WRITE), "before use, changed", 0, 115),
    ("paired", (HINT, *WRITE), "adoption, baseline", 76, 115),
    ("paired", (HINT, *WRITE), "adoption, changed", 115, 115),
    ("paired", (HINT, *WRITE), "adopted when changed only", 39, 115),
    ("paired", (SOURCE, *ITEM), "adoption, baseline", 22, 25),
    ("paired", (SOURCE, *ITEM), "adoption, changed", 25, 25),
    ("paired", (SOURCE, *WRITE), "adoption, baseline", 47, 56),
    ("paired", (SOURCE, *WRITE), "adoption, changed", 56, 56),
]


@pytest.mark.parametrize(("table", "row", "column", "k", "n"), PUBLISHED)
def test_published_figure(analysis: Analysis, table: str, row: tuple[str, ...], column: str, k: int, n: int) -> None:
    assert shown(analysis, table, row, column) == (k, n)


def test_an_empty_stratum_is_unobserved(analysis: Analysis) -> None:
    value = analysis.cell("adoption", ("WriteEffect", "V"), "a_before").value
    assert isinstance(value, Unobserved)
    assert value.undeterminable == 0


def test_interval_methods_follow_the_clusters(analysis: Analysis) -> None:
    one_run_each = analysis.cell("adoption", ("WriteEffect", "F"), "A_P").value
    several = analysis.cell("adoption", WRITE, "A_P").value
    boundary = analysis.cell("adoption", ("WriteEffect", "V"), "A_P").value
    assert isinstance(one_run_each, Estimate)
    assert one_run_each.method is Method.WILSON
    assert isinstance(several, Estimate)
    assert several.method is Method.CLUSTER_BOOTSTRAP
    assert several.clusters == 30
    assert isinstance(boundary, Estimate)
    assert boundary.boundary is Boundary.ALL_ONE


def test_controls_move_q_u_by_at_most_three_points(analysis: Analysis) -> None:
    main = analysis.cell("sensitivity", ("ItemOption", "main analysis"), "q_U").value
    controls = analysis.cell("sensitivity", ("ItemOption", "target-value controls in"), "q_U").value
    assert isinstance(main, Estimate)
    assert isinstance(controls, Estimate)
    assert controls.n > main.n
    assert abs(controls.share - main.share) <= 0.03
