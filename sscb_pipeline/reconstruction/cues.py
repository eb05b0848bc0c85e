"""Words near a value that tie it to the target or to something else, and which of them is nearest."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain


class Binding(StrEnum):
    """BOUND: tied to the target, or nothing else could be meant. ELSEWHERE: tied to something else. UNSETTLED:
    another plausible referent exists and the text does not decide."""

    BOUND = "bound"
    ELSEWHERE = "elsewhere"
    UNSETTLED = "unsettled"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnyOf:
    """Several patterns read as one: those that all subjects share are compiled once."""

    patterns: tuple[re.Pattern[str], ...]

    def search(self, text: str) -> re.Match[str] | None:
        """The first match of any of them; not necessarily the leftmost."""
        return next(self.finditer(text), None)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """All matches of all of them."""
        return chain.from_iterable(pattern.finditer(text) for pattern in self.patterns)


Cue = re.Pattern[str] | AnyOf

_SEPARATOR = re.compile(r"[,;|]|\band\b|\bbut\b|\bwhile\b|\bor\b|<br>")
_OPEN = re.compile(r"^\s*[\[(]\s*(?:(?:for|as|this is|which is|it is|that is|the|your|on|id|item|number)[: ]*\s*)*")
_COMPARED = re.compile(
    r"\b(?:before|earlier than|prior to|after|later than|precedes|ahead of|conflicts with|than|"
    r"with)\s+(?:(?:the|your|its|that)\s+)*$"
)
_SEPARATOR_COST = 20
_FOLLOWING_COST = 8
_ADJACENT_COST = 1


def nearest(
    text: str,
    start: int,
    end: int,
    target: Cue,
    other: Cue | None,
    rivals: Sequence[int] = (),
) -> Binding | None:
    """The binding of the cue nearest to [start, end) in a sentence; None where there is no cue.

    A cue behind a separator is farther away than its characters; one in brackets right after the value is adjacent.
    `rivals` are offsets of other values: a cue for something else is spoken for where one of these stands between it
    and the value.
    """
    best: tuple[int, Binding] | None = None
    matches: Iterable[re.Match[str]]
    cues: list[tuple[Cue, Binding]] = [(target, Binding.BOUND)]
    if other is not None:
        cues.append((other, Binding.ELSEWHERE))
    for pattern, binding in cues:
        matches = pattern.finditer(text)
        if binding is Binding.ELSEWHERE:
            # "earlier than your departure" compares the value with something else; it does not say whose value it is.
            matches = (
                match
                for match in matches
                if not _COMPARED.search(text[: match.start()]) and not _spoken_for(match, start, end, rivals)
            )
        for cost in _costs(text, start, end, matches):
            if best is None or cost < best[0]:
                best = (cost, binding)
    return best[1] if best else None


def _spoken_for(match: re.Match[str], start: int, end: int, rivals: Sequence[int]) -> bool:
    return any(match.end() <= rival < start or end <= rival < match.start() for rival in rivals)


def _costs(text: str, start: int, end: int, matches: Iterable[re.Match[str]]) -> Iterable[int]:
    for match in matches:
        if match.start() < end and start < match.end():
            continue
        if match.end() <= start:
            between = text[match.end() : start]
            yield len(between) + _SEPARATOR_COST * len(_SEPARATOR.findall(between))
        else:
            between = text[end : match.start()]
            opened = _OPEN.match(between)
            if opened and opened.end() == len(between):
                yield _ADJACENT_COST
            elif between.lstrip().startswith("(") and ")" not in between:
                yield _ADJACENT_COST + len(between) // 4
            else:
                yield len(between) + _FOLLOWING_COST + _SEPARATOR_COST * len(_SEPARATOR.findall(between))


def decides(text: str, target: Cue, other: Cue | None) -> Binding | None:
    """What a heading or neighbouring sentence decides: one kind of cue only, else nothing."""
    named = bool(target.search(text))
    opposed = bool(other and other.search(text))
    if named == opposed:
        return None
    return Binding.BOUND if named else Binding.ELSEWHERE
