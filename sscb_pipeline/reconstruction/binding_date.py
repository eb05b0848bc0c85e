"""Binding of dates to the return leg of the target reservation."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from sscb_pipeline.reconstruction.cues import AnyOf, Binding, decides, nearest
from sscb_pipeline.reconstruction.dates import written_dates
from sscb_pipeline.reconstruction.mentions import Form
from sscb_pipeline.reconstruction.mentions_date import COUNTED
from sscb_pipeline.reconstruction.scene import Scene, names, supplied_elsewhere, user_names
from sscb_pipeline.reconstruction.sentences import lower
from sscb_pipeline.trajectories.steps import Trajectory, UserMessage
from sscb_pipeline.trajectories.subject import Subject

_RETURN = (
    (
        r"return(?:s|ing)?(?: (?:flight|trip|leg|journey|date|segment|portion|travel))?s?(?! (?:label|"
        r"request|the item|policy))"
    ),
    r"in-?bound",
    (
        r"(?:fly|flies|flying|flight|plane|way|come|comes|coming|head|heads|heading|go|goes|going|trip|"
        r"journey|travel|travels|get|be|are|bring|brings|bringing|take|takes)(?: you| us|"
        r" them)? (?:back|home)"
    ),
    r"home-?bound",
    r"homeward",
    r"back (?:home|to|on|from)",
    r"second (?:leg|half)",
)
_OUTBOUND = (
    r"out-?bound",
    r"out-?going",
    r"outward",
    r"departing (?:flight|leg)s?",
    r"departure(?: (?:flight|date|leg))?s?",
    r"first leg",
    r"(?:go|going|fly|flying|flies|head|heading|way|trip) out",
    r"way there",
    r"you (?:leave|depart|set off|start)",
    r"(?<!homeward )(?<!return )(?<!inbound )(?<!home )(?<!back )(?:trip|journey|travel) (?:starts?|begins?)",
)
_UNRELATED = (
    r"created",
    r"booked on",
    r"booking date",
    r"date of birth",
    r"dob",
    r"born",
    r"birth(?:day|date)",
    r"today(?:'s)?",
    r"current (?:date|time|day)",
    r"it is now",
    r"as of",
    r"expir(?:es|y|ing)",
    r"valid until",
    r"refund(?:ed)?",
    r"payment date",
)
_OTHER_ID = r"(?=[a-z0-9]*\d)(?=[a-z0-9]*[a-z])(?!hat\d)[a-z0-9]{6}"
_NEW = re.compile(
    r"(?<!\w)(?:new(?! (?:york|orleans|jersey|haven|hampshire|mexico|delhi))|proposed|updated|requested(?= "
    r"(?:new |return |outbound )?(?:date|flight|"
    r"change|itinerary|return))|desired|preferred|alternative|replacement|"
    r"rescheduled)(?!\w)|(?<!\w)(?:chang|mov|switch|reschedul|re-?book|shift|push|updat|"
    r"modif)\w*\b[^.;]{0,60}?\bto\b"
)
_WRITES = ("update_reservation_flights", "book_reservation")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cues:
    target: AnyOf
    other: AnyOf
    own_id: re.Pattern[str]
    other_id: re.Pattern[str]


_SHARED_TARGET = re.compile(r"(?<!\w)(?:" + "|".join(_RETURN) + r")(?!\w)")
_SHARED_OTHER = re.compile(r"(?<!\w)(?:" + "|".join((*_OUTBOUND, *_UNRELATED)) + r")(?!\w)")


@lru_cache(maxsize=1024)
def _cues(subject: Subject) -> _Cues:
    context = dict(subject.context)
    target = [re.escape(name) for name in sorted(subject.names, key=lambda name: (-len(name), name))]
    other = []
    origin, destination = context.get("origin", "").lower(), context.get("destination", "").lower()
    if origin and destination:
        target += [_away_from(destination), _route(destination, origin)]
        other += [_away_from(origin), _route(origin, destination)]
    identifiers = "|".join(re.escape(item.lower()) for item in subject.identifiers)
    other_id = rf"(?<!\w)(?!(?:{identifiers})(?!\w)){_OTHER_ID}(?!\w)"
    return _Cues(
        target=_with(_SHARED_TARGET, target),
        other=_with(_SHARED_OTHER, other),
        own_id=re.compile(rf"(?<!\w)(?:{identifiers or '(?!)'})(?!\w)"),
        other_id=re.compile(other_id),
    )


def _with(shared: re.Pattern[str], own: list[str]) -> AnyOf:
    if not own:
        return AnyOf(patterns=(shared,))
    return AnyOf(patterns=(shared, re.compile(r"(?<!\w)(?:" + "|".join(own) + r")(?!\w)")))


def _away_from(place: str) -> str:
    return rf"(?:leav\w*|depart\w*|out of|flying from|fly from) (?:from )?{re.escape(place)}"


def _route(start: str, end: str) -> str:
    return rf"{re.escape(start)}\b[^.;|,]{{0,25}}?(?:\bto\b|→|->|-|»|➔|➡)[^.;|,]{{0,18}}?\b{re.escape(end)}"


def bind(scene: Scene) -> Binding:
    """Nearest cue in the sentence, then headings, then the sentence before; then what else is in play."""
    cues = _cues(scene.subject)
    text = scene.sentence.text
    if _other_reservation(scene, cues):
        return Binding.ELSEWHERE
    if scene.reference.form is Form.DERIVED and scene.reference.derivation != COUNTED:
        return _bind_derived(scene, cues)
    rivals = _rivals(scene)
    found = nearest(text, scene.start, scene.end, cues.target, cues.other, rivals)
    if _second_of_pair(scene):
        found = Binding.BOUND
    if found is not Binding.BOUND and _INDEFINITE.search(text):
        return Binding.UNSETTLED
    if found is None:
        found = _from_surroundings(scene, cues)
    if found is Binding.ELSEWHERE:
        return found
    if _new_flight(scene) and not _AS_BOOKED.search(scene.before):
        known = all(
            user_names(scene.subject, scene.trajectory, scene.reference.step, value) for value in scene.reference.values
        )
        return Binding.ELSEWHERE if known else Binding.UNSETTLED
    if _asked_for(scene) and not _AS_BOOKED.search(scene.sentence.text):
        return Binding.UNSETTLED
    if found is not None:
        return found
    elsewhere = any(
        supplied_elsewhere(scene.subject, scene.trajectory, scene.reference.step, value)
        for value in scene.reference.values
    )
    return Binding.UNSETTLED if elsewhere else Binding.BOUND


def _rivals(scene: Scene) -> list[int]:
    """Offsets of the other dates in the sentence: all before the value, and those after it that denote another day."""
    days = [date.fromisoformat(value) for value in scene.reference.values]
    return [
        written.start
        for written in written_dates(scene.sentence.text)
        if written.end <= scene.start or (written.start >= scene.end and not any(written.denotes(day) for day in days))
    ]


_INDEFINITE = re.compile(
    r"\b(?:one|some|either|any) of (?:your|the|its|these|those)\b|\b(?:a|some|another) (?:date|"
    r"flight|segment|leg)\b|\bsomewhere\b|\bcomes up\b"
)
_PAIRED = re.compile(r"^\W*(?:and|to|through|until|till|&|-|then|/)?\W*(?:back )?(?:on |the )*$")


def _second_of_pair(scene: Scene) -> bool:
    """'May 10th and May 11th', 'May 20 - May 24': the date after an outbound date is the return's."""
    context = dict(scene.subject.context)
    outbound = {context[name] for name in ("outbound_first", "outbound_last") if name in context}
    for written in written_dates(scene.sentence.text):
        if written.end <= scene.start and _PAIRED.match(scene.sentence.text[written.end : scene.start]):
            return any(written.denotes(date.fromisoformat(day)) for day in outbound)
    return False


def _from_surroundings(scene: Scene, cues: _Cues) -> Binding | None:
    for heading in scene.sentence.headings:
        found = decides(heading, cues.target, cues.other)
        if found is not None:
            return found
    previous = scene.preceding()
    return decides(previous.text, cues.target, cues.other) if previous is not None else None


def _bind_derived(scene: Scene, cues: _Cues) -> Binding:
    """A week day, a stay or an order is weak by itself: it needs the return leg or the trip named beside it."""
    text = scene.sentence.text
    derivation = scene.reference.derivation
    named = bool(cues.target.search(text))
    if derivation == "weekday":
        found = nearest(text, scene.start, scene.end, cues.target, cues.other)
        if found is None:
            found = _from_surroundings(scene, cues)
        return found if found is not None else Binding.UNSETTLED
    if derivation == "stay":
        if (
            re.search(r"\bstay|\btrip|\baway|\bnights? (?:in|at|there)|\bgone|\bbetween\b|\bvisit|\bthere\b", text)
            or named
        ):
            return Binding.BOUND
        return Binding.ELSEWHERE
    if named or _from_surroundings(scene, cues) is Binding.BOUND:
        return Binding.BOUND
    return Binding.ELSEWHERE


def _other_reservation(scene: Scene, cues: _Cues) -> bool:
    """Another reservation's id governs: the nearest id in the sentence, or else in the nearest heading with one."""
    governing = nearest(scene.sentence.text, scene.start, scene.end, cues.own_id, cues.other_id)
    if governing is not None:
        return governing is Binding.ELSEWHERE
    for heading in scene.sentence.headings:
        if cues.own_id.search(heading):
            return False
        if cues.other_id.search(heading):
            return True
    return False


def _new_flight(scene: Scene) -> bool:
    """The value is a date asked for or newly set, not the reservation's date as booked."""
    if _NEW.search(scene.before) or any(_NEW.search(heading) for heading in scene.sentence.headings):
        return True
    return bool(re.search(r"\bnow\b", scene.before)) and _changed(scene.trajectory, scene.reference.step)


_AS_BOOKED = re.compile(
    r"\b(?:current(?:ly)?|original(?:ly)?|existing|as booked|unchanged|listed|record|on file|in the system)\b"
)
_CHANGE_WANTED = re.compile(r"\b(?:chang|mov|push|shift|switch|reschedul|re-?book|modif|updat|book)\w*")


def _asked_for(scene: Scene) -> bool:
    """A user message asks for a change and names this very date: saying it may rest on that."""
    return any(
        isinstance(step, UserMessage)
        and bool(_CHANGE_WANTED.search(lower(step.text)))
        and any(names(scene.subject, step.text, value) for value in scene.reference.values)
        for step in scene.trajectory.steps[: scene.reference.step]
    )


def _changed(trajectory: Trajectory, before: int) -> bool:
    return any(getattr(step, "tool", "") in _WRITES for step in trajectory.steps[:before])
