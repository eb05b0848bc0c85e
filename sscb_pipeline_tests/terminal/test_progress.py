"""Progress on a terminal and without one."""

from __future__ import annotations

import io

from rich.console import Console

from sscb_pipeline.terminal.progress import BarReporter


def shown(*, terminal: bool, total: int, done: int) -> str:
    """What a task of `total` units looks like after `done` of them."""
    stream = io.StringIO()
    console = Console(file=stream, force_terminal=terminal, width=120, color_system=None)
    with BarReporter(console) as reporter:
        advance = reporter.begin("[bold]measuring", total)
        for _ in range(done):
            advance(1)
    return stream.getvalue()


def test_on_a_terminal_a_bar_counts_up() -> None:
    text = shown(terminal=True, total=7, done=3)
    assert "measuring" in text and "3/7" in text


def test_without_a_terminal_one_line_says_what_begins() -> None:
    assert shown(terminal=False, total=7, done=3) == "[bold]measuring: 7 to do\n"


def test_without_a_terminal_nothing_to_do_is_said_too() -> None:
    assert shown(terminal=False, total=0, done=0) == "[bold]measuring: nothing left to do\n"
