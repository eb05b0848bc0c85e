"""Play recorded calls again and insist on the recorded answers.

A substrate is deterministic: the same calls on a fresh state give the same text, whenever and wherever they are
made. An answer that depends on the clock or on an outside service breaks every comparison, so a difference is an
error of its own kind. It is no failure of infrastructure, and trying again would not make it right.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sscb_pipeline.environments.port import Outcome, State
from sscb_pipeline.errors import SscbError


class ReplayMismatchError(SscbError):
    """A replayed call did not give the recorded answer; `subject` names the call and the field."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedCall:
    """A call and what it delivered when it was recorded."""

    tool: str
    arguments: Mapping[str, Any]
    outcome: Outcome


def replay(state: State, calls: Sequence[RecordedCall]) -> None:
    """Play `calls` on `state` in order. Raises ReplayMismatchError at the first answer that differs.

    Holds for clean runs only: an observation that an intervention rewrote never matches its replay (SPEC 2).
    """
    for position, call in enumerate(calls):
        found = state.call(call.tool, call.arguments)
        if found != call.outcome:
            place, expected, seen = _first_difference(call.outcome, found)
            raise ReplayMismatchError(
                subject=f"replay of call {position} ({call.tool}), {place}",
                expected=expected,
                found=seen,
                remedy="record the calls again on this version of the substrate, or fix what its answer depends on",
            )


def _first_difference(recorded: Outcome, found: Outcome) -> tuple[str, str, str]:
    if recorded.error != found.error:
        return "field error", str(recorded.error), str(found.error)
    try:
        old, new = json.loads(recorded.content), json.loads(found.content)
    except ValueError:
        return "text", recorded.content, found.content
    return _differing_field(old, new, "content") or ("text", recorded.content, found.content)


def _differing_field(old: Any, new: Any, place: str) -> tuple[str, str, str] | None:
    """The first place, depth first, at which two JSON values differ; None where they parse to the same value."""
    old_parts, new_parts = _parts(old), _parts(new)
    if old_parts is None or new_parts is None or type(old) is not type(new):
        if type(old) is type(new) and old == new:
            return None
        return f"field {place}", json.dumps(old), json.dumps(new)
    for key in old_parts | new_parts:
        if key not in old_parts or key not in new_parts:
            sides = ("present", "absent") if key in old_parts else ("absent", "present")
            return f"field {place}.{key}", *sides
        below = _differing_field(old_parts[key], new_parts[key], f"{place}.{key}")
        if below is not None:
            return below
    return None


def _parts(value: Any) -> dict[Any, Any] | None:
    """The members of an object by name or of a list by position; None for anything else."""
    if isinstance(value, dict):
        return value
    return dict(enumerate(value)) if isinstance(value, list) else None
