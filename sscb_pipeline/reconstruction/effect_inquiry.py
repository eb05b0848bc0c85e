"""Clauses that name the effect of the change in order to settle it: an announced check, an embedded question.

They are dependent uses that claim nothing (SPEC 7): what is looked into is the proposition itself. Looking at the
record, at prices or at what is allowed is no such check.
"""

from __future__ import annotations

import re

_LOOK = (
    r"(?:verif(?:y|ying)|(?:double|cross|re)?-? ?check(?:ing)?|re-?(?:verify|confirm)|confirm(?:ing)?|see(?:ing)?|"
    r"mak(?:e|ing) (?:sure|certain)|(?:be|am|being|are) (?:sure|certain)|know(?:ing)?(?: for (?:sure|certain))?|"
    r"find(?:ing)? out|determin(?:e|ing)|establish(?:ing)?|ascertain|ensure|ensuring|test(?:ing)?|look(?:ing)?|"
    r"learn|tell(?: me| us)?|ask(?:ing)?|wonder(?:ing)?|validat(?:e|ing)|inspect(?:ing)?|assure|satisfy myself|"
    r"convince myself|let me know|work out|figure out|read(?:ing)?|follow(?:ing)? up|curious|unsure|unclear)"
)
_NOUN = (
    r"(?:change|update|modification|switch|re-?booking|move|swap|re-?scheduling|amendment|edit|adjustment|"
    r"request|booking|reservation|itinerary|flights?|dates?|segments?|everything|trip)s?"
)
_MADE = (
    r"(?:appl|chang|updat|modifi|mov|re-?book|book|switch|process|complet|sav|record|register|reflect|implement|"
    r"stor|accept|execut|effect|post|commit|replac|swapp|amend|adjust|carri|re-?schedul|transferr|enter|perform|"
    r"arriv|happen|land|succeed|work|confirm|ticket|persist)(?:i?ed|ied|d)"
)
_ADVERB = (
    r"(?:\s+(?:actually|really|truly|indeed|in fact|now|already|all|been|being|properly|correctly|successfully|"
    r"fully|duly|just|also|both|ever|finally|yet|still|you|your|on the|in the|as|gone|got|getting))*"
)
_TOOK = (
    rf"(?:(?:has|have|had|was|were|is|are|been|be|being|got|gets|'s){_ADVERB}\s+(?:{_MADE}|made|done|in place|"
    rf"in effect|"
    r"through|there|live|complete|final|successful|set|visible|in the (?:system|record|reservation|booking)|"
    r"in (?:there|it|your (?:reservation|booking|itinerary|record)|(?=[a-z]*\d)[a-z0-9]{6}\b)|"
    r"on (?:the (?:new|requested)|hat\d))"
    r"|(?:took|takes?|taken|taking)\s+(?:effect|hold)|(?:go|goes|went|gone|going|came|come|gets?|got)\s+"
    r"(?:all the way\s+)?through|end(?:ed|s)? up|ma(?:de|kes?) (?:it|their way)|f(?:ou|i)nds? (?:its|their) way|"
    r"turn(?:ed|s)? up|stuck|sticks?|held|worked|works?|landed|lands|arrived|happened|succeeded|registered|"
    r"(?:shows?|showing|appears?|reflects?|reflecting|lists?|carries|holds|displays?|contains|includes)\s+"
    r"(?:up|in|on|the|your|as|hat\d)\b)"
)
_GAP = (
    r"(?:(?!\b(?:should|would|could|can|may|might|will|must|want|wants|wish|like|ready|allowed)\b)[\w#'/-]+\s+){0,9}?"
)
_EMBEDDED = re.compile(
    rf"(?<!\w){_LOOK}\b[\w ,'#/-]{{0,60}}?\b(?:whether|if|that|how)\s+(?!to\b){_GAP}{_ADVERB}\s*{_TOOK}(?!\w)"
)
_BARE = re.compile(
    rf"(?<!\w){_LOOK}\s+(?:the|your|these|those|both|all|"
    rf"my)\s+{_GAP}{_NOUN}\b{_ADVERB}\s+(?:[a-z0-9#]+\s+){{0,3}}?{_TOOK}(?!\w)"
)
"""'Make sure the new flights were saved': the conjunction is left out."""
_WHETHER = re.compile(rf"^\W*(?:and |but |so )?whether\s+{_GAP}{_ADVERB}\s*{_TOOK}(?!\w)")
"""'Whether the update was applied is what I am about to check.'"""
_LEFT_OPEN = re.compile(
    rf"^\W*(?:whether|if)\s+{_GAP}{_TOOK}\b[^,;]*?\b(?:is|remains)\s+(?:still\s+)?(?:something|what|open|"
    rf"unclear|unknown|to be|another)\b"
)
"""'Whether the flights were moved remains open.'"""
_OUTCOME = re.compile(
    rf"(?<!\w){_LOOK}\b(?:\s+(?:up|on|at|into|for|about))?\s+(?:the|its)\s+(?:\w+\s+)?(?:status|outcome|result|"
    rf"effect|"
    rf"success|completion|state)s?(?:\s+of\s+(?:the|your|this|that|my|our)\s+(?:\w+\s+){{0,2}}?"
    rf"(?:change|update|modification|switch|re-?booking|move|swap|request|amendment))"
)
_CHANGE = re.compile(
    r"(?<!\w)(?:verify(?:ing)?|(?:double|cross|re)-? ?check(?:ing)?|validat(?:e|ing)|check(?:ing)? (?:on|up on)|"
    r"follow(?:ing)? up on)\s+(?:on\s+)?(?:the|your|this|that|my)\s+(?:(?:flight|reservation|booking|last|"
    r"recent|whole|"
    r"latest)\s+)?(?:change|update|modification|switch|re-?booking|amendment)s?\b"
    r"(?!\s+(?:fee|cost|price|polic|rule|option|detail|request|eligib|you (?:want|would|wish|ask|need)|"
    r"(?:is|are) (?:possible|allowed|permitted)))"
)
_TOLD = re.compile(
    r"(?<!\w)(?:(?<!before )(?<!until )(?<!so )(?<!so that )(?:i|we|you)(?:\s+can)?"
    r"(?:\s+(?:now|also|clearly|already|safely|gladly))*\s+(?:see|tell|confirm|"
    r"know|verify|"
    r"assure|say|find)(?!\s+(?:\w+\s+){0,7}?(?:whether|if)\b)|(?:i'm|i am|we're|we are|please be|"
    r"rest)\s+(?:\w+\s+)?(?:sure|"
    r"certain|assured)|(?:happy|glad|pleased|delighted|able|good) to (?:\w+ )?(?:tell|confirm|see|report|assure|"
    r"let you know)|"
    r"(?:let me|i'll|to) (?:assure|tell|let) you (?:know )?that|as you (?:can|will) see)(?!\w)"
)
"""Seeing, knowing and assuring tell a fact unless they are still to be done."""
_FINISHED = re.compile(
    r"(?<!\w)(?:i(?:'ve| have)?|we(?:'ve| have)?|having|just)\s+(?:\w+ed\s+)?(?:also\s+|now\s+|just\s+|already\s+|"
    r"double-|re-)*(?:checked|verified|confirmed|made sure|ensured|established|determined|saw|seen)(?!\w)"
)
"""A check that is over tells its result."""


def tells(clause: str) -> bool:
    """Whether a clause of normalised text tells what was found rather than what is looked for."""
    return bool(_FINISHED.search(clause) or _TOLD.search(clause))


def inquires(clause: str) -> bool:
    """Whether a clause of normalised text names the effect of the change in order to settle it."""
    return any(pattern.search(clause) for pattern in (_EMBEDDED, _BARE, _WHETHER, _LEFT_OPEN, _OUTCOME, _CHANGE))
