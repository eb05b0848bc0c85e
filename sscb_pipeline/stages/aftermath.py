"""What happened after the fault beside the measured events: read-backs, and repair from the final state (SPEC 8).

Prevention, correction and repair stay three measures. Repair is about external state only: the final state is compared
with the one the task's reference solution leaves.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from sscb_pipeline.environments.port import Score, Substrate
from sscb_pipeline.episodes.evaluator_record import EvaluatorRecord
from sscb_pipeline.faults.observation import observations
from sscb_pipeline.faults.operator import Case
from sscb_pipeline.measured import Located
from sscb_pipeline.reconstruction.measurement import Measurement
from sscb_pipeline.trajectories.steps import ToolCall, Trajectory


class Repair(StrEnum):
    """Whether an adopted run's external effects were set right by its end."""

    REPAIRED = "repaired"
    NOT_REPAIRED = "not_repaired"
    NOT_APPLICABLE = "not_applicable"
    """Not adopted, not scored, or neither the task nor the run writes anything."""


class Readback(StrEnum):
    """Whether an authoritative record of the target was read again after the fault."""

    READ = "read"
    NOT_READ = "not_read"
    NOT_MEASURED = "not_measured"


@dataclass(frozen=True, slots=True, kw_only=True)
class Aftermath:
    """Read-back and repair of one execution."""

    readback: Readback
    repair: Repair


def aftermath(
    case: Case, trajectory: Trajectory, measured: Measurement, evaluator: EvaluatorRecord, substrate: Substrate
) -> Aftermath:
    """Read-back from the visible history, repair from the final state."""
    return Aftermath(
        readback=_readback(case, trajectory, measured, substrate),
        repair=_repair(case, trajectory, measured, evaluator, substrate),
    )


def _readback(case: Case, trajectory: Trajectory, measured: Measurement, substrate: Substrate) -> Readback:
    if not isinstance(measured.t_f, Located):
        return Readback.NOT_MEASURED
    fault, target = measured.t_f.step, case.contract.target.identifier
    read = any(
        seen.step > fault and seen.tool not in substrate.writes() and seen.value and f'"{target}"' in seen.content
        for seen in observations(trajectory)
    )
    return Readback.READ if read else Readback.NOT_READ


def _repair(
    case: Case, trajectory: Trajectory, measured: Measurement, evaluator: EvaluatorRecord, substrate: Substrate
) -> Repair:
    if measured.adoption is not True or not isinstance(evaluator.score, Score):
        return Repair.NOT_APPLICABLE
    called = {step.tool for step in trajectory.steps if isinstance(step, ToolCall)}
    wanted = {action.tool for action in case.task.actions}
    if not (called | wanted) & substrate.writes():
        return Repair.NOT_APPLICABLE
    return Repair.REPAIRED if evaluator.score.database else Repair.NOT_REPAIRED
