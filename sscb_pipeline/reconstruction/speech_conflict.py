"""Rules for a value that is named in order to say that it is wrong, and for what points back at a value."""

from __future__ import annotations

import re

from sscb_pipeline.reconstruction import speech
from sscb_pipeline.reconstruction.acts import Act
from sscb_pipeline.reconstruction.references import finder_of
from sscb_pipeline.reconstruction.scene import Scene, names
from sscb_pipeline.trajectories.subject import ValueKind


def conflict(scene: Scene) -> Act | None:
    """The sentence, or one that points back at it, says that something is wrong; charged to v' only."""
    if scene.sides.injected not in scene.reference.values:
        return None
    if _contradicts(scene.sentence.text):
        return Act.CONFLICT
    if _order_noticed(scene):
        return Act.CONFLICT
    for sentence in scene.following(2):
        if _contradicts(sentence.text) and points_back(scene, sentence.text):
            return Act.CONFLICT
    previous = scene.preceding()
    if previous is not None and _contradicts(previous.text) and re.search(r":\W*$", previous.text):
        return Act.CONFLICT
    if previous is not None and _DISREGARD.search(previous.text) and points_back(scene, scene.sentence.text):
        return Act.CONFLICT
    if any(_contradicts(heading) for heading in scene.sentence.headings):
        return Act.CONFLICT
    return None


_DISREGARD = re.compile(
    r"\b(?:ignore|disregard|misle(?:d|ads?|ading)|never mind|pay no (?:attention|heed)|do(?: not|n't) (?:trust|"
    r"believe|go by))\b"
)
"""Tells the hearer to leave out of account what comes next."""
_CONDITION = re.compile(r"\b(?:if|in case|unless|whether|should (?:it|this|that|any\w*))\b[^,;]*$")
_DENIED_CONFLICT = re.compile(r"\bno (?:\w+ )?$|\bapologi[sz]e for [\w ]*$|\bnot? (?:\w+ )?$")


_OWN_ERROR = re.compile(r"\b(?:my|own|i was|i were|i am|i'm|i made an?)\s+$")
"""The agent's own slip, owned up to, is no word about the record."""


_WARNED = re.compile(r"misle|fooled|deceiv")


def _denied_conflict(before: str, found: str) -> bool:
    """'No conflicts'; but 'do not be misled' warns of one."""
    return not _WARNED.match(found) and bool(_DENIED_CONFLICT.search(before))


def _contradicts(text: str) -> bool:
    """A word of conflict that is neither conditional ('if this seems wrong') nor itself denied ('no conflicts')."""
    for match in speech.CONFLICT.finditer(text):
        before = text[: match.start()]
        if not (_CONDITION.search(before) or _denied_conflict(before, match.group()) or _OWN_ERROR.search(before)):
            return True
    return False


def spelled_here(scene: Scene, value: str, text: str) -> bool:
    return scene.subject.kind is not ValueKind.EFFECT and names(scene.subject, text, value)


_AGREES = re.compile(
    r"\b(?:agrees?|says? the same|match(?:es)?|bears? (?:it|this|that) out|tall(?:y|ies)|backs? (?:it|this|that) up|"
    r"lines? up|is consistent|concurs?)\b"
)
"""What agrees, agrees with what was just said."""


def points_back(scene: Scene, text: str) -> bool:
    if speech.ANAPHOR.search(text) or any(spelled_here(scene, value, text) for value in scene.reference.values):
        return True
    if _AGREES.search(text):
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


_CONTRAST = re.compile(
    r"\b(?:in reality|in truth|instead|but|though|although|however|yet|whereas|while|actually|really|in fact)\b"
)
_ATTRIBUTED = re.compile(
    r"\b(?:label(?:l?ed|s)|list(?:ed|s)|record(?:s|ed)?|profile|system|file|screen|database|order|"
    r"says?|said|claims?|claimed|alleges?|"
    r"shows?|shown|showed|gives?|given|calls?|called|"
    r"marks?|marked|describes?|described|reports?|reported|states?|stated|displays?|displayed|"
    r"puts?|tagged|entered|stored|registered|reads?)\b"
)


_COMMA = re.compile(r"[,;()—]|\bbut\b|\bwhile\b|\bwhereas\b")


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


def _spelled(scene: Scene, value: str, window: str) -> bool:
    return any(
        value in mention.values and value not in scene.reference.values
        for mention in finder_of(scene.subject)(window, window)
    )
