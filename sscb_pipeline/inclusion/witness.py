"""The witness: a legal continuation, executed on the faulted environment and measured like any run (SSC Def. 3.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sscb_pipeline.artifacts.digest import sha256_hex
from sscb_pipeline.environments.port import Substrate
from sscb_pipeline.episodes.interception import Interception
from sscb_pipeline.episodes.participants import Agent, AgentTurn, User
from sscb_pipeline.episodes.turn_loop import Limits, Played, play
from sscb_pipeline.faults.contract import CounterEvidence
from sscb_pipeline.faults.intervention import Condition
from sscb_pipeline.faults.operator import Case, EvidenceStep, Operator
from sscb_pipeline.inclusion.context import InjectionContext, injection_context
from sscb_pipeline.inclusion.continuation import StatedUser, WitnessAgent, as_turns
from sscb_pipeline.inclusion.provenance import ArgumentSource, NotVisible, argument_sources
from sscb_pipeline.measured import Located
from sscb_pipeline.reconstruction.measurement import Measurement
from sscb_pipeline.reconstruction.reconstruct import reconstruct
from sscb_pipeline.reconstruction.stages import Stages
from sscb_pipeline.trajectories.arguments import ParsedArguments
from sscb_pipeline.trajectories.codec import encode
from sscb_pipeline.trajectories.steps import ToolCall, Trajectory


@dataclass(frozen=True, slots=True, kw_only=True)
class Witness:
    """An executed continuation with T_E < T_S < infinity from a fixed injection context h_c.

    Times are step indices from 0 of the witness trajectory, whose prefix ends with `t_f`. `continuation` lists the
    steps of its calls after the fault. `sources` says of every argument of the continuation where it is visible.
    """

    contract_id: str
    context: InjectionContext
    trajectory_sha256: str
    continuation: tuple[int, ...]
    sources: tuple[ArgumentSource, ...]
    evidence: tuple[EvidenceStep, ...]
    conditions: CounterEvidence
    t_f: int
    t_e: int
    t_s: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Unresolved:
    """No qualifying witness was found: the candidate stays unresolved, which is not 'not revealable'."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Executed:
    """A played witness attempt: its verdict and the trajectory it rests on."""

    verdict: Witness | Unresolved
    trajectory: Trajectory


async def seek_witness(operator: Operator, case: Case, substrate: Substrate, stages: Stages) -> Executed:
    """Play the operator's continuation from the shortest prefix that brings the fault, and measure it."""
    opening = as_turns(operator.opening(case, substrate), "opening")
    return await _execute(operator, case, substrate, stages, opening, StatedUser(case.task), Condition.BASELINE)


async def own_witness(
    operator: Operator,
    case: Case,
    substrate: Substrate,
    stages: Stages,
    opening: Sequence[AgentTurn],
    user: User,
    condition: Condition,
) -> Executed:
    """Play a continuation from the prefix of a particular execution, made again turn by turn."""
    return await _execute(operator, case, substrate, stages, opening, user, condition)


async def _execute(
    operator: Operator,
    case: Case,
    substrate: Substrate,
    stages: Stages,
    opening: Sequence[AgentTurn],
    user: User,
    condition: Condition,
) -> Executed:
    contract = case.contract
    agent: Agent = WitnessAgent(opening, lambda prefix: operator.witness(contract, prefix))
    played = await play(
        substrate=substrate,
        state=substrate.fresh(),
        interception=Interception(
            intervention=operator.intervention(contract, condition),
            contract_id=contract.contract_id,
            condition=condition,
        ),
        agent=agent,
        user=user,
        tools=operator.interface(contract, condition, substrate.tools()),
        limits=Limits(step_cap=contract.step_cap),
    )
    measurement = reconstruct(operator, contract, played.trajectory, played.record, stages)
    return Executed(verdict=_judge(case, played, measurement), trajectory=played.trajectory)


def _judge(case: Case, played: Played, measured: Measurement) -> Witness | Unresolved:
    if not isinstance(measured.t_f, Located):
        return Unresolved(reason=f"the fault was not delivered: {measured.t_f}")
    if not isinstance(measured.t_e, Located):
        return Unresolved(reason=f"no counter-evidence arrived: {measured.t_e}")
    if not isinstance(measured.t_s, Located):
        return Unresolved(reason=f"no dependent use was made: {measured.t_s}")
    if measured.t_e.step >= measured.t_s.step:
        return Unresolved(
            reason=f"counter-evidence at step {measured.t_e.step} is not before first use at {measured.t_s.step}"
        )
    trajectory = played.trajectory
    calls = [step for step in trajectory.steps if isinstance(step, ToolCall)]
    sources = tuple(
        source
        for call in calls
        if isinstance(call.arguments.reading, ParsedArguments)
        for source in argument_sources(trajectory, call, call.arguments.reading.value)
    )
    hidden = [source for source in sources if isinstance(source.source, NotVisible)]
    if hidden:
        first = hidden[0]
        return Unresolved(
            reason=f"argument {first.path} = {first.value!r} of step {first.call} is not visible before it"
        )
    return Witness(
        contract_id=case.contract.contract_id,
        context=injection_context(case.contract, trajectory, measured.t_f.step),
        trajectory_sha256=sha256_hex(encode(trajectory)),
        continuation=tuple(call.index for call in calls if call.index > measured.t_f.step),
        sources=sources,
        evidence=measured.evidence,
        conditions=case.contract.counter_evidence,
        t_f=measured.t_f.step,
        t_e=measured.t_e.step,
        t_s=measured.t_s.step,
    )
