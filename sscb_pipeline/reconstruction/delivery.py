"""T_F: the step at which the fault-bearing observation was delivered.

The only module of the measurement that reads the intervention record (hidden state may prove the mutation, never the
arrival of evidence).
"""

from __future__ import annotations

import hashlib

from sscb_pipeline.faults.contract import FaultContract
from sscb_pipeline.faults.intervention import InterventionRecord, Rewrite, Role
from sscb_pipeline.faults.operator import Operator
from sscb_pipeline.measured import Located, Never, Time, Undeterminable
from sscb_pipeline.trajectories.steps import Orphan, ToolObservation, Trajectory

InterventionLog = InterventionRecord
"""The evaluator's record of what was rewritten; other modules hand it through under this name and never look inside."""


def fault_delivery(
    operator: Operator, contract: FaultContract, trajectory: Trajectory, record: InterventionRecord
) -> Time:
    """Located only when both the intervention and its delivery are proven (SSC §IV-C); Never when the intervention
    never took effect; else Undeterminable with the first thing that could not be proven."""
    if record.contract_id != contract.contract_id:
        return Undeterminable(
            reason=f"the intervention record is of contract {record.contract_id}, not of {contract.contract_id}"
        )
    faults = [rewrite for rewrite in record.rewrites if rewrite.role is Role.FAULT]
    if not faults:
        return Never()
    doubts = []
    for rewrite in faults:
        doubt = _doubt(operator, contract, trajectory, rewrite)
        if not doubt:
            return Located(step=rewrite.step)
        doubts.append(f"step {rewrite.step}: {doubt}")
        if rewrite.native_sha256 != rewrite.delivered_sha256:
            # A mutation that did happen but whose delivery is unproven may be the first one the agent saw.
            break
    return Undeterminable(reason=doubts[0])


def _doubt(operator: Operator, contract: FaultContract, trajectory: Trajectory, rewrite: Rewrite) -> str:
    """What is not proven about a rewrite; empty when all is."""
    if rewrite.native_sha256 == rewrite.delivered_sha256:
        return "the delivered text equals the native one, so nothing was mutated"
    if not 0 <= rewrite.step < len(trajectory.steps):
        return "the trajectory has no such step"
    step = trajectory.steps[rewrite.step]
    if not isinstance(step, ToolObservation):
        return f"the step is no observation but {type(step).__name__}"
    if _sha256(step.content) != rewrite.delivered_sha256:
        return "the text at that step is not the rewritten one"
    call = trajectory.call_of(step)
    if isinstance(call, Orphan):
        return f"the observation answers no call: {call.reason}"
    if call.tool != rewrite.tool:
        return f"the observation answers a call of {call.tool}, the rewrite was of {rewrite.tool}"
    if not operator.carries_fault(contract, call.tool, step.content):
        return "the delivered text does not convey v'"
    return ""


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
