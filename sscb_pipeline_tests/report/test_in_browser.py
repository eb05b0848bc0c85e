"""The pages in a real browser: no network, nothing runs, nothing overflows, and axe finds nothing serious.

Needs Chromium and the Python package playwright; the accessibility check needs axe-core's axe.min.js, named by the
environment variable SSCB_AXE. Each test is skipped with its reason where something is missing.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sscb_pipeline.report.run_page import render_run
from sscb_pipeline.report.shared_texts import SharedTexts
from sscb_pipeline_tests.report.demonstration import pages, rows
from sscb_pipeline_tests.report.example_run import example_run
from sscb_pipeline_tests.report.test_run_page import HOSTILE

FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]
SHOWN = ("index.html", "lists/0001.html", "lists/0060.html", "runs/plain.html", "runs/long.html", "texts/0.html")
SERIOUS = {"serious", "critical"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report with runs of 14 and 200 steps and of hostile text."""
    root = tmp_path_factory.mktemp("report")
    texts = SharedTexts("reference")
    made = pages(rows())
    made["runs/plain.html"] = render_run(example_run(), texts)
    made["runs/long.html"] = render_run(example_run(count=200, text="words of a result, " * 6), texts)
    for number, text in enumerate(HOSTILE):
        made[f"runs/hostile-{number}.html"] = render_run(example_run(count=60, text=text), texts)
    made |= {f"texts/{number}.html": html for number, (_, html) in enumerate(texts.pages())}
    for name, html in made.items():
        path = root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(html, encoding="utf-8")
    return root


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Headless Chromium of the machine."""
    api = pytest.importorskip("playwright.sync_api", reason="the package playwright is not installed")
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("no Chromium on this machine")
    with api.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=path, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def axe() -> str:
    """The source of axe-core."""
    named = os.environ.get("SSCB_AXE", "")
    if not named:
        pytest.skip("SSCB_AXE names no axe.min.js (npm pack axe-core)")
    return Path(named).read_text(encoding="utf-8")


@pytest.fixture
def opened(browser: Any) -> Iterator[Any]:
    """A page without network that keeps what it asked for and what it complained of."""
    context = browser.new_context(offline=True, viewport={"width": 1600, "height": 1000})
    page = context.new_page()
    page.asked, page.told = [], []
    page.on("request", lambda request: page.asked.append(request.url))
    page.on("console", lambda message: page.told.append(message.text))
    page.on("dialog", lambda dialog: page.told.append(f"dialog {dialog.message}") or dialog.dismiss())
    yield page
    context.close()


@pytest.mark.parametrize("name", [*SHOWN, *(f"runs/hostile-{number}.html" for number in range(len(HOSTILE)))])
def test_a_page_asks_for_nothing_and_runs_nothing(opened: Any, folder: Path, name: str) -> None:
    address = (folder / name).as_uri()
    opened.goto(address)
    opened.wait_for_timeout(50)
    assert opened.asked == [address]
    assert opened.told == []
    assert opened.evaluate("document.scripts.length") == 0
    assert opened.evaluate("getComputedStyle(document.body).margin") == "0px", "the page's own style is allowed"


@pytest.mark.parametrize("width", [400, 1600])
@pytest.mark.parametrize("name", SHOWN)
def test_no_page_is_wider_than_the_window(opened: Any, folder: Path, name: str, width: int) -> None:
    opened.set_viewport_size({"width": width, "height": 1000})
    opened.goto((folder / name).as_uri())
    assert opened.evaluate("document.documentElement.scrollWidth") == width


def test_hidden_state_is_not_seen_until_it_is_asked_for(opened: Any, folder: Path) -> None:
    opened.goto((folder / "runs/plain.html").as_uri())
    hidden = opened.get_by_text("HIDDEN-TRUE-VALUE")
    assert not hidden.is_visible()
    opened.get_by_text("Evaluator only").click()
    assert hidden.is_visible()


def test_a_number_leads_to_its_runs(opened: Any, folder: Path) -> None:
    opened.goto((folder / "index.html").as_uri())
    opened.locator("#claims td a").first.click()
    assert "/lists/" in opened.url
    assert opened.locator(":target h3").is_visible()


@pytest.mark.parametrize("width", [400, 1600])
@pytest.mark.parametrize("name", [*SHOWN, "runs/hostile-0.html"])
def test_axe_finds_nothing_serious(opened: Any, folder: Path, axe: str, name: str, width: int) -> None:
    opened.set_viewport_size({"width": width, "height": 1000})
    opened.goto((folder / name).as_uri())
    opened.evaluate(axe)
    found = opened.evaluate("axe.run(document, {resultTypes: ['violations']})")
    assert found["testEngine"]["name"] == "axe-core"
    serious = [
        (violation["id"], violation["help"], violation["nodes"][0]["html"][:200], len(violation["nodes"]))
        for violation in found["violations"]
        if violation["impact"] in SERIOUS
    ]
    assert serious == []
