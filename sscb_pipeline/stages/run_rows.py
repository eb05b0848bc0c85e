"""One row per scheduled execution for the analysis, from the index, the measurements and the seeds of a partition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sscb_pipeline.claims.run_row import RunRow, TimeStatus, VerdictStatus
from sscb_pipeline.faults.intervention import Condition
from sscb_pipeline.inclusion.screening import Seed
from sscb_pipeline.inclusion.transfer import Transfer
from sscb_pipeline.measured import Located, Never, Time, Undeterminable, Verdict
from sscb_pipeline.reconstruction.measurement import Measurement
from sscb_pipeline.stages.execution_index import IndexedExecution, Solved
from sscb_pipeline.stages.measurements import MeasuredExecution

NOT_MEASURED = "not_measured"
UNDETERMINABLE = "undeterminable"


def run_rows(
    executions: Sequence[IndexedExecution], measured: Mapping[str, MeasuredExecution], seeds: Mapping[str, Seed]
) -> list[RunRow]:
    """The rows of one partition, in the order of `executions`."""
    solved = {
        execution.key.seed_id: execution.solved == Solved.YES
        for execution in executions
        if execution.key.condition is Condition.CLEAN
    }
    return [
        _row(execution, seeds[execution.key.seed_id], solved[execution.key.seed_id], measured)
        for execution in executions
    ]


def _row(
    execution: IndexedExecution, seed: Seed, clean_solved: bool, measured: Mapping[str, MeasuredExecution]
) -> RunRow:
    key, case = execution.key, seed.case
    found = measured.get(execution.execution_id)
    events = _events(found.measurement) if found else _nothing_measured()
    return RunRow(
        execution_id=execution.execution_id,
        campaign=key.campaign,
        agents=execution.agents,
        operator=key.operator,
        configuration=key.configuration_id,
        seed_id=key.seed_id,
        cluster=case.candidate.cluster,
        control=case.control.value,
        literalness=case.literalness.value,
        condition=key.condition.value,
        repeat=key.repeat,
        clean="solved" if clean_solved else "unsolved",
        ending=execution.ending.kind.value,
        stop_reason=execution.ending.reason.value,
        repair=found.aftermath.repair.value if found else NOT_MEASURED,
        readback=found.aftermath.readback.value if found else NOT_MEASURED,
        steps=execution.steps,
        witness=_witness(found) if found else NOT_MEASURED,
        **events,
    )


def _witness(found: MeasuredExecution) -> str:
    return found.transfer.standing.value if isinstance(found.transfer, Transfer) else NOT_MEASURED


def _events(measured: Measurement) -> dict[str, Any]:
    if not isinstance(measured.t_f, Located):
        t_f = {"t_f_status": time_status(measured.t_f).value, "t_f_step": 0}
        triggered = "not_triggered" if isinstance(measured.t_f, Never) else UNDETERMINABLE
        return {**_nothing_measured(), **t_f, "triggered": triggered}
    times = {"t_f": measured.t_f, "t_e": measured.t_e, "t_s": measured.t_s, "t_u": measured.t_u}
    columns: dict[str, Any] = {"triggered": "triggered"}
    for name, time in times.items():
        columns[f"{name}_status"] = time_status(time).value
        columns[f"{name}_step"] = time.step if isinstance(time, Located) else 0
    columns["adoption"] = verdict_status(measured.adoption).value
    columns["stratum"] = answer(measured.stratum)
    columns["final_stance"] = answer(measured.final_stance)
    return columns


def _nothing_measured() -> dict[str, Any]:
    columns: dict[str, Any] = {"triggered": NOT_MEASURED}
    for name in ("t_f", "t_e", "t_s", "t_u"):
        columns[f"{name}_status"] = TimeStatus.NOT_MEASURED.value
        columns[f"{name}_step"] = 0
    for name in ("adoption", "stratum", "final_stance"):
        columns[name] = NOT_MEASURED
    return columns


def time_status(time: Time) -> TimeStatus:
    """Status of a measured time."""
    match time:
        case Located():
            return TimeStatus.LOCATED
        case Never():
            return TimeStatus.NEVER
        case Undeterminable():
            return TimeStatus.UNDETERMINABLE


def verdict_status(verdict: Verdict) -> VerdictStatus:
    """Status of a measured verdict."""
    if isinstance(verdict, Undeterminable):
        return VerdictStatus.UNDETERMINABLE
    return VerdictStatus.TRUE if verdict else VerdictStatus.FALSE


def answer(value: str | Undeterminable) -> str:
    """A member of a closed set by its value, or `undeterminable`."""
    return UNDETERMINABLE if isinstance(value, Undeterminable) else str(value)
