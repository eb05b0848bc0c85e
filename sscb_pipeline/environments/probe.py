"""What a tool is shown to change: run it clean on a fork and compare.

A fault contract may name only fields that the clean tool really changes. Where the interface accepts an argument
and never stores it (τ-bench v1 takes a new cabin and keeps the old one), a later read would seem to refute a
success that was true.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sscb_pipeline.environments.port import Outcome, State


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What one call did to one record: the outcome delivered and the top-level fields whose value changed."""

    outcome: Outcome
    changed: frozenset[str]


def effect_on(state: State, tool: str, arguments: Mapping[str, Any], *, kind: str, identifier: str) -> Effect:
    """Play the call on a fork of `state` and compare the record before and after; `state` stays as it was.

    A field that only one of the two sides has counts as changed. Raises KeyError when the record is not there
    before or after, and EnvironmentUnavailableError as the state does.
    """
    fork = state.fork()
    before = fork.record(kind, identifier)
    outcome = fork.call(tool, arguments)
    after = fork.record(kind, identifier)
    absent = object()
    changed = frozenset(
        field for field in before.keys() | after.keys() if before.get(field, absent) != after.get(field, absent)
    )
    return Effect(outcome=outcome, changed=changed)
