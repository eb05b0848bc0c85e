"""Prefixes of a trajectory: what was visible up to and including a step."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

from sscb_pipeline.errors import InputError
from sscb_pipeline.trajectories.codec import encode_visible
from sscb_pipeline.trajectories.steps import CutShort, Trajectory


def prefix(trajectory: Trajectory, through: int) -> Trajectory:
    """Steps 0 to `through`, that one included. It is cut short, so no event's lack in it is a fact.

    Raises InputError where there is no such step.
    """
    if not 0 <= through < len(trajectory.steps):
        raise InputError(
            subject=f"prefix through step {through}",
            expected=f"a step from 0 to {len(trajectory.steps) - 1}",
            found=str(through),
            remedy="ask for a step of this trajectory",
        )
    return replace(
        trajectory,
        steps=trajectory.steps[: through + 1],
        extent=CutShort(reason=f"prefix through step {through}"),
    )


def prefix_sha256(trajectory: Trajectory, through: int) -> str:
    """sha256 (hex, 64) over tools and steps visible through a step; how the run went on or ended has no part in it."""
    return sha256(encode_visible(prefix(trajectory, through))).hexdigest()
