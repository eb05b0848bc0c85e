"""Mentions of dates in play, and of what derives from them: week days, lengths of stay, distances and order."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, timedelta

from sscb_pipeline.reconstruction.arguments import Leaf, leaves
from sscb_pipeline.reconstruction.date_arithmetic import NUMBER, CountedDate, counted_dates, number
from sscb_pipeline.reconstruction.dates import WEEKDAYS, Notation, WrittenDate, written_dates
from sscb_pipeline.reconstruction.mentions import Form, Mention
from sscb_pipeline.trajectories.steps import ToolCall
from sscb_pipeline.trajectories.subject import Subject

_GOING = (
    r"(?:outbound|outgoing|outward|departure|departing|you (?:even )?(?:leave|left|depart|fly out|"
    r"set off|go|arrive|get there|travel|start)|your (?:trip|journey|departure)|the (?:trip|"
    r"journey|departure|way (?:out|there))|leaving|departing|going out|flying out|first leg|"
    r"it (?:starts|begins))"
)
_DERIVED = re.compile(
    rf"(?<!\w)(?:(?P<count>{NUMBER})[ -](?P<unit>day|night)s?(?: (?P<side>before|earlier than|"
    rf"prior to|ahead of|after|later than|following|earlier|later|"
    rf"past)(?!\w)(?:[\w' ]{{0,24}}?(?P<going>{_GOING}))?)?"
    rf"|the (?:very )?(?:(?P<next>day|night|week) (?P<side2>before|after|prior|following)|"
    rf"(?P<side3>previous|next|following|preceding) (?:day|night))(?!\w)"
    rf"|(?:the )?same day(?: as)?(?!\w)(?P<same>)"
    rf"|(?P<order>before|earlier than|precedes|preceding|prior to|ahead of|sooner than|predates|"
    rf"after|later than|follows)\s+(?:(?:the|your|its|that|even|whole|"
    rf"entire)\s+)*(?P<order_going>{_GOING})"
    rf"|(?P<weekday>{'|'.join(WEEKDAYS)})s?(?!\w))"
)
_QUICK = re.compile(
    r"day|night|stay|plus|minus|[+]|hour|eve |morning|evening|before|earlier|preced|prior|ahead|sooner|predates|"
    r"after|later|follows|week"
)
_BACKWARD = {
    "before",
    "earlier than",
    "prior to",
    "ahead of",
    "prior",
    "previous",
    "preceding",
    "earlier",
    "precedes",
    "sooner than",
    "predates",
}


def finder(subject: Subject) -> Callable[[str, str], Iterator[Mention]]:
    """Finds dates in play and values derived from them. Values that are no ISO date are never found."""
    values = {value: date.fromisoformat(value) for value in subject.values}
    context = dict(subject.context)
    first = _date_or_none(context, "outbound_first")
    last = _date_or_none(context, "outbound_last") or first

    def find(text: str, lowered: str) -> Iterator[Mention]:
        dates = written_dates(lowered)
        counted = tuple(counted_dates(lowered, dates)) if _QUICK.search(lowered) else ()
        yield from _written(text, dates, counted, values)
        if not _QUICK.search(lowered):
            return
        for match in _DERIVED.finditer(lowered):
            if _taken(match, counted) or (match["weekday"] and _beside_date(lowered, match, dates)):
                continue
            denoted, derivation = _derive(match, values, first, last)
            if denoted:
                yield _mention(text, match.start(), match.end(), Form.DERIVED, denoted, derivation)

    return find


COUNTED = "counted"
"""Derivation of a date counted from a written one."""


def _written(
    text: str, dates: Sequence[WrittenDate], counted: Sequence[CountedDate], values: Mapping[str, date]
) -> Iterator[Mention]:
    """Written dates, and dates counted from them. One that a date in play is counted from is not itself put
    forward."""
    starting_points = set()
    for item in counted:
        denoted = tuple(sorted(value for value, day in values.items() if item.denotes(day)))
        if denoted:
            starting_points.add(item.anchor)
            yield _mention(text, item.start, item.end, Form.DERIVED, denoted, COUNTED)
    for written in dates:
        denoted = tuple(sorted(value for value, day in values.items() if written.denotes(day)))
        if denoted and written not in starting_points:
            form = Form.EXACT if written.notation is Notation.ISO else Form.WRITTEN
            yield _mention(text, written.start, written.end, form, denoted, "")


def _taken(match: re.Match[str], counted: Sequence[CountedDate]) -> bool:
    """The words count from a written date, and so not from the outbound flight."""
    return any(item.start <= match.start() < item.end for item in counted)


_BESIDE = re.compile(r"[\s,.():-]*(?:(?:on|the|a|which is|that is|this is|is|being|falls on|i\.e\.,?)\s+)*")


def _beside_date(lowered: str, weekday: re.Match[str], dates: Sequence[WrittenDate]) -> bool:
    """The week day is part of a written date, or glosses it."""
    return any(
        _BESIDE.fullmatch(lowered[weekday.end() : written.start])
        if weekday.end() <= written.start
        else _BESIDE.fullmatch(lowered[written.end : weekday.start()])
        for written in dates
    )


def _mention(text: str, start: int, end: int, form: Form, values: tuple[str, ...], derivation: str) -> Mention:
    return Mention(start=start, end=end, surface=text[start:end], form=form, values=values, derivation=derivation)


def _date_or_none(context: dict[str, str], name: str) -> date | None:
    return date.fromisoformat(context[name]) if name in context else None


def _derive(
    match: re.Match[str], values: dict[str, date], first: date | None, last: date | None
) -> tuple[tuple[str, ...], str]:
    """Values the derived form fits, and which derivation it is."""
    group = match.groupdict()
    if group["weekday"]:
        return _fitting(values, lambda day: WEEKDAYS[day.weekday()] == group["weekday"]), "weekday"
    if first is None or last is None:
        return (), ""
    if group["count"]:
        return _by_count(group, values, first, last)
    if group["order"]:
        if group["order"] in _BACKWARD:
            return _fitting(values, lambda day: day < first), "order"
        return _fitting(values, lambda day: day > last), "order"
    if group["same"] is not None:
        return _fitting(values, lambda day: day in (first, last)), "same day"
    side = group["side2"] or group["side3"] or ""
    step = timedelta(days=7 if group["next"] == "week" else 1)
    if side in _BACKWARD:
        return _fitting(values, lambda day: day in (first - step, last - step)), "distance"
    return _fitting(values, lambda day: day in (first + step, last + step)), "distance"


def _by_count(
    group: dict[str, str | None], values: dict[str, date], first: date, last: date
) -> tuple[tuple[str, ...], str]:
    word = group["count"] or ""
    count = number(word)
    side = group["side"]
    if side in _BACKWARD:
        return _fitting(values, lambda day: (first - day).days == count or (last - day).days == count), "distance"
    if side:
        return _fitting(values, lambda day: (day - first).days == count or (day - last).days == count), "distance"
    if group["unit"] == "night":
        return _fitting(values, lambda day: count in ((day - first).days, (day - last).days)), "stay"
    return _fitting(
        values, lambda day: count in ((day - first).days, (day - last).days, (day - first).days + 1)
    ), "stay"


def _fitting(values: dict[str, date], fits: Callable[[date], bool]) -> tuple[str, ...]:
    return tuple(sorted(value for value, day in values.items() if fits(day)))


def _within(day: date) -> Callable[[date], bool]:
    return lambda value: 0 < abs((value - day).days) <= _MOST_DAYS_SHIFTED


_MOST_DAYS_SHIFTED = 3
_ISO = re.compile(r"20\d\d-\d\d-\d\d")


def shifted(subject: Subject, call: ToolCall) -> Iterator[tuple[Mention, Leaf]]:
    """ISO dates in arguments that lie a few days from a value in play and may have been reached from it."""
    values = {value: date.fromisoformat(value) for value in subject.values}
    for leaf in leaves(call.arguments):
        if not _ISO.fullmatch(leaf.text) or leaf.text in values:
            continue
        try:
            day = date.fromisoformat(leaf.text)
        except ValueError:
            continue
        near = _fitting(values, _within(day))
        if near:
            yield _mention(leaf.text, 0, len(leaf.text), Form.DERIVED, near, "shift"), leaf
