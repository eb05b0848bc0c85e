"""Conformance suite of the environment port.

A substrate is tested by deriving a test class from `SubstrateConformance` with a fixture `sample` that says which
calls to play on it. A second substrate needs nothing but that fixture.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest

from sscb_pipeline.environments.port import ReferenceAction, Score, State, Substrate, Task

Call = tuple[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A substrate and calls whose kind is known.

    `write` changes `record` (kind, identifier); `other_write` changes another record; `failing` is a call the tool
    refuses; `read` returns a record; `task` is a native task whose reference actions change the state.
    """

    substrate: Substrate
    read: Call
    write: Call
    other_write: Call
    failing: Call
    record: tuple[str, str]
    task: Task


def play(state: State, *calls: Call) -> State:
    """Make the calls on the state and hand it back."""
    for tool, arguments in calls:
        state.call(tool, arguments)
    return state


class SubstrateConformance:
    """What every substrate owes its users."""

    @pytest.fixture
    def sample(self) -> Sample:
        raise NotImplementedError("derive from this class and give the fixture")

    def test_fresh_states_are_equal_and_independent(self, sample: Sample) -> None:
        first, second = sample.substrate.fresh(), sample.substrate.fresh()
        assert first.digest() == second.digest()
        play(first, sample.write)
        assert first.digest() != second.digest()
        assert second.digest() == sample.substrate.fresh().digest()
        assert second.record(*sample.record) == sample.substrate.records(sample.record[0])[sample.record[1]]

    def test_writing_is_seen_by_the_state_and_not_by_the_base(self, sample: Sample) -> None:
        kind, identifier = sample.record
        before = json.dumps(sample.substrate.records(kind)[identifier])
        state = play(sample.substrate.fresh(), sample.write)
        assert json.dumps(state.record(kind, identifier)) != before
        assert json.dumps(sample.substrate.records(kind)[identifier]) == before
        assert json.dumps(sample.substrate.fresh().record(kind, identifier)) == before

    def test_reading_and_failing_change_nothing(self, sample: Sample) -> None:
        state = sample.substrate.fresh()
        before = state.digest()
        first = state.call(*sample.read)
        second = state.call(*sample.read)
        assert first == second
        assert not first.error
        assert state.call(*sample.failing).error
        assert state.digest() == before

    def test_errors_come_back_as_outcomes(self, sample: Sample) -> None:
        state = sample.substrate.fresh()
        tool, arguments = sample.read
        assert state.call("no_such_tool", {}).error
        assert state.call(tool, {}).error
        assert state.call(tool, {**arguments, "surplus": 1}).error
        assert not state.call(tool, arguments).error

    def test_digest_is_of_the_state_and_not_of_its_history(self, sample: Sample) -> None:
        one = play(sample.substrate.fresh(), sample.write, sample.other_write)
        other = play(sample.substrate.fresh(), sample.read, sample.other_write, sample.failing, sample.write)
        assert one.digest() == other.digest()
        assert one.digest() != play(sample.substrate.fresh(), sample.write).digest()

    def test_forks_go_their_own_ways(self, sample: Sample) -> None:
        state = play(sample.substrate.fresh(), sample.write)
        written = state.digest()
        fork = state.fork()
        assert fork.digest() == written
        play(fork, sample.other_write)
        assert state.digest() == written != fork.digest()
        play(state, sample.other_write)
        assert state.digest() == fork.digest()
        second = sample.substrate.fresh()
        untouched = second.fork()
        play(second, sample.write)
        assert untouched.digest() == sample.substrate.fresh().digest()

    def test_a_record_handed_out_is_a_copy(self, sample: Sample) -> None:
        state = play(sample.substrate.fresh(), sample.write)
        handed = dict(state.record(*sample.record))
        digest = state.digest()
        _overwrite(handed)
        assert state.digest() == digest
        assert state.record(*sample.record) != handed
        with pytest.raises(KeyError):
            state.record(sample.record[0], "no such record")
        with pytest.raises(KeyError):
            state.record("no such kind", sample.record[1])

    def test_looking_at_a_record_does_not_touch_it(self, sample: Sample) -> None:
        state = sample.substrate.fresh()
        before = state.digest()
        assert state.record(*sample.record) == sample.substrate.records(sample.record[0])[sample.record[1]]
        assert state.digest() == before

    def test_arguments_stay_the_callers(self, sample: Sample) -> None:
        tool, arguments = sample.write
        own = json.loads(json.dumps(arguments))
        state = play(sample.substrate.fresh(), (tool, own))
        assert own == arguments
        digest = state.digest()
        _overwrite(own)
        assert state.digest() == digest

    def test_reference_solution_earns_full_reward(self, sample: Sample) -> None:
        state = sample.substrate.fresh()
        assert sample.task in sample.substrate.tasks()
        play(state, *((action.tool, action.arguments) for action in sample.task.actions))
        said = [f"This is it: {required}." for required in sample.task.communicate]
        assert sample.substrate.score(sample.task, state, said) == Score(database=True, communicated=True)
        play(state, sample.read)
        assert sample.substrate.score(sample.task, state, said).solved

    def test_missing_and_surplus_writes_fail_the_database_match(self, sample: Sample) -> None:
        idle = sample.substrate.fresh()
        assert not sample.substrate.score(sample.task, idle, []).database
        state = sample.substrate.fresh()
        play(state, *((action.tool, action.arguments) for action in sample.task.actions), sample.other_write)
        assert not sample.substrate.score(sample.task, state, []).database

    def test_what_is_not_said_is_not_communicated(self, sample: Sample) -> None:
        task = replace(sample.task, communicate=("quite particular",))
        state = sample.substrate.fresh()
        assert not sample.substrate.score(task, state, []).communicated
        assert not sample.substrate.score(task, state, ["quite", "particular"]).communicated
        assert sample.substrate.score(task, state, ["Hello.", "That is quite particular."]).communicated

    def test_score_follows_the_content_of_the_task(self, sample: Sample) -> None:
        state = play(sample.substrate.fresh(), sample.other_write)
        action = ReferenceAction(tool=sample.other_write[0], arguments=sample.other_write[1])
        task = replace(sample.task, actions=(action,), communicate=())
        assert not sample.substrate.score(sample.task, state, []).database
        assert sample.substrate.score(task, state, []).solved

    def test_failing_reference_actions_count_as_nothing_done(self, sample: Sample) -> None:
        tool, arguments = sample.failing
        task = replace(
            sample.task, actions=(ReferenceAction(tool=tool, arguments=arguments), *sample.task.actions), communicate=()
        )
        state = play(sample.substrate.fresh(), *((action.tool, action.arguments) for action in sample.task.actions))
        assert sample.substrate.score(task, state, []).solved

    def test_texts_and_tools_are_given(self, sample: Sample) -> None:
        substrate = sample.substrate
        names = [tool.name for tool in substrate.tools()]
        assert len(names) == len(set(names))
        assert substrate.writes() < set(names)
        assert sample.write[0] in substrate.writes()
        assert sample.read[0] not in substrate.writes()
        assert all(tool.description and tool.parameters["type"] == "object" for tool in substrate.tools())
        assert substrate.system_prompt() and substrate.user_guidelines() and substrate.greeting()
        assert substrate.data_sha256
        assert all(len(sha256) == 64 for sha256 in substrate.data_sha256.values())
        assert {task.domain for task in substrate.tasks()} == {substrate.domain}


def _overwrite(value: Any) -> None:
    """Spoil a plain value in place, at every depth."""
    if isinstance(value, dict):
        for inner in value.values():
            _overwrite(inner)
        value.clear()
        value["spoilt"] = True
    elif isinstance(value, list):
        for inner in value:
            _overwrite(inner)
        value.clear()
