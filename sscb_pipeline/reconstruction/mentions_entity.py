"""Mentions of the affected entity without a value: ids, nouns, pronouns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from sscb_pipeline.reconstruction.mentions import Form, Mention
from sscb_pipeline.trajectories.subject import Subject

_PRONOUN = "that one|this one|the (?:former|latter)|it"


def finder(subject: Subject) -> Callable[[str, str], Iterator[Mention]]:
    """Finds identifiers and nouns, and after the first of these in the same text also pronouns."""
    identifiers = {item.lower() for item in subject.identifiers}
    nouns = sorted({*identifiers, *(name.lower() for name in subject.names)}, key=lambda noun: (-len(noun), noun))
    if not nouns:
        return lambda text, lowered: iter(())
    pattern = re.compile(
        rf"(?<!\w)(?:(?P<noun>{'|'.join(map(re.escape, nouns))})(?:s|'s)?|(?P<pronoun>{_PRONOUN}))(?!\w)"
    )

    def find(text: str, lowered: str) -> Iterator[Mention]:
        if not any(noun in lowered for noun in nouns):
            return
        named = False
        for match in pattern.finditer(lowered):
            if match["pronoun"] and not named:
                continue
            named = True
            form = Form.IDENTIFIER if match["noun"] in identifiers else Form.ENTITY
            yield Mention(
                start=match.start(),
                end=match.end(),
                surface=text[match.start() : match.end()],
                form=form,
                values=(),
                derivation="pronoun" if match["pronoun"] else "",
            )

    return find
