"""Check of a partition's executions: all scheduled, each ended once, bytes whole, delivery proven, clean first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sscb_pipeline.artifacts.digest import strict_json
from sscb_pipeline.artifacts.records import from_bytes
from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.assurance.manifest import current
from sscb_pipeline.assurance.requirement import Outcome
from sscb_pipeline.episodes.evaluator_record import EvaluatorRecord
from sscb_pipeline.episodes.execution import StopReason
from sscb_pipeline.episodes.interception import text_sha256
from sscb_pipeline.episodes.matrix import keys_of
from sscb_pipeline.errors import SscbError
from sscb_pipeline.faults.intervention import Condition, InterventionRecord, Role
from sscb_pipeline.stages.execution_index import IndexedExecution, NothingStored, Solved, StoredObjects
from sscb_pipeline.stages.executions import Partition, read_index, scheduled
from sscb_pipeline.stages.gate import Closed, Opened, conclude, kept_or_broken
from sscb_pipeline.stages.inclusion import authorised_seeds
from sscb_pipeline.stages.names import Stage
from sscb_pipeline.trajectories.codec import decode
from sscb_pipeline.trajectories.steps import Orphan, ToolObservation, Trajectory

STILL_TO_DO = frozenset({StopReason.BUDGET, StopReason.INTERRUPTED})
"""Reasons of executions that were not begun and can be run later; they follow from no clean run."""


class ExecutionRequirement(StrEnum):
    """What the executions of a partition must keep."""

    SCHEDULED_ONCE = "scheduled_once"
    """Exactly the scheduled executions are there, each with one ending."""
    CLEAN_FIRST = "clean_first"
    """A fault execution was played only where the configuration solved the clean task, and not run where it did not."""
    BYTES_WHOLE = "bytes_whole"
    """Trajectory and records of every played execution are in the store and well-formed."""
    RESULTS_ANSWER_CALLS = "results_answer_calls"
    """Every observation answers a call."""
    DELIVERY_PROVEN = "delivery_proven"
    """Every rewrite names the step at which exactly the rewritten text was delivered; clean runs have none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Played:
    execution: IndexedExecution
    trajectory: Trajectory
    record: InterventionRecord


def check_executions(warehouse: Warehouse, partition: Partition) -> Opened | Closed:
    """Examine the partition's current index and write its receipt when all is kept."""
    published = current(warehouse, campaign=partition.campaign, stage=Stage.EXECUTIONS, partition=partition.name)
    index = read_index(warehouse, published).executions
    admitted, _ = authorised_seeds(warehouse, partition.operator)
    wanted = {key.execution_id for key in keys_of(scheduled(admitted.seeds, partition))}
    played, damaged = _read(warehouse, index)
    outcomes: dict[StrEnum, Outcome] = {
        ExecutionRequirement.SCHEDULED_ONCE: kept_or_broken(_unscheduled(index, wanted)),
        ExecutionRequirement.CLEAN_FIRST: kept_or_broken(_unclean(index)),
        ExecutionRequirement.BYTES_WHOLE: kept_or_broken(damaged),
        ExecutionRequirement.RESULTS_ANSWER_CALLS: kept_or_broken(_orphans(played)),
        ExecutionRequirement.DELIVERY_PROVEN: kept_or_broken(_unproven(played)),
    }
    return conclude(warehouse, published, ExecutionRequirement, outcomes)


def _read(warehouse: Warehouse, index: Sequence[IndexedExecution]) -> tuple[list[_Played], list[str]]:
    played: list[_Played] = []
    damaged: list[str] = []
    store = warehouse.objects
    for execution in index:
        objects = execution.objects
        if isinstance(objects, NothingStored):
            continue
        try:
            strict_json(store.get(objects.labels), objects.labels)
            from_bytes(EvaluatorRecord, store.get(objects.evaluator), objects.evaluator)
            record = from_bytes(InterventionRecord, store.get(objects.intervention), objects.intervention)
            trajectory = decode(store.get(objects.trajectory), objects.trajectory)
        except SscbError as error:
            damaged.append(f"execution {execution.execution_id}: {error}")
            continue
        played.append(_Played(execution=execution, trajectory=trajectory, record=record))
    return played, damaged


def _unscheduled(index: Sequence[IndexedExecution], wanted: set[str]) -> Iterator[str]:
    found = [execution.execution_id for execution in index]
    for name in sorted(wanted - set(found)):
        yield f"execution {name}: scheduled, and has no ending"
    for name in sorted(set(found) - wanted):
        yield f"execution {name}: has an ending, and was not scheduled"
    if len(found) != len(set(found)):
        yield "an execution has two endings"


def _unclean(index: Sequence[IndexedExecution]) -> Iterator[str]:
    solved: Mapping[str, bool] = {
        execution.key.seed_id: execution.solved == Solved.YES
        for execution in index
        if execution.key.condition is Condition.CLEAN
    }
    for execution in index:
        if execution.key.condition is Condition.CLEAN or execution.ending.reason in STILL_TO_DO:
            continue
        opened = solved.get(execution.key.seed_id, False)
        if opened == (execution.ending.reason is StopReason.CLEAN_UNSOLVED) or (
            not opened and isinstance(execution.objects, StoredObjects)
        ):
            yield f"execution {execution.execution_id}: its ending does not follow from the clean run of its seed"


def _orphans(played: Sequence[_Played]) -> Iterator[str]:
    for run in played:
        for step in run.trajectory.steps:
            if isinstance(step, ToolObservation) and isinstance(step.pairing, Orphan):
                yield f"execution {run.execution.execution_id} step {step.index}: {step.pairing.reason}"


def _unproven(played: Sequence[_Played]) -> Iterator[str]:
    for run in played:
        condition = run.execution.key.condition
        place = f"execution {run.execution.execution_id}"
        if run.record.condition is not condition:
            yield f"{place}: its intervention record is of condition {run.record.condition}"
        for rewrite in run.record.rewrites:
            step = run.trajectory.steps[rewrite.step] if rewrite.step < len(run.trajectory.steps) else None
            if not isinstance(step, ToolObservation) or text_sha256(step.content) != rewrite.delivered_sha256:
                yield f"{place} step {rewrite.step}: the rewritten text is not what was delivered"
            if rewrite.native_sha256 == rewrite.delivered_sha256:
                yield f"{place} step {rewrite.step}: the rewrite changed nothing"
            if condition is Condition.CLEAN:
                yield f"{place} step {rewrite.step}: a clean run was rewritten"
            if rewrite.role is Role.OVERLAY and condition is not Condition.CONSISTENT_SOURCE:
                yield f"{place} step {rewrite.step}: an overlay outside condition consistent_source"
