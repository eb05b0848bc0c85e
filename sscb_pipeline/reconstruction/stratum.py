"""Z_S: arrival of counter-evidence relative to the first dependent use (SSC §III-C)."""

from __future__ import annotations

from sscb_pipeline.measured import Located, Never, Time, Undeterminable
from sscb_pipeline.reconstruction.measurement import ArrivalStratum


def stratum(t_e: Time, t_s: Time) -> ArrivalStratum | Undeterminable:
    """Before if T_E < T_S, after if T_S < T_E, absent if T_E is Never; no_use without a use; else Undeterminable.

    Total. An observation and a use are never the same step, so T_E = T_S is answered as Undeterminable, not guessed.
    """
    if isinstance(t_s, Never):
        return ArrivalStratum.NO_USE
    if isinstance(t_s, Undeterminable):
        return Undeterminable(reason=f"T_S: {t_s.reason}")
    if isinstance(t_e, Undeterminable):
        return Undeterminable(reason=f"T_E: {t_e.reason}")
    if isinstance(t_e, Never):
        return ArrivalStratum.ABSENT
    return _order(t_e, t_s)


def _order(t_e: Located, t_s: Located) -> ArrivalStratum | Undeterminable:
    if t_e.step < t_s.step:
        return ArrivalStratum.BEFORE
    if t_s.step < t_e.step:
        return ArrivalStratum.AFTER
    return Undeterminable(reason=f"T_E and T_S are the same step {t_s.step}")
