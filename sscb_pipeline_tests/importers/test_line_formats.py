"""Formats with a run per line: what each keeps, what it refuses, and that lines are read one at a time."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sscb_pipeline.adapters.importers.agentprocessbench import AgentProcessBench
from sscb_pipeline.adapters.importers.bfcl_multiturn import BfclMultiTurn
from sscb_pipeline.adapters.importers.openai_chat import OpenAIChat
from sscb_pipeline.adapters.importers.registry import importer_of, read, read_as, read_format
from sscb_pipeline.adapters.importers.who_and_when import WhoAndWhen
from sscb_pipeline.errors import InputError
from sscb_pipeline.trajectories.pairing import CallPlace, pair
from sscb_pipeline.trajectories.source_codec import encode_source
from sscb_pipeline.trajectories.source_record import (
    NO_KEY,
    NULL,
    Actor,
    PairingRule,
    SourceResult,
    SourceTurn,
    ToolsNotRecorded,
    given,
)
from sscb_pipeline.trajectories.steps import ToolDefinition

Line = dict[str, Any]
CALL = {"id": "a", "type": "function", "function": {"name": "f", "arguments": '{"x": 1}'}}
CHAT: Line = {
    "id": "chat-1",
    "messages": [
        {"role": "developer", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "Hi"}], "name": "ann"},
        {"role": "assistant", "content": None, "refusal": None, "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "a", "content": "1"},
        {"role": "assistant", "content": None, "refusal": "No."},
    ],
    "tools": [{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}],
}
LABELLED: Line = {
    "question": "Who?",
    "data_source": "x",
    "sample_index": "2",
    "messages": CHAT["messages"],
    "tools": CHAT["tools"],
    "step_labels": {"2": -1, "4": 1},
    "final_label": "SECRET-LABEL",
}
BFCL: Line = {
    "id": "multi_turn_base_0",
    "result": [],
    "inference_log": [
        [{"role": "state_info", "class_name": "FileSystem", "content": {"root": "HIDDEN-STATE"}}],
        {
            "begin_of_turn_query": [{"role": "user", "content": "Make it."}],
            "step_10": [{"role": "assistant", "content": ["Done."]}, {"role": "handler_log", "content": "x"}],
            "step_2": [
                {"role": "inference_input", "content": {"message": "m", "tools": [{"name": "ls", "input_schema": {}}]}},
                {"role": "assistant", "content": [{"ls": "{}"}, {"ls": "not json"}]},
                {"role": "tool", "content": "one"},
                {"role": "tool", "content": "two"},
            ],
        },
    ],
}
WHO: Line = {
    "question": "How many?",
    "question_ID": "q",
    "history": [
        {"content": "Task.", "name": "Excel_Expert", "role": "assistant"},
        {"content": "exitcode: 0", "name": "Computer_terminal", "role": "user"},
        {"content": "It is 4.", "name": "Checker", "role": "user"},
    ],
    "mistake_agent": "Checker",
    "mistake_step": "2",
    "mistake_reason": "SECRET-REASON",
}


def lines(*values: Line) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def edited(line: Line, change: Callable[[Line], None]) -> bytes:
    copy = json.loads(json.dumps(line))
    change(copy)
    return lines(line, copy)


def test_openai_chats() -> None:
    imported = read_as(OpenAIChat(), lines(CHAT, {"messages": []}), "c.jsonl")
    first, second = (run.record for run in imported.runs)
    _, user, calling, answer, refusing = first.messages
    assert isinstance(user, SourceTurn)
    assert isinstance(calling, SourceTurn)
    assert isinstance(refusing, SourceTurn)
    assert (user.text, user.speaker) == (given("Hi"), given("ann"))
    assert (calling.text, calling.refusal, calling.calls[0].arguments.raw) == (NULL, NO_KEY, '{"x": 1}')
    assert isinstance(answer, SourceResult)
    assert refusing.refusal == given("No.")
    assert first.tools == (ToolDefinition(name="f", description="", parameters={"type": "object"}),)
    assert (first.origin.task, second.origin.task, second.tools) == ("chat-1", "1", ToolsNotRecorded())
    assert imported.counts.empty_runs == 1


def test_step_labels_stand_beside_the_record_only() -> None:
    (run,) = read_as(AgentProcessBench(), lines(LABELLED), "a.jsonl").runs
    assert run.step_labels == {2: -1, 4: 1}
    assert (run.record.origin.task, run.record.origin.trial) == ("Who?", "2")
    data = encode_source(run.record)
    assert b"SECRET" not in data
    assert b"step_labels" not in data


def test_bfcl_pairs_by_position_and_reads_steps_by_number() -> None:
    (run,) = read_as(BfclMultiTurn(), lines(BFCL), "b.jsonl").runs
    record = run.record
    assert record.pairing_rule is PairingRule.BY_POSITION
    assert pair(record).answers == {2: CallPlace(message=1, position=0), 3: CallPlace(message=1, position=1)}
    last = record.messages[-1]
    assert isinstance(last, SourceTurn)
    assert last.text == given("Done.")
    assert record.tools == (ToolDefinition(name="ls", description="", parameters={}),)
    assert b"HIDDEN-STATE" not in encode_source(record)
    assert "HIDDEN-STATE" in json.dumps(run.evaluation["state"])


def test_bfcl_final_text_as_a_string() -> None:
    copy = json.loads(json.dumps(BFCL))
    copy["inference_log"][1]["step_10"][0]["content"] = "Done."
    one, other = read_as(BfclMultiTurn(), lines(BFCL, copy), "b.jsonl").runs
    assert one.record.messages == other.record.messages


def test_who_and_when_keeps_speakers_and_sets_the_mistake_apart() -> None:
    (run,) = read_as(WhoAndWhen(), lines(WHO), "w.jsonl").runs
    turns = [turn for turn in run.record.messages if isinstance(turn, SourceTurn)]
    assert [turn.actor for turn in turns] == [Actor.AGENT, Actor.USER, Actor.AGENT]
    assert [turn.speaker.value for turn in turns] == ["Excel_Expert", "Computer_terminal", "Checker"]
    assert run.evaluation["mistake_message"] == 2
    assert run.evaluation["roles"] == ["assistant", "user", "user"]
    assert b"SECRET" not in encode_source(run.record)


REFUSED: dict[str, tuple[bytes, str, str]] = {
    "half a line": (lines(CHAT, CHAT)[:-9], "f.jsonl, line 2", "half written"),
    "a line that is no object": (lines(CHAT) + b"7\n", "f.jsonl, line 2", "int"),
    "NaN": (lines(CHAT) + b'{"messages": NaN}\n', "f.jsonl, line 2", "NaN is not JSON"),
    "not UTF-8": (lines(CHAT) + b'{"messages": "\xff"}\n', "f.jsonl, line 2", "at byte"),
    "two text parts": (
        edited(CHAT, lambda line: line["messages"][1].update(content=[{"type": "text", "text": "a"}] * 2)),
        "f.jsonl, line 2: .messages[1].content",
        "list",
    ),
    "an image": (
        edited(CHAT, lambda line: line["messages"][1].update(content=[{"type": "image_url"}])),
        "f.jsonl, line 2: .messages[1].content",
        "list",
    ),
    "a label of a tool result": (
        edited(LABELLED, lambda line: line["step_labels"].update({"3": 1})),
        "f.jsonl, line 2: .step_labels.3",
        "int 1",
    ),
    "a label beyond the end": (
        edited(LABELLED, lambda line: line["step_labels"].update({"9": 1})),
        "f.jsonl, line 2: .step_labels.9",
        "int 1",
    ),
    "another label": (
        edited(LABELLED, lambda line: line["step_labels"].update({"2": 2})),
        "f.jsonl, line 2: .step_labels.2",
        "int 2",
    ),
    "a truth value as a label": (
        edited(LABELLED, lambda line: line["step_labels"].update({"2": True})),
        "f.jsonl, line 2: .step_labels.2",
        "bool True",
    ),
    "two tools in one call": (
        edited(BFCL, lambda line: line["inference_log"][1]["step_2"][1]["content"][0].update(pwd="{}")),
        "f.jsonl, line 2: .inference_log[1].step_2[1].content[0]",
        "dict",
    ),
    "an unknown part of a turn": (
        edited(BFCL, lambda line: line["inference_log"][1].update(step_x=[])),
        "f.jsonl, line 2: .inference_log[1].step_x",
        "list",
    ),
    "a run without a log": (
        edited(BFCL, lambda line: line.pop("inference_log")),
        "f.jsonl, line 2: top",
        "the keys",
    ),
    "a score file": (
        lines({"accuracy": 0.5, "correct_count": 1, "total_count": 2}),
        "f.jsonl, line 1",
        "score file",
    ),
    "a mistake beyond the history": (
        edited(WHO, lambda line: line.update(mistake_step="3")),
        "f.jsonl, line 2: .mistake_step",
        "'3'",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_bad_line_is_refused_with_file_line_and_place(name: str, tmp_path: Path) -> None:
    data, subject, found = REFUSED[name]
    path = tmp_path / "f.jsonl"
    path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        read(path)
    assert caught.value.subject == subject
    assert found in caught.value.found
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("line", "name"),
    [
        (CHAT, "openai_chat"),
        (LABELLED, "agentprocessbench"),
        (BFCL, "bfcl_multiturn"),
        (WHO, "who_and_when"),
    ],
)
def test_formats_are_told_apart_whatever_the_order_of_keys(line: Line, name: str, tmp_path: Path) -> None:
    for position, value in enumerate((line, dict(reversed(line.items())))):
        path = tmp_path / f"{position}.jsonl"
        path.write_bytes(lines(value))
        assert importer_of(path).name == name
        assert read_format(path, name) == read(path)


def test_a_first_line_longer_than_the_head_is_recognised(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    path.write_bytes(lines({**BFCL, "padding": "x" * (1 << 19), "id": "z"}))
    assert read(path).runs[0].record.origin.task == "z"


def test_lines_are_read_one_at_a_time() -> None:
    taken: list[int] = []

    def source() -> Iterator[bytes]:
        for number in range(1000):
            taken.append(number)
            yield lines(CHAT)

    runs = OpenAIChat().lines(source(), "c.jsonl")
    next(runs)
    next(runs)
    assert len(taken) == 2


CREDENTIALS = {
    "an API key (sk-…)": "sk-proj-" + "a1" * 12,
    "an AWS access key id": "AKIA" + "Z9" * 8,
    "a GitHub token": "ghp_" + "a1" * 18,
    "a bearer token": "Authorization: Bearer " + "a1" * 12,
    "a private key": "-----BEGIN RSA PRIVATE KEY-----",
}


@pytest.mark.parametrize("kind", CREDENTIALS)
def test_a_credential_refuses_the_file_and_is_not_shown(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "f.jsonl"
    secret = CREDENTIALS[kind]
    path.write_bytes(edited(CHAT, lambda line: line["messages"][1].update(content=f"use {secret}")))
    with pytest.raises(InputError) as caught:
        read(path)
    assert (caught.value.subject, caught.value.found) == ("f.jsonl, line 2", kind)
    assert secret not in str(caught.value)


@pytest.mark.parametrize("value", ["REDACTED", "", "***", "None", "<redacted>", "xxxx", "your-api-key"])
def test_a_placeholder_is_no_credential(value: str) -> None:
    assert len(read_as(OpenAIChat(), lines({**CHAT, "api_key": value}), "c.jsonl").runs) == 1


@pytest.mark.parametrize(
    "text",
    ['{"username": "u", "password": "Kj8#mP9$vL2"}', "task-oriented-assessment-of-the-2024-plan", "risk-averse-1"],
)
def test_a_recorded_world_may_hold_its_own_passwords(text: str) -> None:
    changed = edited(CHAT, lambda line: line["messages"][3].update(content=text))
    assert len(read_as(OpenAIChat(), changed, "c.jsonl").runs) == 2


def test_a_key_in_a_header_is_refused_in_escaped_json_too() -> None:
    for header in ({"api_key": "abcd1234"}, {"config": json.dumps({"X-API-Key": "abcd1234"})}):
        with pytest.raises(InputError, match="under the key"):
            read_as(OpenAIChat(), lines({**CHAT, **header}), "c.jsonl")
