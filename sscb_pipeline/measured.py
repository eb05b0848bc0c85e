"""Measured quantities. Undeterminable is an honest answer, Never is a fact, and missing is neither.

SPEC: every reconstructed time is `Located`, `Never` or `Undeterminable`; every verdict is true, false or
`Undeterminable`. Times are step indices counted from 0 in order of delivery to the agent (SSC §III-A).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """The event happened at `step` (index from 0)."""

    step: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Never:
    """The complete history holds no such event (SSC's infinity for T_E, 'no use' for T_S)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Undeterminable:
    """The event or verdict cannot be settled from the visible history; `reason` says why."""

    reason: str


Time = Located | Never | Undeterminable
Verdict = bool | Undeterminable
