"""Stage `executions` for models: all cells of the grid in one event loop, each configuration in a lane of its own."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import AsyncIterator, Coroutine, Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from itertools import chain, zip_longest

from sscb_pipeline.adapters.completions.provider import LiteLLMTransport, http_session
from sscb_pipeline.artifacts.journal import JournalWriter
from sscb_pipeline.artifacts.lease import lease
from sscb_pipeline.artifacts.warehouse import JournalName, Warehouse
from sscb_pipeline.assurance.manifest import PublishedManifest
from sscb_pipeline.completions.call_log import CALLS, INTENTS, CallLog, open_log
from sscb_pipeline.completions.client import Endpoint, RecordingClient
from sscb_pipeline.completions.pace import Pace
from sscb_pipeline.completions.spending import Spending
from sscb_pipeline.episodes.batch import AlreadyFinished, ExecutionResult, Stage, Staging
from sscb_pipeline.episodes.execution import Ending, ExecutionKey, StopReason
from sscb_pipeline.episodes.lanes import AsyncSink, Lane, run_lanes
from sscb_pipeline.episodes.matrix import Group, keys_of
from sscb_pipeline.errors import RefusalError
from sscb_pipeline.stages.call_totals import add_earlier
from sscb_pipeline.stages.execution_index import (
    IndexedExecution,
    NothingStored,
    Solved,
    index_of,
    read_journal,
)
from sscb_pipeline.stages.executions import (
    Partition,
    already_finished,
    publish_index,
    scheduled,
    store_results,
)
from sscb_pipeline.stages.inclusion import authorised_seeds
from sscb_pipeline.stages.lane_progress import LaneProgress
from sscb_pipeline.stages.model_contenders import ModelContender, ModelPlan, ModelSetup
from sscb_pipeline.stages.names import Stage as StageName
from sscb_pipeline.stages.reporter import Reporter
from sscb_pipeline.stages.roster import Casting


@dataclass(slots=True, kw_only=True)
class _Cell:
    """One cell under way."""

    partition: Partition
    contender: ModelContender
    groups: tuple[Group, ...]
    seeds: PublishedManifest
    finished: dict[str, IndexedExecution]
    stage: Stage | None = None
    writer: JournalWriter | None = None

    @property
    def open_units(self) -> set[str]:
        return {key.execution_id for key in keys_of(self.groups)} - self.finished.keys()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Players:
    """The endpoints of one run: one for every configuration, one for the user, an account for all."""

    user: Endpoint
    agents: dict[str, Endpoint] = field(default_factory=dict)


def run_model_cells(
    warehouse: Warehouse, plan: ModelPlan, partitions: Sequence[Partition], reporter: Reporter
) -> list[PublishedManifest]:
    """Run whatever is not finished of the cells and publish their indices.

    Where the budget ends first, what is left over stands in the index as not run and is still to do in a later run.
    Raises RefusalError when interrupted, with everything finished kept and nothing published.
    """
    with ExitStack() as leases:
        for partition in partitions:
            path = warehouse.lease_path(partition.campaign, StageName.EXECUTIONS, partition.name)
            leases.enter_context(lease(path, f"executions of {partition.name} in campaign {partition.campaign}"))
        cells = [_cell(warehouse, partition) for partition in partitions]
        if any(cell.open_units for cell in cells):
            asyncio.run(_interruptible(_run(warehouse, plan, cells, reporter)))
        return [_publish(warehouse, cell) for cell in cells]


def _cell(warehouse: Warehouse, partition: Partition) -> _Cell:
    assert isinstance(partition.contender, ModelContender)
    admitted, seeds = authorised_seeds(warehouse, partition.operator)
    return _Cell(
        partition=partition,
        contender=partition.contender,
        groups=scheduled(admitted.seeds, partition),
        seeds=seeds,
        finished=read_journal(warehouse.journal(_journal_name(partition))),
    )


def _journal_name(partition: Partition) -> JournalName:
    return JournalName(campaign=partition.campaign, stage=StageName.EXECUTIONS, partition=partition.name)


def call_journal_name(campaign: str, configuration: str, journal: str) -> JournalName:
    """The journal of a configuration's calls (`CALLS`) or intents (`INTENTS`) in a campaign."""
    return JournalName(campaign=campaign, stage=journal, partition=configuration)


async def _interruptible(work: Coroutine[None, None, None]) -> None:
    """Run the work; the first SIGINT or SIGTERM cancels it, and it ends as a refusal that says what is kept."""
    task = asyncio.get_running_loop().create_task(work)
    with _signals(task) as received:
        try:
            await task
        except asyncio.CancelledError:
            if not received:
                raise
            raise RefusalError(
                subject="executions",
                expected="to run to the end",
                found=f"an interruption ({received[0].name})",
                remedy="run the same command again; finished executions and answered calls are kept and not repeated",
            ) from None


@contextmanager
def _signals(task: asyncio.Task[None]) -> Iterator[list[signal.Signals]]:
    received: list[signal.Signals] = []
    if threading.current_thread() is not threading.main_thread():
        yield received
        return
    loop = asyncio.get_running_loop()

    def stop(number: signal.Signals) -> None:
        received.append(number)
        task.cancel()

    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    for number in before:
        loop.add_signal_handler(number, stop, number)
    try:
        yield received
    finally:
        for number, handler in before.items():
            loop.remove_signal_handler(number)
            signal.signal(number, handler)


async def _run(warehouse: Warehouse, plan: ModelPlan, cells: Sequence[_Cell], reporter: Reporter) -> None:
    spending = Spending(plan.budget)
    add_earlier(spending, warehouse, plan)
    by_name: dict[str, list[_Cell]] = {}
    for cell in cells:
        by_name.setdefault(cell.contender.reference.configuration_id, []).append(cell)
    async with AsyncExitStack() as stack:
        session = await stack.enter_async_context(http_session())
        players = _Players(user=_endpoint(plan.user, session))
        logs: dict[str, CallLog] = {}
        for name, own in by_name.items():
            contender = own[0].contender
            players.agents[name] = _endpoint(contender.agent, session)
            logs[name] = await stack.enter_async_context(_log(warehouse, plan, own))
            agent = RecordingClient(players.agents[name], logs[name], spending)
            user = RecordingClient(players.user, logs[name], spending)
            _cast(warehouse, own, contender.casting(agent, user), stack)
        progress = LaneProgress(
            reporter,
            {name: sum(len(cell.open_units) for cell in own) for name, own in by_name.items()},
            players.agents,
            players.user,
            spending,
        )
        stack.enter_context(progress.shown())
        lanes = [_lane(name, own) for name, own in by_name.items()]
        await run_lanes(
            lanes,
            finished=_finished(cells),
            sink=_sink(warehouse, cells, logs),
            stored=progress.stored,
        )


def _endpoint(setup: ModelSetup, session: object) -> Endpoint:
    return Endpoint(
        model=setup.address.model,
        transport=LiteLLMTransport(setup.address, setup.transmission.dropped, session),
        pace=Pace(concurrency=setup.section.limits.concurrency, requests=setup.requests, tokens=setup.tokens),
        patience=setup.patience,
        prices=setup.prices,
    )


@asynccontextmanager
async def _log(warehouse: Warehouse, plan: ModelPlan, own: Sequence[_Cell]) -> AsyncIterator[CallLog]:
    name, campaign = own[0].contender.reference.configuration_id, own[0].partition.campaign
    async with open_log(
        objects=warehouse.objects,
        intents=warehouse.journal(call_journal_name(campaign, name, INTENTS)),
        calls=warehouse.journal(call_journal_name(campaign, name, CALLS)),
        open_units=frozenset(chain.from_iterable(cell.open_units for cell in own)),
        secrets=plan.secrets,
    ) as log:
        yield log


def _cast(warehouse: Warehouse, own: Sequence[_Cell], casting: Casting, stack: AsyncExitStack) -> None:
    for cell in own:
        admitted, _ = authorised_seeds(warehouse, cell.partition.operator)
        cell.stage = casting(cell.partition.operator, admitted.seeds)
        cell.writer = stack.enter_context(warehouse.journal(_journal_name(cell.partition)).writer())


def _lane(name: str, own: Sequence[_Cell]) -> Lane:
    """The lane of a configuration: operators take turns, so that none waits for all seeds of another."""
    stages = {cell.partition.operator: cell.stage for cell in own}

    def stage(key: ExecutionKey) -> Staging:
        found = stages[key.operator]
        assert found is not None
        return found(key)

    turns = zip_longest(*(cell.groups for cell in own))
    return Lane(
        name=name,
        groups=[group for turn in turns for group in turn if group is not None],
        stage=stage,
        concurrency=own[0].contender.section.limits.concurrency,
    )


def _finished(cells: Sequence[_Cell]) -> AlreadyFinished:
    parts = [already_finished(cell.finished) for cell in cells]
    return AlreadyFinished(
        execution_ids=frozenset(chain.from_iterable(part.execution_ids for part in parts)),
        solved_clean_ids=frozenset(chain.from_iterable(part.solved_clean_ids for part in parts)),
    )


def _sink(warehouse: Warehouse, cells: Sequence[_Cell], logs: dict[str, CallLog]) -> AsyncSink:
    places = {(cell.partition.operator, cell.contender.reference.configuration_id): cell for cell in cells}

    def store(results: Sequence[ExecutionResult]) -> None:
        for (operator, name), cell in places.items():
            own = [r for r in results if (r.key.operator, r.key.configuration_id) == (operator, name)]
            if own:
                assert cell.writer is not None
                store_results(warehouse.objects, cell.writer, cell.contender.agents, own)

    async def sink(results: Sequence[ExecutionResult]) -> None:
        for name in {result.key.configuration_id for result in results}:
            await logs[name].barrier()  # no execution is on record without its calls
        await asyncio.to_thread(store, results)

    return sink


def _publish(warehouse: Warehouse, cell: _Cell) -> PublishedManifest:
    """Publish the journalled executions; what the budget left over is not run."""
    finished = read_journal(warehouse.journal(_journal_name(cell.partition)))
    index = {
        key.execution_id: finished.get(key.execution_id) or _left_over(key, cell.partition.contender.agents)
        for key in keys_of(cell.groups)
    }
    return publish_index(warehouse, cell.partition, index_of(index), cell.seeds)


def _left_over(key: ExecutionKey, agents: str) -> IndexedExecution:
    return IndexedExecution(
        key=key,
        agents=agents,
        ending=Ending(reason=StopReason.BUDGET, detail="the budget of the campaign ended first; it is still to do"),
        solved=Solved.NOT_SCORED,
        attempts=0,
        steps=0,
        objects=NothingStored(),
    )
