"""Ledger rows of executions, their objects and their rewrites."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sscb_pipeline.artifacts.records import from_bytes
from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.environments.port import Score
from sscb_pipeline.episodes.evaluator_record import EvaluatorRecord
from sscb_pipeline.faults.intervention import InterventionRecord
from sscb_pipeline.ledger.rows import TableRows
from sscb_pipeline.stages.execution_index import IndexedExecution, StoredObjects

Row = tuple[object, ...]
ROLES = ("trajectory", "intervention", "evaluator", "labels")


def execution_tables(warehouse: Warehouse, executions: Sequence[IndexedExecution]) -> Iterator[TableRows]:
    """Tables `executions`, `execution_objects` and `rewrites`."""
    yield TableRows(
        table="executions",
        columns=(
            "execution_id",
            "campaign",
            "operator",
            "seed_id",
            "seed_sha256",
            "configuration_id",
            "configuration_sha256",
            "condition",
            "repeat",
            "agents",
            "ending",
            "stop_reason",
            "detail",
            "steps",
            "task_database",
            "task_communicated",
            "attempts",
        ),
        rows=[_execution(warehouse, execution) for execution in executions],
    )
    yield TableRows(
        table="execution_objects",
        columns=("execution_id", "role", "content_object"),
        rows=[
            (execution.execution_id, role, getattr(execution.objects, role))
            for execution in executions
            if isinstance(execution.objects, StoredObjects)
            for role in ROLES
        ],
    )
    yield TableRows(
        table="rewrites",
        columns=("execution_id", "position", "step", "tool", "role", "native_sha256", "delivered_sha256"),
        rows=[row for execution in executions for row in _rewrites(warehouse, execution)],
    )


def _execution(warehouse: Warehouse, execution: IndexedExecution) -> Row:
    key = execution.key
    database, communicated = _scores(warehouse, execution)
    return (
        execution.execution_id,
        key.campaign,
        key.operator,
        key.seed_id,
        key.seed_sha256,
        key.configuration_id,
        key.configuration_sha256,
        key.condition.value,
        key.repeat,
        execution.agents,
        execution.ending.kind.value,
        execution.ending.reason.value,
        execution.ending.detail,
        execution.steps,
        database,
        communicated,
        execution.attempts,
    )


def _scores(warehouse: Warehouse, execution: IndexedExecution) -> tuple[str, str]:
    if not isinstance(execution.objects, StoredObjects):
        return "not_scored", "not_scored"
    sha256 = execution.objects.evaluator
    score = from_bytes(EvaluatorRecord, warehouse.objects.get(sha256), sha256).score
    if not isinstance(score, Score):
        return "not_scored", "not_scored"
    return str(score.database).lower(), str(score.communicated).lower()


def _rewrites(warehouse: Warehouse, execution: IndexedExecution) -> Iterator[Row]:
    if not isinstance(execution.objects, StoredObjects):
        return
    sha256 = execution.objects.intervention
    record = from_bytes(InterventionRecord, warehouse.objects.get(sha256), sha256)
    for position, rewrite in enumerate(record.rewrites):
        yield (
            execution.execution_id,
            position,
            rewrite.step,
            rewrite.tool,
            rewrite.role.value,
            rewrite.native_sha256,
            rewrite.delivered_sha256,
        )
