"""Stage: clean, fault and paired executions of one operator and one configuration (SPEC 6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from sscb_pipeline.artifacts.digest import canonical_json
from sscb_pipeline.artifacts.journal import JournalWriter
from sscb_pipeline.artifacts.lease import lease
from sscb_pipeline.artifacts.records import encode as encode_record
from sscb_pipeline.artifacts.records import from_bytes, to_bytes
from sscb_pipeline.artifacts.store import ObjectStore
from sscb_pipeline.artifacts.warehouse import JournalName, Warehouse
from sscb_pipeline.assurance.manifest import PublishedManifest, authorised, publish_stage, stage_manifest
from sscb_pipeline.environments.port import Score
from sscb_pipeline.episodes.batch import AlreadyFinished, ExecutionResult, Ran, run_batch
from sscb_pipeline.episodes.execution import EndingKind
from sscb_pipeline.episodes.matrix import Group, SeedRef, keys_of, matrix
from sscb_pipeline.faults.intervention import Condition
from sscb_pipeline.faults.operators.registry import operator_named
from sscb_pipeline.inclusion.screening import Seed
from sscb_pipeline.stages.code_version import code_version
from sscb_pipeline.stages.execution_index import (
    ExecutionIndex,
    IndexedExecution,
    NothingStored,
    Solved,
    StoredObjects,
    index_of,
    read_journal,
)
from sscb_pipeline.stages.frames import output
from sscb_pipeline.stages.inclusion import authorised_seeds
from sscb_pipeline.stages.names import Stage, grid_partition
from sscb_pipeline.stages.roster import Contender
from sscb_pipeline.trajectories.codec import encode

INDEX = "index"
CONFIGURATION = "configuration"
Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Partition:
    """One cell of the grid: operator × configuration, in a campaign."""

    campaign: str
    operator: str
    contender: Contender

    @property
    def name(self) -> str:
        """Name of the partition in manifests, journals and Dagster."""
        return grid_partition(self.operator, self.contender.reference.configuration_id)


def scheduled(seeds: Sequence[Seed], partition: Partition) -> tuple[Group, ...]:
    """The executions of a partition, clean ones first in each group."""
    paired = operator_named(partition.operator).paired
    references = [
        SeedRef(
            operator=partition.operator, seed_id=seed.seed_id, seed_sha256=seed.sha256, rank=seed.rank, paired=paired
        )
        for seed in seeds
    ]
    return matrix(references, [partition.contender.reference], campaign=partition.campaign)


async def run_executions(warehouse: Warehouse, partition: Partition, progress: Progress) -> PublishedManifest:
    """Run whatever of the partition is not finished yet and publish its index.

    Holds the partition's lease. Raises RefusalError when another process holds it or the seeds have no receipt.
    """
    admitted, seeds_manifest = authorised_seeds(warehouse, partition.operator)
    groups = scheduled(admitted.seeds, partition)
    journal = warehouse.journal(
        JournalName(campaign=partition.campaign, stage=Stage.EXECUTIONS, partition=partition.name)
    )
    purpose = f"executions of {partition.name} in campaign {partition.campaign}"
    with lease(warehouse.lease_path(partition.campaign, Stage.EXECUTIONS, partition.name), purpose):
        finished = read_journal(journal)
        if any(key.execution_id not in finished for key in keys_of(groups)):
            stage = partition.contender.stage_for(partition.operator, admitted.seeds)
            with journal.writer() as writer:
                await run_batch(
                    groups,
                    stage=stage,
                    finished=already_finished(finished),
                    sink=lambda results: store_results(warehouse.objects, writer, partition.contender.agents, results),
                    progress=progress,
                )
            finished = read_journal(journal)
    wanted = {key.execution_id for key in keys_of(groups)}
    index = index_of({name: execution for name, execution in finished.items() if name in wanted})
    return publish_index(warehouse, partition, index, seeds_manifest)


def unfinished(warehouse: Warehouse, partition: Partition, seeds: Sequence[Seed]) -> int:
    """How many scheduled executions of the partition are not finished."""
    name = JournalName(campaign=partition.campaign, stage=Stage.EXECUTIONS, partition=partition.name)
    finished = read_journal(warehouse.journal(name))
    return sum(key.execution_id not in finished for key in keys_of(scheduled(seeds, partition)))


def read_index(warehouse: Warehouse, published: PublishedManifest) -> ExecutionIndex:
    """The index a manifest names."""
    sha256 = output(published, INDEX)
    return from_bytes(ExecutionIndex, warehouse.objects.get(sha256), f"execution index {sha256}")


def authorised_index(warehouse: Warehouse, campaign: str, partition: str) -> tuple[ExecutionIndex, PublishedManifest]:
    """The index whose check passed. Raises RefusalError without a receipt."""
    published = authorised(
        warehouse, campaign=campaign, stage=Stage.EXECUTIONS, partition=partition, code_version=code_version()
    )
    return read_index(warehouse, published), published


def already_finished(finished: Mapping[str, IndexedExecution]) -> AlreadyFinished:
    return AlreadyFinished(
        execution_ids=frozenset(finished),
        solved_clean_ids=frozenset(
            name
            for name, execution in finished.items()
            if execution.key.condition is Condition.CLEAN and execution.solved == Solved.YES
        ),
    )


def store_results(objects: ObjectStore, writer: JournalWriter, agents: str, results: Sequence[ExecutionResult]) -> None:
    """Bytes first, then the journal: an entry never names bytes that are not on disk."""
    played = [result for result in results if isinstance(result, Ran)]
    names = iter(
        objects.put_all(
            blob
            for ran in played
            for blob in (
                encode(ran.trajectory),
                to_bytes(ran.record),
                to_bytes(ran.evaluator),
                canonical_json(dict(ran.realised)),
            )
        )
    )
    entries = []
    for result in results:
        stored = (
            StoredObjects(trajectory=next(names), intervention=next(names), evaluator=next(names), labels=next(names))
            if isinstance(result, Ran)
            else NothingStored()
        )
        entries.append(
            encode_record(
                IndexedExecution(
                    key=result.key,
                    agents=agents,
                    ending=result.ending,
                    solved=_solved(result),
                    attempts=len(result.evaluator.attempts) if isinstance(result, Ran) else 0,
                    steps=len(result.trajectory.steps) if isinstance(result, Ran) else 0,
                    objects=stored,
                )
            )
        )
    writer.append_all(entries)


def _solved(result: ExecutionResult) -> str:
    if not isinstance(result, Ran) or not isinstance(result.evaluator.score, Score):
        return Solved.NOT_SCORED
    return Solved.YES if result.evaluator.score.solved else Solved.NO


def publish_index(
    warehouse: Warehouse, partition: Partition, index: ExecutionIndex, seeds: PublishedManifest
) -> PublishedManifest:
    sha256, configuration = warehouse.objects.put_all([to_bytes(index), partition.contender.content])
    counts = {kind.value: 0 for kind in EndingKind}
    for execution in index.executions:
        counts[execution.ending.kind.value] += 1
    return publish_stage(
        warehouse,
        stage_manifest(
            campaign=partition.campaign,
            stage=Stage.EXECUTIONS,
            partition=partition.name,
            code_version=code_version(),
            inputs={"inclusion": seeds.sha256},
            outputs={INDEX: sha256, CONFIGURATION: configuration},
            counts={"executions": len(index.executions), **counts},
        ),
    )
