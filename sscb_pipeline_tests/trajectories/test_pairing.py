"""Pairing by rule: reused, empty and missing ids, parallel calls, orphans, contradictions, both actors."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sscb_pipeline.trajectories.pairing import CallPlace, PairingConflictError, Unanswering, pair
from sscb_pipeline.trajectories.source_record import (
    PairingRule,
    Requestor,
    SourceRecord,
    SourceResult,
)
from sscb_pipeline_tests.trajectories.recorded import call, recorded, result, said


def links(record: SourceRecord) -> list[tuple[int, int, int]]:
    """(message, position, result message) of all pairs."""
    return [
        (link.message, link.position, index)
        for index, link in pair(record).answers.items()
        if isinstance(link, CallPlace)
    ]


def test_a_result_without_any_call_is_kept_as_an_orphan() -> None:
    record = recorded(
        said("user", "Status of order W1?"),
        said("assistant", "Let me look."),
        result("k9", '{"order_id":"W1","status":"pending"}'),
    )
    pairing = pair(record)
    assert pairing.orphans == (2,)
    assert pairing.answers[2] == Unanswering(reason="no unanswered call with id 'k9' comes before it")


def test_a_call_at_the_step_cap_stays_unanswered() -> None:
    record = recorded(
        said("user", "Move R1 to 20 May"),
        said("assistant", "", call("a1", "update_reservation_flights", '{"reservation_id":"R1"}')),
    )
    pairing = pair(record)
    assert pairing.unanswered == (CallPlace(message=1, position=0),)
    assert pairing.answers == {}


def test_a_reused_id_pairs_with_the_latest_open_call() -> None:
    record = recorded(
        said("assistant", None, call("x1", "get_user_details", '{"user_id":"u1"}')),
        result("x1", '{"name":"Ann"}'),
        said("assistant", None, call("x1", "get_reservation_details", '{"reservation_id":"R1"}')),
        result("x1", '{"reservation_id":"R1","cabin":"economy"}'),
    )
    assert links(record) == [(0, 0, 1), (2, 0, 3)]
    assert pair(record).reused_ids == ("x1",)
    assert [place.uid for place in pair(record).answers.values() if isinstance(place, CallPlace)] == ["m0c0", "m2c0"]


def test_an_unanswered_early_call_of_the_same_id_is_not_answered_late() -> None:
    record = recorded(
        said("assistant", None, call("x1", "f")),
        said("assistant", None, call("x1", "g")),
        result("x1", "1"),
        result("x1", "2"),
    )
    assert links(record) == [(1, 0, 2), (0, 0, 3)]


def test_one_id_twice_in_a_message_is_taken_in_order() -> None:
    record = recorded(
        said("assistant", None, call("x", "f"), call("y", "g"), call("x", "h")),
        result("x", "1", name="f"),
        result("x", "2", name="h"),
        result("y", "3", name="g"),
    )
    assert links(record) == [(0, 0, 1), (0, 2, 2), (0, 1, 3)]


@pytest.mark.parametrize("empty", ["", None])
def test_ids_that_are_empty_or_absent_pair_while_one_call_is_open(empty: str | None) -> None:
    record = recorded(
        said("assistant", "", call(empty, "get_user_details", '{"user_id":"u1"}')), result(None, '{"name":"Ann"}')
    )
    assert links(record) == [(0, 0, 1)]
    assert pair(record).synthetic == (CallPlace(message=0, position=0),)
    assert pair(record).reused_ids == ()


def test_two_open_calls_without_ids_are_undecidable() -> None:
    with pytest.raises(PairingConflictError) as caught:
        recorded(said("assistant", "", call("", "f"), call("", "g")), result("", "1"))
    error = caught.value
    assert error.subject == "small.json: run 0 (task 0, trial 0), message 1"
    assert error.found == "2 open calls, at message 0, call 0 and message 0, call 1"
    assert "position" in error.remedy


def test_position_pairs_where_the_format_declares_it() -> None:
    record = recorded(
        said("assistant", "", call(None, "f"), call(None, "g")),
        said("assistant", "", call("k", "h")),
        result("k", "of h"),
    )
    by_position = replace(
        record,
        pairing_rule=PairingRule.BY_POSITION,
        messages=(*record.messages, _bare("f"), _bare("g"), _bare("nothing")),
    )
    assert links(by_position) == [(1, 0, 2), (0, 0, 3), (0, 1, 4)]
    assert pair(by_position).orphans == (5,)


def _bare(content: str) -> SourceResult:
    message = recorded(result(None, content)).messages[0]
    assert isinstance(message, SourceResult)
    return message


def test_position_is_cross_checked_on_ids() -> None:
    record = recorded(said("assistant", "", call("k", "f")), result("other", "1"))
    assert pair(record).orphans == (1,)
    with pytest.raises(PairingConflictError) as caught:
        pair(replace(record, pairing_rule=PairingRule.BY_POSITION))
    assert (caught.value.expected, caught.value.found) == ("id 'k' of the call at message 0, call 0", "'other'")


def test_a_tool_name_that_contradicts_the_call_is_an_error() -> None:
    with pytest.raises(PairingConflictError) as caught:
        recorded(said("assistant", None, call("x", "f")), result("x", "1", name="g"))
    assert (caught.value.expected, caught.value.found) == ("a result of 'f', called at message 0, call 0", "'g'")


def test_a_name_is_cross_checked_without_ids_too() -> None:
    with pytest.raises(PairingConflictError):
        recorded(said("assistant", None, call(None, "f")), result(None, "1", name="g"))


def test_consecutive_assistant_messages_stay_apart() -> None:
    record = recorded(
        said("assistant", "One moment.", call("a", "get_user_details")),
        said("assistant", "And also:", call("b", "get_order_details")),
        result("a", "{}"),
        result("b", "{}"),
    )
    assert len(record.messages) == 4
    assert links(record) == [(0, 0, 2), (1, 0, 3)]


def test_parallel_calls_that_a_scaffold_forgot_are_kept_unanswered() -> None:
    record = recorded(
        said("assistant", "", call("a", "get_user_details"), call("b", "get_reservation_details")),
        result("a", "{}"),
    )
    assert links(record) == [(0, 0, 1)]
    assert pair(record).unanswered == (CallPlace(message=0, position=1),)


def test_an_unknown_tool_pairs_like_any_other() -> None:
    record = recorded(
        said("assistant", "", call("a", "get_flight_weather")),
        result("a", "Unknown action get_flight_weather"),
        said("assistant", "", call("b", "get_reservation_details")),
        result("b", '{"reservation_id":"R1"}'),
    )
    assert links(record) == [(0, 0, 1), (2, 0, 3)]


def test_the_users_call_is_answered() -> None:
    record = recorded(said("user", "I turned it off.", call("u1", "toggle_airplane_mode")), result("u1", "off"))
    assert links(record) == [(0, 0, 1)]


def test_a_result_is_cross_checked_on_whose_call_it_says_it_answers() -> None:
    record = recorded(
        said("user", "", call(None, "toggle")), said("assistant", "", call(None, "look")), result("z", "1")
    )
    own = _requested(record, Requestor.USER)
    assert links(own) == [(0, 0, 2)]
    foreign = _requested(recorded(said("user", "", call("k", "toggle")), result("k", "off")), Requestor.AGENT, "k")
    with pytest.raises(PairingConflictError) as caught:
        pair(foreign)
    assert caught.value.found == "'requestor agent'"


def _requested(record: SourceRecord, requestor: Requestor, call_id: str = "") -> SourceRecord:
    last = record.messages[-1]
    assert isinstance(last, SourceResult)
    changed = replace(last, requestor=requestor, call_id=replace(last.call_id, value=call_id))
    return replace(record, messages=(*record.messages[:-1], changed))


def test_a_second_result_of_an_answered_call_is_an_orphan() -> None:
    record = recorded(said("assistant", "", call("a", "f")), result("a", "1"), result("a", "2"))
    assert links(record) == [(0, 0, 1)]
    assert pair(record).orphans == (2,)
