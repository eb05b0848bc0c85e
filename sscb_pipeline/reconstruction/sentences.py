"""Messages cut into sentences, each with the headings it stands under.

Models answer in markdown: headings, nested lists, tables. A value in a list item is read together with the headings
above it ("Return flight:" two lines up), so a sentence carries its chain of headings, nearest first. Offsets are
character positions in the original text; the normalised text has the same length, so a span means the same in both.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache

_TRANSLATION = {
    **dict.fromkeys((0x2010, 0x2011, 0x2012, 0x2013, 0x2212), "-"),
    **dict.fromkeys((0x00A0, 0x2007, 0x202F, 0x2009), " "),
    **dict.fromkeys((0x2018, 0x2019), "'"),
    **dict.fromkeys((0x201C, 0x201D), '"'),
    **dict.fromkeys((ord("*"), ord("`")), " "),
}
_ASCII_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}

_BULLET = re.compile(r"^(\s*)(?:[-+•*]|\d{1,2}[.)])\s+")
_HASHES = re.compile(r"^\s*#{1,6}\s+")
_BOLD_LINE = re.compile(r"^\s*(?:\*\*|__)[^*]+(?:\*\*|__):?\s*$")
_END = re.compile(r"[.!?]+[)\"']*(?=\s|$)")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|a\.m|p\.m|no|st|mr|ms|mrs|dr|vs|approx|dep|arr|jan|feb|mar|apr|jun|jul|"
    r"aug|sept?|oct|nov|dec)|^\s*\d{1,2})\.$"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence, list item or table row. `text` is normalised and lower case; `start` its offset in the message;
    `headings` the normalised headings above it, nearest first; `line` its line number from 0;
    `depth` 0 in plain text and 1 or more in a list."""

    index: int
    start: int
    text: str
    headings: tuple[str, ...]
    line: int
    depth: float

    @property
    def end(self) -> int:
        """Offset one past the sentence."""
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A message as sentences. `lowered` has the length of `text`."""

    text: str
    lowered: str
    sentences: tuple[Sentence, ...]
    starts: tuple[int, ...]

    def at(self, offset: int) -> Sentence:
        """The sentence an offset falls into (the nearest one before it, for offsets between sentences)."""
        return self.sentences[max(0, bisect_right(self.starts, offset) - 1)]


def lower(text: str) -> str:
    """Normalised lower case of exactly the same length."""
    # Most texts are ASCII, for which a translation table costs several times as much.
    plain = text.replace("*", " ").replace("`", " ") if text.isascii() else text.translate(_TRANSLATION)
    lowered = plain.lower()
    return lowered if len(lowered) == len(plain) else plain.translate(_ASCII_LOWER)


_LONGEST_TITLE = 48


class _Headings:
    """The chain of headings in force while lines are read in order."""

    def __init__(self) -> None:
        self._stack: list[tuple[float, str]] = []

    def chain(self, depth: float) -> tuple[str, ...]:
        return tuple(text for level, text in reversed(self._stack) if level < depth)

    def push(self, depth: float, text: str) -> None:
        self.leave(depth)
        self._stack.append((depth, text))

    def leave(self, depth: float) -> None:
        while self._stack and self._stack[-1][0] >= depth:
            self._stack.pop()


@lru_cache(maxsize=4096)
def read(text: str) -> Reading:
    """Cut a message into sentences."""
    lowered = lower(text)
    sentences: list[Sentence] = []
    headings = _Headings()
    offset = 0
    blank_before = False
    for number, raw in enumerate(text.split("\n")):
        line = lowered[offset : offset + len(raw)]
        if not line.strip():
            blank_before = True
        else:
            depth = _depth(raw)
            if depth == 0.0 and blank_before and not _is_heading(raw, line):
                headings.leave(-0.5)
            chain = headings.chain(depth)
            spans = _split(line)
            for start, end in spans:
                sentences.append(
                    Sentence(
                        index=len(sentences),
                        start=offset + start,
                        text=line[start:end],
                        headings=chain,
                        line=number,
                        depth=depth,
                    )
                )
            _open_heading(headings, raw, line[spans[-1][0] :] if spans else line, depth)
            blank_before = False
        offset += len(raw) + 1
    if not sentences:
        sentences.append(Sentence(index=0, start=0, text=lowered, headings=(), line=0, depth=0.0))
    return Reading(
        text=text, lowered=lowered, sentences=tuple(sentences), starts=tuple(item.start for item in sentences)
    )


def _depth(raw: str) -> float:
    """Nesting depth of a line: -1 for a hash heading, 0 for plain text, 1 + indent for list items."""
    if _HASHES.match(raw):
        return -1.0
    bullet = _BULLET.match(raw)
    if bullet:
        return 1.0 + len(bullet.group(1).expandtabs(4))
    return 0.0 if raw[:1] not in (" ", "\t") else 1.0 + (len(raw) - len(raw.lstrip()))


def _is_heading(raw: str, line: str) -> bool:
    return bool(_HASHES.match(raw) or _BOLD_LINE.match(raw)) or line.rstrip().endswith(":")


def _open_heading(headings: _Headings, raw: str, line: str, depth: float) -> None:
    """Lines below a heading, a line ending in a colon or a list item stand under it."""
    if depth == -1.0:
        headings.push(-1.0, line.strip(" #"))
    elif depth == 0.0:
        if _is_heading(raw, line) or (len(line) <= _LONGEST_TITLE and line.rstrip()[-1:] not in ".!?"):
            headings.push(-0.5 if _BOLD_LINE.match(raw) else 0.0, line.strip())
        else:
            headings.leave(0.5)
    elif not raw.lstrip().startswith("|"):
        headings.push(depth, line.strip())


def _split(line: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    start = 0
    if "|" not in line[:3]:
        for match in _END.finditer(line):
            if _ABBREVIATION.search(line[start : match.end()]) and match.group()[0] == ".":
                continue
            if line[start : match.end()].strip():
                spans.append((start, match.end()))
                start = match.end()
    if line[start:].strip():
        spans.append((start, len(line)))
    return spans
