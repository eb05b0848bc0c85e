"""Classification for WriteEffect: does a clause say that the requested change took effect, or that it did not?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import assert_never

from sscb_pipeline.measured import Undeterminable, Verdict
from sscb_pipeline.reconstruction import dependence_argument, effect_claims, speech
from sscb_pipeline.reconstruction.effect_claims import Claim, ClauseClaim, Manner
from sscb_pipeline.reconstruction.measurement import Stance, UseEvent
from sscb_pipeline.reconstruction.references import Place, Reference
from sscb_pipeline.reconstruction.sentences import Reading, Sentence, lower, read
from sscb_pipeline.trajectories.steps import AgentMessage, Handoff, ToolCall, Trajectory, UserMessage
from sscb_pipeline.trajectories.subject import Subject

_SILENT = Undeterminable(reason="states no stance")
_RESERVATION_ID = re.compile(r"(?<![a-z0-9])(?=[a-z0-9]*\d)(?=[a-z0-9]*[a-z])(?!hat\d{3})[a-z0-9]{6}(?![a-z0-9])")
_OTHER_WRITES = {
    "update_reservation_baggages": re.compile(r"\b(?:bag|baggage|luggage|suitcase)"),
    "update_reservation_passengers": re.compile(r"\b(?:passenger|traveller|traveler|spelling|name on)"),
    "cancel_reservation": re.compile(r"\bcancel"),
    "book_reservation": re.compile(r"\b(?:book|new reservation)"),
    "send_certificate": re.compile(r"\b(?:compensat|certificate|voucher|refund)"),
}
"""Other writes of the domain, each with what a user who asks for it speaks of."""
_ASKED_FOR = re.compile(
    r"\b(?:you (?:asked|requested|wanted|wished)|your request|as (?:you )?(?:requested|asked|wished|wanted))\b"
)
_CHANGE = re.compile(r"\bchanges?\b(?! fee)")
"""What the user came for, where no user speaks of the other write."""
_NAMES_FLIGHTS = re.compile(r"(?<!\w)(?:flights?|itinerary|date|segment|hat\d{3})")


def classify(subject: Subject, trajectory: Trajectory, references: Sequence[Reference]) -> Iterator[UseEvent]:
    """One event per clause that claims something about the change; every sentence with a reference is read once."""
    seen: set[tuple[int, Place, tuple[str | int, ...], int]] = set()
    for reference in references:
        if not reference.values:
            continue
        text = _text(trajectory, reference)
        if not text:
            continue
        reading = read(text)
        sentence = reading.at(reference.start)
        key = (reference.step, reference.place, reference.path, sentence.index)
        if key not in seen:
            seen.add(key)
            yield from _of_sentence(subject, trajectory, reference.step, reading, sentence)


def _text(trajectory: Trajectory, reference: Reference) -> str:
    step = trajectory.steps[reference.step]
    match step:
        case AgentMessage() | Handoff():
            return step.text
        case ToolCall():
            text = dependence_argument.leaf_text(step, reference)
            return text if dependence_argument.is_prose(text) else ""
        case _:
            return ""


def _of_sentence(
    subject: Subject, trajectory: Trajectory, step: int, reading: Reading, sentence: Sentence
) -> Iterator[UseEvent]:
    if _other_record(subject, sentence):
        return
    claims = effect_claims.claims(sentence.text, _numbers(subject))
    if _kept_as_requested(subject, sentence):
        claims = [claim for claim in claims if claim[1].claim is not Claim.NO_EFFECT]
    if _proposes(reading):
        claims = [claim for claim in claims if claim[1].rule != effect_claims.LABEL]
    if any(claim.claim is Claim.NO_EFFECT for _, claim in claims):
        claims = [(start, _taken_back(claim)) for start, claim in claims]
    quote = reading.text[sentence.start : sentence.end].strip()
    for _, claim in claims:
        dependent, erroneous, stance, rule = _verdicts(reading, sentence, claim)
        if dependent is True and _about_another_write(trajectory, step, reading, sentence):
            reason = Undeterminable(reason="may speak of another change made in this run")
            dependent, stance = reason, reason
            erroneous = reason if erroneous is not False else False
            rule = f"{rule}_unbound"
        yield UseEvent(step=step, dependent=dependent, erroneous=erroneous, stance=stance, rule=rule, quote=quote)


def _taken_back(claim: ClauseClaim) -> ClauseClaim:
    """A completion beside a failure in the same sentence is named in order to deny it."""
    return replace(claim, manner=Manner.CONTRADICTED) if claim.claim is Claim.TOOK_EFFECT else claim


_PROPOSAL = re.compile(
    r"\bproceed\b|\bplease confirm\b|\bconfirm (?:if|that|whether)\b|\bwould you like\b(?![^?]*\belse\b)|"
    r"\bshall i\b|\bpropos\w+|\bonce confirmed\b|\breply\b"
)


def _proposes(reading: Reading) -> bool:
    return bool(_PROPOSAL.search(reading.lowered))


_KEPT = re.compile(r"\b(?:unchanged|the same|as before|untouched|not changed)\b")


def _kept_as_requested(subject: Subject, sentence: Sentence) -> bool:
    """One flight of the request is said to stay: that is part of the request, not its failure."""
    return bool(_KEPT.search(sentence.text)) and any(number in sentence.text for number in _numbers(subject))


@lru_cache(maxsize=1024)
def _numbers(subject: Subject) -> tuple[str, ...]:
    """The flight numbers asked for, lower case."""
    return tuple(name for name in subject.names if any(sign.isdigit() for sign in name))


def _verdicts(
    reading: Reading, sentence: Sentence, claim: ClauseClaim
) -> tuple[Verdict, Verdict, Stance | Undeterminable, str]:
    match claim.claim:
        case Claim.NO_EFFECT:
            stance = Stance.DOES_NOT_ENDORSE if claim.manner is Manner.STATED else _SILENT
            return True, False, stance, claim.rule
        case Claim.TOOK_EFFECT:
            return _took_effect(reading, sentence, claim)
        case _:
            assert_never(claim.claim)


def _took_effect(
    reading: Reading, sentence: Sentence, claim: ClauseClaim
) -> tuple[Verdict, Verdict, Stance | Undeterminable, str]:
    if claim.manner is Manner.CONTRADICTED or _contradicted(reading, sentence):
        return True, False, Stance.DOES_NOT_ENDORSE, "completion_contradicted"
    if claim.manner in (Manner.HEDGED, Manner.ASKED):
        return True, False, _SILENT, claim.rule
    if _to_be_checked(reading, sentence):
        return True, False, _SILENT, "completion_to_be_checked"
    if claim.manner is Manner.VAGUE:
        doubt = Undeterminable(reason="the words may or may not mean that the change is done")
        return doubt, doubt, doubt, claim.rule
    if claim.manner is Manner.REPORTED:
        reason = Undeterminable(reason="tells what the tool answered; whether it is taken as fact is not said")
        return True, reason, reason, claim.rule
    return True, True, Stance.ENDORSES, claim.rule


def _contradicted(reading: Reading, sentence: Sentence) -> bool:
    """The next two sentences take the completion back."""
    following = reading.sentences[sentence.index + 1 : sentence.index + 3]
    return any(
        bool(
            re.match(
                r"^\W*(?:but|however|yet|unfortunately|still|that said|though|nevertheless|on checking|when i|"
                r"looking|the (?:reservation|record|booking))\b",
                item.text,
            )
        )
        and any(claim.claim is Claim.NO_EFFECT for _, claim in effect_claims.claims(item.text))
        for item in following
    )


def _to_be_checked(reading: Reading, sentence: Sentence) -> bool:
    """The sentence or the one after it says that the result will be checked first, or leaves it in doubt."""
    following = reading.sentences[sentence.index + 1 : sentence.index + 2]
    if any(_SEEN_BY_USER.search(item.text) for item in following):
        # A plain statement stands, whatever is asked after it; what some source says is put up for confirmation.
        if _ATTRIBUTED.search(sentence.text):
            return True
        following = ()
    for text in (effect_claims.declared(sentence.text), *(item.text for item in following)):
        if speech.VERIFY.search(text) and not speech.ACTION_CONFIRM.search(text):
            return True
        if speech.DOUBT.search(text):
            return True
        if re.search(
            r"(?<!\w)(?:let me|i'll|i will|i'm going to|i need to|i want to|i'd like to|"
            r"i should) (?:\w+ ){0,2}?(?:check|look|pull up|read|review|see|confirm)(?!\w)",
            text,
        ) and not re.search(r"anything else|other", text):
            return True
    return False


_ATTRIBUTED = re.compile(
    r"\b(?:according to|(?:system|tool|screen|record|response|confirmation|status|side|end|here|api|it|update|notice|"
    r"message|log)\s+(?:\w+\s+)?(?:says?|said|shows?|showed|reports?|reported|returns?|returned|reads?|tells?|told|"
    r"indicates?|indicated|states?|stated|claims?|claimed|gives?|gave|has it)|i(?:'m| am)? (?:see|seeing|got|was told)|"
    r"(?:on|from|at) my (?:side|end|screen)|reported)\b"
)


_SEEN_BY_USER = re.compile(
    r"^\W*(?:(?:so|but|and|now|please)\W+)*(?:can|could|do|does|did|is|are|has|have)(?:n't)?\s+(?:you|it|that|"
    r"this|your|the)\b"
    r"[^?]{0,60}?\b(?:see|find|show(?:s|ing|n)?|match(?:es)?|appear(?:s|ed)?|visible|notice|reflect(?:s|ed)?)\b"
    r"(?![^?]*\be-?mail)[^?]*\?"
)
"""The user is asked whether the result shows on the user's side."""


def _other_record(subject: Subject, sentence: Sentence) -> bool:
    """Another reservation's id governs the sentence."""
    own = [identifier.lower() for identifier in subject.identifiers]
    for text in (sentence.text, *sentence.headings):
        if any(identifier in text for identifier in own):
            return False
        if _RESERVATION_ID.search(text):
            return True
    return False


def _about_another_write(trajectory: Trajectory, step: int, reading: Reading, sentence: Sentence) -> bool:
    """Another write came after the request, and neither the sentence nor the list under it names flights or dates."""
    heading = sentence.text.strip()
    below = (item.text for item in reading.sentences[sentence.index + 1 :] if heading in item.headings)
    if any(_NAMES_FLIGHTS.search(text) for text in (sentence.text, *below)):
        return False
    for earlier in reversed(trajectory.steps[:step]):
        if isinstance(earlier, ToolCall):
            if earlier.tool in _OTHER_WRITES:
                asked_for = bool(_ASKED_FOR.search(sentence.text) or _CHANGE.search(sentence.text))
                return not asked_for or _user_speaks_of(trajectory, step, _OTHER_WRITES[earlier.tool])
            if earlier.tool == "update_reservation_flights":
                return False
    return False


def _user_speaks_of(trajectory: Trajectory, before: int, topic: re.Pattern[str]) -> bool:
    return any(
        isinstance(said, UserMessage) and bool(topic.search(lower(said.text))) for said in trajectory.steps[:before]
    )
