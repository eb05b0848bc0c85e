"""The injection context h_c: everything a witness is relative to (SSC §III-B)."""

from __future__ import annotations

from dataclasses import dataclass

from sscb_pipeline.artifacts.digest import canonical_json, sha256_hex
from sscb_pipeline.faults.contract import Assertion, FaultContract, Injection, TargetEntity
from sscb_pipeline.trajectories.prefix import prefix_sha256
from sscb_pipeline.trajectories.steps import ToolDefinition, Trajectory


@dataclass(frozen=True, slots=True, kw_only=True)
class InjectionContext:
    """Target, injection point with persistence, fault parameters (v'), visible prefix, interface and permissions.

    `injection_step` is the step index (from 0) of the fault-bearing observation, which ends the prefix.
    """

    target: TargetEntity
    injection: Injection
    injected: Assertion
    injection_step: int
    prefix_sha256: str
    interface_sha256: str
    permitted_tools: tuple[str, ...]


def injection_context(contract: FaultContract, trajectory: Trajectory, t_f: int) -> InjectionContext:
    """The context of a trajectory whose fault-bearing observation is step `t_f`."""
    return InjectionContext(
        target=contract.target,
        injection=contract.injection,
        injected=contract.injected,
        injection_step=t_f,
        prefix_sha256=prefix_sha256(trajectory, t_f),
        interface_sha256=interface_sha256(trajectory.tools),
        permitted_tools=tuple(tool.name for tool in trajectory.tools),
    )


def interface_sha256(tools: tuple[ToolDefinition, ...]) -> str:
    """sha256 of the tool definitions as shown to the agent."""
    return sha256_hex(canonical_json([[tool.name, tool.description, dict(tool.parameters)] for tool in tools]))
