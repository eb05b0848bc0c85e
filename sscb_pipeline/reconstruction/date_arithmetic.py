"""Dates reached from a written date by counting: 'the day after May 21st', 'two nights before 2024-05-19'."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from sscb_pipeline.reconstruction.dates import NUMBERS, WEEKDAYS, WrittenDate

NUMBER = r"(?:\d{1,2}|" + "|".join(sorted(NUMBERS, key=len, reverse=True)) + r"|an?)"
_UNIT = r"(?:(?:calendar|full|whole|single) )?(?P<{0}>day|night|week|fortnight|hour|evening|morning)s?"
_BACK = (
    r"before|earlier than|prior to|ahead of|previous to|preceding|in advance of|short of|"
    r"(?:that |which )?(?:comes before|precedes|leads up to)"
)
_ON = r"after|later than|following|past|on from|from|beyond|since|(?:that |which )?(?:comes after|follows|succeeds)"
_JUST = r"(?:\s+(?:right|directly|just|immediately|exactly|or so|straight|only|shortly))*"
_LEAD = r"(?:\s+(?:on|of|the|that|date|" + "|".join(f"{day}s?" for day in WEEKDAYS) + r")\b,?)*\s+(?:the\s+)?"
_AHEAD_OF_DATE = re.compile(
    rf"(?<!\w)(?:(?P<count>{NUMBER})[ -]{_UNIT.format('unit')}|"
    rf"(?:the|on the)\s+(?:(?:very|next|first|same|last)\s+)*(?P<one>day|night|week|morning|evening)"
    rf"){_JUST}\s+(?:(?P<back>{_BACK})|(?P<on>{_ON})){_LEAD}$"
)
_EVE = re.compile(rf"(?<!\w)(?:the )?eve of{_LEAD}$")
_BEHIND_DATE = re.compile(
    rf"\W{{0,3}}(?:and |then )*(?:(?P<plus>plus|\+|and another)|(?P<minus>minus|less|-))\s*(?P<count>{NUMBER})[ "
    rf"-]{_UNIT.format('unit')}(?!\w)"
)
_BARE_END = r"(?=\s*(?:[.,;:!?)—-]|$|(?:and|but|so|when|is|as|at|with)\b))"
_THAT_END = r"(?=\s+(?:that|this)\s*(?:[.,;:!?)—]|$|(?:you|we|your|is|it|the)\b))"
_LATER = re.compile(
    r"(?<!\w)(?:the\s+(?:very\s+)?(?:(?P<next>next|following)|(?P<last>previous|preceding))\s+(?:day|morning|night)"
    r"(?!\s+(?:before|after|of|to|prior|following|that)\b)"
    rf"|the\s+(?:day|morning)\s+(?:(?P<after>after(?:wards?)?)|(?P<ahead>before(?:hand)?))(?:{_BARE_END}|{_THAT_END})"
    rf"|(?P<count>{NUMBER})[ -]{_UNIT.format('unit')}\s+(?:(?P<later>later|on)|"
    rf"(?P<earlier>earlier))(?!\s+(?:than|from)\b)"
    rf"|(?P<count2>{NUMBER})[ -]{_UNIT.format('unit2')}\s+(?:(?P<later2>after(?:wards?)?)|"
    rf"(?P<earlier2>before(?:hand)?)){_BARE_END}"
    r")"
)
"""'The next day', 'two nights later', with nothing named that it counts from: the date just before is meant."""
_NO_OTHER_EVENT = (
    r"(?:(?!\b(?:you|we|return\w*|fly|flies|flying|flight\w*|leav\w*|back|home\w*|depart\w*|before|after|and|then)\b)"
    r"[^.;?!\n\d]){0,40}$"
)
_LAST_NIGHT = re.compile(
    r"(?<!\w)(?:your|the|a|their)\s+(?:very\s+)?(?:last|final)\s+(?:(?:full|whole|entire)\s+(?:day|night)|"
    rf"(?:overnight|hotel)\s+(?:stay|night)|night)s?\b{_NO_OTHER_EVENT}"
)
"""The last night, or the last whole day, away is the one before the way back."""
_FIRST_BACK = r"first\s+(?:full|whole|entire)\s+day\s+(?:back|home|at home)\b"
_FIRST_BACK_AHEAD = re.compile(rf"(?<!\w){_FIRST_BACK}{_NO_OTHER_EVENT}")
_FIRST_BACK_BEHIND = re.compile(rf"\W{{0,3}}(?:(?:is|as|will be|would be|for|being)\s+)*(?:your|the)\s+{_FIRST_BACK}")
"""The first whole day at home is the one after the way back."""
_STOP = re.compile(r"[.!?](?=\s)|\n")
_DAYS = {"week": 7, "fortnight": 14}
_REACH = 80
"""Characters before a date in which the words that count from it must begin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedDate:
    """A date counted from a written one, at [start, end): `days` after it (before it, when negative)."""

    start: int
    end: int
    anchor: WrittenDate
    days: int

    def denotes(self, value: date) -> bool:
        """Whether the counted date can be `value`."""
        return self.anchor.denotes(value - timedelta(days=self.days))


def counted_dates(lowered: str, dates: Sequence[WrittenDate]) -> Iterator[CountedDate]:
    """Every count from one of the written dates of a normalised text."""
    for written in dates:
        left = max(0, written.start - _REACH)
        before = lowered[left : written.start]
        ahead = _AHEAD_OF_DATE.search(before)
        if ahead:
            days = _days(ahead["count"], ahead["unit"] or ahead["one"])
            sign = -1 if ahead["back"] else 1
            yield CountedDate(start=left + ahead.start(), end=written.end, anchor=written, days=sign * days)
        elif eve := _EVE.search(before):
            yield CountedDate(start=left + eve.start(), end=written.end, anchor=written, days=-1)
        elif behind := _BEHIND_DATE.match(lowered, written.end):
            sign = -1 if behind["minus"] else 1
            days = sign * _days(behind["count"], behind["unit"])
            yield CountedDate(start=written.start, end=behind.end(), anchor=written, days=days)
        elif _LAST_NIGHT.search(before):
            yield CountedDate(start=written.start, end=written.end, anchor=written, days=1)
        elif _FIRST_BACK_AHEAD.search(before) or _FIRST_BACK_BEHIND.match(lowered, written.end):
            yield CountedDate(start=written.start, end=written.end, anchor=written, days=-1)
    yield from _counted_back(lowered, dates)


def _counted_back(lowered: str, dates: Sequence[WrittenDate]) -> Iterator[CountedDate]:
    """Counts that come after their date in the sentence: 'stay until May 16 and return a day later'."""
    for match in _LATER.finditer(lowered):
        before = [written for written in dates if written.end <= match.start()]
        if not before or _STOP.search(lowered[before[-1].end : match.start()]):
            continue
        sign = -1 if match["last"] or match["ahead"] or match["earlier"] or match["earlier2"] else 1
        days = sign * (
            _days(match["count"] or match["count2"], match["unit"] or match["unit2"])
            if match["unit"] or match["unit2"]
            else 1
        )
        yield CountedDate(start=match.start(), end=match.end(), anchor=before[-1], days=days)


def number(word: str) -> int:
    """The number of a count word or figure; 'a' and 'an' are one."""
    return int(word) if word.isdigit() else 1 if word in ("a", "an") else NUMBERS.index(word)


def _days(count: str | None, unit: str) -> int:
    times = number(count) if count else 1
    return times // 24 if unit == "hour" else times * _DAYS.get(unit, 1)
