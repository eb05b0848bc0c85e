"""Measured values beside realised labels, in the one-line notation both are compared in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from sscb_pipeline.adapters.agents.reference.labels import QUANTITIES, RealisedLabels, line
from sscb_pipeline.claims.calibration import LabelPair
from sscb_pipeline.measured import Never
from sscb_pipeline.stages.execution_index import IndexedExecution
from sscb_pipeline.stages.measurements import LabelledExecution

T_F = "t_f"


def label_pairs(measured: Iterable[LabelledExecution], index: Mapping[str, IndexedExecution]) -> Iterator[LabelPair]:
    """One pair per quantity of every labelled execution. Where realised and measured agree that the fault was never
    delivered, T_F is the only one: nothing else is counted from it."""
    for entry in measured:
        labels, found = entry.labels, entry.execution.measurement
        if not isinstance(labels, RealisedLabels):
            continue
        key = index[entry.execution.execution_id].key
        untriggered = isinstance(labels.t_f, Never) and isinstance(found.t_f, Never)
        for quantity in (T_F,) if untriggered else QUANTITIES:
            yield LabelPair(
                execution_id=entry.execution.execution_id,
                configuration=key.configuration_id,
                operator=key.operator,
                habit=labels.habit,
                quantity=quantity,
                realised=line(getattr(labels, quantity)),
                measured=line(getattr(found, quantity)),
            )
