"""Progress of long work as bars on standard error; lines instead of bars where there is no terminal."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)


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
        bar = self._progress.add_task(task, total=total)

        def advance(done: int) -> None:
            self._progress.advance(bar, done)

        return advance


def _ignore(done: int) -> None:
    return None
