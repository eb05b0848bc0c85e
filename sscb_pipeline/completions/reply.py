"""What a model answered, read strictly from the body it came in.

Nothing is invented and nothing repaired: arguments stay the text they were, a thinking-only answer has no text, and
usage or cost that the provider did not tell are unknown, which is not 0.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sscb_pipeline.completions.failures import CompletionFailedError, FailureKind, failure
from sscb_pipeline.completions.request import ChatRequest

LEGACY_CALL_ID = "function_call"
"""The id given to a call that came in the old `function_call` field, which has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens of one call as the provider counted them."""

    prompt_tokens: int
    completion_tokens: int

    @property
    def total(self) -> int:
        """Tokens in and out."""
        return self.prompt_tokens + self.completion_tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageUnknown:
    """The provider did not say how many tokens were used."""


class Cut(StrEnum):
    """Whether the output ended of itself. A call that was cut and still reads as JSON is run like any other, under
    every configuration; the mark stays with the recorded call."""

    WHOLE = "whole"
    AT_LIMIT = "at_limit"
    """The provider says that the limit ended it."""
    SUSPECTED = "suspected"
    """As many tokens came as were allowed, whatever the provider says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyCall:
    """A tool call with the exact text of its arguments."""

    call_id: str
    tool: str
    raw_arguments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One answer. Texts that were null or missing are empty."""

    text: str
    refusal: str
    reasoning: str
    calls: tuple[ReplyCall, ...]
    finish: str
    cut: Cut
    usage: Usage | UsageUnknown

    @property
    def silent(self) -> bool:
        """Whether it holds neither words nor calls (thinking alone is silence)."""
        return not self.text.strip() and not self.calls and not self.refusal.strip()


def read_reply(body: Mapping[str, Any], request: ChatRequest) -> Reply:
    """The answer in a chat completion body.

    Raises CompletionFailedError for a body without a candidate and for one that is no chat completion.
    """
    choices = body.get("choices")
    if not isinstance(choices, list):
        raise _unusable(FailureKind.MALFORMED_REPLY, "the body has no list of choices")
    if not choices:
        raise _unusable(FailureKind.EMPTY_CANDIDATE, "the list of choices is empty")
    choice = choices[0]
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(message, dict):
        raise _unusable(FailureKind.EMPTY_CANDIDATE, "the first choice has no message")
    usage = _usage(body.get("usage"))
    finish = _text(choice.get("finish_reason"))
    return Reply(
        text=_content(message.get("content")),
        refusal=_text(message.get("refusal")),
        reasoning=_text(message.get("reasoning_content")) or _text(message.get("reasoning")),
        calls=_calls(message),
        finish=finish,
        cut=_cut(finish, usage, request),
        usage=usage,
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _content(value: Any) -> str:
    """Text content; of a list of parts the text parts, joined as they stand."""
    if isinstance(value, list):
        return "".join(_text(part.get("text")) for part in value if isinstance(part, dict))
    return _text(value)


def _calls(message: Mapping[str, Any]) -> tuple[ReplyCall, ...]:
    given = message.get("tool_calls")
    if isinstance(given, list) and given:
        return tuple(_call(call, number) for number, call in enumerate(given))
    legacy = message.get("function_call")
    if isinstance(legacy, dict):
        return (_call({"id": LEGACY_CALL_ID, "function": legacy}, 0),)
    return ()


def _call(call: Any, number: int) -> ReplyCall:
    function = call.get("function") if isinstance(call, dict) else None
    if not isinstance(function, dict):
        raise _unusable(FailureKind.MALFORMED_REPLY, f"tool call {number} has no function")
    return ReplyCall(
        call_id=_text(call.get("id")) or f"call_{number}",
        tool=_text(function.get("name")),
        raw_arguments=_arguments(function.get("arguments")),
    )


def _arguments(value: Any) -> str:
    """Arguments as text: text as it is, nothing as the empty text, anything else written out once as JSON."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))


def _usage(value: Any) -> Usage | UsageUnknown:
    if not isinstance(value, Mapping):
        return UsageUnknown()
    prompt, completion = value.get("prompt_tokens"), value.get("completion_tokens")
    if not isinstance(prompt, int) or not isinstance(completion, int) or prompt <= 0:
        # Client libraries fill in zeros where the provider told nothing; no request has no tokens.
        return UsageUnknown()
    return Usage(prompt_tokens=prompt, completion_tokens=completion)


def _cut(finish: str, usage: Usage | UsageUnknown, request: ChatRequest) -> Cut:
    if finish in ("length", "max_tokens"):
        return Cut.AT_LIMIT
    limit = request.output_limit
    if isinstance(usage, Usage) and isinstance(limit, int) and usage.completion_tokens >= limit:
        return Cut.SUSPECTED
    return Cut.WHOLE


def _unusable(kind: FailureKind, detail: str) -> CompletionFailedError:
    return CompletionFailedError(failure(kind, detail=detail))
