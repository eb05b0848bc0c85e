"""How a stage tells people how far it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class Reporter(Protocol):
    """Shows progress of long work."""

    def begin(self, task: str, total: int) -> Callable[[int], None]:
        """Announce `task` of `total` units; the returned callback takes units done since its last call."""
        ...

    def tell(self, task: str, line: str) -> None:
        """Say how a task stands; a later line takes the place of an earlier one."""
        ...


class SilentReporter:
    """Shows nothing."""

    def begin(self, task: str, total: int) -> Callable[[int], None]:
        """Ignore the task."""
        return _ignore

    def tell(self, task: str, line: str) -> None:
        """Ignore the line."""


def _ignore(done: int) -> None:
    return None
