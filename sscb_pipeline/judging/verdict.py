"""What a draw ended in: yes, no, cannot_decide, an invalid reply or no reply; five things that are never merged.

Reading a reply is a pure function of its text, so nothing that prints or logs can turn a reply into a failure.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sscb_pipeline.artifacts.digest import strict_json
from sscb_pipeline.errors import InputError

FIELD = "verdict"


class Answer(StrEnum):
    """The answers a judge may give."""

    YES = "yes"
    NO = "no"
    CANNOT_DECIDE = "cannot_decide"


class ReplyForm(StrEnum):
    """By which rule the answer was found in the reply."""

    OBJECT = "object"
    """The reply is the object."""
    FENCE_REMOVED = "fence_removed"
    """The object stood in one code fence, which was removed."""
    PROSE_AROUND = "prose_around"
    """The reply holds exactly one object, with other text around it, which was left aside."""
    WORD = "word"
    """The reply is one of the answers as a bare word; only stubs reply so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """A valid draw."""

    answer: Answer
    form: ReplyForm


@dataclass(frozen=True, slots=True, kw_only=True)
class Invalid:
    """The judge replied, and the reply holds no answer, or the draw broke the rules of its delivery."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderError:
    """No reply came; the draw is neither yes, no nor cannot_decide and may be made again."""

    reason: str


Verdict = Answered | Invalid | ProviderError

_FENCE = re.compile(r"\A```[A-Za-z]*[ \t]*\r?\n(.*)\r?\n?```\Z", re.DOTALL)
_DECODER = json.JSONDecoder()


def parse_reply(reply: str) -> Answered | Invalid:
    """The answer in `{"verdict": "yes" | "no" | "cannot_decide", …}`. Total.

    Accepted: the object alone, in one code fence, or with prose around it. Two objects, a truncated one, a doubled
    key and any other verdict are invalid; nothing is guessed.
    """
    text = reply.strip()
    if not text:
        return Invalid(reason="empty")
    fenced = _FENCE.match(text)
    body = fenced.group(1).strip() if fenced else text
    found: list[tuple[int, int]] = []
    try:
        found += _objects(body)
    except _UnreadableError as error:
        return Invalid(reason=str(error))
    if not found:
        return Invalid(reason="no object")
    if len(found) > 1:
        return Invalid(reason=f"{_count(len(found))} objects")
    start, end = found[0]
    alone = (start, end) == (0, len(body))
    form = ReplyForm.PROSE_AROUND if not alone else ReplyForm.FENCE_REMOVED if fenced else ReplyForm.OBJECT
    return _answer(body[start:end], form)


def _answer(body: str, form: ReplyForm) -> Answered | Invalid:
    try:
        value = strict_json(body.encode("utf-8", "surrogatepass"), "reply")
    except InputError as error:
        return Invalid(reason=error.found)
    told = value.get(FIELD) if isinstance(value, dict) else value
    if told not in tuple(Answer):
        return Invalid(reason=f"no {FIELD}" if isinstance(value, dict) and FIELD not in value else f"{told!r:.80}")
    return Answered(answer=Answer(told), form=form)


class _UnreadableError(ValueError):
    """An object begins and is none."""


def _objects(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each outermost object. Raises where a brace begins no whole object."""
    at = text.find("{")
    while at >= 0:
        try:
            _, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            cut = not _closes(text[at:])
            raise _UnreadableError("truncated" if cut else f"unreadable object at character {at}") from error
        yield at, end
        at = text.find("{", end)


def _closes(text: str) -> bool:
    """Whether the brace at the beginning is closed, braces in strings left aside."""
    depth, quoted, escaped = 0, False, False
    for character in text:
        if escaped:
            escaped = False
        elif quoted and character == "\\":
            escaped = True
        elif character == '"':
            quoted = not quoted
        elif not quoted and character in "{}":
            depth += 1 if character == "{" else -1
            if depth == 0:
                return True
    return False


def _count(number: int) -> str:
    return {2: "two", 3: "three"}.get(number, str(number))


def kind_of(verdict: Verdict) -> str:
    """One of the five words: yes, no, cannot_decide, invalid, provider_error."""
    match verdict:
        case Answered():
            return verdict.answer.value
        case Invalid():
            return "invalid"
        case ProviderError():
            return "provider_error"


KINDS: tuple[Any, ...] = (*(answer.value for answer in Answer), "invalid", "provider_error")
