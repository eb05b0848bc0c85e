"""Tables in markdown: the cells that stand under a column's name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_ROW = re.compile(r"^[ \t]*\|.*\|[ \t]*$", re.MULTILINE)
_CELL = re.compile(r"[^|\n]+")
_RULE = re.compile(r"[\s|:+-]+")


def column(lowered: str, names: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Spans of the stripped cells under a header that is one of the names, in lower-case text."""
    wanted: list[int] = []
    last_end = -2
    for row in _ROW.finditer(lowered):
        cells = [
            _stripped(lowered, row.start() + cell.start(), row.start() + cell.end()) for cell in _cells(row.group())
        ]
        if row.start() != last_end + 1:
            wanted = [number for number, (start, end) in enumerate(cells) if lowered[start:end] in names]
        elif not _RULE.fullmatch(row.group()):
            yield from (cells[number] for number in wanted if number < len(cells))
        last_end = row.end()


def _cells(row: str) -> Iterator[re.Match[str]]:
    inner_end = row.rindex("|")
    return _CELL.finditer(row, row.index("|") + 1, inner_end)


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    cell = text[start:end]
    left = len(cell) - len(cell.lstrip())
    return start + left, start + left + len(cell.strip())
