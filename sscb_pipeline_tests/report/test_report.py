"""The report is self-contained, says what kind of runs it shows, and leads from every number to its query."""

from __future__ import annotations

import base64
import hashlib
import posixpath
import re
from collections import Counter
from dataclasses import replace

import duckdb
import polars as pl
import pytest

from sscb_pipeline.claims.analysis import analyse
from sscb_pipeline.claims.run_row import RunRow
from sscb_pipeline.report.context import NotCalibrated, ReportContext
from sscb_pipeline.report.render import render
from sscb_pipeline.report.run_lists import RunLists
from sscb_pipeline.report.view import QueryBook
from sscb_pipeline_tests.report.demonstration import context, pages, rows
from sscb_pipeline_tests.report.parsed_page import Page

HOSTILE = "<script>alert('x')</script>&\"'"


@pytest.fixture(scope="module")
def page() -> str:
    return index_of(rows())


def index_of(shown: list[RunRow], told: ReportContext | None = None) -> str:
    analysis = analyse(shown)
    return render(analysis, told or context(), QueryBook(lists=RunLists(analysis, shown, ()).places))


@pytest.fixture(scope="module")
def parsed(page: str) -> Page:
    return Page(page)


def test_nothing_outside_the_page_is_referred_to(page: str, parsed: Page) -> None:
    assert set(re.findall(r"https?://[^\s\"'<]+", page)) == {"http://www.w3.org/2000/svg"}
    assert all(re.fullmatch(r"#[\w-]+|lists/\d{4}\.html#c\d+", link["href"]) for link in parsed.all("a"))
    forbidden = {"script", "img", "link", "iframe", "object", "embed", "form", "base"}
    assert forbidden.isdisjoint(tag for tag, _ in parsed.tags)
    assert not any(name.startswith("on") or name == "style" for _, attributes in parsed.tags for name in attributes)


def test_the_policy_allows_exactly_the_inline_style(parsed: Page) -> None:
    (policy,) = [m["content"] for m in parsed.all("meta") if m.get("http-equiv") == "Content-Security-Policy"]
    digest = base64.b64encode(hashlib.sha256(parsed.texts["style"][0].encode()).digest()).decode()
    assert len(parsed.texts["style"]) == 1
    assert f"style-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")


def test_every_link_has_its_target_on_its_page_or_on_another() -> None:
    shown = pages(rows())
    targets = {}
    for name, html in shown.items():
        identifiers = Counter(attributes["id"] for _, attributes in Page(html).tags if "id" in attributes)
        assert not identifiers or max(identifiers.values()) == 1
        targets[name] = set(identifiers)
    for name in list(shown)[:40]:
        for link in Page(shown[name]).all("a"):
            if "/claims/" in link["href"]:
                continue
            file, _, anchor = link["href"].partition("#")
            place = posixpath.normpath(posixpath.join(posixpath.dirname(name), file)) if file else name
            assert not anchor or anchor in targets[place]
            assert place in targets


def test_every_query_runs_over_the_view(parsed: Page) -> None:
    ledger = duckdb.connect()
    ledger.register("held", pl.DataFrame(rows()).to_arrow())
    ledger.execute("CREATE TABLE runs AS SELECT * FROM held")
    queries = set(parsed.texts["pre"])
    assert len(queries) > 500
    for query in queries:
        columns = [column for column, *_ in ledger.execute(query).description]
        assert columns in (["execution_id", "in_numerator"], ["execution_id"])


def test_tables_have_captions_and_scopes(parsed: Page) -> None:
    assert len(parsed.texts["caption"]) == len(parsed.all("table")) > 10
    assert all(parsed.texts["caption"])
    assert {attributes["scope"] for attributes in parsed.all("th")} == {"col", "row", "rowgroup"}


@pytest.mark.parametrize(
    "number",
    ["101/141/30", "44/84/29", "17/57/29", "47/58/15", "91/24", "20 of 32", "26 of 27", "76 of 115", "56 of 56"],
)
def test_numbers_are_printed(page: str, number: str) -> None:
    assert number in page


def test_an_empty_stratum_is_never_a_rate(page: str) -> None:
    empty = re.findall(r"<td>(?:<a [^>]*>)?0/0/0(?:</a>)?<small>([^<]*)</small>", page)
    assert len(empty) > 10
    assert all(note.startswith("unobserved") and "%" not in note for note in empty)
    assert not re.search(r"\b\d+[^<]*%[^<]*</a><small>\d+/0/", page)


def test_reference_runs_are_labelled_and_model_runs_are_not(page: str) -> None:
    assert "Reference runs." in page
    assert "Reference runs." not in index_of(rows("model"))
    assert "Replayed runs." in index_of(rows("replay"))


def test_losses_and_disagreements_are_listed(page: str) -> None:
    assert "environment failure" in page
    assert "never took effect" in page
    assert "not task relevant" in page
    assert "located 14" in page
    assert f"{9:064x}"[:16] in page


def test_without_labels_the_reason_is_printed() -> None:
    told = replace(context(), calibration=NotCalibrated(why="model agents realise no labels"))
    assert "Not calibrated: model agents realise no labels." in index_of(rows("model"), told)


def test_names_are_shown_as_text_whatever_they_hold() -> None:
    hostile: list[RunRow] = [replace(row, configuration=HOSTILE) for row in rows() if row.configuration == "careful"]
    page = index_of(hostile, replace(context(), title=HOSTILE))
    assert "<script" not in page
    assert "alert" in page
    Page(page)


def test_the_same_analysis_gives_the_same_bytes(page: str) -> None:
    assert index_of(rows()) == page


def test_the_index_stays_small(page: str) -> None:
    assert len(page.encode()) < 5_000_000


def test_a_smallest_analysis_renders() -> None:
    one = [row for row in rows() if row.ending == "missing"][:1]
    page = index_of(one)
    assert "no adopted run was observed" in page
    Page(page)
