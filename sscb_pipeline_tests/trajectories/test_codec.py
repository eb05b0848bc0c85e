"""Bytes both ways at the edges, prefixes, and refusals that name the place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from sscb_pipeline.errors import InputError
from sscb_pipeline.trajectories.arguments import from_text
from sscb_pipeline.trajectories.codec import decode, digest, encode
from sscb_pipeline.trajectories.prefix import prefix, prefix_sha256
from sscb_pipeline.trajectories.projection import project
from sscb_pipeline.trajectories.source_codec import decode_source, encode_source
from sscb_pipeline.trajectories.steps import (
    AgentMessage,
    Answers,
    Complete,
    CutShort,
    Orphan,
    Step,
    SystemText,
    ToolCall,
    ToolDefinition,
    ToolObservation,
    Trajectory,
    UserMessage,
)
from sscb_pipeline_tests.trajectories.recorded import call, recorded, result, said

TOOLS = (ToolDefinition(name="f", description="Does f.", parameters={"type": "object", "properties": {}}),)
STEPS: tuple[Step, ...] = (
    SystemText(index=0, text="Policy."),
    UserMessage(index=1, text="Hello"),
    AgentMessage(index=2, turn=0, text="Looking."),
    ToolCall(index=3, turn=0, call_id="a", tool="f", arguments=from_text('{"x": 1}')),
    ToolObservation(index=4, call_id="a", tool="f", content="1", pairing=Answers(call=3)),
    ToolObservation(index=5, call_id="z", tool="", content="2", pairing=Orphan(reason="no such call")),
)
TRAJECTORY = Trajectory(tools=TOOLS, steps=STEPS, extent=Complete())


def observing(content: str) -> Trajectory:
    last = STEPS[4]
    assert isinstance(last, ToolObservation)
    return replace(TRAJECTORY, steps=(*STEPS[:4], replace(last, content=content)))


@pytest.mark.parametrize(
    "content",
    ["id\x00u1", "\ud83d\ude00", "\ude00\ud83d", "😀", "a\r\nb\rc\n", "", "\ufeff", "\u2028\u2029", "é" * 9_000_000],
    ids=["nul", "surrogate pair", "surrogates", "emoji", "crlf", "empty", "bom", "separators", "giant"],
)
def test_content_comes_back_exactly(content: str) -> None:
    found = decode(encode(observing(content)), "t").steps[4]
    assert isinstance(found, ToolObservation)
    assert found.content == content


def test_two_surrogates_side_by_side_are_not_the_character_they_would_make() -> None:
    assert digest(observing("\ud83d\ude00")) != digest(observing("😀"))
    assert encode(observing("\ud83d\ude00")) != encode(observing("😀"))


def test_the_layout_is_three_lines() -> None:
    header, tools, steps, rest = encode(TRAJECTORY).split(b"\n")
    assert header == b'{"format":"sscb.trajectory/1","extent":{"kind":"complete"}}'
    assert tools.startswith(b'[{"name":"f","description":"Does f."')
    assert steps.startswith(b'[{"kind":"system","index":0,"text":"Policy."},')
    assert rest == b""


def test_equal_tool_lines_are_decoded_to_one_tuple() -> None:
    again = replace(TRAJECTORY, tools=tuple(replace(tool) for tool in TOOLS))
    assert encode(again) == encode(TRAJECTORY)
    assert decode(encode(again), "a").tools is decode(encode(TRAJECTORY), "b").tools


def test_tools_with_the_same_names_and_other_schemas_are_told_apart() -> None:
    other = (replace(TOOLS[0], parameters={"type": "object"}),)
    assert encode(replace(TRAJECTORY, tools=other)) != encode(TRAJECTORY)
    assert decode(encode(replace(TRAJECTORY, tools=other)), "t").tools == other


def edit(line: int, old: bytes, new: bytes) -> Callable[[bytes], bytes]:
    """Change one line; the old text must be there."""

    def change(data: bytes) -> bytes:
        lines = data.split(b"\n")
        assert old in lines[line]
        lines[line] = lines[line].replace(old, new, 1)
        return b"\n".join(lines)

    return change


MALFORMED: dict[str, tuple[Callable[[bytes], bytes], str, str]] = {
    "empty file": (lambda data: b"", "t.sscb", "0 line ends"),
    "cut in half": (lambda data: data[: len(data) // 2], "t.sscb", "line ends"),
    "last byte gone": (lambda data: data[:-1], "t.sscb", "2 line ends"),
    "a line too many": (lambda data: data + b"\n", "t.sscb", "4 line ends"),
    "CRLF": (lambda data: data.replace(b"\n", b"\r\n"), "t.sscb", "CRLF"),
    "no UTF-8": (edit(2, b"Policy.", b"\xff"), "t.sscb: line 3, steps", "at byte"),
    "no JSON": (edit(2, b'"index":0', b'"index":'), "t.sscb: line 3, steps", "Expecting value"),
    "NaN": (edit(2, b'"index":0', b'"index":NaN'), "t.sscb: line 3, steps", "NaN is not JSON"),
    "huge number": (edit(1, b'"properties":{}', b'"properties":1e999'), "t.sscb: line 2, tools", "too large"),
    "key twice": (edit(2, b'"index":0', b'"index":0,"index":0'), "t.sscb: line 3, steps", "'index' stands twice"),
    "too deep": (edit(2, b"[", b"[" * 200_000), "t.sscb: line 3, steps", "recursion"),
    "other version": (edit(0, b"/1", b"/2"), "t.sscb: line 1", "'sscb.trajectory/2'"),
    "no header": (edit(0, b"{", b'{"more":1,'), "t.sscb: line 1", "'more'"),
    "unknown extent": (edit(0, b'"complete"', b'"torn"'), "t.sscb: line 1.extent", "['kind']"),
    "extent no object": (edit(0, b'{"kind":"complete"}', b"null"), "t.sscb: line 1.extent", "NoneType"),
    "tools no list": (edit(1, b"[", b'{"a":['), "t.sscb: line 2, tools", "Expecting"),
    "tool without schema": (edit(1, b',"parameters"', b',"schema"'), "t.sscb: line 2, tools[0]", "'schema'"),
    "schema no object": (
        edit(1, b'"parameters":{"type":"object","properties":{}}', b'"parameters":[]'),
        "t.sscb: line 2, tools[0].parameters",
        "list",
    ),
    "unknown kind": (edit(2, b'"kind":"user"', b'"kind":"thought"'), "t.sscb: line 3, steps[1]", "'thought'"),
    "step no object": (edit(2, b"[", b"[7,"), "t.sscb: line 3, steps[0]", "7"),
    "key missing": (edit(2, b'"turn":0,"text"', b'"text"'), "t.sscb: line 3, steps[2]", "['index', 'kind', 'text']"),
    "text no string": (edit(2, b'"Hello"', b"null"), "t.sscb: line 3, steps[1].text", "NoneType"),
    "index a boolean": (edit(2, b'"index":1', b'"index":true'), "t.sscb: line 3, steps[1].index", "True"),
    "index from 1": (edit(2, b'"index":0', b'"index":1'), "t.sscb: line 3, steps", "step 0 says"),
    "negative turn": (edit(2, b'"turn":0', b'"turn":-1'), "t.sscb: line 3, steps[2].turn", "-1"),
    "turns backwards": (edit(2, b'"turn":0', b'"turn":1'), "t.sscb: line 3, steps", "after turn 1"),
    "answers itself": (edit(2, b'"answers":3', b'"answers":4'), "t.sscb: line 3, steps", "no earlier call"),
    "answers a later step": (edit(2, b'"answers":3', b'"answers":9'), "t.sscb: line 3, steps", "no earlier call"),
    "answers no call": (edit(2, b'"answers":3', b'"answers":1'), "t.sscb: line 3, steps", "no earlier call"),
    "answers twice": (
        edit(2, b'"answers":{"orphan":"no such call"}', b'"answers":3'),
        "t.sscb: line 3, steps",
        "already answered",
    ),
    "other tool": (edit(2, b'"tool":"f","content"', b'"tool":"g","content"'), "t.sscb: line 3, steps", "'g'"),
    "link neither": (edit(2, b'"answers":3', b'"answers":"3"'), "t.sscb: line 3, steps[4].answers", "'3'"),
    "orphan without reason": (edit(2, b'"orphan"', b'"why"'), "t.sscb: line 3, steps[5].answers", "'why'"),
    "argument form": (edit(2, b'"form":"text"', b'"form":"yaml"'), "t.sscb: line 3, steps[3].arguments.form", "'yaml'"),
    "absent with text": (
        edit(2, b'"form":"text"', b'"form":"absent"'),
        "t.sscb: line 3, steps[3].arguments.raw",
        "8 characters",
    ),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_bytes_are_refused_with_their_place(name: str) -> None:
    change, subject, found = MALFORMED[name]
    data = encode(TRAJECTORY)
    assert decode(data, "t.sscb") == TRAJECTORY
    with pytest.raises(InputError) as caught:
        decode(change(data), "t.sscb")
    assert caught.value.subject == subject
    assert found in caught.value.found
    assert "not repaired" in caught.value.remedy or "version" in caught.value.remedy


def test_ill_formed_steps_are_not_written() -> None:
    with pytest.raises(InputError, match="step 0 says that its index is 1"):
        encode(replace(TRAJECTORY, steps=STEPS[1:]))


RECORD = recorded(
    said("system", "Policy."),
    said("user", None, call(None, "toggle", None)),
    result(None, "off"),
    said("assistant", None, call("a", "f", {"x": 1}), refusal="no", reasoning_content="hm"),
)

MALFORMED_SOURCE: dict[str, tuple[Callable[[bytes], bytes], str, str]] = {
    "a trajectory": (lambda data: encode(TRAJECTORY), "r.sscb: line 1", "['extent', 'format']"),
    "other version": (edit(0, b"record/2", b"record/9"), "r.sscb: line 1", "'sscb.source-record/9'"),
    "unknown rule": (edit(0, b'"by_id"', b'"by_guess"'), "r.sscb: line 1.pairing", "'by_guess'"),
    "marker no string": (edit(0, b'"###STOP###"', b"1"), "r.sscb: line 1.markers.marker", "int"),
    "position no index": (edit(0, b'"position":0', b'"position":-1'), "r.sscb: line 1.origin.position", "-1"),
    "unknown kind": (edit(2, b'"kind":"turn"', b'"kind":"aside"'), "r.sscb: line 3, messages[1]", "'aside'"),
    "unknown actor": (edit(2, b'"actor":"user"', b'"actor":"both"'), "r.sscb: line 3, messages[1].actor", "'both'"),
    "text of no form": (edit(2, b'"off"', b"0"), "r.sscb: line 3, messages[2].content", "int"),
    "call keys": (edit(2, b'"tool":"f"', b'"name":"f"'), "r.sscb: line 3, messages[3].calls[0]", "'name'"),
    "calls no list": (edit(2, b'"calls":[', b'"calls":1,"x":['), "r.sscb: line 3, messages[1]", "'x'"),
}


@pytest.mark.parametrize("name", MALFORMED_SOURCE)
def test_malformed_source_records_are_refused_with_their_place(name: str) -> None:
    change, subject, found = MALFORMED_SOURCE[name]
    data = encode_source(RECORD)
    assert decode_source(data, "r.sscb") == RECORD
    with pytest.raises(InputError) as caught:
        decode_source(change(data), "r.sscb")
    assert caught.value.subject == subject
    assert found in caught.value.found


def test_a_prefix_ends_with_its_step_and_is_cut_short() -> None:
    cut = prefix(TRAJECTORY, 3)
    assert cut.steps == STEPS[:4]
    assert cut.extent == CutShort(reason="prefix through step 3")
    assert cut.tools is TOOLS


@pytest.mark.parametrize("through", [-1, 6])
def test_a_prefix_needs_a_step(through: int) -> None:
    with pytest.raises(InputError, match="a step from 0 to 5"):
        prefix(TRAJECTORY, through)


def test_a_prefix_hash_knows_what_was_visible_and_nothing_later() -> None:
    other_end = replace(observing("changed"), extent=CutShort(reason="deadline"))
    assert prefix_sha256(TRAJECTORY, 3) == prefix_sha256(other_end, 3)
    assert prefix_sha256(TRAJECTORY, 4) != prefix_sha256(other_end, 4)
    assert prefix_sha256(TRAJECTORY, 3) != prefix_sha256(TRAJECTORY, 4)
    assert prefix_sha256(TRAJECTORY, 3) != prefix_sha256(replace(TRAJECTORY, tools=()), 3)


def test_a_prefix_hash_is_not_moved_by_what_the_agent_could_not_see() -> None:
    seen = project(recorded(said("user", "Hi"), said("assistant", "Hello"))).trajectory
    thought = project(recorded(said("user", "Hi"), said("assistant", "Hello", reasoning_content="hm"))).trajectory
    assert prefix_sha256(seen, 1) == prefix_sha256(thought, 1)
