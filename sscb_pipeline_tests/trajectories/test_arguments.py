"""Arguments are read, never repaired."""

from __future__ import annotations

import pytest

from sscb_pipeline.trajectories.arguments import (
    ArgumentForm,
    ParsedArguments,
    UnparsableArguments,
    absent,
    from_object,
    from_text,
)


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ('{"reservation_id":"R', "invalid JSON"),
        ('{}"', "invalid JSON"),
        ("", "invalid JSON"),
        ("null", "not an object but NoneType"),
        ("[]", "not an object but list"),
        ("42", "not an object but int"),
        ('{"a": NaN}', "invalid JSON: NaN is not JSON"),
        ('{"a": 1e999}', "invalid JSON: the number 1e999 is too large for a double"),
        ("{'user_id': 'u1'}", "invalid JSON"),
        ('{"a":' * 100_000, "invalid JSON"),
    ],
)
def test_unparsable_text_is_kept_with_its_reason(raw: str, reason: str) -> None:
    arguments = from_text(raw)
    assert arguments.raw == raw
    assert arguments.form is ArgumentForm.TEXT
    assert isinstance(arguments.reading, UnparsableArguments)
    assert arguments.reading.reason.startswith(reason)


def test_text_that_parses_keeps_its_spelling() -> None:
    arguments = from_text(' {"expression" : "120 + 3"}\n')
    assert arguments.raw == ' {"expression" : "120 + 3"}\n'
    assert arguments.reading == ParsedArguments(value={"expression": "120 + 3"})


def test_an_object_is_written_once_by_a_stated_rule() -> None:
    arguments = from_object({"user_id": "ü", "n": [1, 2.5]})
    assert (arguments.raw, arguments.form) == ('{"user_id": "ü", "n": [1, 2.5]}', ArgumentForm.OBJECT)
    assert arguments.reading == ParsedArguments(value={"user_id": "ü", "n": [1, 2.5]})


def test_an_object_that_json_cannot_hold_is_unparsable() -> None:
    assert isinstance(from_object({"x": float("nan")}).reading, UnparsableArguments)


def test_absent_arguments_are_not_an_empty_object() -> None:
    assert absent().form is ArgumentForm.ABSENT
    assert isinstance(absent().reading, UnparsableArguments)
