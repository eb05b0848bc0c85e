"""T_S and T_U: the first determined dependent use and the first determined erroneous dependence (SSC §III-A)."""

from __future__ import annotations

from collections.abc import Sequence

from sscb_pipeline.measured import Located, Time, Undeterminable, Verdict
from sscb_pipeline.reconstruction.arrival import unless_cut_short
from sscb_pipeline.reconstruction.measurement import UseEvent
from sscb_pipeline.trajectories.steps import Trajectory


def first_dependent_use(events: Sequence[UseEvent], trajectory: Trajectory) -> Time:
    """T_S. An earlier step whose dependence is unresolved makes it Undeterminable; no use at all is Never."""
    return _first([(event.step, event.dependent) for event in events], trajectory, "dependent use")


def first_erroneous_dependence(events: Sequence[UseEvent], trajectory: Trajectory) -> Time:
    """T_U, the same over erroneousness."""
    return _first([(event.step, event.erroneous) for event in events], trajectory, "erroneous dependence")


def _first(verdicts: Sequence[tuple[int, Verdict]], trajectory: Trajectory, what: str) -> Time:
    determined = min((step for step, verdict in verdicts if verdict is True), default=None)
    doubtful = min(
        ((step, verdict) for step, verdict in verdicts if isinstance(verdict, Undeterminable)),
        key=lambda item: item[0],
        default=None,
    )
    if doubtful is not None and (determined is None or doubtful[0] < determined):
        reason = doubtful[1]
        assert isinstance(reason, Undeterminable)
        return Undeterminable(reason=f"step {doubtful[0]} may be an earlier {what}: {reason.reason}")
    return Located(step=determined) if determined is not None else unless_cut_short(trajectory)
