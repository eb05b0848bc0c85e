"""Many executions: clean first, bounded concurrency, results handed over in batches, resumable.

A group's clean execution runs first; what it gates runs only if it was solved and ends as *not run* otherwise.
An execution counts as finished when the sink has returned: the sink stores durably, so a killed process loses none
of those and, given their ids, repeats none.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from sscb_pipeline.environments.port import Score, State, Substrate, Task
from sscb_pipeline.episodes.evaluator_record import EvaluatorRecord, evaluate
from sscb_pipeline.episodes.execution import Ending, ExecutionKey, StopReason
from sscb_pipeline.episodes.interception import Interception
from sscb_pipeline.episodes.matrix import Group
from sscb_pipeline.episodes.participants import Agent, User
from sscb_pipeline.episodes.turn_loop import Limits, Played, play
from sscb_pipeline.faults.intervention import InterventionRecord
from sscb_pipeline.faults.operator import StoredRecord
from sscb_pipeline.trajectories.steps import ToolDefinition, Trajectory


@dataclass(frozen=True, slots=True, kw_only=True)
class Staging:
    """Everything one execution is played with.

    `realised` gives what the agent itself knows about the history it made (the labels of a reference agent), as
    plain JSON, stored apart; an empty mapping where an agent knows nothing.
    """

    substrate: Substrate
    state: State
    interception: Interception
    agent: Agent
    user: User
    tools: tuple[ToolDefinition, ...]
    limits: Limits
    task: Task
    target: StoredRecord
    realised: Callable[[Played], Mapping[str, Any]]


class Stage(Protocol):
    """Sets an execution up: fresh state, interceptor, participants."""

    def __call__(self, key: ExecutionKey) -> Staging:
        """The staging of the execution `key` defines."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """An execution that was played."""

    key: ExecutionKey
    trajectory: Trajectory
    record: InterventionRecord
    evaluator: EvaluatorRecord
    realised: Mapping[str, Any]

    @property
    def ending(self) -> Ending:
        """How it ended."""
        return self.evaluator.ending


@dataclass(frozen=True, slots=True, kw_only=True)
class NotRun:
    """An execution that was scheduled and not played."""

    key: ExecutionKey
    ending: Ending


ExecutionResult = Ran | NotRun


@dataclass(frozen=True, slots=True, kw_only=True)
class AlreadyFinished:
    """What earlier processes stored: ids of finished executions, and of the clean ones among them that solved."""

    execution_ids: frozenset[str]
    solved_clean_ids: frozenset[str]


NOTHING_FINISHED = AlreadyFinished(execution_ids=frozenset(), solved_clean_ids=frozenset())

Sink = Callable[[Sequence[ExecutionResult]], None]
"""Stores results durably before it returns."""

Progress = Callable[[int], None]
"""Told how many executions were stored just now."""


def solved(result: ExecutionResult) -> bool:
    """Whether the execution was played, scored and earned full reward."""
    return isinstance(result, Ran) and isinstance(result.evaluator.score, Score) and result.evaluator.score.solved


async def run_one(key: ExecutionKey, staging: Staging) -> Ran:
    """Play one staged execution and write the evaluator's record."""
    played = await play(
        substrate=staging.substrate,
        state=staging.state,
        interception=staging.interception,
        agent=staging.agent,
        user=staging.user,
        tools=staging.tools,
        limits=staging.limits,
    )
    evaluator = evaluate(
        played,
        execution_id=key.execution_id,
        substrate=staging.substrate,
        task=staging.task,
        target=staging.target,
    )
    return Ran(
        key=key,
        trajectory=played.trajectory,
        record=played.record,
        evaluator=evaluator,
        realised=staging.realised(played),
    )


class _Outbox:
    """Collects results and hands them to the sink `size` at a time."""

    def __init__(self, *, sink: Sink, progress: Progress, size: int) -> None:
        self._sink = sink
        self._progress = progress
        self._size = size
        self._waiting: list[ExecutionResult] = []

    def put(self, result: ExecutionResult) -> None:
        self._waiting.append(result)
        if len(self._waiting) >= self._size:
            self.flush()

    def flush(self) -> None:
        batch, self._waiting = self._waiting, []
        if batch:
            self._sink(batch)
            self._progress(len(batch))


async def run_batch(
    groups: Sequence[Group],
    *,
    stage: Stage,
    finished: AlreadyFinished,
    sink: Sink,
    progress: Progress,
    concurrency: int = 8,
    batch_size: int = 64,
) -> None:
    """Run every execution of `groups` that is not finished yet.

    An exception of a stage, participant or sink stops the batch after the results in hand were stored; executions
    under way are given up and are not finished.
    """
    outbox = _Outbox(sink=sink, progress=progress, size=batch_size)
    queue = iter(groups)
    try:
        async with asyncio.TaskGroup() as tasks:
            for _ in range(min(concurrency, max(1, len(groups)))):
                tasks.create_task(_work(queue, stage, finished, outbox))
    finally:
        outbox.flush()


async def _work(queue: Iterator[Group], stage: Stage, finished: AlreadyFinished, outbox: _Outbox) -> None:
    for group in queue:
        await _run_group(group, stage, finished, outbox)


async def _run_group(group: Group, stage: Stage, finished: AlreadyFinished, outbox: _Outbox) -> None:
    clean_id = group.clean.execution_id
    pending = [key for key in group.gated if key.execution_id not in finished.execution_ids]
    if clean_id in finished.execution_ids:
        opened = clean_id in finished.solved_clean_ids
    else:
        result = await run_one(group.clean, stage(group.clean))
        outbox.put(result)
        opened = solved(result)
    for key in pending:
        if opened:
            outbox.put(await run_one(key, stage(key)))
        else:
            outbox.put(NotRun(key=key, ending=_gate_closed(group)))
        # A participant that never waits would otherwise keep every other group from starting.
        await asyncio.sleep(0)


def _gate_closed(group: Group) -> Ending:
    return Ending(
        reason=StopReason.CLEAN_UNSOLVED,
        detail=f"{group.configuration_id} did not solve the clean task of {group.seed_id}",
    )
