"""What a clause says about a requested change: that it took effect, that it did not, or neither.

Read clause by clause, with the sentence around it for questions and offers. A clause about another subject
(a cancellation, bags, another reservation) says nothing about the change.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from sscb_pipeline.reconstruction import speech
from sscb_pipeline.reconstruction.effect_disposal import disposes
from sscb_pipeline.reconstruction.effect_inquiry import inquires, tells
from sscb_pipeline.reconstruction.effect_lexicon import (
    ASKED,
    CHANGE_TOPIC,
    CLAUSES,
    COMPLETED,
    FAILED,
    FUTURE,
    OTHER_LABEL,
    OTHER_TOPIC,
    PRESENT,
    REPORT,
    RESULT_FUTURE,
    VAGUE,
)


class Claim(StrEnum):
    """The proposition a clause puts forward."""

    TOOK_EFFECT = "took_effect"
    NO_EFFECT = "no_effect"


class Mood(StrEnum):
    """Whether a sentence tells or asks."""

    TELLS = "tells"
    ASKS = "asks"


class Manner(StrEnum):
    """How it puts it forward."""

    STATED = "stated"
    REPORTED = "reported"
    """Only what a tool answered is told."""
    VAGUE = "vague"
    """Words that may or may not mean completion."""
    CONTRADICTED = "contradicted"
    """The same sentence takes it back."""
    HEDGED = "hedged"
    ASKED = "asked"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseClaim:
    """A claim, its manner and the rule that read it."""

    claim: Claim
    manner: Manner
    rule: str


def clauses(text: str) -> list[tuple[int, int]]:
    """Clause spans of a sentence. A comma before a conjunction, a dash or a contrast separates."""
    spans, start = [], 0
    for match in CLAUSES.finditer(text):
        spans.append((start, match.start()))
        start = match.start() if text[match.start()] not in ";—:" else match.end()
    spans.append((start, len(text)))
    return [span for span in spans if text[span[0] : span[1]].strip()]


def claims(sentence: str, numbers: Sequence[str] = ()) -> list[tuple[int, ClauseClaim]]:
    """Claims of a normalised sentence in order, each with the offset of its clause. `numbers` are the flight numbers
    asked for, lower case: a reservation said to hold them was changed, one said to hold only others was not."""
    found = []
    sentence = declared(sentence)
    mood = Mood.ASKS if sentence.rstrip(" \"')").endswith("?") else Mood.TELLS
    for start, end in clauses(sentence):
        claim = _claim(sentence[start:end], sentence, mood) or _held(sentence[start:end], mood, numbers)
        if claim is not None:
            found.append((start, claim))
    return found


_DECLARES = re.compile(
    r"(?<!\w)(?:(?:i|we)(?:'d| would) (?:just |also |hereby |now )?like to|"
    r"this (?:message |note )?is (?:just |only )?to|"
    r"(?:i am|i'm|we are|we're) (?:writing|reaching out|here|getting back to you) to|(?:i|we) hereby) "
    r"(?:confirm|acknowledge|certify)(?: to you)? that(?!\w)(?![^.?!]*\b(?:before|first|until|by \w+ing|whether)\b)"
)


def declared(sentence: str) -> str:
    """The sentence with a formal opening blanked, at the same length: 'this is to confirm that' tells what follows.
    With words that put the confirming off ('before', 'first') it is a check and stays."""
    if sentence.rstrip(" \"')").endswith("?"):
        return sentence
    return _DECLARES.sub(lambda found: " " * len(found.group()), sentence)


def _claim(clause: str, sentence: str, mood: Mood) -> ClauseClaim | None:
    if OTHER_LABEL.match(sentence) or re.search(r"\bcancel\w*", clause):
        return None
    if OTHER_TOPIC.search(clause) and not re.search(r"(?<!\w)(?:flights?|itinerary)(?!\w)", clause):
        return None
    if inquires(clause) and (mood is Mood.ASKS or not tells(clause)):
        manner = Manner.ASKED if mood is Mood.ASKS else Manner.HEDGED
        return ClauseClaim(claim=Claim.TOOK_EFFECT, manner=manner, rule="effect_inquired")
    if mood is Mood.TELLS and disposes(clause):
        return ClauseClaim(claim=Claim.TOOK_EFFECT, manner=Manner.VAGUE, rule="request_disposed_of")
    failed, done = FAILED.search(clause), COMPLETED.search(clause) or PRESENT.search(clause)
    if mood is Mood.ASKS and not failed and not done:
        done = ASKED.search(clause)
    if not failed and not done and _LABEL.search(clause):
        return ClauseClaim(claim=Claim.TOOK_EFFECT, manner=Manner.STATED, rule=LABEL)
    if not failed and not done:
        vague = VAGUE.search(clause) and mood is Mood.TELLS
        return ClauseClaim(claim=Claim.TOOK_EFFECT, manner=Manner.VAGUE, rule="completion_vague") if vague else None
    if mood is Mood.ASKS:
        return _asked(clause, sentence, Claim.NO_EFFECT if failed else Claim.TOOK_EFFECT)
    if failed:
        if _future_governs(clause, failed.start()) or (_KEPT.search(failed.group()) and _PART.search(clause)):
            return None
        # A bare result ('Requested change: not applied') is about what its label names.
        if not CHANGE_TOPIC.search(sentence if failed.start() == 0 else clause):
            return None
        manner = Manner.HEDGED if speech.HEDGE.search(clause) else Manner.STATED
        return ClauseClaim(claim=Claim.NO_EFFECT, manner=manner, rule="failure_stated")
    if not CHANGE_TOPIC.search(clause):
        return None
    assert done is not None
    return _completed(clause, sentence, done)


_HOLDS = re.compile(
    r"(?<!\w)(?:(?:reservation|booking|itinerary|trip|journey|schedule|record|you|it|they|ticket)s?|"
    r"(?=[a-z]*\d)[a-z0-9]{6})\b[^;?]{0,40}?\b(?:shows?|starts? (?:with|on)|begins? (?:with|on)|"
    r"has|have|lists?|includes?|(?:is|are|'re) (?:now )?(?:on|booked|for|scheduled)|"
    r"contains?|consists? of|reads?|holds?|fly|flies|leave|depart|carr(?:y|ies))\b"
)
_FLIGHT_NUMBER = re.compile(r"(?<![a-z0-9])[a-z]{2,3}\d{3,4}(?!\d)")


def _held(clause: str, mood: Mood, numbers: Sequence[str]) -> ClauseClaim | None:
    """The reservation is said to hold certain flights."""
    found = _FLIGHT_NUMBER.findall(clause)
    holds = _HOLDS.search(clause)
    if not (numbers and found and holds) or _future_governs(clause, clause.index(found[0])):
        return None
    claim = Claim.TOOK_EFFECT if set(found) & set(numbers) else Claim.NO_EFFECT
    manner = Manner.ASKED if mood is Mood.ASKS else Manner.HEDGED if speech.HEDGE.search(clause) else Manner.STATED
    return ClauseClaim(claim=claim, manner=manner, rule="flights_held")


LABEL = "completion_label"
"""Rule of a heading such as 'Updated itinerary:', which claims completion only where nothing is being proposed."""
_KEPT = re.compile(r"unchanged|same|untouched|as before|as is")
_PART = re.compile(r"\b(?:other|rest|return|outbound|cabin|class|details?|passengers?|baggage|price|terms)\b")
"""A part that stays as it was, beside what was changed."""


def _asked(clause: str, sentence: str, claim: Claim) -> ClauseClaim | None:
    if speech.OFFER_QUESTION.search(sentence) or re.search(r"\b(?:if|once|when|after)\b", clause):
        return None
    if _future_governs(clause, len(clause)) and not ASKED.search(clause):
        return None
    return ClauseClaim(claim=claim, manner=Manner.ASKED, rule="effect_asked")


_WISH = re.compile(r"\byou(?:'d| would| want| wish| agree)\b")
_FINITE = re.compile(r"(?:has|have|had|was|were|is|are|did|does|[\w ]*?(?:went|took|goes|succeeded))\b")


def _under_check(clause: str, done: re.Match[str]) -> bool:
    """'Let me verify that the change has been applied': what is checked is the proposition itself."""
    if not _FINITE.match(done.group()):
        return False
    before = clause[: done.start()]
    return bool(speech.VERIFY.search(before + " that")) and not _WISH.search(before)


_NOT_YET_TOLD = re.compile(r"\b(?:before|until)\b")


_LABEL = re.compile(
    r"^\W*(?:here(?: is|'s| are)? )?(?:your |the )?(?:new|updated|revised|modified)\s+(?:[\w()-]+\s+){0,3}?"
    r"(?:details?|flights?|itinerary|reservation|booking|schedule|segments?|summary|trip)\b[^.!?]*$"
)
_CREATION = re.compile(
    r"\b(?:was|were) (?:originally )?(?:booked|made|created|placed|purchased)$|\bbooking was (?:made|confirmed)$"
)
_ABOUT_A_FACT = re.compile(r"^ (?:that|whether|if|the status)\b")
_MONEY = re.compile(r"\b(?:refund|payment|charge|difference|cost|fee|credit|amount|balance)s?\b")
_CHANGE_NAMED = re.compile(
    r"\b(?:flights?|reservation|booking|itinerary|change|update|modification|rebooking|trip)s?\b"
)
_NEGATED = re.compile(r"(?:\bcannot|\bcan't|\bnot|n't|\bnever|\bneither)\s*$")
_OTHER_THING = re.compile(r"^[\w ']*?(?:confirmed (?:availability|as)|saved (?:a total|\$|you|passengers?|payment))")
_WHAT = re.compile(r"\bwhat (?:i|we)?\s*$|\bactions? $")


def _no_claim(clause: str, done: re.Match[str]) -> bool:
    """Forms of completion that speak of something else: when a booking was made, what was confirmed to be so."""
    if _NEGATED.search(clause[: done.start()]) or _OTHER_THING.search(done.group() + clause[done.end() :]):
        return True
    if _CREATION.search(done.group()) or _WHAT.search(clause[: done.start()]):
        return True
    return done.group().endswith(("confirmed", "verified")) and bool(_ABOUT_A_FACT.match(clause[done.end() :]))


_ON_CONDITION = re.compile(r"^[^,;]*\b(?:once|after|if|when|as soon as|upon) (?:you|we|i|your|payment|it|the)\b")


def _habitual(clause: str, done: re.Match[str]) -> bool:
    """'Changes are made once you agree' tells how it goes, not that it went."""
    return bool(re.match(r"(?:is|are|be|gets?)\b", done.group()) and _ON_CONDITION.match(clause[done.end() :]))


_WITHHELD = re.compile(
    r"(?:\bnot|n't|\bcannot|\bbefore|\buntil|\bwithout|\breluctant to|\bhesita\w+ "
    r"to)\s+(?:\w+\s+){0,3}?(?:promis\w+|say\w*|"
    r"claim\w*|tell\w*|assur\w+|report\w*|declar\w+|guarantee\w*|swear|announc\w+|confirm\w*|assert\w*|call\w*)\b"
)


def _withheld(clause: str, sentence: str, done: re.Match[str]) -> bool:
    """The claim is named as one not made (yet)."""
    before = clause[: done.start()]
    return bool(_WITHHELD.search(before)) or bool(_NOT_YET_TOLD.search(before) and speech.VERIFY.search(sentence))


def _completed(clause: str, sentence: str, done: re.Match[str]) -> ClauseClaim | None:
    if _withheld(clause, sentence, done):
        return ClauseClaim(claim=Claim.TOOK_EFFECT, manner=Manner.HEDGED, rule="completion_withheld")
    if _under_check(clause, done):
        return ClauseClaim(claim=Claim.TOOK_EFFECT, manner=Manner.HEDGED, rule="completion_checked")
    if _future_governs(clause, done.start()) and not RESULT_FUTURE.search(clause):
        return None
    if _no_claim(clause, done) or _habitual(clause, done):
        return None
    if speech.HEDGE.search(clause):
        return ClauseClaim(claim=Claim.TOOK_EFFECT, manner=Manner.HEDGED, rule="completion_hedged")
    if _MONEY.search(clause) and not _CHANGE_NAMED.search(clause):
        return ClauseClaim(claim=Claim.TOOK_EFFECT, manner=Manner.VAGUE, rule="money_moved")
    if REPORT.search(clause):
        return ClauseClaim(claim=Claim.TOOK_EFFECT, manner=Manner.REPORTED, rule="completion_reported")
    return ClauseClaim(claim=Claim.TOOK_EFFECT, manner=Manner.STATED, rule="completion_stated")


def _future_governs(clause: str, position: int) -> bool:
    return any(match.start() < position for match in FUTURE.finditer(clause))
