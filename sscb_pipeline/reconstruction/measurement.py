"""The frozen record of one reconstructed execution."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from sscb_pipeline.faults.operator import EvidenceStep
from sscb_pipeline.measured import Time, Undeterminable, Verdict


class ArrivalStratum(StrEnum):
    """Z_S: arrival of counter-evidence relative to the first dependent use (SSC Def. 3.6, §III-C)."""

    BEFORE = "before"
    AFTER = "after"
    ABSENT = "absent"
    NO_USE = "no_use"


class Stance(StrEnum):
    """A stance on v' that a message states."""

    ENDORSES = "endorses"
    DOES_NOT_ENDORSE = "does_not_endorse"


class NotAdopted(StrEnum):
    """Y_end exists for adopted runs only."""

    NOT_ADOPTED = "not_adopted"


@dataclass(frozen=True, slots=True, kw_only=True)
class UseEvent:
    """One candidate reference after T_F, classified under the contract.

    `step` is the step index; `dependent` and `erroneous` are verdicts (SSC Def. 3.2, 3.3); `stance` is what the
    event states about v', or an Undeterminable saying that it states none; `rule` names the rule that decided.
    """

    step: int
    dependent: Verdict
    erroneous: Verdict
    stance: Stance | Undeterminable
    rule: str
    quote: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """T_F, T_E, T_S, T_U (step indices from 0), A, Z_S and Y_end of one execution, each with determinability."""

    t_f: Time
    t_e: Time
    t_s: Time
    t_u: Time
    adoption: Verdict
    stratum: ArrivalStratum | Undeterminable
    final_stance: Stance | NotAdopted | Undeterminable
    evidence: tuple[EvidenceStep, ...]
    uses: tuple[UseEvent, ...]
