"""Check of a partition's measurements: complete, in order, and consistent in themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum

from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.assurance.manifest import current
from sscb_pipeline.assurance.requirement import Outcome
from sscb_pipeline.measured import Located, Never, Undeterminable
from sscb_pipeline.reconstruction.measurement import ArrivalStratum, Measurement, NotAdopted
from sscb_pipeline.stages.executions import Partition, authorised_index
from sscb_pipeline.stages.gate import Closed, Opened, conclude, kept_or_broken
from sscb_pipeline.stages.measurements import MeasuredExecution, is_measured, read_measured
from sscb_pipeline.stages.names import Stage


class MeasurementRequirement(StrEnum):
    """What the measurements of a partition must keep."""

    EVERY_EXECUTION_MEASURED = "every_execution_measured"
    """Every played fault execution has one measurement, and nothing else has."""
    EVENTS_IN_ORDER = "events_in_order"
    """T_F < T_S <= T_U where they are located (SSC §III-A)."""
    STRATUM_FOLLOWS_FROM_TIMES = "stratum_follows_from_times"
    """Z_S is what T_E and T_S say (SSC §III-C)."""
    ADOPTION_FOLLOWS_FROM_USES = "adoption_follows_from_uses"
    """A and T_U agree with the classified events, and Y_end exists for adopted runs only."""


def check_measurements(warehouse: Warehouse, partition: Partition) -> Opened | Closed:
    """Examine the partition's current measurements and write their receipt when all is kept."""
    published = current(warehouse, campaign=partition.campaign, stage=Stage.MEASUREMENTS, partition=partition.name)
    measured = [entry.execution for entry in read_measured(warehouse, published).executions]
    index, _ = authorised_index(warehouse, partition.campaign, partition.name)
    wanted = [execution.execution_id for execution in index.executions if is_measured(execution)]
    outcomes: dict[StrEnum, Outcome] = {
        MeasurementRequirement.EVERY_EXECUTION_MEASURED: kept_or_broken(_incomplete(measured, wanted)),
        MeasurementRequirement.EVENTS_IN_ORDER: kept_or_broken(_each(measured, _disorder)),
        MeasurementRequirement.STRATUM_FOLLOWS_FROM_TIMES: kept_or_broken(_each(measured, _other_stratum)),
        MeasurementRequirement.ADOPTION_FOLLOWS_FROM_USES: kept_or_broken(_each(measured, _other_adoption)),
    }
    return conclude(warehouse, published, MeasurementRequirement, outcomes)


def _incomplete(measured: Sequence[MeasuredExecution], wanted: Sequence[str]) -> Iterator[str]:
    found = [entry.execution_id for entry in measured]
    for name in sorted(set(wanted) ^ set(found)):
        yield f"execution {name}: {'not measured' if name in wanted else 'measured, and not a played fault execution'}"
    if len(found) != len(set(found)):
        yield "an execution is measured twice"


def _each(measured: Sequence[MeasuredExecution], violation: Callable[[Measurement], str]) -> Iterator[str]:
    for entry in measured:
        found = violation(entry.measurement)
        if found:
            yield f"execution {entry.execution_id}: {found}"


def _disorder(measured: Measurement) -> str:
    t_f, t_s, t_u = measured.t_f, measured.t_s, measured.t_u
    if isinstance(t_f, Located) and isinstance(t_s, Located) and t_f.step >= t_s.step:
        return f"T_F {t_f.step} is not before T_S {t_s.step}"
    if isinstance(t_s, Located) and isinstance(t_u, Located) and t_s.step > t_u.step:
        return f"T_S {t_s.step} is after T_U {t_u.step}"
    if isinstance(t_s, Never) and isinstance(t_u, Located):
        return f"T_U is located at {t_u.step} although there is no use"
    return ""


def _other_stratum(measured: Measurement) -> str:
    t_e, t_s, stratum = measured.t_e, measured.t_s, measured.stratum
    if isinstance(t_s, Undeterminable):
        return "" if isinstance(stratum, Undeterminable) else f"T_S is undeterminable and Z_S is {stratum}"
    if isinstance(t_s, Never):
        return "" if stratum is ArrivalStratum.NO_USE else f"there is no use and Z_S is {stratum}"
    if isinstance(t_e, Undeterminable):
        return "" if isinstance(stratum, Undeterminable) else f"T_E is undeterminable and Z_S is {stratum}"
    if isinstance(t_e, Never):
        return "" if stratum is ArrivalStratum.ABSENT else f"T_E is never and Z_S is {stratum}"
    expected = ArrivalStratum.BEFORE if t_e.step < t_s.step else ArrivalStratum.AFTER
    return "" if stratum is expected else f"T_E {t_e.step}, T_S {t_s.step} and Z_S is {stratum}"


def _other_adoption(measured: Measurement) -> str:
    erroneous = any(use.erroneous is True for use in measured.uses)
    if erroneous != (measured.adoption is True):
        return "A is not what the classified events say"
    if isinstance(measured.t_u, Located) and measured.adoption is not True:
        return "T_U is located in a run that is not adopted"
    if (measured.final_stance is NotAdopted.NOT_ADOPTED) != (measured.adoption is False):
        return "Y_end exists for adopted runs only"
    return ""
