"""The error table."""

import pytest

from sscb_pipeline.completions.failures import (
    CONSEQUENCE_OF,
    LONGEST_DETAIL,
    Consequence,
    FailureKind,
    failure,
    kind_of,
)


@pytest.mark.parametrize(
    ("status", "words", "kind"),
    [
        (400, "prompt has 300000 tokens, limit is 200000", FailureKind.CONTEXT_OVERFLOW),
        (400, "This model's maximum context length is 8192 tokens", FailureKind.CONTEXT_OVERFLOW),
        (400, "prompt is too long: 210000 tokens > 200000 maximum", FailureKind.CONTEXT_OVERFLOW),
        (
            400,
            "The input token count (1200000) exceeds the maximum number of tokens allowed",
            FailureKind.CONTEXT_OVERFLOW,
        ),
        (413, "Request too large for model", FailureKind.CONTEXT_OVERFLOW),
        (400, "The response was filtered due to the content management policy", FailureKind.CONTENT_FILTER),
        (400, "tool_choice must be one of auto, none", FailureKind.BAD_REQUEST),
        (422, "unprocessable", FailureKind.BAD_REQUEST),
        (401, "Incorrect API key provided", FailureKind.AUTHENTICATION),
        (403, "forbidden", FailureKind.AUTHENTICATION),
        (402, "payment required", FailureKind.QUOTA),
        (429, "You exceeded your current quota, please check your plan and billing details", FailureKind.QUOTA),
        (429, "Rate limit reached for requests", FailureKind.RATE_LIMIT),
        (404, "The model `gpt-9` does not exist", FailureKind.UNKNOWN_MODEL),
        (400, "model gpt-9 not found", FailureKind.UNKNOWN_MODEL),
        (408, "timeout", FailureKind.TIMEOUT),
        (503, "overloaded", FailureKind.OVERLOAD),
        (529, "overloaded_error", FailureKind.OVERLOAD),
        (500, "The server had an error", FailureKind.SERVER_ERROR),
        (500, "Connection error.", FailureKind.CONNECTION),
        (500, "Unterminated string starting at: line 1 column 2", FailureKind.MALFORMED_REPLY),
        (502, "bad gateway", FailureKind.SERVER_ERROR),
    ],
)
def test_status_and_words_decide_the_kind(status: int, words: str, kind: FailureKind) -> None:
    assert kind_of(status, words) is kind


def test_every_kind_has_a_consequence_and_no_wait_helps_a_spent_quota() -> None:
    assert set(CONSEQUENCE_OF) == set(FailureKind)
    assert CONSEQUENCE_OF[FailureKind.QUOTA] is Consequence.STOP_EVERYTHING
    assert CONSEQUENCE_OF[FailureKind.CONTEXT_OVERFLOW] is Consequence.END_UNIT


def test_a_long_detail_is_cut() -> None:
    assert len(failure(FailureKind.BAD_REQUEST, detail="x" * 10_000).detail) == LONGEST_DETAIL + 1
