"""Adversarial cases on environments: a field that is never stored, an answer by the clock, reads that leave a trace."""

from __future__ import annotations

import pytest

from sscb_pipeline.environments.port import Outcome
from sscb_pipeline.environments.probe import effect_on
from sscb_pipeline.environments.replay import RecordedCall, ReplayMismatchError, replay
from sscb_pipeline.errors import EnvironmentUnavailableError
from sscb_pipeline_tests.environments.library import Clock, Library, LibraryState


class TestC65FieldThatIsNeverStored:
    def test_probe_shows_only_what_the_clean_tool_changes(self) -> None:
        state = Library().fresh()
        arguments = {"book": "b1", "title": "Maps", "shelf": "Z"}
        effect = effect_on(state, "relabel", arguments, kind="books", identifier="b1")
        assert not effect.outcome.error
        assert effect.changed == {"title"}

    def test_an_update_of_that_field_alone_changes_nothing(self) -> None:
        state = Library().fresh()
        arguments = {"book": "b1", "title": "Atlas", "shelf": "Z"}
        assert effect_on(state, "relabel", arguments, kind="books", identifier="b1").changed == frozenset()

    def test_the_probe_leaves_the_state_alone_and_passes_errors_on(self) -> None:
        state = Library().fresh()
        before = state.digest()
        refused = effect_on(state, "lend", {"book": "b1"}, kind="books", identifier="b1")
        assert refused.outcome.error
        assert refused.changed == frozenset()
        lent = effect_on(state, "lend", {"book": "b1", "holder": "ada"}, kind="books", identifier="b1")
        assert lent.changed == {"holder"}
        assert state.digest() == before
        with pytest.raises(KeyError):
            effect_on(state, "lend", {"book": "b9", "holder": "ada"}, kind="books", identifier="b9")


def record_calls(clock: Clock, *calls: tuple[str, dict[str, str]]) -> list[RecordedCall]:
    state = Library(clock).fresh()
    return [
        RecordedCall(tool=tool, arguments=arguments, outcome=state.call(tool, arguments)) for tool, arguments in calls
    ]


class TestC67AnswerByTheClock:
    def test_replay_names_call_and_field_and_is_no_outage(self) -> None:
        calls = record_calls(Clock(hour=10), ("find_title", {"book": "b1"}), ("opening_hours", {}))
        with pytest.raises(ReplayMismatchError) as raised:
            replay(Library(Clock(hour=20)).fresh(), calls)
        assert raised.value.subject == "replay of call 1 (opening_hours), field content.status"
        assert (raised.value.expected, raised.value.found) == ('"open"', '"closed"')
        assert not isinstance(raised.value, EnvironmentUnavailableError)

    def test_replay_under_the_same_clock_agrees(self) -> None:
        calls = record_calls(Clock(hour=10), ("lend", {"book": "b1", "holder": "ada"}), ("opening_hours", {}))
        state = Library(Clock(hour=11)).fresh()
        replay(state, calls)
        assert state.record("books", "b1")["holder"] == "ada"

    @pytest.mark.parametrize(
        ("content", "error", "place"),
        [
            ("Error: gone", True, "field error"),
            ("plain words", False, "text"),
            ('{"title": "Atlas"}', False, "field content.shelf"),
            ('{"title":"Atlas","shelf":"A","holder":"","tags":{"size":"large"}}', False, "text"),
            (
                '{"title": "Atlas", "shelf": "A", "holder": "", "tags": {"size": ["large"]}}',
                False,
                "field content.tags.size",
            ),
        ],
    )
    def test_every_kind_of_difference_has_a_place(self, content: str, error: bool, place: str) -> None:
        outcome = Outcome(content=content, error=error)
        call = RecordedCall(tool="find_title", arguments={"book": "b1"}, outcome=outcome)
        with pytest.raises(ReplayMismatchError) as raised:
            replay(Library().fresh(), [call])
        assert raised.value.subject == f"replay of call 0 (find_title), {place}"


class TestC69ReadsThatLeaveATrace:
    def test_a_read_log_is_no_part_of_the_graded_state(self) -> None:
        library = Library()
        state = library.fresh()
        assert isinstance(state, LibraryState)
        for _ in range(2):
            state.call("find_title", {"book": "b1"})
        assert state.read_log == ["b1", "b1"]
        assert state.digest() == library.fresh().digest()
