"""Detection of formats, what each importer keeps, and refusals that name file, place and remedy."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from sscb_pipeline.adapters.importers.registry import (
    IMPORTERS,
    by_name,
    detect,
    read,
    read_as,
    read_format,
)
from sscb_pipeline.adapters.importers.tau2_results import Tau2Results
from sscb_pipeline.adapters.importers.taubench_v1 import TauBenchV1
from sscb_pipeline.errors import InputError
from sscb_pipeline.trajectories.arguments import ArgumentForm
from sscb_pipeline.trajectories.pairing import PairingConflictError, pair
from sscb_pipeline.trajectories.projection import project
from sscb_pipeline.trajectories.source_record import (
    NO_KEY,
    NULL,
    Actor,
    ErrorMark,
    Requestor,
    SourceResult,
    SourceSystem,
    SourceTurn,
    SystemOrigin,
    ToolsNotRecorded,
    given,
)
from sscb_pipeline.trajectories.steps import (
    AgentMessage,
    Complete,
    CutShort,
    ToolDefinition,
    UserMessage,
)

V1_RUN: dict[str, Any] = {
    "task_id": 3,
    "reward": 1.0,
    "info": {"task": {"user_id": "u1"}},
    "traj": [
        {"role": "system", "content": "Policy."},
        {"role": "user", "content": "Hi"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": '{"x": 1}'}}],
        },
        {"role": "tool", "tool_call_id": "a", "name": "f", "content": "1"},
    ],
    "trial": 2,
}
TAU2_FILE: dict[str, Any] = {
    "timestamp": "2025-01-01T00:00:00",
    "info": {"environment_info": {"domain_name": "telecom", "policy": "Be kind.", "tool_defs": None}},
    "tasks": [],
    "simulations": [
        {
            "id": "s",
            "task_id": "t",
            "trial": 0,
            "termination_reason": "user_stop",
            "reward_info": {"reward": 0.0},
            "messages": [
                {"role": "assistant", "content": "Hi! How can I help you today?", "tool_calls": None},
                {"role": "user", "content": "No signal.", "tool_calls": None},
                {
                    "role": "user",
                    "content": None,
                    "tool_calls": [{"id": "u", "name": "toggle", "arguments": {}, "requestor": "user"}],
                    "raw_data": {"message": {"reasoning_content": "let me try"}},
                },
                {"role": "tool", "id": "u", "content": "off", "requestor": "user", "error": False},
                {"role": "user", "content": "Now it works. ###STOP###", "tool_calls": None},
            ],
        }
    ],
}


def changed(value: Any, path: list[Any], new: Any) -> bytes:
    """The file with one value replaced; DROP removes its key."""
    copy = json.loads(json.dumps(value))
    at = copy
    for part in path[:-1]:
        at = at[part]
    if new is DROP:
        del at[path[-1]]
    else:
        at[path[-1]] = new
    return json.dumps(copy).encode()


DROP = object()


def test_v1_keeps_the_run_and_sets_evaluation_apart() -> None:
    imported = read_as(TauBenchV1(), json.dumps([V1_RUN]).encode(), "v1.json")
    (run,) = imported.runs
    assert run.record.origin.place == "v1.json: run 0 (task 3, trial 2)"
    assert run.record.tools == ToolsNotRecorded()
    assert run.record.extent == Complete()
    assert run.evaluation == {"task_id": 3, "reward": 1.0, "info": {"task": {"user_id": "u1"}}, "trial": 2}
    assert run.record.messages[3] == SourceResult(
        call_id=given("a"),
        tool=given("f"),
        content=given("1"),
        requestor=Requestor.NOT_GIVEN,
        error=ErrorMark.NOT_GIVEN,
    )
    assert imported.counts.calls == imported.counts.paired_results == 1


def test_v1_run_of_a_crashed_harness_is_cut_short() -> None:
    data = changed([{**V1_RUN, "traj": []}], [0, "info", "error"], "Connection aborted")
    (run,) = read_as(TauBenchV1(), data, "v1.json").runs
    assert run.record.messages == ()
    assert run.record.extent == CutShort(reason="the harness recorded an exception")
    data = json.dumps([{**V1_RUN, "traj": []}]).encode()
    assert read_as(TauBenchV1(), data, "v1.json").runs[0].record.extent == CutShort(reason="the run holds no message")


def test_tau2_policy_greeting_user_calls_and_markers() -> None:
    imported = read_as(Tau2Results(), json.dumps(TAU2_FILE).encode(), "t2.json")
    (run,) = imported.runs
    policy, greeting, _, turn, answer, last = run.record.messages
    assert policy == SourceSystem(text=given("Be kind."), origin=SystemOrigin.POLICY)
    assert isinstance(greeting, SourceTurn)
    assert isinstance(turn, SourceTurn)
    assert isinstance(last, SourceTurn)
    assert (turn.actor, turn.text, turn.reasoning) == (Actor.USER, NULL, given("let me try"))
    assert (turn.calls[0].arguments.raw, turn.calls[0].arguments.form) == ("{}", ArgumentForm.OBJECT)
    assert answer == SourceResult(
        call_id=given("u"),
        tool=NO_KEY,
        content=given("off"),
        requestor=Requestor.USER,
        error=ErrorMark.NO_ERROR,
    )
    assert last.text == given("Now it works. ###STOP###")
    assert project(run.record).trajectory.steps[1:] == (
        AgentMessage(index=1, turn=0, text="Hi! How can I help you today?"),
        UserMessage(index=2, text="No signal."),
        UserMessage(index=3, text="Now it works."),
    )
    assert imported.counts.messages == 5
    assert "messages" not in run.evaluation


@pytest.mark.parametrize(
    ("reason", "extent"),
    [
        ("max_steps", Complete()),
        ("too_many_errors", Complete()),
        ("agent_error", CutShort(reason="termination reason agent_error")),
        ("sun_down", CutShort(reason="termination reason sun_down")),
        (None, CutShort(reason="no termination reason is recorded")),
    ],
)
def test_tau2_extent(reason: str | None, extent: Complete | CutShort) -> None:
    data = changed(TAU2_FILE, ["simulations", 0, "termination_reason"], reason)
    assert read_as(Tau2Results(), data, "t2.json").runs[0].record.extent == extent


def test_tau2_tool_definitions_and_grouped_results() -> None:
    copy = json.loads(json.dumps(TAU2_FILE))
    copy["info"]["environment_info"]["tool_defs"] = {"f": {"name": "f", "doc": "Does f.", "params": {"type": "object"}}}
    messages = copy["simulations"][0]["messages"]
    messages[3] = {"role": "tool", "tool_messages": [messages[3]]}
    record = read_as(Tau2Results(), json.dumps(copy).encode(), "t2.json").runs[0].record
    assert record.tools == (ToolDefinition(name="f", description="Does f.", parameters={"type": "object"}),)
    assert pair(record).orphans == ()
    assert len(record.messages) == 6


V1 = json.dumps([V1_RUN]).encode()
REFUSED: dict[str, tuple[bytes, str, str]] = {
    "half a file": (V1[:-20], "bad.json", "line 1 column"),
    "not UTF-8": (V1.replace(b"Policy", b"\xff"), "bad.json", "at byte"),
    "NaN": (V1.replace(b"1.0", b"NaN"), "bad.json", "NaN is not JSON"),
    "a key twice": (V1.replace(b'"reward"', b'"trial"'), "bad.json", "'trial' stands twice"),
    "run no object": (b'[{"task_id": 0, "traj": []}, 7]', "bad.json: [1]", "int 7"),
    "no traj": (changed([V1_RUN], [0, "traj"], DROP), "bad.json: [0]", "the keys"),
    "task no label": (changed([V1_RUN], [0, "task_id"], True), "bad.json: [0].task_id", "bool True"),
    "unknown role": (changed([V1_RUN], [0, "traj", 1, "role"], "critic"), "bad.json: [0].traj[1].role", "'critic'"),
    "content a list": (changed([V1_RUN], [0, "traj", 1, "content"], []), "bad.json: [0].traj[1].content", "list"),
    "function_call": (
        changed([V1_RUN], [0, "traj", 1, "function_call"], {"name": "f"}),
        "bad.json: [0].traj[1].function_call",
        "dict",
    ),
    "call without function": (
        changed([V1_RUN], [0, "traj", 2, "tool_calls", 0, "function"], DROP),
        "bad.json: [0].traj[2].tool_calls[0]",
        "['id', 'type']",
    ),
    "arguments a number": (
        changed([V1_RUN], [0, "traj", 2, "tool_calls", 0, "function", "arguments"], 4),
        "bad.json: [0].traj[2].tool_calls[0].function.arguments",
        "int 4",
    ),
    "no policy place": (changed(TAU2_FILE, ["info", "environment_info"], DROP), "bad.json: .info", "the keys []"),
    "requestor": (
        changed(TAU2_FILE, ["simulations", 0, "messages", 3, "requestor"], "env"),
        "bad.json: .simulations[0].messages[3].requestor",
        "'env'",
    ),
    "call of another": (
        changed(TAU2_FILE, ["simulations", 0, "messages", 2, "tool_calls", 0, "requestor"], "assistant"),
        "bad.json: .simulations[0].messages[2].tool_calls[0].requestor",
        "'assistant'",
    ),
    "error mark": (
        changed(TAU2_FILE, ["simulations", 0, "messages", 3, "error"], "no"),
        "bad.json: .simulations[0].messages[3].error",
        "'no'",
    ),
    "role in tau2": (
        changed(TAU2_FILE, ["simulations", 0, "messages", 0, "role"], "judge"),
        "bad.json: .simulations[0].messages[0].role",
        "'judge'",
    ),
    "empty file": (b"", "bad.json", "begins b''"),
    "half a message": (b'{"messages": [{"ro', "bad.json, line 1", "half written"),
    "half an object": (b'{"a": [{"ro', "bad.json", 'begins b\'{"a"'),
    "other list": (b"[1, 2]", "bad.json", "begins b'[1, 2]'"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_bad_file_is_refused_with_file_place_and_remedy(name: str, tmp_path: Path) -> None:
    data, subject, found = REFUSED[name]
    path = tmp_path / "bad.json"
    path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        read(path)
    assert caught.value.subject == subject
    assert found in caught.value.found
    assert caught.value.remedy
    assert [entry.name for entry in tmp_path.iterdir()] == ["bad.json"]
    assert path.read_bytes() == data


def test_a_conflict_refuses_the_file_and_names_run_and_message() -> None:
    data = changed([V1_RUN], [0, "traj", 3, "name"], "g")
    with pytest.raises(PairingConflictError) as caught:
        read_as(TauBenchV1(), data, "v1.json")
    assert caught.value.subject == "v1.json: run 0 (task 3, trial 2), message 3"


def test_formats_are_told_apart_by_their_beginning(tmp_path: Path) -> None:
    assert detect(V1, "a").name == "taubench_v1"
    assert detect(json.dumps(TAU2_FILE, indent=2).encode(), "b").name == "tau2_results"
    for importer in IMPORTERS:
        assert by_name(importer.name) is importer
    path = tmp_path / "a.json"
    path.write_bytes(V1)
    imported = read(path)
    assert imported.sha256 == sha256(V1).hexdigest()
    assert imported == read_format(path, "taubench_v1")


def test_an_unknown_format_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="taubench_v1, tau2_results"):
        read_format(tmp_path / "a.json", "csv")
    with pytest.raises(InputError, match="No such file"):
        read(tmp_path / "missing.json")


def test_surrogates_in_a_file_survive() -> None:
    data = V1.replace(b'"Hi"', b'"\\ud800 and \\ud83d\\ude00"')
    turn = read_as(TauBenchV1(), data, "v1.json").runs[0].record.messages[1]
    assert isinstance(turn, SourceTurn)
    assert turn.text.value == "\ud800 and \U0001f600"
