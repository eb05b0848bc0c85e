"""The error table: what can go wrong with a model call, and what then happens.

A failure is told apart by the HTTP status first and by the provider's words where the status says too little: a
context overflow often comes as a plain 400, a spent quota as a 429 that no waiting helps. The patterns are a tested
table; a 400 that none of them names is a bad request.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from sscb_pipeline.errors import SscbError

LONGEST_DETAIL = 500


class FailureKind(StrEnum):
    """What went wrong."""

    RATE_LIMIT = "rate_limit"
    OVERLOAD = "overload"
    TIMEOUT = "timeout"
    CONNECTION = "connection"
    SERVER_ERROR = "server_error"
    MALFORMED_REPLY = "malformed_reply"
    EMPTY_CANDIDATE = "empty_candidate"
    CONTEXT_OVERFLOW = "context_overflow"
    CONTENT_FILTER = "content_filter"
    BAD_REQUEST = "bad_request"
    AUTHENTICATION = "authentication"
    QUOTA = "quota"
    UNKNOWN_MODEL = "unknown_model"


class Consequence(StrEnum):
    """What follows from a failure."""

    RETRY = "retry"
    """Ask again, a bounded number of times; then the unit of work has no answer."""
    END_UNIT = "end_unit"
    """This conversation can not go on; others can."""
    STOP_EVERYTHING = "stop_everything"
    """Every further call would fail in the same way."""


CONSEQUENCE_OF: Mapping[FailureKind, Consequence] = {
    FailureKind.RATE_LIMIT: Consequence.RETRY,
    FailureKind.OVERLOAD: Consequence.RETRY,
    FailureKind.TIMEOUT: Consequence.RETRY,
    FailureKind.CONNECTION: Consequence.RETRY,
    FailureKind.SERVER_ERROR: Consequence.RETRY,
    FailureKind.MALFORMED_REPLY: Consequence.RETRY,
    FailureKind.EMPTY_CANDIDATE: Consequence.RETRY,
    FailureKind.CONTEXT_OVERFLOW: Consequence.END_UNIT,
    FailureKind.CONTENT_FILTER: Consequence.END_UNIT,
    FailureKind.BAD_REQUEST: Consequence.END_UNIT,
    FailureKind.AUTHENTICATION: Consequence.STOP_EVERYTHING,
    FailureKind.QUOTA: Consequence.STOP_EVERYTHING,
    FailureKind.UNKNOWN_MODEL: Consequence.STOP_EVERYTHING,
}


REFUSED_UNREAD = frozenset(
    {
        FailureKind.RATE_LIMIT,
        FailureKind.BAD_REQUEST,
        FailureKind.AUTHENTICATION,
        FailureKind.QUOTA,
        FailureKind.UNKNOWN_MODEL,
    }
)
"""Failures before any token was read: such a call used nothing, which is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryAfter:
    """The provider said how long to wait."""

    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class NotTold:
    """The provider did not say how long to wait."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """One failed attempt. `status` is the HTTP status as text, `none` where there was no answer."""

    kind: FailureKind
    status: str
    detail: str
    wait: RetryAfter | NotTold

    @property
    def consequence(self) -> Consequence:
        """What follows."""
        return CONSEQUENCE_OF[self.kind]


class CompletionFailedError(SscbError):
    """A model call has no answer. `failure` says why."""

    def __init__(self, failed: Failure) -> None:
        self.failure = failed
        super().__init__(
            subject="model call",
            expected="an answer",
            found=f"{failed.kind.value} (status {failed.status}): {failed.detail}",
            remedy=_REMEDIES.get(failed.kind, "run the same command again; answered calls are not asked again"),
        )


_REMEDIES: Mapping[FailureKind, str] = {
    FailureKind.AUTHENTICATION: "put a valid key into the environment variable the configuration names",
    FailureKind.QUOTA: "raise the quota or the balance at the provider, then run the same command again",
    FailureKind.UNKNOWN_MODEL: "correct `model` in the configuration file",
    FailureKind.BAD_REQUEST: "read the provider's words; correct `settings` if they name one",
    FailureKind.CONTEXT_OVERFLOW: "choose a model with a longer context",
}

_OVERFLOW = re.compile(
    r"context[ _-]?(window|length|size)|maximum context|prompt is too long|too many (input )?tokens"
    r"|input is too long|prompt has \d+ tokens|(tokens|length)\b.{0,40}\bexceeds?\b|exceeds?\b.{0,40}\btokens?\b"
    r"|reduce the length of the (messages|prompt)|request too large for model",
    re.IGNORECASE,
)
_FILTER = re.compile(
    r"content[ _-]?(filter|policy|management)|responsible ?ai|safety (system|settings|filter)"
    r"|blocked by .{0,30}(policy|safety)",
    re.IGNORECASE,
)
_QUOTA = re.compile(
    r"insufficient[ _-]quota|exceeded your current quota|billing|insufficient (balance|credit)|credit balance",
    re.IGNORECASE,
)
_NO_MODEL = re.compile(
    r"model\b.{0,80}\b(does not exist|not found|not supported)|no such model|unknown model", re.IGNORECASE
)


def failure(
    kind: FailureKind, *, detail: str, status: str = "none", wait: RetryAfter | NotTold | None = None
) -> Failure:
    """A failure with its detail cut to a readable length."""
    told = detail if len(detail) <= LONGEST_DETAIL else f"{detail[:LONGEST_DETAIL]}…"
    return Failure(kind=kind, status=status, detail=told, wait=wait or NotTold())


_CONNECTION = re.compile(r"connection (error|reset|aborted|refused|closed)|server disconnected", re.IGNORECASE)
_UNREADABLE = re.compile(
    r"unterminated string|expecting (value|property name|',' delimiter|':' delimiter)|invalid json", re.IGNORECASE
)


def kind_of(status: int, words: str) -> FailureKind:
    """The kind of an HTTP error status with the provider's words. Total."""
    if _QUOTA.search(words) and status in (400, 402, 403, 429):
        return FailureKind.QUOTA
    match status:
        case 401 | 403:
            return FailureKind.AUTHENTICATION
        case 402:
            return FailureKind.QUOTA
        case 404:
            return FailureKind.UNKNOWN_MODEL
        case 408 | 504:
            return FailureKind.TIMEOUT
        case 429:
            return FailureKind.RATE_LIMIT
        case 503 | 529:
            return FailureKind.OVERLOAD
        case _ if status >= 500:
            # Client libraries give a status of 500 to what never had one.
            if _CONNECTION.search(words):
                return FailureKind.CONNECTION
            return FailureKind.MALFORMED_REPLY if _UNREADABLE.search(words) else FailureKind.SERVER_ERROR
    if _OVERFLOW.search(words):
        return FailureKind.CONTEXT_OVERFLOW
    if _FILTER.search(words):
        return FailureKind.CONTENT_FILTER
    if _NO_MODEL.search(words):
        return FailureKind.UNKNOWN_MODEL
    return FailureKind.BAD_REQUEST
