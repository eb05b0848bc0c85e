"""Executions of our own as source records: what the warehouse holds of each, lifted from its trajectory.

Condition, configuration and ending are evaluator-side and stand beside the record. Bytes are verified as they are
read; a stage that builds on the records demands the executions' receipts itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from sscb_pipeline.adapters.importers.imported import ImportedRun
from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.assurance.manifest import all_current
from sscb_pipeline.stages.execution_index import IndexedExecution, StoredObjects
from sscb_pipeline.stages.executions import read_index
from sscb_pipeline.stages.names import Stage
from sscb_pipeline.stages.shown import find_execution
from sscb_pipeline.trajectories.codec import decode
from sscb_pipeline.trajectories.projection import lift
from sscb_pipeline.trajectories.source_record import SourceOrigin
from sscb_pipeline.trajectories.steps import Trajectory

FORMAT = "executions"
"""The format's name."""


def imported_execution(execution: IndexedExecution, trajectory: Trajectory, position: int) -> ImportedRun:
    """An execution as an imported run; `position` is its place among those that are read (from 0)."""
    key = execution.key
    origin = SourceOrigin(
        format=FORMAT,
        file=key.campaign,
        position=position,
        task=key.seed_id,
        trial=str(key.repeat),
    )
    return ImportedRun(
        record=lift(trajectory, origin),
        evaluation={
            "execution_id": execution.execution_id,
            "operator": key.operator,
            "configuration": key.configuration_id,
            "condition": key.condition.value,
            "ending": execution.ending.kind.value,
            "solved": execution.solved,
        },
    )


def warehouse_runs(warehouse: Warehouse) -> Iterator[ImportedRun]:
    """Every played execution of every campaign, by campaign, partition and execution id, one at a time.

    Raises IntegrityError for changed bytes.
    """
    position = 0
    for published in all_current(warehouse):
        if published.manifest.stage != Stage.EXECUTIONS:
            continue
        for execution in read_index(warehouse, published).executions:
            if isinstance(execution.objects, StoredObjects):
                sha256 = execution.objects.trajectory
                yield imported_execution(execution, decode(warehouse.objects.get(sha256), sha256), position)
                position += 1


def execution_run(warehouse: Warehouse, name: str) -> ImportedRun:
    """The one execution whose id begins with `name`. Raises InputError as `find_execution`."""
    shown = find_execution(warehouse, name)
    return imported_execution(shown.execution, shown.trajectory, 0)
