"""Dates as people and models write them, read without knowing which date matters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from functools import lru_cache

MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
NUMBERS = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
    "twenty-one",
)
_ORDINALS = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
    "twenty-first",
    "twenty-second",
    "twenty-third",
    "twenty-fourth",
    "twenty-fifth",
    "twenty-sixth",
    "twenty-seventh",
    "twenty-eighth",
    "twenty-ninth",
    "thirtieth",
    "thirty-first",
)
_ORDINAL_DAYS = {word: day for day, word in enumerate(_ORDINALS, start=1)}

_MONTH = (
    r"(?P<{0}>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_SPOKEN = "|".join(sorted((word.replace("-", "[ -]") for word in _ORDINALS), key=len, reverse=True))
_DATE = re.compile(
    r"(?<![\w/.-])(?:"
    r"(?P<iso_y>20\d\d)[-/.](?P<iso_m>\d{1,2})[-/.](?P<iso_d>\d{1,2})(?![\d])"
    rf"|{_MONTH.format('md_m')}\s+(?:the\s+)?(?P<md_d>\d{{1,2}})(?:st|nd|rd|th)?(?:\s*(?:-|to|and|"
    rf"&|through)\s*(?P<md_e>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:]))?(?:,?\s+(?P<md_y>20\d\d))?(?!\w|"
    rf":\d)"
    rf"|{_MONTH.format('mo_m')}\s+(?:the\s+)?(?P<mo_w>{_SPOKEN})(?:,?\s+(?P<mo_y>20\d\d))?(?!\w)"
    rf"|(?P<dm_d>\d{{1,2}})(?:st|nd|rd|th)?(?:\s+of)?[ -]{_MONTH.format('dm_m')}(?:,?[ -]+(?P<dm_y>20\d\d))?(?!\w)"
    rf"|(?:the\s+)?(?P<om_w>{_SPOKEN})\s+(?:of\s+)?{_MONTH.format('om_m')}(?:,?\s+(?P<om_y>20\d\d))?(?!\w)"
    r"|(?P<n_a>\d{1,2})/(?P<n_b>\d{1,2})(?:/(?P<n_y>(?:20)?\d\d))?(?![\w/])"
    r"|(?P<de_d>\d{1,2})\.(?P<de_m>\d{1,2})\.(?P<de_y>20\d\d)(?!\d)"
    r"|the\s+(?P<only_d>\d{1,2})(?:st|nd|rd|th)(?!\s*(?:floor|street|st\b|ave|row|seat|item|"
    r"flight|option|segment|leg))(?!\w)"
    rf"|the\s+(?P<only_w>{_SPOKEN})(?!\s*(?:flight|option|segment|leg|one|item|item|passenger|"
    rf"reservation|time|leg|bag|method|part|step|payment|is a|and))(?!\w)"
    r")"
)
_QUICK = re.compile(r"\d|" + "|".join(_ORDINALS[:20]))


class Notation(StrEnum):
    """How a date is written."""

    ISO = "iso"
    """YYYY-MM-DD."""
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenDate:
    """A date read at [start, end). `days` are the possible (month, day) readings; month 0 means that only the day
    was written; `year` 0 means that none was written."""

    start: int
    end: int
    year: int
    days: tuple[tuple[int, int], ...]
    notation: Notation

    def denotes(self, value: date) -> bool:
        """Whether the written date can be `value`."""
        if self.year and self.year != value.year:
            return False
        return any(day == value.day and month in (0, value.month) for month, day in self.days)


@lru_cache(maxsize=8192)
def written_dates(lowered: str) -> tuple[WrittenDate, ...]:
    """All dates in a normalised lower-case text, in order. A range such as 'May 19-27' yields both ends."""
    return tuple(_read(lowered)) if _QUICK.search(lowered) else ()


def _read(lowered: str) -> Iterator[WrittenDate]:
    for match in _DATE.finditer(lowered):
        group = match.groupdict()
        span = (match.start(), match.end())
        if group["iso_y"]:
            read = _date(span, group["iso_y"], ((int(group["iso_m"]), int(group["iso_d"])),))
            yield replace(read, notation=Notation.ISO) if match.group().count("-") == 2 else read
        elif group["md_m"]:
            month = _month(group["md_m"])
            first_end = match.end("md_d") if group["md_e"] else span[1]
            yield _date((span[0], first_end), group["md_y"], ((month, int(group["md_d"])),))
            if group["md_e"]:
                yield _date((match.start("md_e"), span[1]), group["md_y"], ((month, int(group["md_e"])),))
        elif group["mo_m"]:
            yield _date(span, group["mo_y"], ((_month(group["mo_m"]), _spoken(group["mo_w"])),))
        elif group["dm_m"]:
            yield _date(span, group["dm_y"], ((_month(group["dm_m"]), int(group["dm_d"])),))
        elif group["om_m"]:
            yield _date(span, group["om_y"], ((_month(group["om_m"]), _spoken(group["om_w"])),))
        elif group["n_a"]:
            first, second = int(group["n_a"]), int(group["n_b"])
            readings = tuple(sorted({(m, d) for m, d in ((first, second), (second, first)) if m <= 12 and d <= 31}))
            yield _date(span, _full_year(group["n_y"]), readings)
        elif group["de_d"]:
            yield _date(span, group["de_y"], ((int(group["de_m"]), int(group["de_d"])),))
        elif group["only_d"]:
            yield _date(span, None, ((0, int(group["only_d"])),))
        else:
            yield _date(span, None, ((0, _spoken(group["only_w"])),))


def _date(span: tuple[int, int], year: str | None, days: tuple[tuple[int, int], ...]) -> WrittenDate:
    return WrittenDate(start=span[0], end=span[1], year=int(year) if year else 0, days=days, notation=Notation.OTHER)


def _month(name: str) -> int:
    return next(number for number, month in enumerate(MONTHS, start=1) if month.startswith(name[:3]))


def _spoken(word: str) -> int:
    return _ORDINAL_DAYS[word.replace(" ", "-")]


def _full_year(text: str | None) -> str | None:
    return f"20{text}" if text and len(text) == 2 else text
