"""Progress of long work as bars on standard error; lines instead of bars where there is no terminal."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from sscb_pipeline.terminal.plain import plain

LINE_EVERY_SECONDS = 15.0
"""Where there is no terminal, a line about the same task comes no more often."""


class BarReporter:
    """Shows one bar per task; used as a context manager around the work."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=console,
            disable=not console.is_terminal,
        )
        self._bars: dict[str, TaskID] = {}
        self._told: dict[str, float] = {}

    def __enter__(self) -> BarReporter:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def begin(self, task: str, total: int) -> Callable[[int], None]:
        """A bar for `task`; without a terminal one line that says what begins."""
        if not self._console.is_terminal:
            self._console.print(f"{task}: {total} to do" if total else f"{task}: nothing left to do", markup=False)
            return _ignore
        bar = self._bars[task] = self._progress.add_task(task, total=total)

        def advance(done: int) -> None:
            self._progress.advance(bar, done)

        return advance

    def tell(self, task: str, line: str) -> None:
        """The line beside the task's bar; without a terminal a line of its own, once in a while."""
        if self._console.is_terminal:
            if task not in self._bars:
                self._bars[task] = self._progress.add_task(task, total=None)
            self._progress.update(self._bars[task], description=plain(f"{task}: {line}"))
        elif time.monotonic() - self._told.get(task, -LINE_EVERY_SECONDS) >= LINE_EVERY_SECONDS:
            self._told[task] = time.monotonic()
            self._console.print(plain(f"{task}: {line}"), markup=False)


def _ignore(done: int) -> None:
    return None
