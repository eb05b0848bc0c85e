"""What is done with a value in its sentence: an ordered tuple of rules, one idea each; the first that applies
decides.

An act is read from the sentence and its neighbours only; whether the value is right plays no part in it, except that a
conflict is charged to the value that the message contradicts (`dependence` sees to that).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum

from sscb_pipeline.reconstruction import speech
from sscb_pipeline.reconstruction.references import finder_of
from sscb_pipeline.reconstruction.scene import Scene, Side, names
from sscb_pipeline.reconstruction.sentences import Sentence
from sscb_pipeline.trajectories.subject import ValueKind


class Act(StrEnum):
    """How a value is put forward."""

    DENIED = "denied"
    """The value is said not to hold ('not May 10')."""
    CONFLICT = "conflict"
    """It is named in order to say that it is wrong or does not fit."""
    CANDIDATE = "candidate"
    """It is one of several values that could hold."""
    CHECKED = "checked"
    """It is put up for checking, or asked about."""
    HEDGED = "hedged"
    """It is stated with reserve."""
    PRESUPPOSED = "presupposed"
    """An offer, request or plan takes it for granted."""
    STATED = "stated"
    """It is stated as a fact."""
    OPEN = "open"
    """The sentence leaves open which of these it is."""


ActRule = Callable[[Scene], Act | None]


def denied(scene: Scene) -> Act | None:
    """A negator stands directly before the value, or before the attribute's name in front of it ('not size 7')."""
    before = scene.before.rstrip(" :\"'(")
    for name in scene.subject.attributes:
        before = before.removesuffix(name.lower())
    return Act.DENIED if speech.NEGATOR.search(scene.before) or speech.NEGATOR.search(before) else None


def conflict(scene: Scene) -> Act | None:
    """The sentence, or one that points back at it, says that something is wrong; charged to v' only."""
    if scene.sides.injected not in scene.reference.values:
        return None
    if _contradicts(scene.sentence.text):
        return Act.CONFLICT
    if _order_noticed(scene):
        return Act.CONFLICT
    for sentence in scene.following(2):
        if _contradicts(sentence.text) and _points_back(scene, sentence.text):
            return Act.CONFLICT
    previous = scene.preceding()
    if previous is not None and _contradicts(previous.text) and re.search(r":\W*$", previous.text):
        return Act.CONFLICT
    if any(_contradicts(heading) for heading in scene.sentence.headings):
        return Act.CONFLICT
    return None


_CONDITION = re.compile(r"\b(?:if|in case|unless|whether|should (?:it|this|that|any\w*))\b[^,;]*$")
_DENIED_CONFLICT = re.compile(r"\bno (?:\w+ )?$|\bapologi[sz]e for [\w ]*$|\bnot? (?:\w+ )?$")


_OWN_ERROR = re.compile(r"\b(?:my|own|i was|i were|i am|i'm|i made an?)\s+$")
"""The agent's own slip, owned up to, is no word about the record."""


def _contradicts(text: str) -> bool:
    """A word of conflict that is neither conditional ('if this seems wrong') nor itself denied ('no conflicts')."""
    for match in speech.CONFLICT.finditer(text):
        before = text[: match.start()]
        if not (_CONDITION.search(before) or _DENIED_CONFLICT.search(before) or _OWN_ERROR.search(before)):
            return True
    return False


def _spelled_here(scene: Scene, value: str, text: str) -> bool:
    return scene.subject.kind is not ValueKind.EFFECT and names(scene.subject, text, value)


def _points_back(scene: Scene, text: str) -> bool:
    if speech.ANAPHOR.search(text) or any(_spelled_here(scene, value, text) for value in scene.reference.values):
        return True
    words = (*scene.subject.attributes, *scene.subject.names, *scene.subject.identifiers)
    return any(word.lower() in text for word in words)


_ORDER = re.compile(
    r"\b(?:before|earlier than|prior to|precedes|preceding|ahead of|"
    r"predates)\b(?:(?!\b(?:return|inbound|back|home)\b)[\w' ,]){0,30}?\b(?:outbound|outgoing|departure|"
    r"you(?:'d)? (?:even )?(?:leave|"
    r"left|depart|fly out|set off|arrive)|departing|trip|journey|first leg|leave|leaving)\b"
)


_DISTANCE = re.compile(r"\b(?:days?|nights?|weeks?)\s*$")
_NOTICED = re.compile(
    r"\b(?:notic\w+|note|noting|but|though|although|however|which|even|yet|whereas|while|this|"
    r"that|strange\w*|odd\w*|actually)\b"
)


def _order_noticed(scene: Scene) -> bool:
    """The value is said to lie before the outbound leg: the contradiction itself, put in words.

    A bare distance ('leaves three days before your outbound flight') may also be told as a plain derived fact; it is
    noticed as a contradiction only with a word of contrast or relation before it.
    """
    for text in (scene.sentence.text, *(item.text for item in scene.following(1))):
        for match in _ORDER.finditer(text):
            if not _DISTANCE.search(text[: match.start()]) or _NOTICED.search(text[: match.start()]):
                return True
    return False


_CONTRAST = re.compile(r"\b(?:but|though|although|however|yet|whereas|while|actually|really|in fact)\b")
_ATTRIBUTED = re.compile(
    r"\b(?:label(?:l?ed|s)|list(?:ed|s)|record(?:s|ed)?|profile|system|file|screen|database|order|"
    r"says?|said|shows?|shown|showed|gives?|given|calls?|called|"
    r"marks?|marked|describes?|described|reports?|reported|states?|stated|displays?|displayed|"
    r"puts?|tagged|entered|stored|registered|reads?)\b"
)


_COMMA = re.compile(r"[,;:()—]|\bbut\b|\bwhile\b|\bwhereas\b")


def contrasted(scene: Scene) -> Act | None:
    """v' is what some record says, and the other value is set against it in the same or the next sentence."""
    if scene.sides.injected not in scene.reference.values:
        return None
    text = scene.sentence.text
    left = max((match.end() for match in _COMMA.finditer(scene.before)), default=0)
    behind = _COMMA.search(scene.after)
    right = scene.end + behind.start() if behind else len(text)
    if not _ATTRIBUTED.search(text[left:right]):
        return None
    rest = f"{text[: scene.start]} | {text[scene.end :]}"
    if _CONTRAST.search(text) and _spelled(scene, scene.sides.authoritative, rest):
        return Act.CONFLICT
    for sentence in scene.following(1):
        opens = _CONTRAST.search(sentence.text[:25])
        if opens and _spelled(scene, scene.sides.authoritative, sentence.text):
            return Act.CONFLICT
    return None


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


def _spelled(scene: Scene, value: str, window: str) -> bool:
    return any(
        value in mention.values and value not in scene.reference.values
        for mention in finder_of(scene.subject)(window, window)
    )


def checked(scene: Scene) -> Act | None:
    """Verification is what the sentence, its heading or the sentence after it is for."""
    text = scene.sentence.text
    if _committed(scene):
        return None
    if _verifies(text) and not _IDENTITY.search(text):
        return Act.CHECKED
    for heading in scene.sentence.headings:
        if _verifies(heading) or (heading.rstrip(" :").endswith("?") and not speech.OFFER_QUESTION.search(heading)):
            return Act.OPEN if speech.PROCEED.search(scene.reading.lowered) else Act.CHECKED
    for sentence in scene.following(1):
        if (
            _verifies(sentence.text)
            and _points_back(scene, sentence.text)
            and not speech.ACTION_CONFIRM.search(sentence.text)
        ):
            return Act.CHECKED
    previous = scene.preceding()
    if previous is not None and _verifies(previous.text) and _LEADS_ON.search(previous.text):
        return Act.CHECKED
    return None


_LEADS_ON = re.compile(r":\W*$|\b(?:something|one (?:thing|detail|point)|a (?:detail|point))\b")


def _committed(scene: Scene) -> bool:
    left, right = speech.clause(scene.sentence.text, scene.start, scene.end)
    return bool(speech.ASSERT_CONFIRM.search(scene.sentence.text[left:right]))


def _verifies(text: str) -> bool:
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
        and any(_spelled_here(scene, value, text) for value in scene.reference.values)
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
    if speech.HEDGE.search(opening) and not re.search(r",\s+(?:but|and|so)\s|[;.]", opening):
        return Act.HEDGED
    if speech.DOUBT.search(text[right:]):
        return Act.HEDGED
    for sentence in scene.following(1):
        if re.match(r"\W*(?:if|in case|should)\b", sentence.text):
            continue
        if speech.DOUBT.search(sentence.text) and _points_back(scene, sentence.text):
            return Act.HEDGED
    if any(speech.HEDGE.search(heading) for heading in scene.sentence.headings):
        return Act.HEDGED
    return None


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
