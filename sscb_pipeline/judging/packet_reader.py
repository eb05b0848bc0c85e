"""A packet as a judge with a file tool reads it: in ranges of lines, each read verified, coverage kept."""

from __future__ import annotations

from collections.abc import Callable


class PacketReader:
    """Lines of one packet for one draw. `verified` opens, hashes and compares each time; see `read_verified`."""

    def __init__(self, verified: Callable[[], bytes]) -> None:
        self._verified = verified
        self._read: set[int] = set()
        self._total = -1

    def lines(self, first: int, count: int) -> list[str]:
        """At most `count` lines from line `first` (from 1), without their line ends; fewer at the end of the packet.

        Raises IntegrityError when the file is not the authorised one any more; nothing of it is returned then.
        """
        everything = self._lines()
        start = max(first, 1) - 1
        chosen = everything[start : start + max(count, 0)]
        self._read.update(range(start, start + len(chosen)))
        return chosen

    def unread(self) -> str:
        """What was not read, as a sentence; empty when every line was."""
        if self._total < 0:
            return "the packet was not read"
        missing = self._total - len(self._read)
        if not missing:
            return ""
        first = next(number for number in range(self._total) if number not in self._read)
        return f"{missing} of {self._total} lines were not read, first line {first + 1}"

    def _lines(self) -> list[str]:
        lines = self._verified().decode("utf-8").split("\n")
        if lines[-1] == "":
            lines.pop()
        self._total = len(lines)
        return lines
