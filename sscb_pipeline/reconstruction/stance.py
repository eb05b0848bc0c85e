"""Y_end: the last determined, not superseded explicit stance on v' of an adopted run (SSC §IV-C)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from sscb_pipeline.measured import Undeterminable, Verdict
from sscb_pipeline.reconstruction.measurement import NotAdopted, Stance, UseEvent


def final_stance(events: Sequence[UseEvent], adopted: Verdict) -> Stance | NotAdopted | Undeterminable:
    """Later stances supersede earlier ones; within one step the last one stated stands. Total."""
    match adopted:
        case Undeterminable():
            return Undeterminable(reason=f"adoption: {adopted.reason}")
        case False:
            return NotAdopted.NOT_ADOPTED
        case True:
            return _last(events)
        case _:
            assert_never(adopted)


def _last(events: Sequence[UseEvent]) -> Stance | Undeterminable:
    found: Stance | Undeterminable = Undeterminable(reason="an erroneous act with no stated stance")
    for event in sorted(events, key=lambda event: event.step):
        if isinstance(event.stance, Stance):
            found = event.stance
    return found
