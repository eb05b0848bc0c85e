"""One execution as people look at it: key, ending, trajectory and measurement, without evaluator-only facts."""

from __future__ import annotations

from dataclasses import dataclass

from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.assurance.manifest import all_current
from sscb_pipeline.errors import InputError
from sscb_pipeline.reconstruction.measurement import Measurement
from sscb_pipeline.stages.execution_index import IndexedExecution, StoredObjects
from sscb_pipeline.stages.executions import read_index
from sscb_pipeline.stages.measurements import read_measured
from sscb_pipeline.stages.names import Stage
from sscb_pipeline.trajectories.codec import decode
from sscb_pipeline.trajectories.steps import Trajectory

SHORTEST_PREFIX = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownExecution:
    """`measurement` is None for executions that are not measured (clean, missing, or not measured yet)."""

    execution: IndexedExecution
    trajectory: Trajectory
    measurement: Measurement | None


def find_execution(warehouse: Warehouse, name: str) -> ShownExecution:
    """The one execution whose id begins with `name`.

    Raises InputError when none or several do, and when the execution was never played.
    """
    found = [
        (published.manifest.campaign, published.manifest.partition, execution)
        for published in all_current(warehouse)
        if published.manifest.stage == Stage.EXECUTIONS
        for execution in read_index(warehouse, published).executions
        if execution.execution_id.startswith(name)
    ]
    if len(name) < SHORTEST_PREFIX or len(found) != 1:
        raise InputError(
            subject=f"execution {name!r}",
            expected=f"the first {SHORTEST_PREFIX} or more digits of one execution id",
            found=f"{len(found)} executions" if len(name) >= SHORTEST_PREFIX else f"{len(name)} characters",
            remedy='take the id from `sscb query "SELECT execution_id, operator, configuration, stratum FROM runs"`',
        )
    campaign, partition, execution = found[0]
    if not isinstance(execution.objects, StoredObjects):
        raise InputError(
            subject=f"execution {execution.execution_id}",
            expected="an execution that was played",
            found=f"{execution.ending.kind.value} ({execution.ending.detail})",
            remedy="choose another execution",
        )
    trajectory = decode(warehouse.objects.get(execution.objects.trajectory), execution.objects.trajectory)
    return ShownExecution(
        execution=execution,
        trajectory=trajectory,
        measurement=_measurement(warehouse, campaign, partition, execution.execution_id),
    )


def _measurement(warehouse: Warehouse, campaign: str, partition: str, execution_id: str) -> Measurement | None:
    for published in all_current(warehouse):
        manifest = published.manifest
        if (manifest.stage, manifest.campaign, manifest.partition) != (Stage.MEASUREMENTS, campaign, partition):
            continue
        for entry in read_measured(warehouse, published).executions:
            if entry.execution.execution_id == execution_id:
                return entry.execution.measurement
    return None
