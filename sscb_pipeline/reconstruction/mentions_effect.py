"""Clauses that may say whether a requested change took effect, whichever way they say it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from sscb_pipeline.reconstruction.mentions import Form, Mention
from sscb_pipeline.trajectories.subject import Subject

_TALK = (
    r"chang(?:ed|es?|ing)|updat(?:ed|es?|ing)|modif(?:ied|y|ication)s?|mov(?:ed?|ing)|"
    r"re-?book(?:ed|ing)?|switch(?:ed)?|re-?schedul(?:ed|e)|process(?:ed)?|"
    r"complet(?:ed?|ion)|appl(?:ied|y)|confirm(?:ed|ation|s)?|made|done|finali[sz]ed|saved|booked|"
    r"shifted|swapped|adjusted|amended|transferred|taken care of|"
    r"(?:go|gone|goes|went|going) through|all set|set|in place|in effect|took effect|take(?:n|"
    r"s)? effect|success(?:ful(?:ly)?)?|succeed(?:ed|s)?|"
    r"fail(?:ed|s|ure)?|unsuccessful(?:ly)?|unchanged|still|remains?|reflect(?:ed|s)?|recorded|"
    r"stuck|executed|implemented|effected|handled|sorted|now|"
    r"new (?:flights?|itinerary|reservation|booking|dates?|schedule)|unable|could(?: not|n't)|"
    r"did(?: not|n't)|has(?: not|n't)|have(?: not|n't)|was(?: not|n't)|were(?: not|n't)|replaced|"
    r"ticketed|re-?issued|carried out|locked in|secured|charged|refunded|original flights?|"
    r"old flights?|previous flights?|will (?:be )?(?:fly|depart|leav|travel)\w*|flying|"
    r"register(?:ed)?|committed|accepted|stored|posted|landed|kept|shows?|lists?|ready|good to go|"
    r"everything|all good|good|fine|in order|settled|that|submitted|sent|filed|forwarded|put|mine|yours|missing|"
    r"requests?|matter|case|work|part|over|closed|task|behind|concluded|resolved|wrapped|attended|desk|list|"
    r"turned|seen|wanted|asked|whether|verify(?:ing)?|(?:double-)?check(?:ing)?|"
    r"work(?:ed|s)?|visible|see|dealt|"
    r"there|nothing|finished|hold|held|stick|arrived|off|hands"
)


_FLIGHT = re.compile(r"[a-z]{2,3}\d{3,4}")


@lru_cache(maxsize=64)
def _pattern(unusual: tuple[str, ...]) -> re.Pattern[str]:
    """Change talk and flight numbers; `unusual` are numbers asked for that do not look like one."""
    flights = "|".join((*map(re.escape, unusual), _FLIGHT.pattern))
    return re.compile(rf"(?<!\w)(?:{_TALK}|{flights})(?!\w)")


def finder(subject: Subject) -> Callable[[str, str], Iterator[Mention]]:
    """One mention per word of change talk, and per flight number. Neither proposition is preferred."""
    named = {flight.lower() for request in subject.requests for flight, _ in flights_of(request)}
    pattern = _pattern(tuple(sorted(flight for flight in named if not _FLIGHT.fullmatch(flight))))

    def find(text: str, lowered: str) -> Iterator[Mention]:
        for match in pattern.finditer(lowered):
            yield Mention(
                start=match.start(),
                end=match.end(),
                surface=text[match.start() : match.end()],
                form=Form.PROPOSITION,
                values=subject.values,
                derivation="",
            )

    return find


def flights_of(request: str) -> tuple[tuple[str, str], ...]:
    """(flight number, date) pairs of a canonical request, written as pairs or as objects; empty where it names
    none."""
    value: Any = json.loads(request)
    flights = value.get("flights", ()) if isinstance(value, dict) else ()
    return tuple(_pair(flight) for flight in flights)


def _pair(flight: Any) -> tuple[str, str]:
    if isinstance(flight, dict):
        return str(flight["flight_number"]), str(flight["date"])
    return str(flight[0]), str(flight[1])
