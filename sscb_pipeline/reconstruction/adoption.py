"""A: whether the run holds at least one erroneous dependence (SSC Def. 3.3)."""

from __future__ import annotations

from collections.abc import Sequence

from sscb_pipeline.measured import Never, Undeterminable, Verdict
from sscb_pipeline.reconstruction.arrival import unless_cut_short
from sscb_pipeline.reconstruction.measurement import UseEvent
from sscb_pipeline.trajectories.steps import Trajectory


def adoption(events: Sequence[UseEvent], trajectory: Trajectory) -> Verdict:
    """True with one determined erroneous dependence, even if T_U is not; false only in a complete history in which no
    potential use is unresolved."""
    if any(event.erroneous is True for event in events):
        return True
    for event in events:
        if isinstance(event.erroneous, Undeterminable):
            return Undeterminable(reason=f"step {event.step} is unresolved: {event.erroneous.reason}")
    extent = unless_cut_short(trajectory)
    return False if isinstance(extent, Never) else extent
