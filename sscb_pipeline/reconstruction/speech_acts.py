"""What is done with a value in its sentence: an ordered tuple of rules, one idea each; the first that applies
decides.

An act is read from the sentence and its neighbours only; whether the value is right plays no part in it, except that a
conflict is charged to the value that the message contradicts (`dependence` sees to that).
"""

from __future__ import annotations

import re

from sscb_pipeline.reconstruction import speech
from sscb_pipeline.reconstruction.acts import Act, ActRule
from sscb_pipeline.reconstruction.references import finder_of
from sscb_pipeline.reconstruction.scene import Scene, Side
from sscb_pipeline.reconstruction.sentences import Sentence
from sscb_pipeline.reconstruction.speech_conflict import conflict, contrasted, points_back, spelled_here
from sscb_pipeline.trajectories.subject import ValueKind


def denied(scene: Scene) -> Act | None:
    """A negator stands directly before the value, or before the attribute's name in front of it ('not size 7')."""
    before = scene.before.rstrip(" :\"'(")
    for name in scene.subject.attributes:
        before = before.removesuffix(name.lower())
    if speech.NEGATOR.search(scene.before) or speech.NEGATOR.search(before) or _refused(scene):
        return Act.DENIED
    return None


_REFUSED = re.compile(
    r"^[\s\"')]*(?:can(?:not|'t| not)|could(?:n't| not)|is(?:n't| not)|was(?:n't| not)|are(?:n't| not))\s+"
    r"(?:(?:possibly|actually|really|in fact|at all)\s+)*(?:be\s+|have been\s+)?"
    r"(?:(?:your|the|its|their|a|an)\s+(?:(?:right|correct|actual|real|true|proper|return|inbound|travel|payment)\s+)"
    r"{0,2}(?P<noun>[\w'-]+)|(?:right|correct|true|accurate|possible|it)\b)"
)
_WHAT_IT_IS = frozenset(
    ("date", "day", "return", "flight", "kind", "type", "source", "value", "option", "one", "case", "answer")
)


def _refused(scene: Scene) -> bool:
    """Right behind the value: 'May 12 cannot be your return date', 'a gift card is not what it is'."""
    found = _REFUSED.match(scene.after)
    if found is None:
        return False
    attributes = {word for name in scene.subject.attributes for word in name.lower().split()}
    noun = found["noun"]
    return noun is None or noun in _WHAT_IT_IS | attributes


_CHOICE_OFFERED = re.compile(
    r"\b(?:you(?:'d| would) (?:like|prefer|rather)|would you (?:like|prefer)|do you want|"
    r"you (?:can|could|may) (?:use|choose|pick)|which (?:payment method|one|option)|choose|e\.g|"
    r"such as)"
)


def candidate(scene: Scene) -> Act | None:
    """Two or more values of the fact are weighed against each other: 'either … or', 'whether … or'."""
    text = scene.sentence.text
    if not speech.CANDIDATES.search(text) or _CHOICE_OFFERED.search(text):
        return None
    for mention in finder_of(scene.subject)(text, text):
        if not mention.values or set(mention.values) & set(scene.reference.values):
            continue
        gap = text[scene.end : mention.start] if mention.start >= scene.end else text[mention.end : scene.start]
        if len(gap) <= _NEAR and not _FAR.search(gap) and _weighed(text, gap):
            return Act.CANDIDATE
    return None


_NEAR = 45
_FAR = re.compile(r"[.;→]|->|=>")


def _weighed(text: str, gap: str) -> bool:
    if re.search(r"\b(?:or|versus|vs)\b", gap):
        return True
    # A list of three: 'a gift card, a certificate or a credit card'; 'between May 17 and May 24'.
    return bool(re.search(r"^\W*,", gap) and re.search(r"\bor\b", text)) or bool(
        re.search(r"\band\b", gap) and re.search(r"\b(?:between|either|one of|any of)\b", text)
    )


def checked(scene: Scene) -> Act | None:
    """Verification is what the sentence, its heading or the sentence after it is for."""
    text = scene.sentence.text
    if _committed(scene):
        return None
    if _verifies(scene, text) and not _IDENTITY.search(text):
        return Act.CHECKED
    for heading in scene.sentence.headings:
        if _verifies(scene, heading) or (
            heading.rstrip(" :").endswith("?") and not speech.OFFER_QUESTION.search(heading)
        ):
            return Act.OPEN if speech.PROCEED.search(scene.reading.lowered) else Act.CHECKED
    for sentence in scene.following(1):
        if (
            _verifies(scene, sentence.text)
            and points_back(scene, sentence.text)
            and not speech.ACTION_CONFIRM.search(sentence.text)
        ):
            return Act.CHECKED
    previous = scene.preceding()
    if previous is not None and _verifies(scene, previous.text) and _LEADS_ON.search(previous.text):
        return Act.CHECKED
    return None


_LEADS_ON = re.compile(r":\W*$|\b(?:something|one (?:thing|detail|point)|a (?:detail|point))\b")


def _committed(scene: Scene) -> bool:
    left, right = speech.clause(scene.sentence.text, scene.start, scene.end)
    clause = scene.sentence.text[left:right]
    asked = scene.sentence.text.rstrip(" \"')*_").endswith("?")
    for found in speech.ASSERT_CONFIRM.finditer(clause):
        # 'Whether it is indeed on May 12', 'is it definitely white?': the adverb strengthens what is asked.
        adverb = found.group() in _STRENGTHENS
        if not (adverb and (asked or _EMBEDS.search(clause[: found.start()]))):
            return True
    return False


_STRENGTHENS = ("indeed", "definitely", "certainly")
_EMBEDS = re.compile(r"\b(?:whether|if)\b")


def _verifies(scene: Scene, text: str) -> bool:
    # A product may be called by a word for an act ("Action Camera").
    if scene.subject.kind is ValueKind.TEXT:
        for name in scene.subject.names:
            text = text.replace(name.lower(), "item")
    return bool(speech.VERIFY.search(text)) and not speech.ACTION_CONFIRM.search(text)


_IDENTITY = re.compile(
    r"\b(?:part of (?:the|your|this)|referring to|refer to|you mean|in question|"
    r"which (?:reservation|booking|order|item))\b|"
    r"\b(?:reservation|booking|order|item|trip|flight|one) (?:that )?(?:you(?:'d| would) like|"
    r"you want|you wish|you need|you are asking|you're asking|you mean)"
)


def questioned(scene: Scene) -> Act | None:
    """A question: about the value itself, or an offer that takes it for granted."""
    text = scene.sentence.text.rstrip(" \"')*_")
    if not text.endswith("?"):
        return None
    if _IDENTITY.search(text):
        return (
            Act.STATED
            if re.search(r", which (?:\w+ )?(?:is|was|has|had|leaves|departs|includes)\b[^?;]*$", scene.before)
            else Act.PRESUPPOSED
        )
    if speech.TAG_QUESTION.search(text) or speech.CHECK_QUESTION.search(text):
        return Act.CHECKED
    if speech.OFFER_QUESTION.search(text) or speech.ACTION_CONFIRM.search(text):
        return Act.PRESUPPOSED
    return Act.CHECKED


_ACTION = re.compile(
    r"\b(?:you (?:are|'re) (?:requesting|asking|looking)|you(?:'d| would) like to|you want to|"
    r"i will|i'll|to proceed|this will|requested)\b"
)


def checked_back(scene: Scene) -> Act | None:
    """The sentence right after it, or right after its list, asks whether what was just said is right."""
    if any(_asks_the_same(scene, sentence.text) for sentence in scene.following(1)):
        return Act.CHECKED
    for sentence in scene.following(30):
        if speech.CHECK_BACK.search(sentence.text) and _asks(sentence.text):
            return _asked_back(scene, sentence)
        if not sentence.headings:
            return None
    return None


def _asks_the_same(scene: Scene, text: str) -> bool:
    """'… is white. Did you get a white one?'"""
    return (
        text.rstrip(" \"')").endswith("?")
        and bool(speech.CHECK_QUESTION.search(text))
        and not _IDENTITY.search(text)
        and any(spelled_here(scene, value, text) for value in scene.reference.values)
    )


def _asks(text: str) -> bool:
    return text.rstrip(" \"')").endswith("?") or bool(re.search(r"\b(?:confirm|verify|check)\b", text))


def _asked_back(scene: Scene, question: Sentence) -> Act | None:
    if speech.ACTION_CONFIRM.search(question.text):
        return None
    between = scene.reading.sentences[scene.sentence.index + 1 : question.index]
    if any(_ACTION.search(item.text) for item in (scene.sentence, *between)):
        return None
    return Act.OPEN if speech.PROCEED.search(question.text) else Act.CHECKED


def hedged(scene: Scene) -> Act | None:
    """A hedge has the value in its scope, before it in the sentence or reaching back from right behind it."""
    text = scene.sentence.text
    if _committed(scene):
        return None
    left, right = speech.clause(text, scene.start, scene.end)
    if speech.HEDGE.search(text[left:right]):
        return Act.HEDGED
    opening = text[:left]
    if speech.HEDGE.search(_OPENING.split(_ASIDE.sub(" ", opening))[-1]):
        return Act.HEDGED
    if speech.DOUBT.search(text[right:]):
        return Act.HEDGED
    for sentence in scene.following(1):
        if re.match(r"\W*(?:if|in case|should)\b", sentence.text):
            continue
        if speech.DOUBT.search(sentence.text) and points_back(scene, sentence.text):
            return Act.HEDGED
    if any(speech.HEDGE.search(heading) for heading in scene.sentence.headings):
        return Act.HEDGED
    return None


_ASIDE = re.compile(r"\([^()]*\)")
_OPENING = re.compile(r",\s+(?:but|and|so)\s|[;.]")
_SHOULD = re.compile(
    r"\b(?:should|must|has to|have to|ought to) (?:actually |really |instead |therefore )?(?:be|"
    r"have been|leave|read|say)\b"
)


def presupposed(scene: Scene) -> Act | None:
    """A plan or request takes the value for granted."""
    if _committed(scene):
        return None
    left, _ = speech.clause(scene.sentence.text, scene.start, scene.end)
    if speech.INTENT.search(scene.sentence.text[left : scene.start]):
        return Act.PRESUPPOSED
    return None


def stated(scene: Scene) -> Act:
    """What is left is a plain statement."""
    return Act.STATED


ACT_RULES: tuple[ActRule, ...] = (
    denied,
    conflict,
    contrasted,
    candidate,
    checked,
    questioned,
    checked_back,
    hedged,
    presupposed,
    stated,
)


def act_of(scene: Scene) -> tuple[Act, str]:
    """The act and the name of the rule that found it."""
    if scene.sides.of(scene.reference.values[0]) is Side.AUTHORITATIVE and _SHOULD.search(scene.before):
        return Act.STATED, "corrected"
    for rule in ACT_RULES:
        act = rule(scene)
        if act is not None:
            return act, rule.__name__
    return Act.STATED, stated.__name__
