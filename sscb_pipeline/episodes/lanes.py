"""Executions of several models at once: clean first, faults as soon as their clean task is solved, no model in
another's way.

Every model has a lane of its own with its own number of executions at a time. Within a lane an execution that has
become possible goes before a new clean one, so that a seed's runs are close together in time. Results are handed to
the sink in batches on a thread while the lanes go on. What a spent budget leaves over is not run and not stored: it
is still to do.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sscb_pipeline.completions.spending import BudgetSpentError
from sscb_pipeline.episodes.batch import AlreadyFinished, ExecutionResult, NotRun, Stage, run_one, solved
from sscb_pipeline.episodes.execution import Ending, ExecutionKey, StopReason
from sscb_pipeline.episodes.matrix import Group


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """One model's executions; `stage` sets any of them up."""

    name: str
    groups: Sequence[Group]
    stage: Stage
    concurrency: int


class HowFar(StrEnum):
    """How a run over lanes ended."""

    EVERYTHING = "everything"
    BUDGET_SPENT = "budget_spent"


AsyncSink = Callable[[Sequence[ExecutionResult]], Awaitable[None]]
"""Stores results durably before it returns."""

Stored = Callable[[Sequence[ExecutionResult]], None]
"""Told which results were stored just now."""


async def run_lanes(
    lanes: Sequence[Lane],
    *,
    finished: AlreadyFinished,
    sink: AsyncSink,
    stored: Stored,
    batch_size: int = 64,
    batch_seconds: float = 1.0,
) -> HowFar:
    """Run what is not finished yet.

    The first exception of a stage, participant or sink stops all lanes and is raised after the results in hand were
    stored. Executions under way at that moment, or when the task is cancelled, are given up and are not finished.
    """
    outbox = _Outbox(sink=sink, stored=stored, size=batch_size)
    queues = [_Queue(lane, finished) for lane in lanes]
    budget = _Budget()
    try:
        async with asyncio.TaskGroup() as tasks:
            writing = tasks.create_task(outbox.write_every(batch_seconds))
            working = [
                tasks.create_task(_work(queue, outbox, budget))
                for queue in queues
                for _ in range(min(queue.lane.concurrency, max(1, queue.size)))
            ]
            await asyncio.wait(working)
            writing.cancel()
    except BaseExceptionGroup as group:
        raise _first(group) from group
    finally:
        await outbox.close()
    return HowFar.BUDGET_SPENT if budget.spent else HowFar.EVERYTHING


@dataclass(slots=True)
class _Budget:
    spent: bool = False


class _Outbox:
    """Collects results and hands them to the sink, one batch at a time."""

    def __init__(self, *, sink: AsyncSink, stored: Stored, size: int) -> None:
        self._sink = sink
        self._stored = stored
        self._size = size
        self._waiting: list[ExecutionResult] = []
        self._writing = asyncio.Lock()
        self._storing: set[asyncio.Task[None] | None] = set()

    async def put(self, result: ExecutionResult) -> None:
        self._waiting.append(result)
        if len(self._waiting) >= self._size:
            await self.flush()

    async def flush(self) -> None:
        async with self._writing:
            batch, self._waiting = self._waiting, []
            if batch:
                storing = asyncio.create_task(self._store(batch))
                self._storing.add(storing)
                # A batch that was handed over is stored to the end, also when whoever waits for it is cancelled.
                await asyncio.shield(storing)

    async def close(self) -> None:
        """Store everything. Raises what the sink raised."""
        await asyncio.gather(*(task for task in self._storing if task is not None))
        await self.flush()

    async def _store(self, batch: list[ExecutionResult]) -> None:
        await self._sink(batch)
        self._stored(batch)
        self._storing.discard(asyncio.current_task())

    async def write_every(self, seconds: float) -> None:
        while True:
            await asyncio.sleep(seconds)
            await self.flush()


class _Queue:
    """What a lane has still to do."""

    def __init__(self, lane: Lane, finished: AlreadyFinished) -> None:
        self.lane = lane
        self._fresh: deque[Group] = deque()
        self._ready: deque[ExecutionKey] = deque()
        self.closed: deque[NotRun] = deque()
        self._finished = finished.execution_ids
        self._opening = 0
        self._changed = asyncio.Event()
        for group in lane.groups:
            clean_id = group.clean.execution_id
            if clean_id not in self._finished:
                self._fresh.append(group)
            else:
                self._open(group, clean_id in finished.solved_clean_ids)
        self.size = sum(len(group.executions()) for group in self._fresh) + len(self._ready)

    async def next(self) -> Group | ExecutionKey | None:
        """A gated execution, else a group whose clean execution comes first, else nothing is left."""
        while True:
            if self._ready:
                return self._ready.popleft()
            if self._fresh:
                self._opening += 1
                return self._fresh.popleft()
            if not self._opening:
                self._changed.set()
                return None
            self._changed.clear()
            await self._changed.wait()

    def opened(self, group: Group, clean: ExecutionResult) -> None:
        """The clean execution of a group is over."""
        self._opening = max(0, self._opening - 1)  # abandon() may have been before
        self._open(group, solved(clean))
        self._changed.set()

    def abandon(self) -> None:
        """Nothing more is begun in this lane; whoever waits for an opening is woken to see that."""
        self._fresh.clear()
        self._ready.clear()
        self._opening = 0
        self._changed.set()

    def _open(self, group: Group, solved_clean: bool) -> None:
        for key in group.gated:
            if key.execution_id in self._finished:
                continue
            if solved_clean:
                self._ready.append(key)
            else:
                self.closed.append(NotRun(key=key, ending=_gate_closed(group)))


async def _work(queue: _Queue, outbox: _Outbox, budget: _Budget) -> None:
    while True:
        while queue.closed:
            await outbox.put(queue.closed.popleft())
        if budget.spent:
            return
        task = await queue.next()
        if task is None:
            return
        key = task.clean if isinstance(task, Group) else task
        try:
            result = await run_one(key, queue.lane.stage(key))
        except BudgetSpentError:
            budget.spent = True
            queue.abandon()
            return
        await outbox.put(result)
        if isinstance(task, Group):
            queue.opened(task, result)


def _gate_closed(group: Group) -> Ending:
    return Ending(
        reason=StopReason.CLEAN_UNSOLVED,
        detail=f"{group.configuration_id} did not solve the clean task of {group.seed_id}",
    )


def _first(group: BaseExceptionGroup) -> BaseException:
    """The first error of a group that is no group; the others followed from the same stop."""
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
