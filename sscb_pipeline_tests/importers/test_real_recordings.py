"""Every call and every result of real recordings is accounted for, in both directions."""

from __future__ import annotations

import pytest

from sscb_pipeline.adapters.importers.imported import Import, ImportCounts
from sscb_pipeline.adapters.importers.registry import read
from sscb_pipeline.trajectories.arguments import ArgumentForm, UnparsableArguments
from sscb_pipeline.trajectories.codec import decode, encode
from sscb_pipeline.trajectories.pairing import CallPlace, pair
from sscb_pipeline.trajectories.projection import lift, project
from sscb_pipeline.trajectories.source_codec import decode_source, encode_source
from sscb_pipeline.trajectories.source_record import Actor, SourceResult, SourceTurn, TextForm
from sscb_pipeline.trajectories.steps import (
    AgentMessage,
    Answers,
    CutShort,
    SystemText,
    ToolCall,
    ToolObservation,
    UserMessage,
)
from sscb_pipeline_tests.importers.recordings import recording

GPT_4O = "taubench_gpt4o_airline/gpt-4o-airline.json"
GROK = "taubench_grok/grok-4-fast-reasoning-airline.json"
REACT = "taubench_grok/react-grok-4-fast-reasoning-airline.json"
ASSERTIONS = "taubench_malformed/assertions-agent-retail.json"
DEV = "taubench_malformed/dev-retail-server-final.json"
QWEN = "taubench_malformed/qwen2.5-7b-airline-text-calls.json"
AZURE = "tau2_airline/azure-gpt-4o.json"
GPT_OSS = "tau2_airline/gpt-oss-120b.json"
TELECOM = "tau2_telecom_usercalls/gpt-4o-telecom.json"
ALL = (GPT_4O, GROK, REACT, ASSERTIONS, DEV, QWEN, AZURE, GPT_OSS, TELECOM)


def expected(**counts: int) -> ImportCounts:
    zero = dict.fromkeys(ImportCounts.__dataclass_fields__, 0)
    assert counts.keys() <= zero.keys()
    return ImportCounts(**(zero | counts))


COUNTS = {
    GPT_4O: expected(
        runs=200,
        messages=5308,
        agent_calls=1164,
        distinct_ids=134,
        runs_with_reused_ids=49,
        repeated_ids=73,
        blank_call_messages=1074,
        results=1164,
        empty_results=92,
        paired_results=1164,
    ),
    ASSERTIONS: expected(
        runs=100,
        empty_runs=34,
        messages=1798,
        agent_calls=472,
        calls_without_id=472,
        blank_call_messages=472,
        unparsable_arguments=465,
        results=472,
        empty_results=32,
        paired_results=472,
    ),
    QWEN: expected(runs=50, empty_runs=2, messages=1424),
    REACT: expected(runs=50, empty_runs=1, messages=1058),
    AZURE: expected(
        runs=50,
        messages=1068,
        agent_calls=277,
        distinct_ids=277,
        blank_call_messages=165,
        results=277,
        paired_results=277,
    ),
    GPT_OSS: expected(
        runs=50,
        messages=2041,
        agent_calls=847,
        distinct_ids=301,
        runs_with_reused_ids=28,
        repeated_ids=546,
        blank_call_messages=680,
        results=847,
        paired_results=847,
    ),
    TELECOM: expected(
        runs=20,
        messages=715,
        agent_calls=90,
        user_calls=125,
        distinct_ids=215,
        blank_call_messages=163,
        results=215,
        paired_results=215,
    ),
}


@pytest.mark.parametrize("name", COUNTS)
def test_counts(name: str) -> None:
    assert read(recording(name)).counts == COUNTS[name]


def _both_ways(imported: Import) -> None:
    for run in imported.runs:
        record = run.record
        pairing = pair(record)
        calls = {
            CallPlace(message=index, position=position)
            for index, message in enumerate(record.messages)
            if isinstance(message, SourceTurn)
            for position in range(len(message.calls))
        }
        results = {index for index, message in enumerate(record.messages) if isinstance(message, SourceResult)}
        answered = [link for link in pairing.answers.values() if isinstance(link, CallPlace)]
        assert set(pairing.answers) == results
        assert len(answered) == len(set(answered))
        assert set(answered) | set(pairing.unanswered) == calls
        assert len(answered) + len(pairing.unanswered) == len(calls)


@pytest.mark.parametrize("name", ALL)
def test_each_recording_survives_pairing_projection_and_both_codecs(name: str) -> None:
    imported = read(recording(name))
    _both_ways(imported)
    for run in imported.runs:
        assert decode_source(encode_source(run.record), name) == run.record
        trajectory = project(run.record).trajectory
        assert decode(encode(trajectory), name) == trajectory
        assert project(lift(trajectory, run.record.origin)).trajectory == trajectory


def test_reused_ids_answer_their_own_call() -> None:
    """In τ-bench v1 a result follows its call, so the neighbour is an independent witness of the right pair."""
    for run in read(recording(GPT_4O)).runs:
        for step in project(run.record).trajectory.steps:
            if isinstance(step, ToolObservation):
                assert step.pairing == Answers(call=step.index - 1)


def test_parallel_calls_answer_in_order() -> None:
    """τ² runs parallel calls in order, so the n-th result after a turn is that of its n-th call."""
    for name in (AZURE, GPT_OSS):
        parallel = 0
        for run in read(recording(name)).runs:
            steps = project(run.record).trajectory.steps
            calls: list[int] = []
            for step in steps:
                if isinstance(step, ToolCall):
                    calls.append(step.index)
                elif isinstance(step, ToolObservation):
                    assert step.pairing == Answers(call=calls.pop(0))
            turns = [step.turn for step in steps if isinstance(step, ToolCall)]
            parallel += sum(turns.count(turn) > 1 for turn in turns)
        assert parallel == {AZURE: 105, GPT_OSS: 241}[name]


def test_user_calls_are_kept_in_the_record_and_hidden_from_the_agent() -> None:
    imported = read(recording(TELECOM))
    seen = 0
    for run in imported.runs:
        pairing = pair(run.record)
        assert pairing.orphans == ()
        steps = project(run.record).trajectory.steps
        seen += sum(isinstance(step, ToolCall) for step in steps)
        agent = sum(
            len(message.calls)
            for message in run.record.messages
            if isinstance(message, SourceTurn) and message.actor is Actor.AGENT
        )
        assert sum(isinstance(step, ToolObservation) for step in steps) == agent
    assert seen == 90


def test_policy_and_greeting_open_a_tau2_trajectory() -> None:
    for run in read(recording(AZURE)).runs:
        first, greeting = project(run.record).trajectory.steps[:2]
        assert isinstance(first, SystemText)
        assert first.text.startswith("# Airline Agent Policy")
        assert greeting == AgentMessage(index=1, turn=0, text="Hi! How can I help you today?")


def test_object_arguments_and_missing_result_names() -> None:
    for run in read(recording(GPT_OSS)).runs:
        for step in project(run.record).trajectory.steps:
            if isinstance(step, ToolCall):
                assert step.arguments.form is ArgumentForm.OBJECT
            if isinstance(step, ToolObservation):
                assert step.tool == ""


def test_stop_markers_never_reach_a_trajectory_and_stay_in_the_record() -> None:
    kept = 0
    for name in (GPT_4O, TELECOM, AZURE, GPT_OSS):
        for run in read(recording(name)).runs:
            markers = run.record.stop_markers
            for message in run.record.messages:
                if isinstance(message, SourceTurn) and message.actor is Actor.USER:
                    kept += any(marker in message.text.value for marker in markers)
            for step in project(run.record).trajectory.steps:
                if isinstance(step, UserMessage):
                    assert not any(marker in step.text for marker in markers)
    assert kept == 147 + 20 + 50 + 44


def test_text_calls_stay_text() -> None:
    """One of the 804 blocks was written by a user simulator that took itself for the agent."""
    blocks = {AgentMessage: 0, UserMessage: 0}
    for run in read(recording(QWEN)).runs:
        for step in project(run.record).trajectory.steps:
            assert not isinstance(step, ToolCall)
            if isinstance(step, AgentMessage | UserMessage):
                blocks[type(step)] += step.text.count("<tool_call>")
    assert blocks == {AgentMessage: 803, UserMessage: 1}


def test_malformed_runs_keep_what_they_are() -> None:
    imported = read(recording(ASSERTIONS))
    empty = [run for run in imported.runs if not run.record.messages]
    assert {run.record.extent for run in empty} == {CutShort(reason="the harness recorded an exception")}
    turns = [
        message
        for run in imported.runs
        for message in run.record.messages
        if isinstance(message, SourceTurn) and message.calls
    ]
    assert all(turn.text.form is TextForm.NO_KEY for turn in turns)
    unparsable = [
        call.arguments
        for turn in turns
        for call in turn.calls
        if isinstance(call.arguments.reading, UnparsableArguments)
    ]
    assert len(unparsable) == 465
    assert all(arguments.raw.startswith("{'") for arguments in unparsable)
    assert all(call.call_id.form is TextForm.NO_KEY for turn in turns for call in turn.calls)


def test_reasoning_is_kept_apart() -> None:
    reasons = {
        message.reasoning.value
        for run in read(recording(GPT_OSS)).runs
        for message in run.record.messages
        if isinstance(message, SourceTurn) and message.reasoning.named
    }
    assert len(reasons) > 200
    for run in read(recording(GPT_OSS)).runs:
        data = encode(project(run.record).trajectory)
        assert not any(reason.encode() in data for reason in reasons if len(reason) > 60)
