"""What becomes a step and what stays in the source record."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sscb_pipeline.errors import InputError
from sscb_pipeline.trajectories.codec import encode
from sscb_pipeline.trajectories.pairing import CallPlace
from sscb_pipeline.trajectories.projection import lift, project
from sscb_pipeline.trajectories.source_record import (
    PairingRule,
    Requestor,
    SourceHandoff,
    SourceResult,
    SourceTurn,
    TextForm,
    given,
)
from sscb_pipeline.trajectories.steps import (
    AgentMessage,
    Answers,
    Handoff,
    Orphan,
    Step,
    SystemText,
    ToolCall,
    ToolObservation,
    Trajectory,
    UserMessage,
)
from sscb_pipeline_tests.trajectories.recorded import Message, call, recorded, result, said


def steps(*messages: Message) -> tuple[Step, ...]:
    return project(recorded(*messages)).trajectory.steps


def test_a_turn_with_text_and_two_calls_is_three_steps_text_first() -> None:
    projection = project(
        recorded(
            said("system", "Policy."),
            said("user", "Hello"),
            said("assistant", "Looking.", call("a", "f", '{"x": 1}'), call("b", "g")),
            result("b", "of g"),
            result("a", "of f", name="f"),
            said("assistant", "Done."),
        )
    )
    found = projection.trajectory.steps
    assert found[:3] == (
        SystemText(index=0, text="Policy."),
        UserMessage(index=1, text="Hello"),
        AgentMessage(index=2, turn=0, text="Looking."),
    )
    assert [(type(step), step.index) for step in found[3:]] == [
        (ToolCall, 3),
        (ToolCall, 4),
        (ToolObservation, 5),
        (ToolObservation, 6),
        (AgentMessage, 7),
    ]
    assert [step.turn for step in found if isinstance(step, AgentMessage | ToolCall)] == [0, 0, 0, 1]
    assert found[5] == ToolObservation(index=5, call_id="b", tool="", content="of g", pairing=Answers(call=4))
    assert found[6] == ToolObservation(index=6, call_id="a", tool="f", content="of f", pairing=Answers(call=3))
    assert projection.places == (0, 1, 2, 2, 2, 3, 4, 5)
    assert projection.calls == {3: CallPlace(message=2, position=0), 4: CallPlace(message=2, position=1)}


@pytest.mark.parametrize("blank", [None, "", " \n"])
def test_blank_text_of_a_calling_turn_gives_no_step_and_stays_what_it_was(blank: str | None) -> None:
    record = recorded(
        said("user", "Cancel R7"), said("assistant", blank, call("a", "cancel_reservation", '{"reservation_id":"R7"}'))
    )
    turn = record.messages[1]
    assert isinstance(turn, SourceTurn)
    assert (turn.text.form, turn.text.value) == (TextForm.NULL if blank is None else TextForm.GIVEN, blank or "")
    (_, only) = project(record).trajectory.steps
    assert isinstance(only, ToolCall)
    assert only.arguments.raw == '{"reservation_id":"R7"}'


def test_thinking_only_is_no_step_and_no_invented_text() -> None:
    record = recorded(said("user", "Hi"), said("assistant", None, reasoning_content="hmm"))
    assert [type(step) for step in project(record).trajectory.steps] == [UserMessage]
    turn = record.messages[1]
    assert isinstance(turn, SourceTurn)
    assert turn.reasoning == given("hmm")


def test_reasoning_is_not_in_the_bytes_of_a_trajectory() -> None:
    record = recorded(said("assistant", "Your flight is changed.", reasoning_content="the tool said success"))
    trajectory = project(record).trajectory
    assert trajectory.steps == (AgentMessage(index=0, turn=0, text="Your flight is changed."),)
    assert b"the tool said success" not in encode(trajectory)


def test_a_refusal_is_what_the_agent_said() -> None:
    assert steps(said("assistant", None, refusal="I can't help with that.")) == (
        AgentMessage(index=0, turn=0, text="I can't help with that."),
    )


def test_an_empty_result_is_an_observation() -> None:
    found = steps(
        said("assistant", "", call("t", "think", '{"thought":"check policy"}')), result("t", "", name="think")
    )
    assert found[1] == ToolObservation(index=1, call_id="t", tool="think", content="", pairing=Answers(call=0))


def test_an_orphan_is_kept_and_named() -> None:
    found = steps(said("assistant", "Let me look."), result("k9", "{}"))
    assert found[1] == ToolObservation(
        index=1,
        call_id="k9",
        tool="",
        content="{}",
        pairing=Orphan(reason="no unanswered call with id 'k9' comes before it"),
    )


def test_the_users_calls_and_what_they_say_beside_them_are_not_for_the_agent() -> None:
    record = recorded(
        said("user", "I turned it off.", call("u1", "toggle_airplane_mode")),
        result("u1", "off"),
        said("user", "It is off now."),
    )
    assert project(record).trajectory.steps == (UserMessage(index=0, text="It is off now."),)
    turn = record.messages[0]
    assert isinstance(turn, SourceTurn)
    assert (turn.text.value, turn.calls[0].tool) == ("I turned it off.", "toggle_airplane_mode")


def test_an_orphan_that_belongs_to_the_user_is_hidden() -> None:
    record = recorded(said("user", "Hi"), result("k", "secret"))
    last = record.messages[1]
    assert isinstance(last, SourceResult)
    hidden = replace(record, messages=(record.messages[0], replace(last, requestor=Requestor.USER)))
    assert len(project(record).trajectory.steps) == 2
    assert len(project(hidden).trajectory.steps) == 1
    assert project(hidden).pairing.orphans == (1,)


def test_stop_markers_are_stripped_and_kept_in_the_record() -> None:
    record = recorded(said("assistant", "Shall I go on?"), said("user", "Yes please. ###STOP###"))
    assert project(record).trajectory.steps[1] == UserMessage(index=1, text="Yes please.")
    turn = record.messages[1]
    assert isinstance(turn, SourceTurn)
    assert turn.text.value == "Yes please. ###STOP###"


def test_a_bare_marker_is_no_user_message() -> None:
    assert [type(step) for step in steps(said("assistant", "Bye."), said("user", "###STOP###"))] == [AgentMessage]


def test_an_empty_user_message_was_delivered() -> None:
    assert steps(said("user", ""), said("assistant", "Hello?"))[0] == UserMessage(index=0, text="")


def test_markers_bind_only_the_source_that_uses_them() -> None:
    text = "What does ###TRANSFER### mean?"
    assert steps(said("user", text)) == (UserMessage(index=0, text=text),)


def test_a_handoff_is_a_step() -> None:
    record = recorded(said("assistant", "Passing you on."))
    handed = replace(record, messages=(*record.messages, SourceHandoff(recipient="billing", text=given("Refund R1"))))
    trajectory = project(handed).trajectory
    assert trajectory.steps[1] == Handoff(index=1, recipient="billing", text="Refund R1")
    assert project(lift(trajectory, record.origin)).trajectory == trajectory


def test_lift_declares_position_where_ids_cannot_tell() -> None:
    first = project(
        recorded(said("user", "Hi"), said("assistant", "", call("", "f"), call("a", "g")), result("a", "2"))
    ).trajectory
    observed = ToolObservation(index=3, call_id="", tool="f", content="1", pairing=Answers(call=1))
    second = ToolObservation(index=4, call_id="a", tool="g", content="2", pairing=Answers(call=2))
    trajectory = replace(first, steps=(*first.steps[:3], observed, second))
    record = lift(trajectory, recorded().origin)
    assert record.pairing_rule is PairingRule.BY_POSITION
    assert project(record).trajectory == trajectory


def test_lift_refuses_links_that_no_rule_gives() -> None:
    trajectory = project(
        recorded(said("assistant", "", call("a", "f"), call("b", "g")), result("a", "1"), result("b", "2"))
    ).trajectory
    crossed = Trajectory(
        tools=(),
        steps=(
            *trajectory.steps[:2],
            ToolObservation(index=2, call_id="a", tool="", content="1", pairing=Answers(call=1)),
            ToolObservation(index=3, call_id="b", tool="", content="2", pairing=Answers(call=0)),
        ),
        extent=trajectory.extent,
    )
    with pytest.raises(InputError, match="record the run again"):
        lift(crossed, recorded().origin)
