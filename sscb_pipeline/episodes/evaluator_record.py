"""What only an evaluator may know about a finished execution, kept apart from its trajectory.

Repair (SPEC 8) is judged later from `final_target`, a copy of the target's record in the state the run really ended
in; nothing is judged here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sscb_pipeline.environments.port import Score, Substrate, Task
from sscb_pipeline.episodes.execution import Ending, EndingKind
from sscb_pipeline.episodes.turn_loop import Attempt, Played
from sscb_pipeline.faults.operator import StoredRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class NotScored:
    """The execution is missing, so the task was neither solved nor failed."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluatorRecord:
    """Ending, score, final state and target record of one execution, and what had to be tried again."""

    execution_id: str
    ending: Ending
    score: Score | NotScored
    final_state_sha256: str
    final_target: Mapping[str, Any]
    attempts: tuple[Attempt, ...]


def evaluate(
    played: Played, *, execution_id: str, substrate: Substrate, task: Task, target: StoredRecord
) -> EvaluatorRecord:
    """The evaluator's record of a played execution. Raises KeyError if the target does not exist."""
    score: Score | NotScored
    if played.ending.kind is EndingKind.MISSING:
        score = NotScored(reason=played.ending.reason.value)
    else:
        score = substrate.score(task, played.state, played.said)
    return EvaluatorRecord(
        execution_id=execution_id,
        ending=played.ending,
        score=score,
        final_state_sha256=played.state.digest(),
        final_target=played.state.record(target.kind, target.identifier),
        attempts=played.attempts,
    )
