"""Screening: walk the frozen order until enough candidates hold a contract and an executed witness (SSC §IV-B)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sscb_pipeline.artifacts.digest import sha256_hex
from sscb_pipeline.artifacts.records import to_bytes
from sscb_pipeline.environments.port import Substrate, Task, TaskOrigin
from sscb_pipeline.faults.operator import Case, InvalidContract, NotTaskRelevant, Operator
from sscb_pipeline.inclusion.disposition import Disposition, Screened
from sscb_pipeline.inclusion.frame import Frame, Ranked
from sscb_pipeline.inclusion.witness import Unresolved, Witness, seek_witness
from sscb_pipeline.reconstruction.stages import Stages
from sscb_pipeline.trajectories.steps import Trajectory

ADMITTED_PER_OPERATOR = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Seed:
    """An admitted case with the witness it was admitted on. `rank` counts the operator's admitted seeds from 0."""

    case: Case
    witness: Witness
    rank: int

    @property
    def seed_id(self) -> str:
        """The candidate's stable id."""
        return self.case.candidate.candidate_id

    @property
    def sha256(self) -> str:
        """sha256 of the case: contract, task and flags. The witness is evidence for it, not part of it."""
        return sha256_hex(to_bytes(self.case))


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """A seed with the trajectory its witness was executed in."""

    seed: Seed
    trajectory: Trajectory


@dataclass(frozen=True, slots=True, kw_only=True)
class Screening:
    """The admitted seeds of an operator and the disposition of every candidate that was screened."""

    operator: str
    admissions: tuple[Admission, ...]
    screened: tuple[Screened, ...]


Progress = Callable[[int], None]
"""Told how many seeds were admitted since its last call."""


async def screen(
    operator: Operator, frame: Frame, substrate: Substrate, stages: Stages, *, wanted: int, progress: Progress
) -> Screening:
    """Screen in order until `wanted` candidates are admitted or the frame is used up. No agent outcome is an input."""
    admissions: list[Admission] = []
    screened: list[Screened] = []
    for ranked in frame.candidates:
        if len(admissions) == wanted:
            break
        verdict = await _screen_one(operator, ranked, substrate, stages, rank=len(admissions))
        if isinstance(verdict, Admission):
            admissions.append(verdict)
            progress(1)
            screened.append(_screened(ranked, Disposition.ADMITTED, "valid contract and executed witness"))
        else:
            screened.append(verdict)
    return Screening(operator=operator.name, admissions=tuple(admissions), screened=tuple(screened))


async def _screen_one(
    operator: Operator, ranked: Ranked, substrate: Substrate, stages: Stages, *, rank: int
) -> Admission | Screened:
    case = operator.case(ranked.candidate, substrate)
    if isinstance(case, InvalidContract):
        return _screened(ranked, Disposition.INVALID_CONTRACT, case.reason)
    if isinstance(case, NotTaskRelevant):
        return _screened(ranked, Disposition.NOT_TASK_RELEVANT, case.reason)
    if case.task.origin is TaskOrigin.DERIVED and not _solvable(case.task, substrate):
        reason = "the derived task's reference actions do not earn full reward on the clean environment"
        return _screened(ranked, Disposition.NOT_TASK_RELEVANT, reason)
    executed = await seek_witness(operator, case, substrate, stages)
    if isinstance(executed.verdict, Unresolved):
        return _screened(ranked, Disposition.UNRESOLVED, executed.verdict.reason)
    return Admission(seed=Seed(case=case, witness=executed.verdict, rank=rank), trajectory=executed.trajectory)


def _solvable(task: Task, substrate: Substrate) -> bool:
    """Whether the reference actions run without error on a fresh state and earn full reward."""
    state = substrate.fresh()
    outcomes = [state.call(action.tool, action.arguments) for action in task.actions]
    return not any(outcome.error for outcome in outcomes) and substrate.score(task, state, task.communicate).solved


def _screened(ranked: Ranked, disposition: Disposition, reason: str) -> Screened:
    return Screened(
        candidate_id=ranked.candidate.candidate_id,
        cluster=ranked.candidate.cluster,
        rank=ranked.rank,
        screening_rank=ranked.screening_rank,
        disposition=disposition,
        reason=reason,
    )
