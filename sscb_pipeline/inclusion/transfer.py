"""Does a seed's witness hold in the prefix an execution really had? If not, it needs one of its own (SSC §IV-B)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from sscb_pipeline.environments.port import Substrate
from sscb_pipeline.episodes.participants import AgentTurn, CallRequest, Speak
from sscb_pipeline.faults.intervention import Condition
from sscb_pipeline.faults.operator import Operator
from sscb_pipeline.inclusion.continuation import ReplayedUser
from sscb_pipeline.inclusion.provenance import NotVisible, argument_sources
from sscb_pipeline.inclusion.screening import Seed
from sscb_pipeline.inclusion.witness import Unresolved, own_witness
from sscb_pipeline.measured import Undeterminable
from sscb_pipeline.reconstruction.stages import Stages
from sscb_pipeline.trajectories.arguments import from_object
from sscb_pipeline.trajectories.prefix import prefix
from sscb_pipeline.trajectories.steps import AgentMessage, ToolCall, ToolObservation, Trajectory, UserMessage


class WitnessStanding(StrEnum):
    """Whether an execution's own prefix has a witness."""

    TRANSFERS = "transfers"
    OWN = "own"
    NONE = "none"
    NOT_APPLICABLE = "not_applicable"
    """The condition makes every channel agree with v', so that no counter-evidence can arrive."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Transfer:
    """The standing of an execution's prefix, and why."""

    standing: WitnessStanding
    reason: str


async def check_transfer(
    operator: Operator,
    seed: Seed,
    trajectory: Trajectory,
    t_f: int,
    condition: Condition,
    substrate: Substrate,
    stages: Stages,
) -> Transfer:
    """Check identifiers, permissions and relation in the prefix up to T_F; play an own witness where they fail."""
    if condition is Condition.CONSISTENT_SOURCE:
        return Transfer(
            standing=WitnessStanding.NOT_APPLICABLE, reason="the overlay leaves no channel that could refute v'"
        )
    reason = _obstacle(operator, seed, prefix(trajectory, t_f), substrate)
    if not reason:
        return Transfer(standing=WitnessStanding.TRANSFERS, reason="identifiers, interface and relation hold")
    opening = _turns_until(trajectory, t_f)
    user = ReplayedUser([step.text for step in trajectory.steps[: t_f + 1] if isinstance(step, UserMessage)])
    executed = await own_witness(operator, seed.case, substrate, stages, opening, user, condition)
    if isinstance(executed.verdict, Unresolved):
        return Transfer(standing=WitnessStanding.NONE, reason=f"{reason}; own: {executed.verdict.reason}")
    return Transfer(standing=WitnessStanding.OWN, reason=reason)


def _obstacle(operator: Operator, seed: Seed, before: Trajectory, substrate: Substrate) -> str:
    """What keeps the seed's witness from holding in this prefix; empty when nothing does."""
    plan = operator.witness(seed.case.contract, before)
    if isinstance(plan, Undeterminable):
        return plan.reason
    offered = {tool.name for tool in before.tools}
    for call in plan.calls:
        if call.tool not in offered or call.tool not in seed.witness.context.permitted_tools:
            return f"the interface of the run has no tool {call.tool}"
        probe = ToolCall(
            index=len(before.steps), turn=0, call_id="", tool=call.tool, arguments=from_object(call.arguments)
        )
        hidden = [s for s in argument_sources(before, probe, call.arguments) if isinstance(s.source, NotVisible)]
        if hidden:
            return f"argument {hidden[0].path} = {hidden[0].value!r} is not visible in the prefix"
    carried_by = before.steps[-1]
    assert isinstance(carried_by, ToolObservation)
    fault_call = before.call_of(carried_by)
    written = [
        step.tool
        for step in before.steps
        if isinstance(step, ToolCall) and step != fault_call and step.tool in substrate.writes()
    ]
    return f"the prefix holds a write ({written[0]})" if written else ""


def _turns_until(trajectory: Trajectory, t_f: int) -> list[AgentTurn]:
    """The agent's turns up to the call that the fault-bearing observation answers. The opening greeting is the
    environment's own."""
    turns: dict[int, list[AgentMessage | ToolCall]] = {}
    for step in trajectory.steps[: t_f + 1]:
        if isinstance(step, AgentMessage | ToolCall) and step.turn > 0:
            turns.setdefault(step.turn, []).append(step)
    return [
        Speak(
            text="".join(step.text for step in steps if isinstance(step, AgentMessage)),
            calls=tuple(
                CallRequest(call_id=step.call_id, tool=step.tool, raw_arguments=step.arguments.raw)
                for step in steps
                if isinstance(step, ToolCall)
            ),
        )
        for steps in turns.values()
    ]
