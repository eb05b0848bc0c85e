"""The record codec, on the product's own records and on classes made to be hard."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sscb_pipeline.artifacts.records import decode, encode, from_bytes, to_bytes
from sscb_pipeline.errors import InputError
from sscb_pipeline.faults.intervention import Condition, FieldChange, InterventionRecord, Rewrite, Role
from sscb_pipeline.faults.operator import EvidenceStep
from sscb_pipeline.measured import Located, Never, Time, Undeterminable, Verdict
from sscb_pipeline.reconstruction.measurement import ArrivalStratum, Measurement, NotAdopted, Stance, UseEvent
from sscb_pipeline.trajectories import arguments
from sscb_pipeline.trajectories.steps import (
    AgentMessage,
    Answers,
    Complete,
    CutShort,
    Handoff,
    Orphan,
    SystemText,
    ToolCall,
    ToolDefinition,
    ToolObservation,
    Trajectory,
    UserMessage,
)

any_text = st.text(alphabet=st.characters(), max_size=20)
times: st.SearchStrategy[Time] = st.one_of(
    st.builds(Located, step=st.integers(0, 99)), st.just(Never()), st.builds(Undeterminable, reason=any_text)
)
verdicts: st.SearchStrategy[Verdict] = st.one_of(st.booleans(), st.builds(Undeterminable, reason=any_text))
undeterminable = st.builds(Undeterminable, reason=any_text)
uses = st.builds(
    UseEvent,
    step=st.integers(0, 99),
    dependent=verdicts,
    erroneous=verdicts,
    stance=st.sampled_from(Stance) | undeterminable,
    rule=any_text,
    quote=any_text,
)
measurements = st.builds(
    Measurement,
    t_f=times,
    t_e=times,
    t_s=times,
    t_u=times,
    adoption=verdicts,
    stratum=st.sampled_from(ArrivalStratum) | undeterminable,
    final_stance=st.sampled_from(Stance) | st.sampled_from(NotAdopted) | undeterminable,
    evidence=st.lists(st.builds(EvidenceStep, step=st.integers(0, 9), part=any_text), max_size=3).map(tuple),
    uses=st.lists(uses, max_size=3).map(tuple),
)

TRAJECTORY = Trajectory(
    tools=(ToolDefinition(name="get", description="d", parameters={"type": "object", "required": ["a", 1, None]}),),
    steps=(
        SystemText(index=0, text="policy"),
        UserMessage(index=1, text="\ud800 NUL \x00"),
        AgentMessage(index=2, turn=0, text=""),
        ToolCall(index=3, turn=0, call_id="c", tool="get", arguments=arguments.from_text('{"a": [1, 2.0]}')),
        ToolCall(index=4, turn=0, call_id="c", tool="get", arguments=arguments.from_text("{")),
        ToolObservation(index=5, call_id="c", tool="get", content="x\r\n", pairing=Answers(call=3)),
        ToolObservation(index=6, call_id="z", tool="", content="", pairing=Orphan(reason="no call")),
        Handoff(index=7, recipient="human", text="bye"),
    ),
    extent=CutShort(reason="deadline"),
)


@given(measurements)
def test_measurements_come_back_equal_and_typed(measurement: Measurement) -> None:
    again = from_bytes(Measurement, to_bytes(measurement), "m")
    assert again == measurement
    assert repr(again) == repr(measurement)


def test_a_trajectory_comes_back_equal() -> None:
    assert from_bytes(Trajectory, to_bytes(TRAJECTORY), "t") == TRAJECTORY


def test_every_record_carries_its_class() -> None:
    assert encode(Located(step=3)) == {"type": "Located", "step": 3}
    assert encode(Never()) == {"type": "Never"}
    encoded = encode(TRAJECTORY)
    assert encoded["steps"][3]["arguments"]["reading"]["type"] == "ParsedArguments"


def test_a_union_is_decoded_by_tag() -> None:
    assert decode(Located | Never, {"type": "Never"}) == Never()  # type: ignore[arg-type]


def test_heterogeneous_paths_keep_their_types() -> None:
    change = FieldChange(path=("flights", 0, "date"), before={"a": [1]}, after=None)
    record = InterventionRecord(
        contract_id="c",
        condition=Condition.BASELINE,
        rewrites=(
            Rewrite(
                step=4,
                call_id="x",
                tool="t",
                role=Role.FAULT,
                changes=(change,),
                native_sha256="a",
                delivered_sha256="b",
            ),
        ),
    )
    assert from_bytes(InterventionRecord, to_bytes(record), "r") == record


def _changed(place: list[str | int], value: Any) -> Any:
    encoded: Any = copy.deepcopy(encode(TRAJECTORY))
    inner = encoded
    for part in place[:-1]:
        inner = inner[part]
    inner[place[-1]] = value
    return encoded


@pytest.mark.parametrize(
    ("value", "path"),
    [
        (_changed(["steps", 0, "text"], 3), "t.steps[0].text"),
        (_changed(["steps", 1, "index"], True), "t.steps[1].index"),
        (_changed(["steps", 1, "index"], 1.0), "t.steps[1].index"),
        (_changed(["steps", 2, "type"], "Thought"), "t.steps[2]"),
        (_changed(["steps", 2, "more"], 1), "t.steps[2]"),
        (_changed(["steps", 3, "arguments", "form"], "yaml"), "t.steps[3].arguments.form"),
        (_changed(["steps", 3, "arguments", "reading", "value", "a"], [1, {"b": float("nan")}]), "['a'][1]['b']"),
        (_changed(["steps", 5, "pairing"], {"type": "Answers"}), "t.steps[5].pairing"),
        (_changed(["extent"], None), "t.extent"),
        (_changed(["tools"], {}), "t.tools"),
        (_changed(["type"], "Measurement"), "t (root)"),
        ([], "t (root)"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_path(value: Any, path: str) -> None:
    with pytest.raises(InputError) as caught:
        decode(Trajectory, value, "t")
    assert path in caught.value.subject


def test_missing_and_extra_fields_are_named() -> None:
    with pytest.raises(InputError, match="step"):
        decode(Located, {"type": "Located"})
    with pytest.raises(InputError, match="staep"):
        decode(Located, {"type": "Located", "step": 1, "staep": 2})


class Colour(StrEnum):
    RED = "red"


class Shade(StrEnum):
    RED = "red"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """Refers to itself."""

    children: tuple[Tree, ...]
    pair: tuple[int, str]
    names: Mapping[str, Colour]
    weight: float
    note: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Clashing:
    """Two enumerations with one text."""

    colour: Colour | Shade


@dataclass(frozen=True, slots=True, kw_only=True)
class TakesTheTag:
    """A field under the tag's name."""

    type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """A mutable field."""

    items: list[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Loose:
    """Arbitrary data."""

    data: Mapping[str, Any]


LEAF = Tree(children=(), pair=(1, "a"), names={}, weight=1, note=None)


def test_recursive_records() -> None:
    tree = Tree(children=(LEAF, LEAF), pair=(2, "b"), names={"x": Colour.RED}, weight=0.5, note="n")
    assert from_bytes(Tree, to_bytes(tree), "tree") == tree


@pytest.mark.parametrize("record", [Clashing(colour=Colour.RED), TakesTheTag(type="x"), Listing(items=[1])])
def test_classes_without_a_lossless_form_are_refused(record: object) -> None:
    with pytest.raises(TypeError):
        encode(record)


@pytest.mark.parametrize(
    "value", [(1, 2), {1: "x"}, float("nan"), float("inf"), {"a": [b"x"]}, {"s": {1}}, Located(step=1), Colour.RED]
)
def test_loose_data_that_would_not_come_back_is_refused_when_written(value: object) -> None:
    with pytest.raises(InputError, match=r"Loose\.data\['k'\]"):
        encode(Loose(data={"k": value}))


def test_values_of_another_type_are_refused_when_written() -> None:
    wrong: Any = "3"
    with pytest.raises(InputError, match=r"Located\.step"):
        encode(Located(step=wrong))


def test_an_unhashed_extent_is_distinct_from_the_other() -> None:
    assert to_bytes(Complete()) != to_bytes(Never())
