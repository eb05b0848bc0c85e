"""Small adversarial recordings with their right answers: pairing, content and encoding of packets."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sscb_pipeline.packets.build import render
from sscb_pipeline.packets.excerpt import shown_message, shown_messages
from sscb_pipeline.packets.input_contract import QUESTION, PacketKind, Rendering, Scope, TrailingCalls
from sscb_pipeline.packets.requirement import Requirement
from sscb_pipeline.packets.target import Target
from sscb_pipeline.trajectories.pairing import PairingConflictError
from sscb_pipeline.trajectories.source_record import SourceRecord
from sscb_pipeline_tests.packets.bench_of_checks import ALL, all_kept, broken, violations, world
from sscb_pipeline_tests.packets.made import agent, user
from sscb_pipeline_tests.packets.made import call as made_call
from sscb_pipeline_tests.packets.made import record as made_record
from sscb_pipeline_tests.packets.made import result as made_result
from sscb_pipeline_tests.trajectories.recorded import call, recorded, result, said


def packet(record: SourceRecord, message: int, scope: Scope, rendering: Rendering) -> str:
    target = Target(record_id="r", message=message)
    return render(record, target, PacketKind(scope=scope, rendering=rendering), QUESTION).decode()


def test_an_action_that_stands_in_the_calls_only() -> None:
    record = recorded(
        said("user", "Cancel R7"),
        said("assistant", "", call("a", "cancel_reservation", '{"reservation_id":"R7"}')),
        result("a", "{}"),
    )
    line = '[TOOL CALL] cancel_reservation({"reservation_id":"R7"})'
    assert line not in packet(record, 1, Scope.PREFIX, Rendering.ORIGINAL)
    for rendering in (Rendering.RESTORED, Rendering.COMPLETE):
        shown = shown_message(packet(record, 1, Scope.PREFIX, rendering).encode(), 1, "p")
        assert shown.target
        assert line in shown.lines
        assert not shown.blank
    made = world(record, 1)
    made.change(made.key(Scope.PREFIX, Rendering.RESTORED), f"{line}\n", "")
    for outcomes in (made.inline(), made.disk()):
        assert "message 1" in violations(outcomes, Requirement.CALLS_SHOWN)


def test_a_prefix_packet_ends_before_the_result_of_its_target() -> None:
    record = recorded(
        said("user", "Both"),
        said("assistant", None, call("a", "f"), call("b", "g")),
        result("a", "first-result"),
        result("b", "second-result"),
    )
    text = packet(record, 1, Scope.PREFIX, Rendering.COMPLETE)
    assert text.count("[TOOL CALL]") == 2
    assert "result" not in text.replace("[TOOL RESULT]", "").split("[TRAJECTORY]")[1]
    full = packet(record, 1, Scope.FULL, Rendering.RESTORED)
    assert [message.index for message in shown_messages(full.encode(), "p")] == [0, 1, 2, 3]


def test_an_empty_result_is_shown_as_empty() -> None:
    record = recorded(said("user", "x"), said("assistant", "", call("t", "think")), result("t", "", name="think"))
    for rendering in Rendering:
        assert "[TOOL RESULT] (empty)\n" in packet(record, 1, Scope.FULL, rendering)
    assert all_kept(world(record, 1).inline())


def test_a_nul_is_shown_escaped() -> None:
    record = recorded(said("user", "x"), said("assistant", "", call("a", "f")), result("a", "id\x00u1"))
    for rendering in Rendering:
        text = packet(record, 1, Scope.FULL, rendering)
        assert "id\\u0000u1" in text
        assert "\x00" not in text


def test_a_refusal_is_what_the_agent_said_and_reasoning_is_not() -> None:
    record = recorded(
        said("user", "x"),
        said("assistant", None, refusal="I can't help with that.", reasoning_content="the tool said success"),
    )
    for rendering in Rendering:
        text = packet(record, 1, Scope.PREFIX, rendering)
        assert "I can't help with that." in text
        assert "the tool said success" not in text


def test_two_turns_in_a_row_keep_their_own_calls() -> None:
    record = recorded(
        said("user", "x"),
        said("assistant", "One moment.", call("a", "f")),
        said("assistant", "And also:", call("b", "g")),
        result("a", "{}"),
        result("b", "{}"),
    )
    shown = list(shown_messages(packet(record, 2, Scope.FULL, Rendering.RESTORED).encode(), "p"))
    assert [message.lines[-1] for message in shown[1:3]] == ["[TOOL CALL] f({})", "[TOOL CALL] g({})"]
    assert all_kept(world(record, 1, 2).disk())


def test_a_result_without_a_call_is_named_by_both() -> None:
    record = recorded(said("user", "x"), said("assistant", "Let me look."), result("k9", '{"status":"pending"}'))
    made = world(record, 1)
    for outcomes in (made.inline(), made.disk()):
        assert broken(outcomes) == {Requirement.RESULT_HAS_CALL}
        assert "message 2" in violations(outcomes, Requirement.RESULT_HAS_CALL)


def test_a_last_call_without_result_is_a_matter_of_the_contract() -> None:
    record = recorded(said("user", "x"), said("assistant", "", call("a1", "f")))
    assert all_kept(world(record, 1).inline())
    refusing = world(record, 1, contract=replace(ALL, trailing_calls=TrailingCalls.REFUSED))
    for outcomes in (refusing.inline(), refusing.disk()):
        assert broken(outcomes) == {Requirement.CALL_HAS_RESULT}


def test_empty_ids_pair_while_one_call_is_open_and_are_undecidable_with_two() -> None:
    one = recorded(said("user", "x"), said("assistant", "", call("", "f")), result(None, "1"))
    assert all_kept(world(one, 1).disk())
    two = made_record(user("x"), agent("", made_call("", "f"), made_call("", "g")), made_result("", "1"))
    for outcomes in (world(two, 1).inline(), world(two, 1).disk()):
        assert Requirement.RESULT_HAS_CALL in broken(outcomes)
    with pytest.raises(PairingConflictError, match="2 open calls"):
        recorded(said("user", "x"), said("assistant", "", call("", "f"), call("", "g")), result(None, "1"))


def test_a_result_missing_from_a_packet_is_named_by_both() -> None:
    record = recorded(
        said("user", "x"), said("assistant", "", call("a", "f")), result("a", '{"total":31}'), said("assistant", "31.")
    )
    made = world(record, 1)
    made.change(made.key(Scope.FULL, Rendering.RESTORED), '[MESSAGE 2]\n[TOOL RESULT]\n{"total":31}\n', "")
    for outcomes in (made.inline(), made.disk()):
        assert "[2]" in violations(outcomes, Requirement.MESSAGE_ORDER)


def test_a_very_large_result_is_whole() -> None:
    record = recorded(said("user", "x"), said("assistant", "", call("a", "f")), result("a", "é" * 900_000))
    assert len(packet(record, 1, Scope.FULL, Rendering.COMPLETE).encode()) > 1_800_000
    assert all_kept(world(record, 1).disk())
