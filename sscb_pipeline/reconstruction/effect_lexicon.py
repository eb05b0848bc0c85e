"""Words of change talk: completion, failure, a present state, a question, and what they may govern.

General English, compiled once, and matched on normalised lower-case text (`sentences.lower`).
"""

from __future__ import annotations

import re

_DONE = (
    r"(?:chang|updat|modifi|mov|re-?book|switch|re-?schedul|process|complet|appli|confirm|"
    r"finali[sz]|sav|book|shift|swapp|adjust|amend|transferr|handl|sort|"
    r"record|execut|implement|effect|replac|ticket|re-?issu|secur|register|committ|accept|"
    r"stor|carri|lock|push|migrat|transition|reflect|perform|enter|plac|post|correct|"
    r"revis)(?:i?ed)|"
    r"made|done|set|put|gone through|went through|taken care of|taken effect|took effect|"
    r"in place|in effect|through|all set|success(?:ful(?:ly)?)?|succeeded|complete|"
    r"final|live|active"
)
_HAVE = r"(?:has|have|had|'ve|'s|is|are|was|were|be|been|being|got|gets?|now)"
_FILL = (
    r"(?:\s+(?:now|just|already|also|all|both|been|been\s+fully|successfully|fully|duly|gone|"
    r"officially|indeed|since|then|both|your|you|the|everything|it|them|that|this|to|completely|"
    r"safely|correctly|properly|finally|formally))*"
)
COMPLETED = re.compile(
    rf"(?<!\w)(?:"
    rf"(?:i|we|i've|we've|i have|we have|the (?:system|airline|tool)|our (?:system|"
    rf"team)){_FILL}\s+(?:{_DONE}|moved|changed|got|went ahead and \w+ed|managed to \w+)(?!\w)"
    rf"|{_HAVE}{_FILL}\s+(?:{_DONE})(?!\w)"
    rf"|(?:'s|'ve|'re)\s+(?:now\s+|all\s+|been\s+)*(?:{_DONE})(?!\w)"
    rf"|(?:change|update|modification|switch|rebooking|request|booking|it|that|everything|this|"
    rf"which|flights?|reservation|itinerary)s?(?:\s+(?:to|of|for|on|in)\s+(?:[\w#]+\s+){{1,3}}?|\s+)(?:just\s+|"
    rf"now\s+|successfully\s+|"
    rf"all\s+|actually\s+|really\s+|indeed\s+)*(?:went through|took effect|succeeded|came through|worked|goes "
    rf"through|is through|"
    rf"landed)(?!\w)"
    rf"|successfully\s+\w+ed(?!\w)"
    rf"|^\W*(?:(?:ok(?:ay)?|great|perfect|all ?right|there(?: you go)?|good news|sure|"
    rf"excellent)\W+)?(?:all\s+)?(?:done|complete|completed|success|updated|changed|confirmed|"
    rf"rebooked|sorted|finished)(?=\s*(?:[!.:,;—-]|$))"
    rf"|(?:update|change|modification|rebooking|request|itinerary|reservation|booking|"
    rf"flights?)\s+(?:successful|complete|completed|confirmed|updated|changed|done|applied|"
    rf"processed)\b"
    rf"|(?:you're|you are)\s+(?:now\s+)?(?:all set|set|good to go|booked|confirmed|rebooked|"
    rf"on\b(?! the (?:line|phone|waiting))|scheduled)"
    rf"|(?:everything|all)(?:'s|\s+is|\s+looks)?\s+(?:now\s+)?(?:set|done|in place|"
    rf"taken care of|updated|sorted)"
    r"|(?:(?:was|were|been) able|managed) to (?:\w+ )?(?:change|update|modify|move|re-?book|"
    r"switch|process|complete|apply|make|save)"
    rf"|(?:report|return|show|gave|indicat|sa(?:ys|id)|confirm|acknowledg|answer|read|"
    rf"respond)\w*\s+(?:with\s+|a\s+|an\s+|the\s+|it\s+|as\s+|that\s+|was\s+)*[\"']?success\w*"
    r"|reported (?:as |to be )(?:an? )?(?:done|completed?|success\w*|applied|made|changed|updated)"
    r"|put (?:it|this|that|(?:the|your) \w+) through"
    rf"|(?:with|thanks to) (?:success|the update (?:complete|done))"
    rf")"
)
"""Perfect, passive and present-result forms of completion."""

PRESENT = re.compile(
    r"(?<!\w)(?:"
    r"(?:you|reservation|booking|flights?|trip|itinerary)\b[^;]{0,20}\bwill\s+now\b(?! (?:proceed|need|have to))|"
    r"(?:is|are|'re|'s)\s+now\b(?! (?:being|to\b|need|going|ready to|trying|checking|looking|"
    r"processing|updating))|now\s+(?:on|starts?|begins?|goes|takes you|booked|set|scheduled|confirmed|flies|"
    r"flying|fly|leaves?|"
    r"departs?|shows?|includes?|reflects?|reads?|has|have|lists?|consists?|contains?|holds?|uses?|"
    r"runs?)\b"
    r"|(?:shows?|reflects?|lists?|includes?|has|holds?|displays?|carries|contains)\s+(?:the\s+|"
    r"your\s+|all\s+|only\s+)*(?:new|updated|changed|revised|requested|modified)\b"
    r"|(?:your|the)\s+(?:new|updated|revised|changed|modified)\s+(?:(?:flight|travel|trip|"
    r"reservation|booking)\s+)?(?:flights?|itinerary|details?|schedule|reservation|booking|"
    r"plan)\s*(?:(?:is|are|reads?|departs?|leaves?|includes?|consists?)\b)"
    r"|(?:you(?:'ll| will)|you are|you're)\s+now\s+(?:be\s+)?(?:fly|flying|travel|travell?ing|"
    r"depart|departing|leav(?:e|ing))\b"
    r"|(?:you(?:'ll| will)|you are|you're)\s+(?:be\s+)?(?:fly|flying|travell?ing|departing|"
    r"leaving)\s+(?:out\s+|back\s+)?(?:on\s+)?"
    r"(?:hat\d|the \d|20\d\d|\d|[a-z]+ \d|[a-z]+day)"
    r")"
)
"""A present state that holds only if the change took effect."""

FAILED = re.compile(
    r"(?<!\w)(?:"
    r"(?:has|have|had|was|were|is|are|did|could|been)(?:\s+(?:actually|really|yet|"
    r"still|in fact|apparently|evidently))*(?:n't|\s*not|not)(?:\s+(?:actually|really|yet|in fact|"
    r"been|be|fully|properly|successfully|quite|able to|go|get|getting|being))*\s+(?:"
    r"appl\w+|chang\w*|updat\w*|modif\w*|mov\w*|re-?book\w*|switch\w*|process\w*|complet\w*|"
    r"sav\w*|record\w*|reflect\w*|gone? through|went through|through|take\w* (?:effect|hold|"
    r"place)|take|stick|stuck|work\w*|succe\w*|register\w*|commit\w*|made|done|stored?|"
    r"implement\w*|execut\w*|effect\w*|confirm\w*|went|happen\w*|in effect|in place|"
    r"show\w* (?:the |any |up|your )?(?:new|chang\w*|updat\w*)?|"
    r"persist\w*|accept\w*|land\w*|on the new|post\w*)"
    r"|(?:does|do)(?:n't| not)\s+(?:\w+\s+){0,2}?(?:show|reflect|list|include|contain|have|carry|"
    r"match)\s+(?:\w+\s+){0,2}?(?:new|updated|chang\w*|update|modif\w*|hat\d+|them|it|what you)"
    r"|never\s+(?:\w+\s+)?(?:appl\w+|changed|updated|took|went|happened|saved|recorded|made|"
    r"processed|stuck|reached)"
    r"|fail(?:ed|s|ure)?\b|unsuccessful(?:ly)?|(?:was|were|"
    r"been)\s+unable\s+to\s+(?:\w+\s+)?(?:chang|updat|modif|mov|re-?book|switch|process|complet|"
    r"apply|make|save|do)\w*"
    r"|(?:remains?|remained|stays?|stayed|is|are|was|were|left)\s+(?:completely\s+|entirely\s+|"
    r"as yet\s+)?(?:unchanged|unmodified|the same|as (?:it was|they were|before)|as is|untouched|"
    r"not\b.{0,12}\bupdated)"
    r"|still\s+(?:\w+\s+){0,2}?(?:shows?|showing|lists?|listing|lists|has|have|reads?|on|booked|"
    r"holds?|holding|reflects?|reflecting|displays?|contains?|carries|the old|the original|"
    r"the previous|in place|unchanged|scheduled|set|says?|includes?|departs?|leaves?|flies)"
    r"|no\s+(?:actual\s+|such\s+)?(?:change|update|modification)s?\s+(?:\w+\s+){0,3}?(?:made|"
    r"applied|recorded|saved|visible|reflected|gone|happened|taken|took|went|shows?|appears?|"
    r"in the)"
    r"|nothing\s+(?:has\s+|was\s+|actually\s+)*(?:changed|updated|happened|been changed|moved)"
    r"|(?:shows?|lists?|holds?|reflects?|has|(?:is|are|still|remains?|booked) on)\s+(?:only\s+|"
    r"still\s+)?(?:the\s+|your\s+|"
    r"its\s+)?(?:old|original|previous|earlier|prior|unchanged|former)\b"
    r"|^\W*(?:still\s+)?(?:not|never)\s+(?:yet\s+)?(?:appl|chang|updat|modifi|mov|re-?book|switch|process|complet|sav|"
    r"record|execut|implement)(?:i?ed)\b"
    r"|without\s+(?:actually\s+)?(?:applying|changing|updating|saving|making)"
    r"|suppressed|lost|dropped|reverted|rolled back|bounced"
    r")"
)
"""The change did not take effect."""

ASKED = re.compile(
    r"(?<!\w)(?:do|can|are) you (?:\w+ ){0,3}?(?:see|seeing|find|notice)\b[^?]{0,40}\b(?:new|"
    r"updated|change[ds]?)\b|"
    r"(?<!\w)(?:has|have|had|did|is|are|was|were|does|"
    r"do)(?:n't)?\s(?:[\w ,'-]{0,60}?\s)?(?:changed|updated|modified|moved|rebooked|"
    r"go(?:ne)? through|come through|take(?:n)? effect|succeed(?:ed)?|work(?:ed)?|stick|stuck|hold|turned up|"
    r"ended up|made it|land(?:ed)?|"
    r"register(?:ed)?|arrived?|reach(?:ed)?|sync(?:ed)?|pop up|come across|"
    r"happen(?:ed)?|show up|applied|processed|completed?|confirmed|made|"
    r"done|reflect(?:ed)?|appear(?:ed|ing)?|there(?=\W*$)|show(?:ing)?|saved|recorded|in place|now)(?!\w)"
)
"""A question, its verb first, whether the change took effect."""

OTHER_TOPIC = re.compile(
    r"(?<!\w)(?:cancel\w*|cancell?ation|bags?|baggage|luggage|suitcase|insurance|"
    r"passenger (?:name|detail)s?|certificate (?:has|was|is)|compensation|profile|e-?mail (?:address|has|was|is|"
    r"on)|address|"
    r"phone|password|"
    r"transfer(?:red|ring)? (?:you|to a human)|human agent|search(?:ed)?|found|retriev\w+|located|"
    r"looked(?! after)|verified your|pulled up|identity|seat selection|meal|"
    r"new reservation has been created)(?!\w)"
)
OTHER_LABEL = re.compile(
    r"^\W*(?:baggage|bags?|checked bags?|insurance|travel insurance|passengers?|payment|"
    r"status(?!\W+(?:(?:not|successfully) )?(?:chang|updat|modifi|re-?book|mov|switch|appl)i?ed\b)|"
    r"refund)\b[\w ()]*:"
)
CHANGE_TOPIC = re.compile(
    r"(?<!\w)(?:flights?|reservation|booking|itinerary|change|update|modification|rebook\w*|trip|"
    r"request|schedule|everything|all|it|that|this|they|both|dates?|segments?|legs?|record|system|"
    r"you|travel|i|we|done|success\w*|complete\w*|payment|fare|chang\w+|updat\w+|nothing|original|"
    r"old|[a-z]{2,3}\d{3,4})(?!\w)"
)
FUTURE = re.compile(
    r"(?<!\w)(?:will|'ll|shall|going to|(?:would|could|may|might)(?! (?:have|seem|appear|look|suggest)\b)|"
    r"can(?! (?:see|confirm|"
    r"tell|report|verify|assure|find|be (?:trusted|believed|relied)))|about to|plan to|need to|"
    r"needs to|want(?:s)? to|wish to|like to|let me|let's|to be|once|if|when|after|before|until|"
    r"unless|as soon as|please(?! (?:be (?:advised|informed|assured|aware|told)|note|know|rest))|"
    r"in order to|so that|ready to|able to|proceed(?:ing)? (?:to|with)|"
    r"i'm (?:now )?\w+ing|i am (?:now )?\w+ing|currently (?:being|processing|updating)|"
    r"being (?:processed|updated|changed)|try(?:ing)? to|attempt(?:ed|ing)? to|(?<!the )(?<!your )requested|proposed|"
    r"should i|must|to (?:change|update|modify|move|rebook|switch|proceed|confirm|make))(?!\w)"
)
REPORT = re.compile(
    r"(?<!\w)(?:(?:system|tool|response|update call|call|api|backend|interface|function|request|"
    r"acknowledg\w+|confirmation|status|message|it|airline|result)\s+(?:\w+\s+)?(?:report(?:s|"
    r"ed)?|return(?:s|ed)?|sa(?:ys|id)|respond(?:s|ed)?|answer(?:s|ed)?|gave|came back|"
    r"acknowledg\w+|indicat\w+|claim\w+|show(?:s|ed)? (?:a )?(?:\"?success)|confirm(?:s|"
    r"ed)? receipt|stat(?:es|ed)|reads?)|"
    r"status:? \"?success|according to the (?:system|tool|response|status)|"
    r"reported (?:as |to be )?(?:done|completed?|applied|made|changed|updated)|"
    r"reported (?:as )?(?:a )?success\w*|acknowledg(?:ed|ement|ment)|success (?:status|message|"
    r"response|confirmation|flag))(?!\w)"
)
RESULT_FUTURE = re.compile(
    r"(?<!\w)(?:you(?:'ll| will)|will now)\s+(?:now\s+)?(?:be\s+)?(?:fly|flying|travel|traveling|"
    r"travelling|depart|departing|leave|leaving|on\b)"
)
CLAUSES = re.compile(
    r";|—|\s-\s|,\s+(?:but|and|so|yet|while|whereas|though|although|however|because|since|as|"
    r"which)\b|\s(?:but|however|although|though|yet(?! (?:that|if|whether|to)\b)|whereas|while)\s|:\s+(?=\w)"
)


VAGUE = re.compile(
    r"(?<!\w)(?:(?:everything|all|things|it all)(?:'s|\s+is|\s+are|\s+looks?|"
    r"\s+seems?)?\s+(?:now\s+)?(?:in order|good|fine|ready|okay|ok|well)|"
    r"we(?:'re| are) (?:good|done here|through)|(?:^|[.!] )\W*that(?:'s| is) (?:that|it|settled)|that (?:should|"
    r"will) (?:do|be (?:it|all|everything))|you should be (?:fine|good|all set)|"
    r"(?:has|have|was|were|is|been|i|i've|we|we've)\s+(?:just\s+|now\s+)*(?:submitted|sent|filed|"
    r"passed on|passed along|forwarded|lodged|put in|placed)(?!\w))"
)
"""Might mean that the change is done; a reader could not say."""
