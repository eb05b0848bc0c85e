"""The seat between the agent's calls and the environment: what was delivered, and proof of it.

The intervention decides *what* a call delivers; this module decides nothing. It carries each call through and,
once the observation has its step number, writes the rewrite down with the sha256 of the native and of the
delivered text. The record is hidden state and never enters a trajectory (DESIGN choice 5).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from sscb_pipeline.environments.port import State
from sscb_pipeline.faults.intervention import Condition, InterventionRecord, Rewrite
from sscb_pipeline.faults.operator import Delivered, Intervention


def text_sha256(text: str) -> str:
    """sha256 (hex) of a text as UTF-8, lone surrogates passed through."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class Interception:
    """Carries the calls of one execution through its intervention and collects the intervention record."""

    def __init__(self, *, intervention: Intervention, contract_id: str, condition: Condition) -> None:
        self._intervention = intervention
        self._contract_id = contract_id
        self._condition = condition
        self._rewrites: list[Rewrite] = []

    def call(self, state: State, tool: str, arguments: Mapping[str, Any]) -> Delivered:
        """Run one call. Raises EnvironmentUnavailableError; nothing is recorded then."""
        return self._intervention.call(state, tool, arguments)

    def delivered(self, delivered: Delivered, *, step: int, call_id: str, tool: str) -> None:
        """Note that `delivered` became the observation at `step` (index from 0)."""
        if not delivered.changes:
            return
        self._rewrites.append(
            Rewrite(
                step=step,
                call_id=call_id,
                tool=tool,
                role=delivered.role,
                changes=delivered.changes,
                native_sha256=text_sha256(delivered.native.content),
                delivered_sha256=text_sha256(delivered.outcome.content),
            )
        )

    def record(self) -> InterventionRecord:
        """All rewrites so far, in order of delivery."""
        return InterventionRecord(
            contract_id=self._contract_id, condition=self._condition, rewrites=tuple(self._rewrites)
        )
