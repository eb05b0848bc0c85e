"""What can be done with a value in a sentence."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from sscb_pipeline.reconstruction.scene import Scene


class Act(StrEnum):
    """How a value is put forward."""

    DENIED = "denied"
    """The value is said not to hold ('not May 10')."""
    CONFLICT = "conflict"
    """It is named in order to say that it is wrong or does not fit."""
    CANDIDATE = "candidate"
    """It is one of several values that could hold."""
    CHECKED = "checked"
    """It is put up for checking, or asked about."""
    HEDGED = "hedged"
    """It is stated with reserve."""
    PRESUPPOSED = "presupposed"
    """An offer, request or plan takes it for granted."""
    STATED = "stated"
    """It is stated as a fact."""
    OPEN = "open"
    """The sentence leaves open which of these it is."""


ActRule = Callable[[Scene], Act | None]
