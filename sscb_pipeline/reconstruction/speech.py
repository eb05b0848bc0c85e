"""What a sentence does with a value it names: asks, checks, doubts, contradicts, weighs, offers or states it.

Lexicons are general English, compiled once, and matched on normalised lower-case text (`sentences.lower`).
"""

from __future__ import annotations

import re


def _words(*alternatives: str) -> re.Pattern[str]:
    return re.compile(r"(?<![\w])(?:" + "|".join(alternatives) + r")(?![\w])")


_UNSURE = (
    r"not (?:\w+ ){0,2}?(?:sure|certain|confident|clear|positive|convinced|persuaded)",
    r"\w*n't (?:\w+ ){0,2}?(?:sure|certain|confident|convinced|vouch|guarantee|confirm|verify|rely|trust)",
    r"(?:\w*n't|not) (?:\w+ ){0,2}?(?:rely|count|depend|bank|build|lean) on",
    r"(?:cannot|can not|unable to|not able to) (?:\w+ ){0,2}?(?:vouch|guarantee|confirm|verify|rely on|trust)",
    "unsure",
    r"have(?: not|n't) (?:yet |actually )?(?:checked|verified|confirmed|looked|re-?read)",
    (
        r"(?:would|will|'d|'ll|still) (?:\w+ )?(?:have|need|want) to (?:check|confirm|look)(?! (?:in|"
        r"out|for|availab|flights?))"
    ),
    "uncertain",
    "unclear",
    "unverified",
    "unconfirmed",
    "yet to be (?:verified|confirmed)",
    r"not (?:yet )?(?:been )?(?:verified|confirmed)",
    "remains to be (?:seen|checked|verified|confirmed|settled)",
    r"whether (?:that|this|it)(?:'s| is) (?:\w+ )?(?:accurate|right|correct|true|so)",
    "pending (?:verification|confirmation)",
    "provisionally",
    "tentatively",
    (
        r"(?:would|still|do|will|i'd|i'll) (?:still |also |like to |want to |have to |"
        r"need to )*(?:need|want|have|like)? ?(?:to )?(?:verify|double-check|double check|re-?check|"
        r"re-?verify)"
    ),
    "with (?:some )?(?:caution|reservations?)",
    "take (?:that|this|it) with",
    "don't quote me",
    "subject to (?:verification|confirmation|checking)",
)
_ATTENUATION = (
    "seems?",
    "seemed",
    "seemingly",
    "appears?",
    "appeared",
    "apparently",
    "might",
    "may (?:be(?! (?:used|applied|paid|charged|accepted)\\b)|have|not|well|need)",
    "could (?:be|have|well)",
    r"(?:indication|suggestion|hint|chance|possibility)s? (?:that|of)",
    r"(?:judging|going) (?:by|from) [\w ]{1,30}? alone",
    "possibly",
    "perhaps",
    "probably",
    "likely",
    "presumably",
    "supposedly",
    "reportedly",
    "allegedly",
    "ostensibly",
    "purportedly",
    "maybe",
    "i think",
    "i believe",
    "i assume",
    "i suspect",
    "i guess",
    "i understand",
    "i'd guess",
    "i would guess",
    r"my (?:\w+ )?(?:guess|understanding|impression)",
    r"as far as i (?:can|could) (?:tell|see)",
    "from what i can (?:tell|see)",
    "if i(?:'m| am)? (?:read|reading|understand|not mistaken)[a-z ]*",
    (
        r"if (?:the|that|this|our|what)[\w' -]{0,40}(?:right|correct|accurate|to be believed|"
        r"can be trusted|is reliable)"
    ),
    "assuming",
    "looks? (?:like|as if|as though)",
    "looks to be",
    "should be",
    "(?<!i )(?<!we )should have",
    "must have been",
    "would be",
    "on the face of it",
    "at first glance",
)
HEDGE = _words(*_ATTENUATION, *_UNSURE)
"""Anything that holds back full commitment."""

DOUBT = _words(
    *_UNSURE,
    "i think",
    "i believe",
    "i assume",
    "it seems",
    "it appears",
    "apparently",
    "presumably",
    "as far as i (?:can|could) (?:tell|see)",
    r"if (?:the|that|this|our|what)[\w' -]{0,40}(?:right|correct|accurate|to be believed|"
    r"can be trusted|is reliable)",
    "if i(?:'m| am) not mistaken",
    "from what i can (?:tell|see)",
    "assuming",
)
"""Hedges that reach back over a clause boundary to what was just said."""

CONFLICT = re.compile(
    r"(?<!\w)(?:conflict(?:s|ing|ed)?|contradict(?:s|ion|ory|ing)?|inconsisten(?:t|cy|cies)|"
    r"discrepan(?:t|cy|cies)|mismatch(?:es|ed)?|"
    r"incorrect(?:ly)?|inaccura(?:te|cy)|erroneous(?:ly)?|wrong(?:ly)?|mistak(?:e|en|enly)|typo|"
    r"bogus|impossible|implausible|nonsens(?:e|ical)|"
    r"misle(?:d|ads?|ading(?:ly)?)|decepti\w+|deceiv\w+|fooled|disregard|(?:please|just|can|should|to) ignore|"
    r"never mind|"
    r"pay no (?:attention|heed)|(?:it|that|this)(?: is| was|'s)(?: not|n't) (?:one|so|that|it|the case|what [\w "
    r"]{1,20})(?=\W*(?:[.;:,!]|$))|"
    r"cannot (?:stand|hold)|can't (?:stand|hold)|problem with (?:the|that|this|your) (?:record|"
    r"date|data|entry|listing|reservation|profile|order|source)|"
    r"(?:data|entry|clerical|record) error|looks like an? (?:\w+ )?(?:error|mistake|issue)|"
    r"at odds|off somehow|(?:something|that|this|it|which)(?: is|'s| looks| seems|"
    r" appears) (?:off|odd|amiss|strange|not right|fishy)|"
    r"out of order|does(?: not|n't) (?:add up|fit|match|make sense|agree|"
    r"line up|look right|work|tally|square|sit right)|"
    r"do(?: not|n't) (?:add up|fit|match|make sense|agree|line up|look right|tally|square)|"
    r"(?:looks?|seems?|appears?) (?:\w+ )?(?:wrong|odd|off|strange|suspicious|unusual|"
    r"mislabell?ed)|"
    r"(?:cannot|can't|can not|could not|couldn't) (?:possibly |really |actually )?be (?:right|"
    r"correct|true|accurate)|(?:is|are|was|be) ?(?:not|n't) (?:right|correct|accurate|true|"
    r"possible)|"
    r"(?:is|are|was)n't (?:right|correct|accurate|true|possible)|mislabell?ed|misrecorded|"
    r"data (?:entry )?(?:error|issue|problem)|record(?:ing)? error|error in (?:the|your|"
    r"our) (?:record|system|data|profile|order|reservation|listing)|"
    r"(?:an?|in) error(?! (?:processing|occurred|when|while|with))|glitch|anomal(?:y|ous)|"
    r"disagree(?:s|ment)?|should not be|shouldn't be|"
    r"even though|despite|yet (?:it|the|your|that)|contrary|false(?:ly)?|untrue|suspicious|"
    r"not (?:reliable|trustworthy)|flag(?:ged|ging)?)(?!\w)"
)
"""Says that something is wrong or does not fit."""

VERIFY = re.compile(
    r"(?<!\w)(?:"
    r"(?:let me|let's|i'll|i will|i shall|i am going to|i'm going to|i want to|i'd like to|"
    r"i would like to|i need to|i have to|i should|i must|i'd want to|i would want to|i'd need to|"
    r"i would need to|"
    r"allow me to|going to|in order to|wanted to|like to|need to|needs to be|have to|has to be|"
    r"must be|should be|to be|before i|may i|can i|could i|want me to|until (?:i've|i have|we've|we have)|so i "
    r"can|so that i can|"
    r"just to|to|by|for|worth|and|please|first|am|i'm|we should|while i|until i|can you|could you|"
    r"would you|can you please|could you please|kindly|without)\s+"
    r"(?:(?:quickly|first|also|just|please|kindly|really|still|then|now|help me|try to|carefully|"
    r"independently|have (?:this|that|it))\s+)*"
    r"(?:verify(?:ing)?|verified|double-?\s?check(?:ing|ed)?|re-?check(?:ing|ed)?|re-?verify|"
    r"cross-?\s?check(?:ing)?|re-?confirm|make sure|making sure|make certain|validate|reconcile|(?:compar|"
    r"validat|reconcil)ed|compare|"
    r"investigate|compare|sanity-check|"
    r"(?:check(?:ing|ed)?|confirm(?:ing|ed)?|see|find out|tell me|let me know|ask|"
    r"clarify)\s+(?:with (?:you|me) )?(?:(?:in|from|against|by|on) (?:the|your|our|my) (?:\w+ ){1,2}?)?"
    r"(?:on |about )?(?:whether|if|that|this|it|against|with|"
    r"again|the (?:return |travel |departure |flight )?dates?|the (?:value|kind|type|source|"
    r"option|record|entry|claim|figure)|which (?:is|one|date|value)|what (?:is|the)))(?!\w)"
    r"|let me know whether(?!\w)"
    r"|(?:verification|double-?check|cross-?check|sanity check)(?!\w)"
    r"|to (?:be|make) (?:sure|certain|safe)(?!\w))"
    r"|^\W*(?:(?:just|now|still|currently|quickly|first|ok(?:ay)?|right|sure)\W+)*(?:(?:re-?|double-?\s?|cross-?\s?)?check|"
    r"verify|validat|mak(?=ing (?:sure|certain))|see(?=ing (?:whether|if)\b)|confirm(?=ing (?:whether|if)\b))ing\s"
    r"(?:\w+\s+){0,4}?(?:whether|if|that)(?!\w)"
)
"""Says that a value is being checked or should be checked."""

ACTION_CONFIRM = re.compile(
    r"\b(?:confirm(?:ing|ation)?|check|verify|know|see|tell me|clarify)\b[\w ,'-]{0,30}?\b(?:if |"
    r"whether |that )?(?:you(?:'d| would|'re| are| want| wish| agree| still| need|r (?:choice|"
    r"decision|approval|agreement|intention))|"
    r"i (?:should|may|can)|to (?:proceed|go ahead|continue)|this (?:change|action|update|request|"
    r"exchange|modification|cancellation|return|booking)|the (?:change|action|update|exchange|"
    r"modification|cancellation|following change)s?|"
    r"these (?:change|action|update)s?|proceed|go ahead)"
)
"""Asks to confirm an action, not a value."""

PROCEED = _words(
    "proceed",
    "go ahead",
    "move forward",
    "make (?:this|the|these) changes?",
    "process (?:this|the|your)",
    "finali[sz]e",
    "complete the",
    "i'll (?:update|make|submit|process|book)",
    "shall i",
    "would you like",
    "do you want me",
    "apply (?:this|these|the) changes?",
)

CHECK_BACK = re.compile(
    r"(?:\b(?:is|are|does|do|did|was|were|isn't|aren't|doesn't|can you|could you|would you|please|"
    r"kindly|let me know)\b[^?]{0,80}?"
    r"\b(?:correct|right|accurate|true|match(?:es)?|agree(?:s)?|fit|consistent|in line|"
    r"(?:say|show|have|read|see|list)s? (?:the same|so|this|that|it)(?: too| as well| there)?(?=\W*$)|"
    r"what your [\w' -]{1,30}? (?:says?|shows?|has|have|reads?|lists?|gives?|tells?)|what you (?:booked|"
    r"expect(?:ed)?|have|had|remember|intend(?:ed)?|see|ordered|bought|"
    r"received|got|own|were (?:sent|given)|purchased)|"
    r"the (?:\w+ )?(?:that |which )?(?:was |were |you )(?:actually )?(?:received|got|ordered|bought|delivered|"
    r"sent|given|"
    r"purchased|shipped)|"
    r"sound right|look right|as (?:you )?expected|familiar)\b"
    r"(?! (?:reservation|booking|order|account|item|profile|flight number|one you))(?! (?:away|now)))"
)
"""A following sentence that asks whether what was just said is right."""

ANAPHOR = re.compile(
    r"(?:\b(?:this|that|it) (?:looks|seems|appears|is|must|cannot|can't|makes|does|would)\b|"
    r"^\W*(?:that|this|it|these|those|which|such|both|one of)\b|\b(?:that|this|these|those|"
    r"the) (?:\w+ ){0,2}?(?:date|day|value|kind|type|source|label|listing|entry|record|detail|"
    r"option|information|info|order of|sequence|confirmation|status|response|report|result|claim|"
    r"acknowledg\w+)s?\b|\b(?:verify|check|double-check|confirm|doubt|trust|about|of|rely on|"
    r"correct) (?:it|that|this)\b)"
)
"""Points back at what was just said."""

CHECK_QUESTION = re.compile(
    r"^\W*(?:(?:so|and|but|just|wait|hm+|ok(?:ay)?|thanks?|thank you|sorry|also|to (?:confirm|"
    r"clarify|double-check|be sure|be clear|make sure)|quick question|one question|first|"
    r"before [\w ,']{1,60}?)[,:;. -]+)*"
    r"(?:is|are|was|were|does|do|did|has|have|isn't|aren't|wasn't|weren't|doesn't|didn't|hasn't|"
    r"haven't|should (?:the|your|it|that|this)|could (?:the|your|it|that|this)|can (?:the|your|it|"
    r"that|this)|am i right|did i|have i)\b"
    r"(?! you (?:want|need|wish|prefer|like|have any|have a preference|still (?:want|need|wish)|"
    r"mind|agree))(?! there (?:anything|something|any))"
)
"""A question about a fact, not an offer."""

OFFER_QUESTION = _words(
    "would you (?:like|prefer|want|rather)",
    "do you (?:still )?(?:want|wish|need|prefer|agree)",
    "shall (?:i|we)",
    "should i",
    "may i",
    "can i (?:help|assist|proceed|go)",
    "could i",
    "which",
    "how",
    "what (?:would|changes?|kind|else|date|time|flight)",
    "when would",
    "are you (?:ready|okay|ok|happy|looking|interested)",
    "is (?:that|this|it) (?:ok|okay|all right|alright|acceptable|fine)",
    "will (?:that|this) work",
)
TAG_QUESTION = re.compile(
    r"(?:,|-|—|\.)?\s*(?:right|correct|yes|no|is that (?:right|correct|so)|is(?:n't| not) (?:it|"
    r"that so)|am i right|does(?:n't)? that (?:sound|look) right|or not)\s*\?\W*$"
)

CANDIDATES = _words("or", "either", "whether", "versus", "vs", "one of", "any of", "between")

NEGATOR = re.compile(
    r"(?:\bnot|n't|\bcannot|\brather than|\binstead of|\bas opposed to|\bno longer|\bnever|\bnor|"
    r"\bisnt|\bwithout|\bexcept|\bother than|\bdifferent from)"
    r"(?:\s+(?:on|for|the|at|a|an|any|your|my|actually|really|be|been|necessarily|set|scheduled|"
    r"listed|dated|recorded|booked|in|leaving|departing|returning|until|as|of|by|to|"
    r"have|has|having|possibly|yet|in fact|kind|type|travel|paid|made|come|leave|"
    r"depart))*\s*[\"'(]?\s*$"
)
"""Directly before a value: the value is denied."""

INTENT = _words(
    r"(?:i'll|i will|i am going to|i'm going to|let me|i can|i could|we can|allow me to|"
    r"i'd be happy to|i am|i'm) (?:\w+ ){0,3}?(?:search|look|find|book|use|check|pull|get|list|"
    r"see|proceed|process|update|change|exchange|apply|charge|set|move)\w*",
    "to (?:search|look|find|book|proceed|update|change)",
    r"(?:will|'ll|going to) (?:\w+ ){0,2}?return",
)
ASSERT_CONFIRM = _words(
    "i can confirm",
    "this is to confirm",
    "i confirm",
    "i(?:'ve| have) (?:\\w+ )?(?:confirmed|verified|checked|double-checked)",
    "confirmed",
    r"(?<!as far as )(?<!from what )i can (?:verify|see)",
    "i(?:'m| am) confident",
    "definitely",
    "certainly",
    "indeed",
    "without (?:a )?doubt",
)
"""Full commitment: outweighs a check or hedge in the same clause."""

BOUNDARY = re.compile(
    r"[;()|—]|,\s+(?:but|and|so|yet|while|whereas|though|although|however|because|since|as|which|"
    r"if|unless)\b|(?:^|\s)(?:but|however|though|although|whereas|yet)\s|:\s|\s-\s|\.\s"
)


def clause(text: str, start: int, end: int) -> tuple[int, int]:
    """Span of the clause around a mention at [start, end) of a sentence."""
    left, right = 0, len(text)
    for match in BOUNDARY.finditer(text):
        if match.end() <= start:
            left = match.end()
        elif match.start() >= end:
            right = match.start()
            break
    return left, right
