"""Invariants over generated histories."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sscb_pipeline.measured import Located
from sscb_pipeline.reconstruction.references import encode, extract
from sscb_pipeline.trajectories.steps import ToolCall, ToolObservation, Trajectory
from sscb_pipeline_tests.reconstruction import phrasings
from sscb_pipeline_tests.reconstruction.worlds import (
    ITEM_OPTION,
    PAY_SOURCE,
    RETURN_DATE,
    WRITE_EFFECT,
    History,
    World,
    WorldOperator,
    exchanged,
    faulted,
    measured,
)

WORLDS = (
    (RETURN_DATE, phrasings.RETURN_DATE),
    (PAY_SOURCE, phrasings.PAY_SOURCE),
    (ITEM_OPTION, phrasings.ITEM_OPTION),
    (WRITE_EFFECT, phrasings.WRITE_EFFECT),
)
CHATTER = ("Thank you for waiting.", "Is there anything else?", "I am happy to help.", "Good morning!")

Move = tuple[str, str]


def _moves(table: tuple[tuple[phrasings.Reading, str], ...]) -> st.SearchStrategy[list[Move]]:
    said = st.sampled_from([text for _, text in table]).map(lambda text: ("agent", text))
    chatter = st.sampled_from(CHATTER).map(lambda text: ("agent", text))
    user = st.sampled_from(("Yes.", "No idea.", "Please go on.")).map(lambda text: ("user", text))
    observed = st.sampled_from(("native", "delivered", "other")).map(lambda text: ("observe", text))
    return st.lists(st.one_of(said, chatter, user, observed), max_size=7)


def _play(world: World, history: History, moves: list[Move]) -> History:
    for kind, content in moves:
        if kind == "agent":
            history.agent(content)
        elif kind == "user":
            history.user(content)
        else:
            text = {"native": world.native, "delivered": world.delivered}.get(content, "{}")
            history.agent("", (world.tool, world.arguments)).result(text)
    return history


def _history(world: World, moves: list[Move]) -> Trajectory:
    return _play(world, faulted(world), moves).end()


@st.composite
def histories(draw: st.DrawFn) -> tuple[World, Trajectory]:
    world, table = draw(st.sampled_from(WORLDS))
    return world, _history(world, draw(_moves(table)))


@given(histories())
@settings(max_examples=150, deadline=None)
def test_fault_then_use_then_error(case: tuple[World, Trajectory]) -> None:
    world, trajectory = case
    found = measured(world, trajectory)
    assert isinstance(found.t_f, Located)
    if isinstance(found.t_s, Located):
        assert found.t_f.step < found.t_s.step
        if isinstance(found.t_u, Located):
            assert found.t_s.step <= found.t_u.step
    assert (found.adoption is True) == any(event.erroneous is True for event in found.uses)
    for event in found.uses:
        # SSC Def. 3.3: erroneous dependence is a dependent use.
        assert not (event.erroneous is True and event.dependent is not True)


@given(histories())
@settings(max_examples=100, deadline=None)
def test_appending_non_evidence_after_first_use_leaves_the_stratum(case: tuple[World, Trajectory]) -> None:
    world, trajectory = case
    found = measured(world, trajectory)
    if not isinstance(found.t_s, Located):
        return
    longer = History()
    longer.steps = list(trajectory.steps)
    longer.user("Thanks.").agent("You are welcome.").agent("", ("list_all_airports", {})).result("[]")
    again = measured(world, longer.end())
    assert (again.stratum, again.t_s) == (found.stratum, found.t_s)


@given(histories())
@settings(max_examples=60, deadline=None)
def test_relabelling_call_ids_leaves_every_time(case: tuple[World, Trajectory]) -> None:
    world, trajectory = case
    relabelled = replace(
        trajectory,
        steps=tuple(
            replace(step, call_id="same") if isinstance(step, ToolCall | ToolObservation) else step
            for step in trajectory.steps
        ),
    )
    first, second = measured(world, trajectory), measured(world, relabelled)
    assert (first.t_e, first.t_s, first.t_u, first.stratum) == (second.t_e, second.t_s, second.t_u, second.stratum)


@pytest.mark.parametrize(
    ("world", "table"), WORLDS, ids=lambda item: item.contract.operator if isinstance(item, World) else ""
)
def test_extraction_is_blind_to_which_value_is_right(
    world: World, table: tuple[tuple[phrasings.Reading, str], ...]
) -> None:
    history = faulted(world)
    for _, text in table:
        history.agent(text)
    trajectory = history.end()
    swapped = exchanged(world)
    here = WorldOperator(world=world).subject(world.contract)
    there = WorldOperator(world=swapped).subject(swapped.contract)
    references = encode(extract(here, trajectory, 3))
    assert references == encode(extract(there, trajectory, 3))
    assert references.count(b'"step"') >= len(table) // 2


@given(st.text(max_size=200), st.sampled_from([world for world, _ in WORLDS]))
@settings(max_examples=200, deadline=None)
def test_any_text_is_read(text: str, world: World) -> None:
    found = measured(world, faulted(world).agent(text or "x").end())
    assert isinstance(found.t_f, Located)
