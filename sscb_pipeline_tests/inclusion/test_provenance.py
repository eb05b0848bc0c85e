"""Where an argument may come from: visible bytes or schema, whole tokens, never the agent's own words."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sscb_pipeline.inclusion.provenance import FromSchema, FromStep, NotVisible, argument_sources
from sscb_pipeline.trajectories.arguments import from_object
from sscb_pipeline.trajectories.steps import (
    AgentMessage,
    Answers,
    Complete,
    Handoff,
    Step,
    SystemText,
    ToolCall,
    ToolDefinition,
    ToolObservation,
    Trajectory,
    UserMessage,
)

TOOL = ToolDefinition(
    name="change_seat",
    description="Change a seat to one of the rows listed; row 31 is an exit row.",
    parameters={"type": "object", "properties": {"cabin": {"type": "string", "enum": ["economy", "business"]}}},
)


def source(
    value: Any, *told: str, own: str = "", observed: str = "", later: str = ""
) -> FromStep | FromSchema | NotVisible:
    """Source of one argument of a call, after the steps that the texts stand for."""
    steps: list[Step] = [SystemText(index=0, text="Policy: rows 1 to 30.")]
    for text in told:
        steps.append(UserMessage(index=len(steps), text=text))
    if own:
        steps.append(AgentMessage(index=len(steps), turn=1, text=own))
        steps.append(ToolCall(index=len(steps), turn=1, call_id="a", tool="t", arguments=from_object({"x": own})))
    if observed:
        steps.append(ToolCall(index=len(steps), turn=2, call_id="b", tool="t", arguments=from_object({})))
        steps.append(
            ToolObservation(
                index=len(steps), call_id="b", tool="t", content=observed, pairing=Answers(call=len(steps) - 1)
            )
        )
    call = ToolCall(index=len(steps), turn=3, call_id="c", tool="t", arguments=from_object({"value": value}))
    steps.append(call)
    if later:
        steps.append(UserMessage(index=len(steps), text=later))
    _, found = argument_sources(
        Trajectory(tools=(TOOL,), steps=tuple(steps), extent=Complete()), call, {"value": value}
    )
    assert found.call == call.index and found.path == "value"
    return found.source


VISIBLE: dict[str, tuple[Any, dict[str, Any], int]] = {
    "told by the user": ("W12", {"told": ["My order is W12."]}, 1),
    "in any case": ("anna@mail.com", {"told": ["I am Anna@Mail.com"]}, 1),
    "observed": ("W12", {"observed": '{"order_id": "W12"}'}, 2),
    "policy": (30, {}, 0),
    "first place counts": ("W12", {"told": ["W12", "W12"]}, 1),
    "with a hash sign": ("#W12", {"observed": '["#W12"]'}, 2),
    "a number at the end of a sentence": (12, {"told": ["Seat 12."]}, 1),
    "a decimal": (12.5, {"observed": '{"price": 12.5}'}, 2),
    "a date": ("2024-05-01", {"told": ["on 2024-05-01, please"]}, 1),
    "text with a quote, as JSON writes it": ('27" wheel', {"observed": json.dumps({"size": '27" wheel'})}, 2),
    "text that JSON escapes": ("São Paulo", {"observed": json.dumps({"city": "São Paulo"})}, 2),
}


@pytest.mark.parametrize(("value", "texts", "step"), VISIBLE.values(), ids=VISIBLE)
def test_a_visible_value_is_traced_to_the_step_that_shows_it_first(
    value: Any, texts: dict[str, Any], step: int
) -> None:
    assert source(value, *texts.get("told", ()), observed=texts.get("observed", "")) == FromStep(step=step)


HIDDEN: dict[str, tuple[Any, dict[str, Any]]] = {
    "only in the database": ("W12", {"told": ["hello"], "observed": '{"order_id": "W13"}'}),
    "only in the agent's own words and calls": ("W12", {"own": "Is it W12?"}),
    "told after the call": ("W12", {"later": "W12"}),
    "a part of a longer id": ("W12", {"told": ["My order is W123."]}),
    "the end of a longer id": ("12", {"told": ["My order is W12."]}),
    "a part of a hyphenated token": ("2024-05", {"told": ["on 2024-05-01"]}),
    "a part of an underscored token": ("card", {"observed": '{"id": "gift_card_1"}'}),
    "the whole part of a decimal": (12, {"observed": '{"price": 12.50}'}),
    "the fraction of a decimal": (50, {"observed": '{"price": 12.50}'}),
}


@pytest.mark.parametrize(("value", "texts"), HIDDEN.values(), ids=HIDDEN)
def test_a_value_that_nothing_visible_holds_is_refused(value: Any, texts: dict[str, Any]) -> None:
    told = texts.get("told", ())
    found = source(
        value, *told, own=texts.get("own", ""), observed=texts.get("observed", ""), later=texts.get("later", "")
    )
    assert found == NotVisible()


@pytest.mark.parametrize("value", ["business", "economy", 31])
def test_a_value_of_the_schema_is_accepted(value: Any) -> None:
    assert source(value) == FromSchema(tool="change_seat")


def test_a_handoff_shows_its_text() -> None:
    steps: tuple[Step, ...] = (Handoff(index=0, recipient="desk", text="Order W12"),)
    call = ToolCall(index=1, turn=0, call_id="c", tool="t", arguments=from_object({}))
    trajectory = Trajectory(tools=(), steps=(*steps, call), extent=Complete())
    assert [entry.source for entry in argument_sources(trajectory, call, {"order": "W12"})] == [FromStep(step=0)] * 2


@pytest.mark.parametrize("arguments", [{"W12": "economy"}, {"W12": {}}, {"cabin": {"W12": []}}])
def test_a_hidden_name_of_an_argument_is_refused(arguments: dict[str, Any]) -> None:
    call = ToolCall(index=1, turn=0, call_id="c", tool="t", arguments=from_object(arguments))
    trajectory = Trajectory(tools=(TOOL,), steps=(SystemText(index=0, text="Policy."), call), extent=Complete())
    assert NotVisible() in [entry.source for entry in argument_sources(trajectory, call, arguments)]


def test_an_empty_value_has_no_source() -> None:
    assert source("", "My order is W12.") == NotVisible()


def test_an_observation_that_echoes_its_own_call_is_no_source() -> None:
    arguments = from_object({"order_id": "W12"})
    error = ToolObservation(index=2, call_id="a", tool="t", content="Error: W12 unknown", pairing=Answers(call=1))
    again = ToolCall(index=3, turn=2, call_id="b", tool="t", arguments=arguments)
    steps: tuple[Step, ...] = (
        SystemText(index=0, text="Policy."),
        ToolCall(index=1, turn=1, call_id="a", tool="t", arguments=arguments),
        error,
        again,
    )
    trajectory = Trajectory(tools=(), steps=steps, extent=Complete())
    assert argument_sources(trajectory, again, {"order_id": "W12"})[-1].source == NotVisible()


def test_every_leaf_of_nested_arguments_has_a_source_of_its_own() -> None:
    call = ToolCall(index=1, turn=0, call_id="c", tool="t", arguments=from_object({}))
    trajectory = Trajectory(
        tools=(), steps=(UserMessage(index=0, text="HAT1 on 2024-05-01, true"), call), extent=Complete()
    )
    arguments = {"flights": [{"number": "HAT1", "date": "2024-05-01"}, {"number": "HAT2"}], "keep": True, "note": None}
    found = {entry.path: type(entry.source).__name__ for entry in argument_sources(trajectory, call, arguments)}
    names = {path: kind for path, kind in found.items() if path.endswith(" (name)")}
    assert set(names.values()) == {"NotVisible"}
    assert {path: kind for path, kind in found.items() if path not in names} == {
        "flights[0].number": "FromStep",
        "flights[0].date": "FromStep",
        "flights[1].number": "NotVisible",
        "keep": "FromStep",
        "note": "NotVisible",
    }
