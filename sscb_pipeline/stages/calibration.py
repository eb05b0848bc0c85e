"""Measured values beside realised labels, in the one-line notation both are compared in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sscb_pipeline.claims.calibration import LabelPair
from sscb_pipeline.measured import Located, Never, Time, Undeterminable
from sscb_pipeline.reconstruction.measurement import Measurement
from sscb_pipeline.stages.execution_index import IndexedExecution
from sscb_pipeline.stages.measurements import LabelledExecution, ReferenceLabels

T_F = "t_f"


def label_pairs(measured: Iterable[LabelledExecution], index: dict[str, IndexedExecution]) -> Iterator[LabelPair]:
    """One pair per quantity of every labelled execution. Where the fault was never delivered, T_F is the only one:
    nothing else is counted from it."""
    for entry in measured:
        if not isinstance(entry.labels, ReferenceLabels):
            continue
        key = index[entry.execution.execution_id].key
        found = as_text(entry.execution.measurement)
        realised = entry.labels.labels
        untriggered = realised[T_F] == found[T_F] == "never"
        for quantity in (T_F,) if untriggered else realised:
            yield LabelPair(
                execution_id=entry.execution.execution_id,
                configuration=key.configuration_id,
                operator=key.operator,
                habit=entry.labels.habit,
                quantity=quantity,
                realised=realised[quantity],
                measured=found[quantity],
            )


def as_text(measured: Measurement) -> dict[str, str]:
    """Every quantity in one-line notation."""
    return {
        "t_f": _time(measured.t_f),
        "t_e": _time(measured.t_e),
        "t_s": _time(measured.t_s),
        "t_u": _time(measured.t_u),
        "adoption": _answer(measured.adoption),
        "stratum": _answer(measured.stratum),
        "final_stance": _answer(measured.final_stance),
    }


def _time(time: Time) -> str:
    match time:
        case Located(step=step):
            return f"located {step}"
        case Never():
            return "never"
        case Undeterminable(reason=reason):
            return f"undeterminable: {reason}"


def _answer(value: bool | str | Undeterminable) -> str:
    if isinstance(value, Undeterminable):
        return f"undeterminable: {value.reason}"
    return str(value).lower() if isinstance(value, bool) else str(value)
