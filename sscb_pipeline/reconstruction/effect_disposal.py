"""Clauses that put a request, a matter or the whole exchange behind the speaker, without saying what became of it.

'Your request has been dealt with' may or may not mean that the change is done, and a reader could not say.
"""

from __future__ import annotations

import re

_REQUEST = (
    r"(?:requests?|matters?|case|ticket|issues?|tasks?|job|business|inquiry|enquiry|concern|one|thing|"
    r"(?:part|end|side|share|bit) of (?:the |this |it|that )?\w*|work|paperwork|what you (?:asked|wanted|"
    r"requested|needed)(?: for| me to do)?)"
)
_OBJECT = rf"(?:(?:your|the|this|that|my|our)\s+(?:\w+\s+)?)?{_REQUEST}"
_DISPOSED = (
    r"(?:handled|dealt with|taken care of|seen to|attended to|looked after|addressed|resolved|wrapped up|"
    r"closed(?: out| off)?|"
    r"finished(?: with| off)?|concluded|settled|squared away|rounded off|put to (?:bed|rest)|sorted(?: out)?|tied up|"
    r"finali[sz]ed|actioned|cleared|fulfilled|worked through|ticked off|crossed off|checked off|done with|"
    r"through with)"
)
_PERFECT = r"(?:has|have|'ve|'s|is|are|was|were|got|now)(?:\s+(?:now|just|all|been|already|also|fully|duly|both))*"
_BE = r"(?:is|are|'s|was|has been|have been|should be)(?:\s+(?:now|all|just|already))*"
_AWAY = (
    r"(?:(?:no longer|not) on (?:my|our|your|the) \w+|over|at an end|off (?:my|our|your|the) \w+|out of (?:the "
    r"way|my hands|our hands)|behind (?:us|me|you)|in (?:good|"
    r"safe) hands|"
    r"in motion|on (?:its|the) way|in the (?:works|pipeline|bag)|in hand|under control|history|a wrap|covered|"
    r"over and done(?: with)?|closed|finished|settled|(?:all )?squared(?: away)?)"
)
_ID = r"(?=[a-z]*\d)[a-z0-9]{6}"
_SAID_OF = r"(?:\s+(?!(?:not|never|will|would|can|could|should|to be|be)\b)[\w#]+){0,6}?"
"""What the request is about, between the request and what became of it."""
DISPOSED = re.compile(
    rf"(?<!\w)(?:(?:i|we)(?:'ve|'m|'re| have| am| are)?(?:\s+(?:now|just|all|also|already|fully|personally))*\s+"
    rf"(?:{_DISPOSED}|saw to|dealt with|attended to|looked after|took care of|finished(?: with)?|"
    rf"handled)\s+(?:\w+\s+)?"
    rf"(?:{_OBJECT}|things?|everything|it|this|that|{_ID})\b"
    rf"|{_OBJECT}{_SAID_OF}\s+{_PERFECT}\s+{_DISPOSED}"
    rf"|(?:that|this|it|{_ID})\s*{_PERFECT}\s+(?:handled|dealt with|taken care of|seen to|attended to|looked after|"
    rf"addressed|sorted(?: out)?|wrapped up|squared away|settled)"
    rf"|(?:{_OBJECT}{_SAID_OF}|it|that|{_ID})\s*{_BE}\s+{_AWAY}"
    rf"|that(?:'s| is| was)\s+{_OBJECT}(?:\s+\w+){{0,3}}?\s+{_DISPOSED}"
    rf"|(?:that|this)\s+(?:takes care of|wraps up|concludes|settles|covers|closes|sees to|does it|finishes|"
    rf"rounds off)"
    rf"|consider\s+(?:it|this|that|{_OBJECT})\s+(?:\w+\s+)?(?:{_DISPOSED}|done|closed|settled)"
    rf")(?!\w)"
)
"""A request or matter is said to be disposed of."""

SIGN_OFF = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|right|alright|all right|well|great|perfect|so|good|and|there|now|then)\W+)*(?:"
    r"that(?:'s| is) (?:that|it|all(?: there is to it)?|settled|sorted)|there (?:we|you) (?:go|are|have it)|"
    r"that (?:does|did) it|"
    r"we(?:'re| are) (?:all )?(?:done|finished|through|good)(?: here)?|i(?:'m| am) (?:all )?(?:done|finished|"
    r"through)(?: here)?|"
    r"(?:nothing|no) (?:more|else|further|other)?\s*(?:action|steps?|input)?\s*(?:to do|is (?:needed|required|left)|"
    r"needs? (?:to be )?(?:done|doing)|remains to be done)\b[\w ]*|"
    r"(?:you|we) (?:can|may) (?:now )?(?:rest easy|relax|sit back|put (?:this|it|that) (?:aside|to rest)|forget "
    r"about (?:it|this)))"
    r"(?:\s+(?:for|with|on|about|here|then|now|from)\b[\w ]{0,30})?(?:,\s*(?:thanks?|thank you|have)\b.*)?\W*$"
)
"""The whole exchange is declared over."""

_NAMED = re.compile(
    r"\b(?:chang\w+|updat\w+|modif\w+|re-?book\w*|switch\w*|mov(?:ed|ing|e)|swap\w*|re-?schedul\w*|amend\w*|new "
    r"flights?)\b"
)
_NOT_DONE = re.compile(
    r"(?:\bnot|n't|\bnever|\bcannot|\bunable to|\bno longer|\bwill|'ll|\bcan|\bcould|\bwould|\bshall|\bto|\bbefore|"
    r"\bonce|\bif|\bwhen|\buntil|\bafter|\blet (?:me|us)|\bbeing)\b[\w ']{0,40}$"
)


def disposes(clause: str) -> bool:
    """Whether a clause of normalised text declares a request or the exchange over, the change itself left unnamed."""
    if SIGN_OFF.search(clause):
        return True
    found = DISPOSED.search(clause)
    return found is not None and not _NAMED.search(clause) and not _NOT_DONE.search(clause[: found.start()])
