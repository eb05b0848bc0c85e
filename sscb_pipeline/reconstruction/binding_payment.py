"""Binding of a kind word to the target payment method of a profile."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from sscb_pipeline.reconstruction.cues import Binding, decides, nearest
from sscb_pipeline.reconstruction.scene import Scene, names
from sscb_pipeline.trajectories.steps import ToolCall, ToolObservation
from sscb_pipeline.trajectories.subject import Subject

_DIGITS = re.compile(r"\d{4,}")
_COUNT = re.compile(
    r"(?<!\w)(?P<count>no|zero|an?|one|single|only|two|three|four|five|both|\d)\s+(?:(?:different|"
    r"travel|saved|active|separate|such)\s+)*$"
)
_COUNTS = {
    "no": 0,
    "zero": 0,
    "a": 1,
    "an": 1,
    "one": 1,
    "single": 1,
    "only": 1,
    "two": 2,
    "both": 2,
    "three": 3,
    "four": 4,
    "five": 5,
}
_PROFILE = re.compile(
    r"\byou(?:'ve| have| currently have)|\bprofile|\bon file|\baccount|\bthere (?:is|are)|\bsaved|"
    r"\b(?:payment )?methods?\b|\byour\b|\bwallet|\bi count\b|\bin total\b|\baltogether\b"
)
_POSSESSIVE = re.compile(r"\b(?:your|the|this|that)\s+(?:\w+\s+){0,2}$")
_PRONOUN = re.compile(
    r"^\W*(?:it|this|that|this one|that one|this method|the method|as an?|being an?|because it|"
    r"since it)\b|\b(?:it|that one|this one|this (?:payment )?method|that (?:payment )?method|"
    r"the (?:payment )?method)\b"
)
_GENERAL = re.compile(
    r"\b(?:polic(?:y|ies)|rules?|in general|generally|any|(?<!in )all(?! in all)|each|every|only|can be|"
    r"three (?:types|kinds)|types? of|kinds? of|at most|up to|accept(?:s|ed)?|such as|e\.g|like)\b"
)


_OWNED = re.compile(r"\byou(?:r|'ve| have)?\b|\bi (?:find|count|see)\b|\bprofile|\bon file|\baccount|\bwallet")


_BALANCE = re.compile(r"\W*(?:\w+\W+){0,3}?\$\s?\d[\d,.]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cues:
    target: re.Pattern[str]
    other: re.Pattern[str] | None
    others: Counter[str]


@lru_cache(maxsize=1024)
def _cues(subject: Subject) -> _Cues:
    target = [*subject.identifiers, *(name for name in subject.names if any(sign.isdigit() for sign in name))]
    target += [digits for identifier in subject.identifiers for digits in _DIGITS.findall(identifier)]
    others, kinds = [], Counter[str]()
    for name, kind in subject.context:
        if name.startswith("other:"):
            identifier = name.removeprefix("other:")
            others += [identifier, *_DIGITS.findall(identifier)]
            kinds[kind] += 1
    mine = {item.lower() for item in target}
    return _Cues(
        target=_any(mine),
        other=_any({item.lower() for item in others} - mine) if others else None,
        others=kinds,
    )


def _any(words: set[str]) -> re.Pattern[str]:
    listed = "|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word)))
    return re.compile(rf"(?<![\w.])(?:{listed})(?![\w]|\.\d)" if listed else r"(?!)")


def bind(scene: Scene) -> Binding:
    """The id, last digits or amount nearest in the sentence; then headings; then the sentence before; then counts."""
    cues = _cues(scene.subject)
    found = nearest(scene.sentence.text, scene.start, scene.end, cues.target, cues.other)
    if found is not None:
        return found
    for heading in scene.sentence.headings:
        found = decides(heading, cues.target, cues.other)
        if found is not None:
            return found
    around = _from_list(scene, cues)
    if around is not None:
        return around
    previous = scene.preceding()
    if previous is not None and _PRONOUN.search(scene.sentence.text):
        found = decides(previous.text, cues.target, cues.other)
        if found is not None:
            return found
    if scene.reference.derivation == "capability":
        return _lone_target(scene, cues)
    if _newly_issued(scene):
        return Binding.ELSEWHERE
    paid = _paid_with(scene)
    return paid if paid is not None else _by_count(scene, cues)


def _from_list(scene: Scene, cues: _Cues) -> Binding | None:
    """Items below this one, or beside it in a list about one method (no other item names a kind), may hold the id."""
    heading = scene.sentence.text.strip()
    below = [item.text for item in scene.following(_LIST) if heading in item.headings[:1]]
    beside = [item.text for item in scene.beside()]
    if any(names(scene.subject, text, kind) for text in beside for kind in (*scene.subject.values, *cues.others)):
        beside = []
    for texts in (below, beside):
        found = {decides(text, cues.target, cues.other) for text in texts} - {None}
        if len(found) == 1:
            return found.pop()
    return None


_LIST = 8
_ISSUED = re.compile(
    r"\b(?:issu\w*|compensat\w*|goodwill|gesture|apology|offer(?:ed|ing)? you|grant\w*|"
    r"add(?:ed)? (?:it )?to your)\b"
)


_OFFERED = re.compile(
    r"\b(?:offer|issu|provid|giv|send|award)\w*\s+(?:you\s+)?(?:an?|any|another)\s+(?:[\w$-]+\s+){0,5}$"
)


def _newly_issued(scene: Scene) -> bool:
    """A certificate handed out in this conversation is not one of the profile's methods."""
    if _OFFERED.search(scene.before):
        return True
    if scene.reference.values != ("certificate",):
        return False
    previous = scene.preceding()
    near = scene.sentence.text + " " + (previous.text if previous is not None else "")
    return bool(_ISSUED.search(near))


_PAYMENT = re.compile(
    r"\b(?:paid|refund(?:ed|s)?|charged|credited|original(?:ly)? payment|payment (?:history|"
    r"method|details?)|payment\W|processed (?:using|with|to)|(?:was|were|been) (?:used|applied|"
    r"deducted))"
)
_PLANNED = re.compile(
    r"\b(?:would|could|can|will|you'll|need|prefer|proceed|which|choose|select|to use|options?|new)\b"
)


_PAID = re.compile(
    r"\b(?:paid|charged|refunded|credited|processed (?:using|with|to)|(?:was|were|been) (?:used|"
    r"applied|deducted))\b"
)
_ORIGINAL = re.compile(r"\b(?:original(?:ly)?|refund(?:ed|s)?)\b")


def _paid_with(scene: Scene) -> Binding | None:
    """What was paid with the kind: the latest method that a visible call or record of this run paid with."""
    near = (scene.sentence.text, *scene.sentence.headings[:1])
    if not any(_PAYMENT.search(text) for text in near):
        return None
    if _PLANNED.search(scene.sentence.text) and not _ORIGINAL.search(scene.sentence.text):
        return None
    for step in reversed(scene.trajectory.steps[: scene.reference.step]):
        used: frozenset[str] = frozenset()
        if isinstance(step, ToolCall):
            used = _methods_in(step.arguments.raw) if '"payment' in step.arguments.raw else used
        elif isinstance(step, ToolObservation) and '"payment_history"' in step.content:
            used = _methods_in(step.content.partition('"payment_history"')[2])
        if used:
            mine = used & set(scene.subject.identifiers)
            if not mine:
                return Binding.ELSEWHERE if _PAID.search(scene.sentence.text) else None
            return Binding.BOUND if mine == used else Binding.UNSETTLED
    return None


_METHOD_ID = re.compile(r'"((?:credit_card|gift_card|certificate|paypal)_\d+)"')


def _methods_in(text: str) -> frozenset[str]:
    return frozenset(_METHOD_ID.findall(text))


def _lone_target(scene: Scene, cues: _Cues) -> Binding:
    """What a method can pay for, with no method named beside it: of the target only when the text names no other."""
    text = scene.reading.lowered
    if not cues.target.search(text):
        return Binding.ELSEWHERE
    return Binding.UNSETTLED if _PRONOUN.search(scene.sentence.text) else Binding.ELSEWHERE


def _by_count(scene: Scene, cues: _Cues) -> Binding:
    """No method is named: a count or a possessive speaks of the target when the profile's other methods leave a gap."""
    kind = scene.reference.values[0]
    rest = cues.others[kind]
    surface = scene.reference.surface.lower()
    if _GENERAL.search(scene.sentence.text) and not _OWNED.search(scene.sentence.text):
        return Binding.ELSEWHERE
    if re.search(r"\b(?:one|some|any) of (?:your|the|these|those)\b", scene.before):
        return Binding.UNSETTLED
    counted = _COUNT.search(scene.before)
    plural = surface.endswith("s")
    if counted and _PROFILE.search(scene.sentence.text + " " + " ".join(scene.sentence.headings)):
        count = _number(counted["count"])
        if count == rest + 1:
            return Binding.BOUND if count > 1 or rest == 0 else Binding.UNSETTLED
        return Binding.ELSEWHERE
    if _told_apart(scene, cues, kind):
        return Binding.ELSEWHERE
    if plural:
        return Binding.UNSETTLED if _POSSESSIVE.search(scene.before) else Binding.ELSEWHERE
    if _POSSESSIVE.search(scene.before):
        return Binding.BOUND if rest == 0 else Binding.UNSETTLED
    named = bool(cues.target.search(scene.reading.lowered))
    if named or (_OWNED.search(scene.sentence.text) and rest == 0):
        return Binding.UNSETTLED
    return Binding.ELSEWHERE


def _told_apart(scene: Scene, cues: _Cues, kind: str) -> bool:
    """Another method of this kind exists, and the text shows that it is meant: another balance beside it, or the
    target named apart by the opposite kind, of which there is no other."""
    if not cues.others[kind]:
        return False
    amount = _BALANCE.match(scene.after)
    if amount and not cues.target.search(amount.group()):
        return True
    opposite = next((value for value in scene.subject.values if value != kind), kind)
    return not cues.others[opposite] and names(scene.subject, scene.reading.text, opposite)


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _COUNTS[word]
