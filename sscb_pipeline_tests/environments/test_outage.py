"""Planned outages fail exactly the attempts named."""

from __future__ import annotations

import pytest

from sscb_pipeline.environments.outage import Outage, WithOutages
from sscb_pipeline.environments.port import Score
from sscb_pipeline.errors import EnvironmentUnavailableError, InputError
from sscb_pipeline_tests.environments.conformance import play
from sscb_pipeline_tests.environments.library import Library

READ = ("find_title", {"book": "b1"})
LEND = ("lend", {"book": "b1", "holder": "ada"})


def test_the_planned_occurrence_fails_and_then_answers() -> None:
    state = WithOutages(Library(), [Outage(tool="find_title", occurrence=1, attempts=2)]).fresh()
    clean = Library().fresh()
    assert state.call(*READ) == clean.call(*READ)
    for attempt in (1, 2):
        with pytest.raises(EnvironmentUnavailableError, match=f"call 1 of find_title.*attempt {attempt} of 2"):
            state.call(*READ)
        assert state.call("opening_hours", {}) == clean.call("opening_hours", {})
    assert state.call(*READ) == clean.call(*READ)
    assert state.call(*READ) == clean.call(*READ)


def test_a_failed_attempt_does_nothing() -> None:
    state = WithOutages(Library(), [Outage(tool="lend", occurrence=0, attempts=1)]).fresh()
    before = state.digest()
    with pytest.raises(EnvironmentUnavailableError):
        state.call(*LEND)
    assert state.digest() == before == Library().fresh().digest()
    assert not state.call(*LEND).error


def test_forks_share_the_weather_and_fresh_states_start_anew() -> None:
    substrate = WithOutages(Library(), [Outage(tool="find_title", occurrence=0, attempts=1)])
    state = substrate.fresh()
    with pytest.raises(EnvironmentUnavailableError):
        state.fork().call(*READ)
    assert not state.call(*READ).error
    with pytest.raises(EnvironmentUnavailableError):
        substrate.fresh().call(*READ)


def test_scoring_is_not_exposed() -> None:
    substrate = WithOutages(Library(), [Outage(tool="lend", occurrence=0, attempts=9)])
    (task,) = substrate.tasks()
    solved = play(Library().fresh(), LEND)
    assert substrate.score(task, solved, ["The Atlas is yours."]) == Score(database=True, communicated=True)


@pytest.mark.parametrize(
    ("plan", "found"),
    [
        ([("find_title", 0, 1), ("find_title", 0, 2)], "a second entry"),
        ([("fly", 0, 1)], "an unknown tool"),
        ([("find_title", -1, 1)], "occurrence -1"),
        ([("find_title", 0, 0)], "attempts 0"),
    ],
)
def test_a_wrong_plan_is_refused(plan: list[tuple[str, int, int]], found: str) -> None:
    with pytest.raises(InputError, match=found):
        WithOutages(
            Library(),
            [Outage(tool=tool, occurrence=occurrence, attempts=attempts) for tool, occurrence, attempts in plan],
        )
