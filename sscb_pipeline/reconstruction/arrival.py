"""T_E: arrival of valid counter-evidence in the visible history (SSC Def. 3.4). Sees no intervention record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from sscb_pipeline.faults.contract import FaultContract
from sscb_pipeline.faults.operator import EvidenceArrived, EvidenceStep, Operator
from sscb_pipeline.measured import Located, Never, Time, Undeterminable
from sscb_pipeline.trajectories.steps import Complete, CutShort, Trajectory


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """T_E and the observations it rests on (none unless it is located)."""

    t_e: Time
    steps: tuple[EvidenceStep, ...]


def evidence_arrival(operator: Operator, contract: FaultContract, trajectory: Trajectory) -> Arrival:
    """T_E by the operator's evidence relation: the last step that the relation requires. May precede T_F."""
    found = operator.evidence(contract, trajectory)
    match found:
        case EvidenceArrived():
            return Arrival(t_e=Located(step=max(part.step for part in found.steps)), steps=found.steps)
        case Never():
            return Arrival(t_e=unless_cut_short(trajectory), steps=())
        case Undeterminable():
            return Arrival(t_e=found, steps=())
        case _:
            assert_never(found)


def unless_cut_short(trajectory: Trajectory) -> Never | Undeterminable:
    """The lack of an event is a fact only in a complete history (SPEC 6)."""
    match trajectory.extent:
        case Complete():
            return Never()
        case CutShort():
            return Undeterminable(reason=f"truncated: {trajectory.extent.reason}")
        case _:
            assert_never(trajectory.extent)
