"""Lists and timelines: the picture holds every run of a population once, in the panel of its arrival condition."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from sscb_pipeline.claims.analysis import Analysis, analyse
from sscb_pipeline.claims.cell import Cell
from sscb_pipeline.report.run_lists import ListPage, RunLists, run_names
from sscb_pipeline.report.run_timelines import picture_order, timelines
from sscb_pipeline.statistics.estimate import Unobserved
from sscb_pipeline_tests.claims.published_counts import published_rows
from sscb_pipeline_tests.report.parsed_page import Page

ROWS = published_rows()
POOLED = ("WriteEffect", "all configurations")


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    return analyse(ROWS)


@pytest.fixture(scope="module")
def lists(analysis: Analysis) -> RunLists:
    return RunLists(analysis, ROWS, {row.execution_id for row in ROWS if row.ending == "completed"})


@pytest.fixture(scope="module")
def listed(lists: RunLists) -> dict[str, ListPage]:
    return {page.file: page for page in lists.pages()}


def page_of(cell: Cell, lists: RunLists, listed: dict[str, ListPage]) -> ListPage:
    return listed[lists.places[cell.cell_id].removeprefix("lists/").partition("#")[0]]


def test_before_after_and_absent_are_visible_as_a_picture(
    analysis: Analysis, lists: RunLists, listed: dict[str, ListPage]
) -> None:
    page = lists.render(page_of(analysis.cell("diagnosis", POOLED, "q_U"), lists, listed))
    headings = re.findall(r'font-weight="600">([^<]*)</text>', page)
    assert headings == [
        "counter-evidence before the first use: 17",
        "counter-evidence after the first use: 27",
        "counter-evidence absent: 57",
    ]
    assert len(re.findall(r'<a href="\.\./runs/[0-9a-f]{8}\.html" aria-label="run \d+: ', page)) == 101
    assert len(re.findall('<use href="#e"', page)) == 1 + 17 + 27


def test_evidence_lies_left_of_the_first_use_exactly_when_it_came_before() -> None:
    for stratum in ("before", "after"):
        rows = sorted((row for row in ROWS if row.stratum == stratum and row.steps), key=picture_order)
        drawing = str(timelines(rows, [""] * len(rows)))
        groups = re.findall(r"<g font-size.*?</g>", drawing)
        assert len(groups) == len(rows)
        for group in groups:
            (evidence,) = re.findall(r'href="#e" x="([\d.]+)"', group)
            (use,) = re.findall(r'href="#s" x="([\d.]+)"', group)
            assert (float(evidence) < float(use)) == (stratum == "before")


def test_every_number_lists_as_many_runs_as_it_counts(
    analysis: Analysis, lists: RunLists, listed: dict[str, ListPage]
) -> None:
    assert set(lists.places) == {cell.cell_id for cell in analysis.cells}
    for cell in analysis.cells:
        page = page_of(cell, lists, listed)
        (found,) = (entry for entry in page.cells if entry.anchor == lists.places[cell.cell_id].partition("#")[2])
        if cell.place.table == "repeats":
            continue
        if isinstance(cell.value, Unobserved):
            assert found.numerator == ()
            assert len(found.undeterminable) == cell.value.undeterminable == len(page.runs)
            continue
        assert len(found.numerator) == cell.value.k
        assert len(page.runs) - len(found.undeterminable) == cell.value.n


def test_a_run_that_was_not_played_is_listed_without_a_link(analysis: Analysis, lists: RunLists) -> None:
    page = next(page for page in lists.pages() if any(row.ending == "not_run" for row in page.runs))
    html = Page(lists.render(page))
    played = sum(row.ending == "completed" for row in page.runs)
    rows = [found for found in html.all("tr") if "id" in found]
    assert len(rows) == len(page.runs)
    links = [link for link in html.all("a") if link["href"].startswith("../runs/") and "aria-label" in link]
    assert len(links) == played < len(page.runs)


def test_an_empty_population_says_so(analysis: Analysis, lists: RunLists, listed: dict[str, ListPage]) -> None:
    html = lists.render(page_of(analysis.cell("adoption", ("WriteEffect", "V"), "a_before"), lists, listed))
    assert "No execution belongs to this population" in html
    assert "0/0/0, unobserved" in html
    assert "%" not in html.split("</style>", 1)[1].split("<pre", 1)[0]


def test_names_are_as_long_as_they_must_be() -> None:
    names = [f"{number:064x}" for number in range(3)]
    assert set(run_names(names).values()) == set(names)
    assert set(run_names(["a" * 64, "b" * 64]).values()) == {"a" * 8, "b" * 8}


def test_hostile_names_are_text_in_lists(analysis: Analysis) -> None:
    hostile = "</td><script>alert(1)</script>"
    rows = [replace(row, configuration=hostile, seed_id=hostile) for row in ROWS if row.configuration == "T"]
    lists = RunLists(analyse(rows), rows, {row.execution_id for row in rows})
    for page in list(lists.pages())[:20]:
        assert not Page(lists.render(page)).all("script")
