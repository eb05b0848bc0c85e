"""The intervention record: what was rewritten, and proof that the rewritten text is what was delivered.

It holds hidden state and is kept apart from the trajectory; only `reconstruction.delivery` and the evaluator's
own panels read it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Condition(StrEnum):
    """Under what an execution runs (SPEC 6)."""

    CLEAN = "clean"
    BASELINE = "baseline"
    NO_READBACK_HINT = "no_readback_hint"
    CONSISTENT_SOURCE = "consistent_source"


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldChange:
    """One field of an observation: path from the root of the JSON text, before and after."""

    path: tuple[str | int, ...]
    before: Any
    after: Any


class Role(StrEnum):
    """What a rewrite did."""

    FAULT = "fault"
    """The observation now carries v'."""
    OVERLAY = "overlay"
    """Another channel was made to agree with v' (condition `consistent_source`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewrite:
    """One rewritten observation. `step` is the step at which it was delivered; hashes are sha256 of UTF-8 text
    (lone surrogates passed through)."""

    step: int
    call_id: str
    tool: str
    role: Role
    changes: tuple[FieldChange, ...]
    native_sha256: str
    delivered_sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InterventionRecord:
    """All rewrites of one execution, in order of delivery. Empty means that the intervention never took effect."""

    contract_id: str
    condition: Condition
    rewrites: tuple[Rewrite, ...]
