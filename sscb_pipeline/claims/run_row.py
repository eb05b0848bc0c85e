"""One row per scheduled execution, as the analysis sees it. Plain text columns; nothing missing stands for a value.

Status columns take the values of the enums below; `*_step` is meaningful only where the status is `located` and is
0 otherwise, so that no null or NaN ever stands for a measurement.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class TimeStatus(StrEnum):
    """Status of a time in a row."""

    LOCATED = "located"
    NEVER = "never"
    UNDETERMINABLE = "undeterminable"
    NOT_MEASURED = "not_measured"


class VerdictStatus(StrEnum):
    """Status of a verdict in a row."""

    TRUE = "true"
    FALSE = "false"
    UNDETERMINABLE = "undeterminable"
    NOT_MEASURED = "not_measured"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRow:
    """One scheduled execution.

    `agents` is `reference`, `model` or `replay` (never mixed in one analysis); `ending` an EndingKind value;
    `triggered` is `triggered`, `not_triggered`, `undeterminable` or `not_measured`; `stratum` an ArrivalStratum value,
    `undeterminable` or `not_measured`; `final_stance` `endorses`, `does_not_endorse`, `not_adopted`,
    `undeterminable` or `not_measured`; `clean` is `solved` or `unsolved` for the configuration–seed pair;
    `repair` is `repaired`, `not_repaired`, `not_applicable` or `not_measured`; `readback` says whether an authoritative
    re-read happened after the fault: `read`, `not_read`, `not_measured`; `witness` whether the seed's witness holds in
    the run's own prefix: `transfers`, `own` (one was played for it), `none`,
    `not_applicable` (condition `consistent_source`), `not_measured`.
    """

    execution_id: str
    campaign: str
    agents: str
    operator: str
    configuration: str
    seed_id: str
    cluster: str
    control: str
    literalness: str
    condition: str
    repeat: int
    clean: str
    ending: str
    stop_reason: str
    triggered: str
    witness: str
    t_f_status: str
    t_f_step: int
    t_e_status: str
    t_e_step: int
    t_s_status: str
    t_s_step: int
    t_u_status: str
    t_u_step: int
    adoption: str
    stratum: str
    final_stance: str
    repair: str
    readback: str
    steps: int
