"""Properties over arbitrary records: bytes are lossless, pairing is one-to-one and blind to how ids are spelled."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import assume, given, settings

from sscb_pipeline.trajectories.codec import decode, digest, encode
from sscb_pipeline.trajectories.pairing import CallPlace, Pairing, PairingConflictError, pair
from sscb_pipeline.trajectories.projection import lift, project
from sscb_pipeline.trajectories.source_codec import decode_source, encode_source
from sscb_pipeline.trajectories.source_record import (
    Actor,
    Requestor,
    SourceMessage,
    SourceRecord,
    SourceResult,
    SourceText,
    SourceTurn,
)
from sscb_pipeline.trajectories.steps import ToolCall, ToolObservation, Trajectory
from sscb_pipeline_tests.trajectories.generated import records, trajectories

STEADY = settings(max_examples=100, deadline=None, derandomize=True)
NEW_IDS = {"a": "toolu_01", "b": "\ud800", "c": "a"}


def paired(record: SourceRecord) -> Pairing:
    try:
        return pair(record)
    except PairingConflictError:
        assume(False)
        raise


@STEADY
@given(trajectories())
def test_a_trajectory_comes_back_from_its_bytes(trajectory: Trajectory) -> None:
    data = encode(trajectory)
    assert decode(data, "t") == trajectory
    assert encode(decode(data, "t")) == data


@STEADY
@given(trajectories(), trajectories())
def test_different_trajectories_have_different_bytes(one: Trajectory, other: Trajectory) -> None:
    assert (digest(one) == digest(other)) == (repr(one) == repr(other))


@STEADY
@given(records)
def test_a_source_record_comes_back_from_its_bytes(record: SourceRecord) -> None:
    data = encode_source(record)
    assert decode_source(data, "r") == record
    assert encode_source(decode_source(data, "r")) == data


@STEADY
@given(records)
def test_pairing_is_one_to_one_in_both_directions(record: SourceRecord) -> None:
    pairing = paired(record)
    calls = {
        CallPlace(message=index, position=position): message.actor
        for index, message in enumerate(record.messages)
        if isinstance(message, SourceTurn)
        for position in range(len(message.calls))
    }
    results = [index for index, message in enumerate(record.messages) if isinstance(message, SourceResult)]
    assert list(pairing.answers) == results
    linked = {index: link for index, link in pairing.answers.items() if isinstance(link, CallPlace)}
    assert len(set(linked.values())) == len(linked)
    assert set(linked.values()).isdisjoint(pairing.unanswered)
    assert set(linked.values()) | set(pairing.unanswered) == set(calls)
    assert set(linked) | set(pairing.orphans) == set(results)
    assert all(link.message < index for index, link in linked.items())


def _renamed(text: SourceText) -> SourceText:
    return replace(text, value=NEW_IDS.get(text.value, text.value))


def _relabelled(message: SourceMessage) -> SourceMessage:
    if isinstance(message, SourceTurn):
        return replace(message, calls=tuple(replace(call, call_id=_renamed(call.call_id)) for call in message.calls))
    if isinstance(message, SourceResult):
        return replace(message, call_id=_renamed(message.call_id))
    return message


@STEADY
@given(records)
def test_relabelling_ids_leaves_the_links_alone(record: SourceRecord) -> None:
    before = paired(record)
    after = pair(replace(record, messages=tuple(_relabelled(message) for message in record.messages)))
    assert {index: link for index, link in before.answers.items() if isinstance(link, CallPlace)} == {
        index: link for index, link in after.answers.items() if isinstance(link, CallPlace)
    }
    assert before.orphans == after.orphans
    assert before.unanswered == after.unanswered
    assert before.synthetic == after.synthetic


@STEADY
@given(records)
def test_a_projection_shows_the_agents_calls_and_no_one_elses(record: SourceRecord) -> None:
    paired(record)
    projection = project(record)
    steps = projection.trajectory.steps
    assert decode(encode(projection.trajectory), "t") == projection.trajectory
    assert [projection.calls[step.index] for step in steps if isinstance(step, ToolCall)] == [
        CallPlace(message=index, position=position)
        for index, message in enumerate(record.messages)
        if isinstance(message, SourceTurn) and message.actor.value == "agent"
        for position in range(len(message.calls))
    ]
    for step in steps:
        if isinstance(step, ToolObservation):
            answered = projection.trajectory.call_of(step)
            link = projection.pairing.answers[projection.places[step.index]]
            assert isinstance(answered, ToolCall) == isinstance(link, CallPlace)
            if isinstance(answered, ToolCall):
                assert projection.calls[answered.index] == link


@STEADY
@given(records)
def test_what_was_projected_can_be_lifted_again(record: SourceRecord) -> None:
    paired(record)
    trajectory = project(record).trajectory
    for message in record.messages:
        assume(not (isinstance(message, SourceTurn) and message.actor is Actor.USER and message.calls))
        assume(not (isinstance(message, SourceResult) and message.requestor is not Requestor.NOT_GIVEN))
    assert project(lift(trajectory, record.origin)).trajectory == trajectory
