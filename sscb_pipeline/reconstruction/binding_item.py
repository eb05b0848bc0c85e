"""Binding of an option value to the ordered line, as opposed to a new item, a sibling line or the catalogue."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from sscb_pipeline.reconstruction.cues import Binding
from sscb_pipeline.reconstruction.scene import Scene, agent_texts
from sscb_pipeline.reconstruction.sentences import lower
from sscb_pipeline.trajectories.steps import UserMessage
from sscb_pipeline.trajectories.subject import Subject

_ITEM_ID = re.compile(r"(?<!\d)\d{10}(?!\d)")
_ORDER_ID = re.compile(r"#?w\d{7}\b")
_EXCHANGE = re.compile(
    r"\b(?:exchang\w*|swap\w*|replac\w*|chang\w*|switch\w*|modif\w*|upgrad\w*|updat\w*|convert\w*|"
    r"trad\w*)\b(?P<between>[^;]*?)\b(?:for|to|with|into|by)\b(?! (?:you|me|be|your (?:order|"
    r"account|request)|the order|order))"
)
_RETURNED = re.compile(
    r"\b(?:instead of|rather than|in place of|from|replac(?:es|ing)|currently|current|"
    r"original(?:ly)?|existing|old|ordered|received|purchased|bought|you have|your)\b"
)
_NEW = re.compile(
    r"\b(?:new|replacement|desired|preferred|requested|alternative|another|different|cheapest|"
    r"instead|looking for|wish(?:ed)? for)\b|\b(?:you(?:'d| would) like|"
    r"you want(?:ed)?|would you (?:like|prefer)|do you (?:want|prefer))\b(?! to (?:exchange|swap|"
    r"return|replace|cancel|modify|change|keep))"
)
_NEW_ITEM_HEADING = re.compile(
    r"\b(?:new|replacement|options?|available|variants?|choices|alternatives?)\b|\b(?:for|to|with)\W*$"
)
_CATALOGUE = re.compile(
    r"\b(?:available|availability|options(?! (?:is|of your|you ordered))|"
    r"(?:an?|another|other|each|every|any|new|cheap\w*|different) option|variants?|choices?|"
    r"choose|in stock|out of stock|we (?:have|offer|carry|sell)|comes? in|offered|catalog(?:ue)?|"
    r"alternatives?|any other|other (?:colou?rs?|sizes?|materials?))\b"
)
_CONSULTED = re.compile(
    r"\b(?:with|against|to|see|check|consult|if|whether|read|in|from|by|until|at) (?:the|our) catalog(?:ue)?\b"
)
"""The catalogue as what the order is compared with."""
_OWN = re.compile(
    r"\b(?:ordered|order(?!s)|received|purchased|bought|delivered|your (?:current|original|"
    r"existing)|currently|you have|item id|is listed|shows?|recorded|line)\b"
)
_ARROW = re.compile(r"→|->|=>|➔|➡")
_PRONOUN = re.compile(
    r"^\W*(?:it|this|that|this one|that one|the one|they|those|these|which)\b|\b(?:it|that one|"
    r"this one|the one)\b|\bone\b"
)


_BACK = re.compile(r"\b(?:it|this one|that one)\b")
"""Points back at one thing named just before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cues:
    target: re.Pattern[str]
    attribute: re.Pattern[str]
    siblings: frozenset[str]
    sibling_ids: frozenset[str]
    order: str


@lru_cache(maxsize=1024)
def _cues(subject: Subject) -> _Cues:
    context = dict(subject.context)
    names = sorted({*subject.names, *subject.identifiers}, key=lambda name: (-len(name), name))
    named = "|".join(re.escape(name.lower()) for name in names) or r"(?!)"
    attributes = "|".join(re.escape(name) for name in _lowered(subject.attributes)) or r"(?!)"
    siblings = {name.removeprefix("sibling:"): value for name, value in context.items() if name.startswith("sibling:")}
    return _Cues(
        target=re.compile(rf"(?<!\w)(?:{named})(?:s|es|'s)?(?!\w)"),
        attribute=re.compile(rf"(?<!\w)(?:{attributes})s?(?!\w)"),
        siblings=frozenset(siblings.values()),
        sibling_ids=frozenset(siblings),
        order=context.get("order", "").lower().lstrip("#"),
    )


def _lowered(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name.lower() for name in names)


def bind(scene: Scene) -> Binding:
    """Ids first, then the direction of an exchange, the catalogue, siblings, and whether the product is named."""
    cues = _cues(scene.subject)
    if _ARROW.search(scene.before):
        return Binding.ELSEWHERE
    by_id = _by_id(scene, cues)
    if by_id is not None:
        return by_id
    if _ARROW.search(scene.after) and _product_named(scene, cues):
        return Binding.BOUND
    if _other_order(scene, cues) or _on_new_side(scene):
        return Binding.ELSEWHERE
    if _catalogue(scene):
        return Binding.ELSEWHERE
    if not _product_named(scene, cues):
        return _unnamed(scene, cues)
    if set(scene.reference.values) & cues.siblings:
        return Binding.UNSETTLED
    return Binding.BOUND


def _by_id(scene: Scene, cues: _Cues) -> Binding | None:
    """An item id in the sentence or the nearest heading that has one decides."""
    for text, position in ((scene.sentence.text, scene.start), *((heading, -1) for heading in scene.sentence.headings)):
        found = [(abs(match.start() - position), match.group()) for match in _ITEM_ID.finditer(text)]
        if not found:
            continue
        if position >= 0 and len(found) > 1 and _on_new_side(scene):
            return Binding.ELSEWHERE
        chosen = min(found)[1]
        return Binding.BOUND if chosen in scene.subject.identifiers else Binding.ELSEWHERE
    previous = scene.preceding()
    if previous is not None and _BACK.search(scene.sentence.text):
        found_before = set(_ITEM_ID.findall(previous.text))
        if len(found_before) == 1:
            return Binding.BOUND if found_before <= set(scene.subject.identifiers) else Binding.ELSEWHERE
    beside = {match for item in scene.beside() for match in _ITEM_ID.findall(item.text)}
    if len(beside) == 1:
        return Binding.BOUND if beside <= set(scene.subject.identifiers) else Binding.ELSEWHERE
    return None


def _other_order(scene: Scene, cues: _Cues) -> bool:
    for text in (scene.sentence.text, *scene.sentence.headings):
        orders = [match.group().lstrip("#") for match in _ORDER_ID.finditer(text)]
        if orders:
            return bool(cues.order) and cues.order not in orders
    return False


def _on_new_side(scene: Scene) -> bool:
    """The value describes what the line is exchanged for."""
    before = scene.before
    clause_start = max(before.rfind(";"), before.rfind(". "), 0)
    local = before[clause_start:]
    exchange = None
    for match in _EXCHANGE.finditer(local):
        exchange = match
    if exchange is not None:
        # "exchange X for Y": Y follows the preposition, unless a later word turns back to what was received.
        rest = local[exchange.end() :]
        if not _RETURNED.search(rest):
            return True
    new = None
    for match in _NEW.finditer(local):
        new = match
    if (
        new is not None
        and not _RETURNED.search(local[new.end() :])
        and not re.search(r"[,;]", local[new.end() :] if len(local[new.end() :]) > 40 else "")
    ):
        return True
    if re.match(r"(?:(?!\band\b|\bfor\b|\bwith\b)[^.;,]){0,40}\binstead\b(?! of)", scene.after):
        return True
    return any(
        _NEW_ITEM_HEADING.search(heading) and not _OWN.search(heading) for heading in scene.sentence.headings[:1]
    )


def _catalogue(scene: Scene) -> bool:
    text = _CONSULTED.sub(" ", scene.sentence.text)
    if _CATALOGUE.search(text) and not re.search(
        r"\byour\b|\byou (?:ordered|received|bought|purchased|have|chose)\b|\b(?:ordered|bought|purchased)\b|"
        r"\bthe order (?:says?|shows?|lists?|gives?|has|record)",
        text,
    ):
        return True
    return any(_CATALOGUE.search(heading) and not _OWN.search(heading) for heading in scene.sentence.headings)


def _product_named(scene: Scene, cues: _Cues) -> bool:
    if any(cues.target.search(text) for text in (scene.sentence.text, *scene.sentence.headings)):
        return True
    previous = scene.preceding()
    pronoun_or_attribute = _PRONOUN.search(scene.sentence.text) or cues.attribute.search(scene.sentence.text)
    return bool(previous and pronoun_or_attribute and cues.target.search(previous.text))


def _unnamed(scene: Scene, cues: _Cues) -> Binding:
    """Neither product nor id is near: an attribute or pronoun may still speak of the line under discussion."""
    text = scene.sentence.text
    if not (cues.attribute.search(text) or _PRONOUN.search(text)):
        return Binding.ELSEWHERE
    if set(scene.reference.values) & cues.siblings:
        return Binding.UNSETTLED
    if cues.target.search(scene.reading.lowered):
        return Binding.BOUND if cues.attribute.search(text) else Binding.UNSETTLED
    return Binding.BOUND if cues.attribute.search(text) and _under_discussion(scene, cues) else Binding.UNSETTLED


def _under_discussion(scene: Scene, cues: _Cues) -> bool:
    """The latest user or agent message before this one names the product."""
    for step in reversed(scene.trajectory.steps[: scene.reference.step]):
        if isinstance(step, UserMessage):
            if cues.target.search(lower(step.text)):
                return True
            break
    latest = next(agent_texts(scene.trajectory, scene.reference.step), None)
    return latest is not None and bool(cues.target.search(lower(latest.text)))
