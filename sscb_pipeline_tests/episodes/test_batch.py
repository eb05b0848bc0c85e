"""The matrix, clean-first gating, batches, resumption."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence

import pytest

from sscb_pipeline.episodes.batch import (
    NOTHING_FINISHED,
    AlreadyFinished,
    ExecutionResult,
    NotRun,
    Ran,
    Staging,
    run_batch,
    solved,
)
from sscb_pipeline.episodes.evaluator_record import NotScored
from sscb_pipeline.episodes.execution import EndingKind, ExecutionKey, StopReason
from sscb_pipeline.episodes.interception import Interception
from sscb_pipeline.episodes.matrix import ConfigurationRef, SeedRef, keys_of, matrix
from sscb_pipeline.episodes.participants import Agent
from sscb_pipeline.episodes.turn_loop import Limits, Played
from sscb_pipeline.faults.intervention import Condition
from sscb_pipeline.faults.operator import StoredRecord, Untouched
from sscb_pipeline.faults.operators.registry import OPERATORS
from sscb_pipeline_tests.episodes.library import (
    TASK,
    Library,
    ReadingAgent,
    ScriptedAgent,
    ScriptedUser,
    Wrong,
    asks,
    say,
    stops,
)


def seeds(*operators: str, each: int = 3) -> tuple[SeedRef, ...]:
    return tuple(
        SeedRef(
            operator=operator,
            seed_id=f"{operator}-{rank}",
            seed_sha256=f"{operator}{rank}",
            rank=rank,
            paired=OPERATORS[operator].paired,
        )
        for operator in operators
        for rank in range(each)
    )


def configuration(name: str, repeats: int = 1, seeds_per_operator: int = 9) -> ConfigurationRef:
    return ConfigurationRef(
        configuration_id=name, configuration_sha256=name, repeats=repeats, seeds_per_operator=seeds_per_operator
    )


class LibraryStage:
    """Stages executions of the library; configuration `bad` never reads, `unreachable` meets a lasting outage."""

    def __init__(self) -> None:
        self.staged: list[ExecutionKey] = []

    def __call__(self, key: ExecutionKey) -> Staging:
        self.staged.append(key)
        library = Library()
        state = library.fresh()
        state.failures = 9 if key.configuration_id == "unreachable" else 0
        agent: Agent = ScriptedAgent(say("I do not know.")) if key.configuration_id == "bad" else ReadingAgent()
        intervention = Untouched() if key.condition is Condition.CLEAN else Wrong()
        return Staging(
            substrate=library,
            state=state,
            interception=Interception(intervention=intervention, contract_id=key.seed_id, condition=key.condition),
            agent=agent,
            user=ScriptedUser(asks(), stops()),
            tools=library.tools(),
            limits=Limits(step_cap=20),
            task=TASK,
            target=StoredRecord(kind="books", identifier="B1"),
            realised=realised,
        )


def realised(played: Played) -> dict[str, int]:
    return {"steps": len(played.trajectory.steps)}


def run(
    stage: LibraryStage,
    names: Sequence[str],
    *,
    finished: AlreadyFinished = NOTHING_FINISHED,
    concurrency: int = 2,
    batch_size: int = 4,
) -> tuple[list[ExecutionResult], list[int]]:
    stored: list[ExecutionResult] = []
    told: list[int] = []
    groups = matrix(seeds("WriteEffect"), [configuration(name, repeats=2) for name in names], campaign="test")
    asyncio.run(
        run_batch(
            groups,
            stage=stage,
            finished=finished,
            sink=stored.extend,
            progress=told.append,
            concurrency=concurrency,
            batch_size=batch_size,
        )
    )
    return stored, told


def test_paired_conditions_run_on_repeat_zero_of_their_operators_only() -> None:
    groups = matrix(
        seeds("ReturnDate", "PaySource", "ItemOption", "WriteEffect"), [configuration("A", repeats=3)], campaign="c"
    )
    counted = Counter((key.operator, key.condition, key.repeat) for key in keys_of(groups))
    assert {key for key in counted if key[1] not in (Condition.CLEAN, Condition.BASELINE)} == {
        ("ItemOption", Condition.CONSISTENT_SOURCE, 0),
        ("WriteEffect", Condition.CONSISTENT_SOURCE, 0),
        ("WriteEffect", Condition.NO_READBACK_HINT, 0),
    }
    assert counted["ReturnDate", Condition.BASELINE, 2] == 3
    assert counted["ReturnDate", Condition.CLEAN, 0] == 3 and ("ReturnDate", Condition.CLEAN, 1) not in counted


def test_the_default_sizes_give_the_papers_number_of_baseline_executions() -> None:
    admitted = seeds("ReturnDate", "PaySource", "ItemOption", "WriteEffect", each=30)
    five = [configuration(f"R{n}", repeats, 30) for n, repeats in enumerate((3, 3, 3, 1, 1))]
    keys = keys_of(matrix(admitted, five, campaign="c"))
    assert sum(key.condition is Condition.BASELINE for key in keys) == 1320
    assert sum(key.condition is Condition.CLEAN for key in keys) == 600
    assert len({key.execution_id for key in keys}) == len(keys)


def test_a_small_configuration_meets_the_first_seeds_of_each_operator() -> None:
    groups = matrix(seeds("ReturnDate", "PaySource"), [configuration("S", seeds_per_operator=1)], campaign="c")
    assert [group.seed_id for group in groups] == ["ReturnDate-0", "PaySource-0"]


def test_a_solved_clean_run_opens_the_gate() -> None:
    stored, told = run(LibraryStage(), ["good"])
    assert sum(told) == len(stored) == 3 * 5
    assert all(isinstance(result, Ran) for result in stored)
    first = next(result for result in stored if result.key.condition is Condition.CLEAN)
    assert solved(first)
    faulted = next(result for result in stored if result.key.condition is Condition.BASELINE)
    assert isinstance(faulted, Ran)
    assert not solved(faulted)
    assert len(faulted.record.rewrites) == 1
    assert faulted.realised == {"steps": len(faulted.trajectory.steps)}
    assert faulted.evaluator.final_target == {"book_id": "B1", "due": "2024-05-20"}
    assert faulted.evaluator.execution_id == faulted.key.execution_id


@pytest.mark.parametrize("name", ["bad", "unreachable"])
def test_an_unsolved_or_missing_clean_run_keeps_the_gate_shut(name: str) -> None:
    stage = LibraryStage()
    stored, _ = run(stage, [name])
    assert {key.condition for key in stage.staged} == {Condition.CLEAN}
    closed = [result for result in stored if isinstance(result, NotRun)]
    assert len(closed) == 3 * 4
    assert {result.ending.reason for result in closed} == {StopReason.CLEAN_UNSOLVED}
    assert {result.ending.kind for result in closed} == {EndingKind.NOT_RUN}
    clean = [result for result in stored if isinstance(result, Ran)]
    assert [isinstance(result.evaluator.score, NotScored) for result in clean] == [name == "unreachable"] * 3


def test_every_execution_of_the_matrix_ends_exactly_once() -> None:
    stored, _ = run(LibraryStage(), ["good", "bad", "unreachable"], concurrency=5, batch_size=7)
    assert len(stored) == len({result.key.execution_id for result in stored}) == 3 * 3 * 5


def test_nothing_finished_is_played_again_and_a_finished_clean_run_still_gates() -> None:
    stored, _ = run(LibraryStage(), ["good", "bad"])
    kept = [result for result in stored if result.key.repeat == 0 and result.key.condition is not Condition.BASELINE]
    finished = AlreadyFinished(
        execution_ids=frozenset(result.key.execution_id for result in kept),
        solved_clean_ids=frozenset(result.key.execution_id for result in kept if solved(result)),
    )
    stage = LibraryStage()
    again, _ = run(stage, ["good", "bad"], finished=finished)
    assert {result.key.execution_id for result in again}.isdisjoint(finished.execution_ids)
    assert len(again) + len(kept) == len(stored)
    assert {key.configuration_id for key in stage.staged} == {"good"}


class DyingSink:
    """Stores the first batch, then the disk is full."""

    def __init__(self) -> None:
        self.stored: list[ExecutionResult] = []

    def __call__(self, batch: Sequence[ExecutionResult]) -> None:
        if self.stored:
            raise OSError("disk full")
        self.stored.extend(batch)


def test_results_are_handed_over_in_batches_and_a_failing_sink_stops_the_batch() -> None:
    sink = DyingSink()
    told: list[int] = []
    groups = matrix(seeds("ReturnDate"), [configuration("good")], campaign="test")
    with pytest.raises((OSError, ExceptionGroup)):
        asyncio.run(
            run_batch(
                groups,
                stage=LibraryStage(),
                finished=NOTHING_FINISHED,
                sink=sink,
                progress=told.append,
                concurrency=1,
                batch_size=2,
            )
        )
    assert told == [2] and len(sink.stored) == 2


def test_results_do_not_depend_on_concurrency() -> None:
    def by_id(concurrency: int) -> dict[str, ExecutionResult]:
        stored, _ = run(LibraryStage(), ["good", "bad"], concurrency=concurrency)
        return {result.key.execution_id: result for result in stored}

    assert by_id(1) == by_id(6)
