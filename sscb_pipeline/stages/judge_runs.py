"""Judge runs as people name them, and the input contract each was built under."""

from __future__ import annotations

from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.assurance.judge_run import JudgeStage, RunName
from sscb_pipeline.assurance.manifest import all_current
from sscb_pipeline.errors import InputError
from sscb_pipeline.judging.packet_run import RunPlan, contract_digest
from sscb_pipeline.packets.input_contract import CONTRACTS, InputContract
from sscb_pipeline.stages.code_version import code_version

SHORTEST = 4


def find_run(warehouse: Warehouse, name: str) -> RunName:
    """The one built run whose id begins with `name`, for this version of the code. Raises InputError."""
    found = [
        RunName(campaign=published.manifest.campaign, run=published.manifest.partition, code_version=code_version())
        for published in all_current(warehouse)
        if published.manifest.stage == JudgeStage.BUILD and published.manifest.partition.startswith(name)
    ]
    if len(name) < SHORTEST or len(found) != 1:
        raise InputError(
            subject=f"judge run {name!r}",
            expected=f"the first {SHORTEST} or more digits of one run's id",
            found=f"{len(found)} runs" if len(name) >= SHORTEST else f"{len(name)} characters",
            remedy="take the id that `sscb judge build` printed, or build the run",
        )
    return found[0]


def contract_of(plan: RunPlan) -> InputContract:
    """The contract a run was built under. Raises InputError when this version has no such contract."""
    for contract in CONTRACTS.values():
        if contract_digest(contract) == plan.contract:
            return contract
    raise InputError(
        subject=f"input contract {plan.contract[:12]}",
        expected="a contract of this version: " + ", ".join(CONTRACTS),
        found="another",
        remedy="build the run again with this version",
    )
