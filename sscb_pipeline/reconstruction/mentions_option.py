"""Mentions of categories and of option values, in any of their written forms."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from sscb_pipeline.reconstruction.arguments import Leaf, leaves
from sscb_pipeline.reconstruction.mentions import Form, Mention
from sscb_pipeline.reconstruction.tables import column
from sscb_pipeline.trajectories.steps import ToolCall, ToolObservation, Trajectory
from sscb_pipeline.trajectories.subject import Subject

_UNITS = {
    "ft": "ft|feet|foot|'",
    "feet": "ft|feet|foot|'",
    "inch": 'inch(?:es)?|in|"',
    "inches": 'inch(?:es)?|in|"',
    "l": "l|lit(?:er|re)s?",
    "liter": "l|lit(?:er|re)s?",
    "liters": "l|lit(?:er|re)s?",
    "ml": "ml|millilit(?:er|re)s?",
    "mah": "mah",
    "gb": "gb|gigs?|gigabytes?",
    "tb": "tb|terabytes?",
    "mp": "mp|megapixels?",
    "hours": "hours?|hrs?|h",
    "lbs": "lbs?|pounds?",
    "mm": "mm|millimet(?:er|re)s?",
    "degrees": "degrees?|°",
    "cup": "cups?",
    "cups": "cups?",
    "bar": "bars?",
    "grey": "gr[ea]y",
    "gray": "gr[ea]y",
    "piece": "pieces?|pcs?",
}
_SIZES = {
    "xs": "extra[ -]small",
    "s": "small",
    "m": "medium",
    "l": "large",
    "xl": "extra[ -]large",
    "xxl": "double extra[ -]large",
}
_SPOKEN_NUMBERS = {
    "1": "one",
    "2": "two",
    "3": "three",
    "4": "four",
    "5": "five",
    "6": "six",
    "7": "seven",
    "8": "eight",
    "9": "nine",
    "10": "ten",
}
_ANSWERS = ("yes", "no", "none", "not resistant")
_SHORT = 2
"""Digits of a number that means nothing without the option's name."""
_PARTS = re.compile(r"\d+(?:\.\d+)?|[^\W\d_]+|%")
_CATEGORY_WORDS = {
    "credit_card": r"credit[ _-]*cards?",
    "gift_card": r"gift[ _-]*cards?",
    "certificate": r"(?:travel[ -]?)?(?:certificates?|vouchers?)",
}
_BRAND = re.compile(r"(?<!\w)(?:visa|master ?card|amex|american express|discover card)(?!\w)")
_CANNOT_PAY_A_CHANGE = frozenset({"certificate"})
"""Kinds that the airline's change tool refuses; what a method can pay for derives from its kind."""
_USE = (
    r"(?:used?|usable|pay|paid|applied|accept(?:ed|able)?|eligible|valid|allowed|suitable|"
    r"charged?|work|cover|fund|qualif(?:y|ies)|available|an option)"
)
_ANSWERED_NO = re.compile(r"(?:[\w ]{0,30})?\s*[:?=]\W{0,3}(?:no|false|not)\b")
_CAPABILITY = re.compile(
    rf"(?<!\w)(?:(?P<no>(?:can(?:not| not|'t)|could(?: not|n't)|may not|(?:is|are)(?: not|n't)|"
    rf"(?:will not|won't)|(?:does|do)(?: not|n't)|unable to|not|never)(?: \w+){{0,3}}? {_USE}|"
    rf"ineligible|unusable|not eligible)"
    rf"|(?P<yes>(?:can|could|may|is|are|will|does)(?: (?:also|then|still|be|you|we|fully|certainly|"
    rf"indeed|it|that|this)){{0,3}} {_USE}|eligible|usable))(?!\w)"
)

_EMBEDDED_QUESTION = re.compile(
    r"(?:\b(?:how|whether)\b|\b(?:asks?|asked|asking|know(?:s|ing)?|wonder\w*|tell\w*|see|check\w*|sure|clear|"
    r"questions?|decide|"
    r"learn|unclear|unsure|find out|explain\w*|verif\w+|confirm\w*|inquir\w+|wants?)\W+(?:\w+\W+){0,3}?(?:if|"
    r"what|where|when|which|why|who)\b)"
    r"[^.,;:!?\n]*$"
)
"""'They ask when that one may be charged' leaves open whether it may."""
_CLAUSE_REACH = 90


@lru_cache(maxsize=64)
def _kinds(kinds: tuple[str, ...]) -> re.Pattern[str]:
    """Words for kinds; group k<i> is the i-th kind."""
    words = [_CATEGORY_WORDS.get(kind, re.escape(kind).replace("_", "[ _-]*") + "s?") for kind in kinds]
    return re.compile(r"(?<![\w])(?:" + "|".join(f"(?P<k{i}>{word})" for i, word in enumerate(words)) + r")(?!\w)")


def category_finder(subject: Subject) -> Callable[[str, str], Iterator[Mention]]:
    """Finds the kinds in play and their alternatives, and what derives from a kind: what it can pay for."""
    kinds = (*subject.values, *subject.alternatives)
    pattern = _kinds(kinds)
    refusing = tuple(sorted(kind for kind in subject.values if kind in _CANNOT_PAY_A_CHANGE))
    paying = tuple(sorted(kind for kind in subject.values if kind not in _CANNOT_PAY_A_CHANGE))

    def find(text: str, lowered: str) -> Iterator[Mention]:
        for match in pattern.finditer(lowered):
            kind = kinds[int((match.lastgroup or "k0")[1:])]
            surface = text[match.start() : match.end()]
            form = Form.EXACT if surface == kind else Form.WRITTEN
            yield _mention(text, match.start(), match.end(), form, (kind,), "")
        for match in _BRAND.finditer(lowered) if "credit_card" in subject.values else ():
            yield _mention(text, match.start(), match.end(), Form.DERIVED, ("credit_card",), "brand")
        if not (refusing and paying):
            return
        for match in _CAPABILITY.finditer(lowered):
            if _EMBEDDED_QUESTION.search(lowered, max(0, match.start() - _CLAUSE_REACH), match.start()):
                continue
            refused = bool(match["no"]) != bool(_ANSWERED_NO.match(lowered, match.end()))
            values = refusing if refused else paying
            yield _mention(text, match.start(), match.end(), Form.DERIVED, values, "capability")

    return find


@lru_cache(maxsize=4096)
def _pattern(value: str, attributes: tuple[str, ...]) -> re.Pattern[str]:
    """A value's spellings. Seeds of one product share them."""
    return re.compile(_spelling(value, attributes))


@lru_cache(maxsize=4096)
def _hints(value: str, attributes: tuple[str, ...]) -> tuple[str, ...]:
    """Strings of which a lower-case text holds one wherever it spells the value; most texts hold none."""
    lowered = value.lower()
    names = tuple(name.lower() for name in attributes)
    if lowered in _ANSWERS and names:
        return (*names, "resistant")
    if lowered in _SIZES:
        return (lowered, "small", "medium", "large")
    parts = _PARTS.findall(lowered)
    if parts == [lowered] and lowered.isdigit() and len(lowered) <= _SHORT and names:
        return names
    first = parts[0] if parts else lowered
    if first in ("grey", "gray"):
        return ("grey", "gray")
    return (first, _SPOKEN_NUMBERS[first]) if first in _SPOKEN_NUMBERS else (first,)


def option_finder(subject: Subject) -> Callable[[str, str], Iterator[Mention]]:
    """Finds the option values in play and their alternatives in other spellings, hyphenations and units."""
    values = tuple(sorted((*subject.values, *subject.alternatives)))
    hinted = [(value, _hints(value, subject.attributes)) for value in values]

    def find(text: str, lowered: str) -> Iterator[Mention]:
        likely = [value for value, hints in hinted if any(hint in lowered for hint in hints)]
        if not (likely or "|" in lowered):
            return
        taken: list[tuple[int, int]] = []
        found: list[tuple[int, int, int, str]] = []
        for value in likely:
            for match in _pattern(value, subject.attributes).finditer(lowered):
                if _is_letter_size(value) and not _letter_size_stands(text, lowered, match, value):
                    continue
                start, end = match.span(match.lastgroup or 0)
                found.append((end - start, start, end, value))
        found.extend(_in_tables(lowered, subject.attributes, values))
        # The longest spelling wins where two overlap: 'space grey' is no mention of 'grey'.
        for _, start, end, value in sorted(found, key=lambda item: (-item[0], item[1], item[3])):
            if any(start < other_end and other_start < end for other_start, other_end in taken):
                continue
            taken.append((start, end))
            form = Form.EXACT if text[start:end] == value else Form.WRITTEN
            yield _mention(text, start, end, form, (value,), "")

    return find


_SAME = {"true": "yes", "false": "no", "none": "no"}


def _in_tables(
    lowered: str, attributes: tuple[str, ...], values: tuple[str, ...]
) -> Iterator[tuple[int, int, int, str]]:
    """Cells under the option's name that hold a value and nothing else, however short it is."""
    if "|" not in lowered:
        return
    for start, end in column(lowered, [name.lower() for name in attributes]):
        cell = lowered[start:end]
        for value in values:
            if value.lower() in (cell, _SAME.get(cell)):
                yield end - start, start, end, value


def _is_letter_size(value: str) -> bool:
    return value.lower() in _SIZES


def _letter_size_stands(text: str, lowered: str, match: re.Match[str], value: str) -> bool:
    """A one-letter size counts in capitals or after 'size'; its word form always does."""
    surface = text[match.start() : match.end()]
    return len(surface) > len(value) or surface == value or lowered[: match.start()].rstrip(" :").endswith("size")


_COPULA = (
    r"(?:(?:is|was|are|were)(?:n't)?|be|been|being|shows?|showing|says?|reads?|states?|gives?|comes?|came|appears?|seems?|looks|"
    r"(?:may|might|could|should|would|must|can|will|to) (?:well )?be|marked|listed|recorded|shown|given|set|stated|"
    r"entered|noted|registered|specified|described|labell?ed|put|printed|down|named|called|has|have|=)"
)
_GIVEN = (
    rf"(?:(?:[^\S\n](?!(?:is|was|are|and|or|but|no|yes)\b)[\w()#'/-]+){{0,10}}?\s*[:=(|—-]\s*"
    rf"|(?:[^\S\n][\w()#'/-]+){{0,14}}?(?:\s+{_COPULA}){{1,2}}(?:\s+(?:as|to be|to|at|like|out|there|not|"
    rf"n't|really|actually|"
    rf"indeed|in fact|still|now|truly|probably|presumably|likely|possibly|perhaps|maybe|supposedly|apparently|"
    rf"definitely|certainly|just|only|a|an|the))*\s*[:=]?\s*"
    r"|(?:[^\S\n][\w()#'/-]+){0,9}?\s+(?:as|to be)\s*[:=]?\s*"
    r"|,(?:\s+[\w()#'/-]+){1,9}?\s+(?:in|as|at|with|is|was)\s+"
    r"|\s+(?:value\s+|option\s+)?(?:as\s+|to\s+|of\s+)?)[\"']?"
)
"""Between an option's name and its value: a colon, a copula ('the size of your boots is listed as'), or nothing."""


_FILLS = (
    r"(?:(?:\s+(?:down|listed|given|shown|recorded))?\s+(?:in|for|as)\s+(?:(?:the|a|its|your|their)\s+)?"
    r"|\s+(?:(?:is|was|really|truly|actually|indeed)\s+)+(?:the|its|your|their)\s+)"
)
"""Between a number and the option it is said to be: '8 as its size', 'whether 8 is truly the size'."""


_STANDS = r"(?!\w|\.\d|\s+(?:business\s+)?(?:days?|weeks?|months?|hours?|minutes?|items?|pairs?)\b)"
"""No part of a longer number, and no count of something else."""


def _spelling(value: str, attributes: tuple[str, ...]) -> str:
    """A regular expression for a value in lower-case text."""
    lowered = value.lower()
    names = "|".join(re.escape(name.lower()) for name in attributes)
    if lowered in _ANSWERS and names:
        stem = names if lowered != "not resistant" else f"{names}|resistant|water[- ]?resistant"
        if lowered == "yes":
            return (
                rf"(?<!not )(?<!non-)(?<!n't )(?<!\w)(?:{stem})s?{_GIVEN}(?P<v>yes|true)\b(?!\s*/)|"
                rf"\b(?:is|are|being|fully)\s+(?:{stem})\b"
            )
        return (
            rf"(?<!\w)(?:{stem})s?{_GIVEN}(?P<v>{re.escape(lowered)}|no|none|false)\b(?!\s*/)|"
            rf"\b(?:not|non|isn't|aren't|no|without)[ -](?:an? )?(?:{stem})\b"
        )
    if lowered in _SIZES:
        return rf"(?<![\w'-])(?:{re.escape(lowered)}(?![\w'&/-]|\.\w)|{_SIZES[lowered]}(?!\w))"
    parts = _PARTS.findall(lowered)
    if not parts:
        return re.escape(lowered)
    body = r"[\s\-/&+,]*".join(_part(part, index, parts) for index, part in enumerate(parts))
    if parts == [lowered] and lowered.isdigit() and names:
        return (
            rf"(?:(?:{names})s?\s*[:=(#-]?\s*(?:is\s+|of\s+)?|\b){body}(?:\s*-?\s*(?:{names}))?(?![\w.,]\d|"
            rf"\w|\.\d|%)"
            if len(lowered) > _SHORT
            else rf"(?<!\w)(?:{names})s?(?:{_GIVEN}|\s*#\s*)(?P<v>{body}){_STANDS}|"
            rf"(?<![\w.#$,])(?P<w>{body}){_FILLS}(?:{names})\b"
        )
    return rf"(?<![\w.]){body}(?!\w)"


def _part(part: str, index: int, parts: list[str]) -> str:
    if part in _UNITS and index:
        return f"(?:{_UNITS[part]})"
    if part in ("grey", "gray"):
        return "gr[ea]y"
    if part.isdigit():
        return f"(?:{part}|{_SPOKEN_NUMBERS[part]})" if part in _SPOKEN_NUMBERS and len(parts) > 1 else part
    return re.escape(part)


def _mention(text: str, start: int, end: int, form: Form, values: tuple[str, ...], derivation: str) -> Mention:
    return Mention(start=start, end=end, surface=text[start:end], form=form, values=values, derivation=derivation)


def chosen_variants(subject: Subject, trajectory: Trajectory, call: ToolCall) -> Iterator[tuple[Mention, Leaf]]:
    """Record ids in a call's arguments whose choice may rest on the option: the target's own id, and ids of variants
    that a product record delivered before this call shows with a value in play. The id itself says no value."""
    if not subject.attributes:
        return
    for leaf in leaves(call.arguments):
        if not leaf.text.isdigit() or leaf.text in subject.identifiers:
            continue
        option = _visible_option(trajectory, call.index, leaf.text, subject.attributes)
        if option in subject.values:
            mention = Mention(
                start=0,
                end=len(leaf.text),
                surface=leaf.text,
                form=Form.IDENTIFIER,
                values=(option,),
                derivation="variant of a product record",
            )
            yield mention, leaf


def _visible_option(trajectory: Trajectory, before: int, item_id: str, attributes: tuple[str, ...]) -> str:
    """The option value that a delivered product record shows for a variant; empty where none does."""
    for step in reversed(trajectory.steps[:before]):
        if isinstance(step, ToolObservation) and '"variants"' in step.content and item_id in step.content:
            variant = _variants(step.content).get(item_id, {})
            options = variant.get("options", {}) if isinstance(variant, dict) else {}
            for name, value in options.items():
                if name.lower() in {attribute.lower() for attribute in attributes}:
                    return str(value)
    return ""


@lru_cache(maxsize=256)
def _variants(content: str) -> Mapping[str, Any]:
    try:
        record = json.loads(content)
    except ValueError:
        return {}
    variants = record.get("variants") if isinstance(record, dict) else None
    return variants if isinstance(variants, dict) else {}
