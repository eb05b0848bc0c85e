"""Hypothesis strategies: arbitrary source records and trajectories, over every code point, surrogates included."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from sscb_pipeline.trajectories.arguments import Arguments, absent, from_object, from_text
from sscb_pipeline.trajectories.source_record import (
    NO_KEY,
    NULL,
    Actor,
    ErrorMark,
    PairingRule,
    Requestor,
    SourceCall,
    SourceHandoff,
    SourceMessage,
    SourceOrigin,
    SourceRecord,
    SourceResult,
    SourceSystem,
    SourceTurn,
    SystemOrigin,
    ToolsNotRecorded,
    given,
)
from sscb_pipeline.trajectories.steps import (
    AgentMessage,
    Answers,
    Complete,
    CutShort,
    Handoff,
    Orphan,
    Step,
    SystemText,
    ToolCall,
    ToolDefinition,
    ToolObservation,
    Trajectory,
    UserMessage,
)

AWKWARD = ("\x00", "\ud800", "\udfff", "\ud83d\ude00", "\r\n", "\u2028", "\ufeff", '"\\', "é" * 50, "😀", "")
texts = st.one_of(
    st.text(alphabet=st.characters(exclude_categories=()), max_size=12),
    st.lists(st.sampled_from(AWKWARD), max_size=4).map("".join),
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
objects = st.dictionaries(texts, json_values, max_size=3)
arguments: st.SearchStrategy[Arguments] = st.one_of(
    texts.map(from_text),
    objects.map(lambda value: from_text(json.dumps(value))),
    objects.map(from_object),
    st.just(absent()),
)
extents = st.just(Complete()) | texts.map(lambda reason: CutShort(reason=reason))
tools = st.lists(st.builds(ToolDefinition, name=texts, description=texts, parameters=objects), max_size=2).map(tuple)
source_texts = st.one_of(st.just(NO_KEY), st.just(NULL), texts.map(given))

ids = st.one_of(st.just(NO_KEY), st.just(NULL), st.sampled_from(["", "a", "b", "c"]).map(given))
source_calls = st.builds(SourceCall, call_id=ids, tool=st.just("f"), arguments=arguments)
messages: st.SearchStrategy[SourceMessage] = st.one_of(
    st.builds(SourceSystem, text=source_texts, origin=st.sampled_from(SystemOrigin)),
    st.builds(
        SourceTurn,
        actor=st.sampled_from(Actor),
        text=source_texts,
        refusal=source_texts,
        reasoning=source_texts,
        calls=st.lists(source_calls, max_size=3).map(tuple),
        speaker=source_texts,
    ),
    st.builds(
        SourceResult,
        call_id=ids,
        tool=st.sampled_from([NO_KEY, NULL, given(""), given("f")]),
        content=source_texts,
        requestor=st.sampled_from(Requestor),
        error=st.sampled_from(ErrorMark),
    ),
    st.builds(SourceHandoff, recipient=texts, text=source_texts),
)
records = st.builds(
    SourceRecord,
    origin=st.builds(SourceOrigin, format=texts, file=texts, position=st.integers(0, 1 << 70), task=texts, trial=texts),
    pairing_rule=st.sampled_from(PairingRule),
    stop_markers=st.lists(texts.filter(bool), max_size=2).map(tuple),
    tools=tools | st.just(ToolsNotRecorded()),
    messages=st.lists(messages, max_size=10).map(tuple),
    extent=extents,
)


@st.composite
def trajectories(draw: st.DrawFn) -> Trajectory:
    """Well-formed trajectories: indices from 0, turns in order, links one-to-one to earlier calls."""
    steps: list[Step] = []
    open_calls: list[int] = []
    turn = 0
    for index in range(draw(st.integers(0, 12))):
        kind = draw(st.integers(0, 5))
        turn += draw(st.integers(0, 1))
        common: dict[str, Any] = {"index": index}
        if kind == 0:
            steps.append(SystemText(**common, text=draw(texts)))
        elif kind == 1:
            steps.append(UserMessage(**common, text=draw(texts)))
        elif kind == 2:
            steps.append(AgentMessage(**common, turn=turn, text=draw(texts)))
        elif kind == 3:
            steps.append(
                ToolCall(**common, turn=turn, call_id=draw(texts), tool=draw(texts), arguments=draw(arguments))
            )
            open_calls.append(index)
        elif kind == 4:
            link: Answers | Orphan = Orphan(reason=draw(texts))
            if open_calls and draw(st.booleans()):
                link = Answers(call=open_calls.pop(draw(st.integers(0, len(open_calls) - 1))))
            steps.append(ToolObservation(**common, call_id=draw(texts), tool="", content=draw(texts), pairing=link))
        else:
            steps.append(Handoff(**common, recipient=draw(texts), text=draw(texts)))
    return Trajectory(tools=draw(tools), steps=tuple(steps), extent=draw(extents))
