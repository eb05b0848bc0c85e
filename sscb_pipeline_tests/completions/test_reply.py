"""Reading answers: nothing invented, nothing repaired."""

from typing import Any

import pytest

from sscb_pipeline.completions.failures import CompletionFailedError, FailureKind
from sscb_pipeline.completions.reply import LEGACY_CALL_ID, Cut, Reply, Usage, UsageUnknown, read_reply
from sscb_pipeline_tests.completions.doubles import body, request


def read(answer: dict[str, Any], **settings: Any) -> Reply:
    return read_reply(answer, request(**settings))


def call(arguments: Any, call_id: str = "a") -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": "get_user_details", "arguments": arguments}}


def test_thinking_alone_is_silence() -> None:
    reply = read(body(None, reasoning_content="hmm"))
    assert reply.silent
    assert (reply.text, reply.reasoning) == ("", "hmm")


def test_a_refusal_stays_apart_from_the_text() -> None:
    reply = read(body(None, refusal="I can't help with that."))
    assert (reply.text, reply.refusal, reply.silent) == ("", "I can't help with that.", False)


@pytest.mark.parametrize(
    ("given", "raw"),
    [
        ('{"reservation_id":"R', '{"reservation_id":"R'),
        ('{}"', '{}"'),
        (None, ""),
        ("", ""),
        ("[]", "[]"),
        ({"user_id": "u1"}, '{"user_id": "u1"}'),
        ([], "[]"),
        (42, "42"),
    ],
)
def test_arguments_are_the_text_that_came_or_are_written_out_once(given: Any, raw: str) -> None:
    assert read(body(None, tool_calls=[call(given)])).calls[0].raw_arguments == raw


def test_parallel_calls_are_all_there_with_repeated_ids() -> None:
    calls = read(body("", tool_calls=[call("{}", "a"), call("{}", "a"), call("{}", "")])).calls
    assert [found.call_id for found in calls] == ["a", "a", "call_2"]


def test_the_old_function_call_is_a_call() -> None:
    found = read(body(None, function_call={"name": "calculate", "arguments": "{}"})).calls
    assert [(one.call_id, one.tool) for one in found] == [(LEGACY_CALL_ID, "calculate")]


def test_unknown_usage_is_unknown_and_not_zero() -> None:
    answer = body()
    answer["usage"] = None
    assert read(answer).usage == UsageUnknown()
    answer["usage"] = {"prompt_tokens": 0, "completion_tokens": 0}
    assert read(answer).usage == UsageUnknown()
    assert read(body()).usage == Usage(prompt_tokens=10, completion_tokens=5)


def test_an_output_as_long_as_allowed_is_suspected_to_be_cut() -> None:
    assert read(body(), max_tokens=5).cut is Cut.SUSPECTED
    assert read(body(), max_tokens=6).cut is Cut.WHOLE
    answer = body()
    answer["choices"][0]["finish_reason"] = "length"
    assert read(answer).cut is Cut.AT_LIMIT


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ({"choices": []}, FailureKind.EMPTY_CANDIDATE),
        ({"choices": [{"finish_reason": "stop"}]}, FailureKind.EMPTY_CANDIDATE),
        ({"candidates": []}, FailureKind.MALFORMED_REPLY),
        ({"choices": [{"message": {"tool_calls": [{"id": "a"}]}}]}, FailureKind.MALFORMED_REPLY),
    ],
)
def test_a_body_without_an_answer_is_a_failure_and_no_empty_answer(answer: dict[str, Any], kind: FailureKind) -> None:
    with pytest.raises(CompletionFailedError) as caught:
        read(answer)
    assert caught.value.failure.kind is kind


def test_content_in_parts_is_joined_as_it_stands() -> None:
    answer = body()
    answer["choices"][0]["message"]["content"] = [{"type": "text", "text": "a "}, {"type": "text", "text": "b"}]
    assert read(answer).text == "a b"
