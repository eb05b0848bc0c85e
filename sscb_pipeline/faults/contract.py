"""The fault contract: data complete enough that someone else could re-derive every label from it (SSC §IV-A)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Acquisition(StrEnum):
    """How counter-evidence can become visible (SSC §IV-A)."""

    DELIVERED_TOGETHER = "delivered_together"
    CROSS_RECORD = "cross_record"
    ACROSS_STATE_TRANSITION = "across_state_transition"


class Persistence(StrEnum):
    """How long an intervention lasts."""

    EVERY_RETURN = "every_return"
    """Every return of the named tool that holds the field is rewritten, for the whole run."""
    EVERY_ATTEMPT = "every_attempt"
    """Every attempt of the same logical request is suppressed, and no other."""


class ValueControl(StrEnum):
    """Whether v' equals the value the task wants in the end."""

    ORDINARY = "ordinary"
    TARGET_VALUE = "target_value"


class Literalness(StrEnum):
    """The strict literal rule: does the task text name the affected option or its value?"""

    LITERAL = "literal"
    NOT_LITERAL = "not_literal"


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetEntity:
    """The entity the fact is about. `locator` holds the record keys that single it out."""

    kind: str
    identifier: str
    owner: str
    locator: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class AffectedFact:
    """f: attribute, and the state or logical request it is limited to."""

    attribute: str
    scope: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Assertion:
    """A value of f: `canonical` is its one-line form; `data` what the operator needs to write or recognise it."""

    canonical: str
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Injection:
    """The tool interaction that carries v', and how long the intervention persists."""

    tool: str
    persistence: Persistence
    match: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class MetCondition:
    """How one of the five conditions is met, and the visible text or field it rests on."""

    statement: str
    basis: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CounterEvidence:
    """The five conditions of valid counter-evidence (SSC Def. 3.4)."""

    authority: MetCondition
    entity: MetCondition
    scope: MetCondition
    independence: MetCondition
    sufficiency: MetCondition


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultContract:
    """One instantiated fault. `step_cap` counts turns of the agent; `preserved` lists the semantics that stay."""

    contract_id: str
    operator: str
    domain: str
    target: TargetEntity
    fact: AffectedFact
    injected: Assertion
    authoritative: Assertion
    injection: Injection
    preserved: tuple[str, ...]
    counter_evidence: CounterEvidence
    acquisition: Acquisition
    step_cap: int
    cluster: str
    parameters: Mapping[str, Any]
