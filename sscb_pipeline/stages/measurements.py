"""Stage: events and verdicts of every execution of a partition, frozen under a label version (SPEC 7)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from sscb_pipeline.adapters.agents.reference.labels import RealisedLabels, read_labels
from sscb_pipeline.artifacts.digest import strict_json
from sscb_pipeline.artifacts.records import from_bytes, to_bytes
from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.assurance.manifest import PublishedManifest, authorised, publish_stage, stage_manifest
from sscb_pipeline.environments.port import Substrate
from sscb_pipeline.episodes.evaluator_record import EvaluatorRecord
from sscb_pipeline.episodes.execution import EndingKind
from sscb_pipeline.faults.intervention import Condition, InterventionRecord
from sscb_pipeline.faults.operator import Operator
from sscb_pipeline.inclusion.screening import Seed
from sscb_pipeline.inclusion.transfer import Transfer, WitnessStanding, check_transfer
from sscb_pipeline.measured import Located
from sscb_pipeline.reconstruction.measurement import Measurement
from sscb_pipeline.reconstruction.reconstruct import reconstruct
from sscb_pipeline.reconstruction.stages import Stages
from sscb_pipeline.stages.aftermath import Aftermath, aftermath
from sscb_pipeline.stages.code_version import code_version
from sscb_pipeline.stages.execution_index import IndexedExecution, StoredObjects
from sscb_pipeline.stages.executions import Partition, authorised_index
from sscb_pipeline.stages.frames import output
from sscb_pipeline.stages.inclusion import authorised_seeds
from sscb_pipeline.stages.names import Stage
from sscb_pipeline.stages.standing import Outdated, standing
from sscb_pipeline.trajectories.codec import decode

MEASURED = "measured"
Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class NotTriggered:
    """The intervention never took effect, so the execution is in no fault population and no witness is asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredExecution:
    """One measured execution: events and verdicts, the standing of its witness, and what came after."""

    execution_id: str
    measurement: Measurement
    transfer: Transfer | NotTriggered
    aftermath: Aftermath


@dataclass(frozen=True, slots=True, kw_only=True)
class NoLabels:
    """The agent knows no labels of its own run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledExecution:
    """A measured execution with the labels of its agent, kept beside it, never in it."""

    execution: MeasuredExecution
    labels: RealisedLabels | NoLabels


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredPartition:
    """All measured executions of a partition under one label version, sorted by execution id."""

    label_version: str
    executions: tuple[LabelledExecution, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Instruments:
    """What measuring needs beside the bytes: the operator, its substrate, and the two stages of reconstruction."""

    operator: Operator
    substrate: Substrate
    stages: Stages


async def run_measurements(
    warehouse: Warehouse, partition: Partition, instruments: Instruments, progress: Progress
) -> PublishedManifest:
    """Measure every played fault execution. Raises RefusalError when executions or seeds have no receipt.

    Measurements of the same executions by the same code stand as they are.
    """
    index, executions_manifest = authorised_index(warehouse, partition.campaign, partition.name)
    found = _standing(warehouse, partition, executions_manifest)
    if not isinstance(found, Outdated):
        return found
    admitted, _ = authorised_seeds(warehouse, partition.operator)
    seeds = {seed.seed_id: seed for seed in admitted.seeds}
    measured = []
    for execution in index.executions:
        if not is_measured(execution):
            continue
        measured.append(await _measure(warehouse, execution, seeds, instruments))
        progress(1)
    return _publish(warehouse, partition, instruments.stages.version, measured, executions_manifest)


def unmeasured(warehouse: Warehouse, partition: Partition) -> int:
    """How many executions of the partition a run of this stage would measure. Raises RefusalError as it does."""
    index, executions_manifest = authorised_index(warehouse, partition.campaign, partition.name)
    if isinstance(_standing(warehouse, partition, executions_manifest), Outdated):
        return sum(is_measured(execution) for execution in index.executions)
    return 0


def is_measured(execution: IndexedExecution) -> bool:
    """Whether an execution is a fault or paired one whose history exists. Missing is never imputed, so not measured."""
    played = execution.ending.kind in (EndingKind.COMPLETED, EndingKind.TRUNCATED)
    return played and execution.key.condition is not Condition.CLEAN


def _standing(
    warehouse: Warehouse, partition: Partition, executions: PublishedManifest
) -> PublishedManifest | Outdated:
    return standing(
        warehouse,
        campaign=partition.campaign,
        stage=Stage.MEASUREMENTS,
        partition=partition.name,
        inputs={"executions": executions.sha256},
    )


async def _measure(
    warehouse: Warehouse,
    execution: IndexedExecution,
    seeds: Mapping[str, Seed],
    instruments: Instruments,
) -> LabelledExecution:
    store, objects = warehouse.objects, execution.objects
    assert isinstance(objects, StoredObjects)
    trajectory = decode(store.get(objects.trajectory), objects.trajectory)
    record = from_bytes(InterventionRecord, store.get(objects.intervention), objects.intervention)
    evaluator = from_bytes(EvaluatorRecord, store.get(objects.evaluator), objects.evaluator)
    labels = strict_json(store.get(objects.labels), objects.labels)
    seed = seeds[execution.key.seed_id]
    operator = instruments.operator
    measurement = reconstruct(operator, seed.case.contract, trajectory, record, instruments.stages)
    transfer: Transfer | NotTriggered = NotTriggered()
    if isinstance(measurement.t_f, Located):
        transfer = await check_transfer(
            operator,
            seed,
            trajectory,
            measurement.t_f.step,
            execution.key.condition,
            instruments.substrate,
            instruments.stages,
        )
    return LabelledExecution(
        execution=MeasuredExecution(
            execution_id=execution.execution_id,
            measurement=measurement,
            transfer=transfer,
            aftermath=aftermath(seed.case, trajectory, measurement, evaluator, instruments.substrate),
        ),
        labels=read_labels(labels, objects.labels) if labels else NoLabels(),
    )


def _publish(
    warehouse: Warehouse,
    partition: Partition,
    label_version: str,
    measured: Sequence[LabelledExecution],
    executions_manifest: PublishedManifest,
) -> PublishedManifest:
    content = MeasuredPartition(label_version=label_version, executions=tuple(measured))
    sha256 = warehouse.objects.put(to_bytes(content))
    standings = [entry.execution.transfer for entry in measured]
    counts = {
        f"witness_{standing.value}": sum(
            isinstance(transfer, Transfer) and transfer.standing is standing for transfer in standings
        )
        for standing in WitnessStanding
    }
    return publish_stage(
        warehouse,
        stage_manifest(
            campaign=partition.campaign,
            stage=Stage.MEASUREMENTS,
            partition=partition.name,
            code_version=code_version(),
            inputs={"executions": executions_manifest.sha256},
            outputs={MEASURED: sha256},
            counts={"measured": len(measured), **counts},
        ),
    )


def read_measured(warehouse: Warehouse, published: PublishedManifest) -> MeasuredPartition:
    """The measured partition a manifest names."""
    sha256 = output(published, MEASURED)
    return from_bytes(MeasuredPartition, warehouse.objects.get(sha256), f"measurements {sha256}")


def authorised_manifest(warehouse: Warehouse, campaign: str, partition: str) -> PublishedManifest:
    """The manifest of a measured partition whose check passed. Raises RefusalError without a receipt."""
    return authorised(
        warehouse, campaign=campaign, stage=Stage.MEASUREMENTS, partition=partition, code_version=code_version()
    )


def authorised_measurements(
    warehouse: Warehouse, campaign: str, partition: str
) -> tuple[MeasuredPartition, PublishedManifest]:
    """The measured partition whose check passed. Raises RefusalError without a receipt."""
    published = authorised_manifest(warehouse, campaign, partition)
    return read_measured(warehouse, published), published
