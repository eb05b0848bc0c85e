"""The page of a run: everything the agent saw is text on it, and what it could not see stays in a closed panel."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace

import pytest

from sscb_pipeline.measured import Located, Never
from sscb_pipeline.reconstruction.measurement import Measurement
from sscb_pipeline.report.run_page import CONDITIONS, NotMeasured, RunPage, render_run
from sscb_pipeline.report.shared_texts import SharedTexts
from sscb_pipeline.report.shown_text import shown
from sscb_pipeline.trajectories.steps import CutShort
from sscb_pipeline_tests.report.example_run import HIDDEN, example_run
from sscb_pipeline_tests.report.parsed_page import Page

HOSTILE = (
    "</pre></details><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\"><a href='javascript:alert(1)'>here</a>",
    "</style><style>body{display:none}</style>",
    "<!-- --><![CDATA[ ]]> &lt;b&gt; &amp;lt;",
    "<svg onload=alert(1)><foreignObject>",
    '<base href="https://example.org/"><meta http-equiv=refresh content="0;url=https://example.org/">',
    "{{ 7 * 7 }} {% raw %}",
)
ALLOWED = {
    *("html", "head", "meta", "title", "style", "body", "header", "main", "section", "div", "p", "h1", "h2", "h3", "a"),
    *("dl", "dt", "dd", "ol", "li", "pre", "code", "b", "small", "span", "details", "summary"),
    *("svg", "g", "rect", "circle"),
}


def rendered(run: RunPage) -> str:
    return render_run(run, SharedTexts("reference"))


def text_of(page: str) -> str:
    return re.sub(r"<[^>]+>", "", page.split("</style>", 1)[1])


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_shown_as_text(text: str) -> None:
    texts = SharedTexts("reference")
    pages = [render_run(example_run(text=text), texts), *(html for _, html in texts.pages())]
    for page in pages:
        parsed = Page(page)
        assert {tag for tag, _ in parsed.tags} <= ALLOWED
        assert len(parsed.all("style")) == 1
        assert not any(name.startswith("on") or name in ("style", "src") for _, found in parsed.tags for name in found)
        assert all(re.match(r"#|\.\./", link["href"]) for link in parsed.all("a"))
    assert str(shown(text)) in pages[0]


@pytest.mark.parametrize("page_number", [0, 1, 2])
def test_every_page_allows_nothing_but_its_own_style(page_number: int) -> None:
    texts = SharedTexts("reference")
    pages = [render_run(example_run(), texts), *(html for _, html in texts.pages())]
    parsed = Page(pages[page_number])
    (policy,) = [meta["content"] for meta in parsed.all("meta") if meta.get("http-equiv") == "Content-Security-Policy"]
    digest = base64.b64encode(hashlib.sha256(parsed.texts["style"][0].encode()).digest()).decode()
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert not parsed.all("script")


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a\x00b", r'a<b class="esc">\x00</b>b'),
        ("a\r\nb", 'a<b class="esc">\\x0d</b>\nb'),
        ("\u202eevil", r'<b class="esc">\u202e</b>evil'),
        ("\ud800", r'<b class="esc">\ud800</b>'),
        ("zero\u200bwidth", r'zero<b class="esc">\u200b</b>width'),
        ("\x1b[31m", r'<b class="esc">\x1b</b>[31m'),
        ("tab\tline\n τ² é 😀", "tab\tline\n τ² é 😀"),
    ],
)
def test_what_a_browser_would_hide_is_written_out(text: str, written: str) -> None:
    assert str(shown(text)) == written
    assert written in rendered(example_run(text=text))
    rendered(example_run(text=text)).encode("utf-8")


def test_hidden_state_is_in_the_closed_panel_and_nowhere_else() -> None:
    page = rendered(example_run())
    before, panel, after = re.split(r'(<details class="evaluator">.*?</details>)', page, flags=re.DOTALL)
    assert HIDDEN in panel
    assert HIDDEN not in before + after
    assert "<details open" not in page
    assert "Evaluator only" in panel


def test_events_are_marked_at_their_steps() -> None:
    parsed = Page(rendered(example_run()))
    classes = {found["id"]: found["class"].split() for found in parsed.all("li")}
    assert classes["s4"] == ["r-result", "T_F"]
    assert classes["s8"] == ["r-result", "T_E"]
    assert classes["s10"] == ["r-agent", "T_S", "T_U"]
    assert [name for name in classes if len(classes[name]) > 1] == ["s4", "s8", "s10"]
    assert [found["id"] for found in parsed.all("li")] == [f"s{at}" for at in range(14)]


def test_evidence_leads_to_its_conditions_and_back() -> None:
    page = rendered(example_run(text="binding"))
    carries = re.findall(r'<p class="carries">.*?</p>', page)
    assert len(carries) == 2
    for line in carries:
        assert re.findall(r'href="#(condition-\w+)"', line) == [f"condition-{name}" for name in CONDITIONS]
    identifiers = {found["id"] for _, found in Page(page).tags if "id" in found}
    assert {f"condition-{name}" for name in CONDITIONS} <= identifiers
    assert 'Rests on <a href="#s4">step 4</a> (outbound segment), <a href="#s8">step 8</a> (binding).' in page


def test_calls_and_results_are_joined_both_ways() -> None:
    page = rendered(example_run())
    assert re.search(r'id="s3".*?answered in step <a href="#s4">4</a>', page, re.DOTALL)
    assert re.search(r'id="s4".*?answers the call in step <a href="#s3">3</a>', page, re.DOTALL)
    assert "answers no call: no call of id z" in page
    assert "arguments are no JSON object" in page
    assert '<p class="empty">(empty)</p>' in page


def test_every_link_on_the_page_has_its_target() -> None:
    parsed = Page(rendered(example_run(count=60)))
    identifiers = [found["id"] for _, found in parsed.tags if "id" in found]
    assert len(identifiers) == len(set(identifiers))
    inside = {link["href"][1:] for link in parsed.all("a") if link["href"].startswith("#")}
    assert inside <= set(identifiers)


def test_two_hundred_steps_fold_what_is_long_and_carries_nothing() -> None:
    run = example_run(count=200, text="some words of a result, " * 5)
    parsed = Page(rendered(run))
    assert len(parsed.all("li")) == 200
    folded = len(parsed.all("details")) - 1
    assert folded == 39
    marked = replace(run, measurement=replace(_measured(run), t_u=Located(step=100)))
    assert len(Page(rendered(marked)).all("details")) - 1 == folded - 1


def _measured(run: RunPage) -> Measurement:
    assert isinstance(run.measurement, Measurement)
    return run.measurement


def test_system_text_and_tools_are_shared_by_all_runs() -> None:
    texts = SharedTexts("reference")
    pages = [render_run(replace(example_run(), name=name), texts) for name in ("a", "b")]
    files = dict(texts.pages())
    assert len(files) == 2
    for page in pages:
        assert {f"../texts/{name}" for name in files} <= {link["href"] for link in Page(page).all("a")}
        assert "policy plain policy" not in page
    assert any("policy plain policy" in html for html in files.values())


def test_never_undeterminable_and_not_measured_stay_apart() -> None:
    run = example_run()
    never = rendered(replace(run, measurement=replace(_measured(run), t_e=Never(), evidence=())))
    assert "No step of this run carries counter-evidence." in never
    assert ">never<" in never.replace("</dd>", "<")
    assert "undeterminable<small>no stance plain</small>" in never
    clean = rendered(replace(run, measurement=NotMeasured(why="a clean run carries no fault")))
    assert "Not measured: a clean run carries no fault." in clean
    assert 'class="event"' not in clean
    cut = replace(run.trajectory, extent=CutShort(reason="deadline"))
    assert "The history was cut: deadline" in rendered(replace(run, trajectory=cut))


def test_the_page_says_what_kind_of_run_it_shows() -> None:
    assert "Reference runs." in text_of(rendered(example_run()))
    assert "Reference runs." not in text_of(rendered(replace(example_run(), agents="model")))
