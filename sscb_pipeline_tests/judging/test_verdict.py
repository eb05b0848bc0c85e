"""Replies and what they are taken for."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sscb_pipeline.judging.verdict import Answer, Answered, Invalid, ReplyForm, parse_reply


@pytest.mark.parametrize(
    ("reply", "answer", "form"),
    [
        ('{"verdict":"yes"}', Answer.YES, ReplyForm.OBJECT),
        (' {"verdict": "no", "why": "it {is} \\"fine\\""}\n', Answer.NO, ReplyForm.OBJECT),
        ('```json\n{"verdict":"yes"}\n```', Answer.YES, ReplyForm.FENCE_REMOVED),
        ('```\r\n{"verdict":"cannot_decide"}\r\n```', Answer.CANNOT_DECIDE, ReplyForm.FENCE_REMOVED),
        ('I think so.\n{"verdict":"yes"} Done.', Answer.YES, ReplyForm.PROSE_AROUND),
        ('{"verdict":"yes","why":"a → b"}', Answer.YES, ReplyForm.OBJECT),
    ],
)
def test_one_object_is_read_and_the_rule_kept(reply: str, answer: Answer, form: ReplyForm) -> None:
    assert parse_reply(reply) == Answered(answer=answer, form=form)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "empty"),
        ("yes", "no object"),
        ('I think yes. {"verdict":"yes"} or {"verdict":"no"}', "two objects"),
        ('{"verdict":"ye', "truncated"),
        ('{"verdict":"yes", "why": {"a": 1}', "truncated"),
        ("{verdict: yes}", "unreadable object"),
        ('{"verdict":"yes","verdict":"no"}', "occurs twice"),
        ('{"verdict":"Yes"}', "'Yes'"),
        ('{"verdict":["yes"]}', "['yes']"),
        ('{"answer":"yes"}', "no verdict"),
        ('{"verdict":"yes","p":NaN}', "NaN"),
        ('{"a":' * 2000, "truncated"),
    ],
)
def test_nothing_is_guessed(reply: str, reason: str) -> None:
    found = parse_reply(reply)
    assert isinstance(found, Invalid)
    assert reason in found.reason


@given(st.text())
def test_any_text_is_read_without_an_exception(reply: str) -> None:
    assert isinstance(parse_reply(reply), Answered | Invalid)


@given(st.text(alphabet=st.characters(exclude_characters="{}")), st.sampled_from(Answer))
def test_prose_without_braces_never_changes_an_answer(prose: str, answer: Answer) -> None:
    found = parse_reply(f'{prose}{{"verdict":"{answer.value}"}}')
    assert isinstance(found, Answered)
    assert found.answer is answer


def test_a_console_that_cannot_show_the_reply_does_not_make_it_invalid() -> None:
    """A reply with an arrow under a console of code page 1252: reading it prints nothing, so nothing can fail."""
    program = (
        "from sscb_pipeline.judging.verdict import parse_reply, kind_of\n"
        'print(kind_of(parse_reply(\'{"verdict":"yes","why":"a \\u2192 b"}\')))'
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env={"PYTHONIOENCODING": "cp1252"}, capture_output=True, check=True
    )
    assert done.stdout.strip() == b"yes"
