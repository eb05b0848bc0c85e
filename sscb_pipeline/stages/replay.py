"""Playing a model's execution again from its recorded responses, offline."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

from sscb_pipeline.artifacts.digest import sha256_hex
from sscb_pipeline.artifacts.warehouse import JournalName, Warehouse
from sscb_pipeline.completions.call_log import CALLS, read_results
from sscb_pipeline.completions.recorded import RecordedCompletions
from sscb_pipeline.episodes.batch import run_one
from sscb_pipeline.episodes.execution import StopReason
from sscb_pipeline.errors import InputError
from sscb_pipeline.stages.execution_index import IndexedExecution, StoredObjects
from sscb_pipeline.stages.inclusion import authorised_seeds
from sscb_pipeline.stages.model_contenders import MODEL_AGENTS, ModelContender
from sscb_pipeline.stages.shown import find_execution
from sscb_pipeline.stages.study import model_study
from sscb_pipeline.trajectories.codec import encode


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """sha256 of the trajectory on record and of the one played again."""

    execution_id: str
    recorded: str
    replayed: str

    @property
    def same(self) -> bool:
        """Whether both are the same bytes."""
        return self.recorded == self.replayed


def replay_execution(warehouse: Warehouse, config: Path, name: str) -> Replayed:
    """Replay the one execution whose id begins with `name`; nothing is called and nothing stored.

    Raises InputError for an execution that no replay can reach, and IntegrityError where the replay asks for something
    that the record does not hold.
    """
    execution = find_execution(warehouse, name).execution
    study = model_study(config)
    key = execution.key
    contender = study.partition(key.operator, key.configuration_id).contender
    if execution.agents != MODEL_AGENTS or not isinstance(contender, ModelContender):
        raise _no_replay(execution, "an execution of a model", f"one of {execution.agents} agents")
    if contender.reference.configuration_sha256 != key.configuration_sha256:
        raise _no_replay(execution, f"configuration {key.configuration_sha256[:12]}", "another one in the file")
    if execution.ending.reason is StopReason.DEADLINE:
        raise _no_replay(execution, "an ending that the conversation itself brings about", "the deadline")
    calls = warehouse.journal(JournalName(campaign=key.campaign, stage=CALLS, partition=key.configuration_id))
    recorded = RecordedCompletions(
        warehouse.objects, [result for result in read_results(calls) if result.slot.unit == key.execution_id]
    )
    admitted, _ = authorised_seeds(warehouse, key.operator)
    stage = contender.casting(recorded, recorded)(key.operator, admitted.seeds)
    ran = asyncio.run(run_one(key, stage(key)))
    assert isinstance(execution.objects, StoredObjects)
    return Replayed(
        execution_id=key.execution_id,
        recorded=execution.objects.trajectory,
        replayed=sha256_hex(encode(ran.trajectory)),
    )


def _no_replay(execution: IndexedExecution, expected: str, found: str) -> InputError:
    return InputError(
        subject=f"execution {execution.execution_id}",
        expected=expected,
        found=found,
        remedy="choose another execution, or the study file of its campaign",
    )
