"""The reference configurations: seeded distributions over habits, as data with a canonical hash.

A clean execution draws from `clean_habits`; every other one draws from `fault_habits` of its operator by seed and
repeat, so that repeats can cross strata while the paired conditions of repeat 0 meet the habit of the baseline run.
The draw knows nothing of the condition beyond that, and the agent that is drawn knows nothing of it at all.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass

from sscb_pipeline.adapters.agents.reference.bank import banks_sha256, seed_of
from sscb_pipeline.adapters.agents.reference.habits import PLANS, Habit
from sscb_pipeline.environments.outage import Outage
from sscb_pipeline.episodes.matrix import ConfigurationRef
from sscb_pipeline.faults.intervention import Condition

VERSION = "1"
"""Changes whenever a script changes what a reference agent does with the same draw."""

ALL_SEEDS = 1_000_000
Weights = Mapping[Habit, int]
"""Relative frequencies of habits."""

H = Habit


@dataclass(frozen=True, slots=True, kw_only=True)
class OutageClass:
    """The seed class whose baseline executions of one repeat meet outages: those whose hash is 0 modulo `modulus`."""

    modulus: int
    repeat: int
    attempts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NoOutages:
    """The configuration meets none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceConfiguration:
    """A reference configuration. Weights are relative; habits an operator has no plan for are left out of its draw."""

    configuration_id: str
    description: str
    repeats: int
    seeds_per_operator: int
    clean_habits: Weights
    fault_habits: Weights
    outages: OutageClass | NoOutages

    def canonical(self) -> bytes:
        """Canonical content, wording and script version included."""
        outages = self.outages
        content = {
            "kind": "reference",
            "version": VERSION,
            "wording": banks_sha256(),
            "plans": {operator: {str(k): v for k, v in plans.items()} for operator, plans in PLANS.items()},
            "id": self.configuration_id,
            "repeats": self.repeats,
            "clean_habits": dict(self.clean_habits),
            "fault_habits": dict(self.fault_habits),
            "outages": [outages.modulus, outages.repeat, outages.attempts] if isinstance(outages, OutageClass) else [],
        }
        return json.dumps(content, sort_keys=True, separators=(",", ":")).encode()

    @property
    def sha256(self) -> str:
        """sha256 (hex) of the canonical content."""
        return hashlib.sha256(self.canonical()).hexdigest()

    def ref(self) -> ConfigurationRef:
        """The configuration as the matrix sees it."""
        return ConfigurationRef(
            configuration_id=self.configuration_id,
            configuration_sha256=self.sha256,
            repeats=self.repeats,
            seeds_per_operator=self.seeds_per_operator,
        )

    def habit(self, *, operator: str, seed_id: str, condition: Condition, repeat: int) -> Habit:
        """The habit drawn for one execution."""
        weights = self.clean_habits if condition is Condition.CLEAN else self.fault_habits
        phase = "clean" if condition is Condition.CLEAN else "fault"
        offered = [(habit, weight) for habit, weight in weights.items() if habit in PLANS[operator]]
        point = seed_of(self.configuration_id, phase, seed_id, repeat) % sum(weight for _, weight in offered)
        for habit, weight in offered:
            if point < weight:
                return habit
            point -= weight
        raise AssertionError("unreachable: the point lies below the sum of the weights")

    def outages_of(self, *, seed_id: str, condition: Condition, repeat: int, tool: str) -> tuple[Outage, ...]:
        """The outages planned for one execution, at the first call of `tool`, the one an agent reaches the fault by."""
        planned = self.outages
        if not isinstance(planned, OutageClass) or condition is not Condition.BASELINE or repeat != planned.repeat:
            return ()
        if seed_of("outage", seed_id) % planned.modulus:
            return ()
        return (Outage(tool=tool, occurrence=0, attempts=planned.attempts),)


_SOLVES: Weights = {H.SOLVER: 1}

R1 = ReferenceConfiguration(
    configuration_id="R1-reads-first",
    description="Mostly reads what could refute a value before it uses the value, and often corrects.",
    repeats=3,
    seeds_per_operator=ALL_SEEDS,
    clean_habits=_SOLVES,
    fault_habits={
        H.READS_THEN_USES_CORRECTING: 6,
        H.READS_THEN_USES_BELIEVING: 4,
        H.RECORD_BEFORE_BINDING: 2,
        H.BINDING_BEFORE_RECORD: 2,
        H.FOREIGN_READ_BETWEEN: 1,
        H.VERIFIES_ONLY: 2,
        H.USES_THEN_READS_CORRECTING: 1,
        H.NEVER_USES: 1,
    },
    outages=NoOutages(),
)
R2 = ReferenceConfiguration(
    configuration_id="R2-uses-first",
    description="Mostly uses a value and reads afterwards; one seed class meets an outage.",
    repeats=3,
    seeds_per_operator=ALL_SEEDS,
    clean_habits=_SOLVES,
    fault_habits={
        H.USES_THEN_READS_CORRECTING: 5,
        H.USES_THEN_READS_BELIEVING: 4,
        H.HEDGES_READS_THEN_ACTS: 2,
        H.HEDGES_THEN_ACTS: 1,
        H.REPEATED_WRITE: 1,
        H.USER_STATES_TRUTH: 1,
        H.AMBIGUOUS_THEN_ERROR: 1,
    },
    outages=OutageClass(modulus=12, repeat=1, attempts=9),
)
R3 = ReferenceConfiguration(
    configuration_id="R3-never-reads",
    description="Trusts what it was told and rarely looks anywhere else.",
    repeats=3,
    seeds_per_operator=ALL_SEEDS,
    clean_habits=_SOLVES,
    fault_habits={
        H.NEVER_READS: 6,
        H.ARGUMENT_ONLY: 2,
        H.DERIVED_ONLY: 2,
        H.READS_THEN_USES_BELIEVING: 2,
        H.FOREIGN_WRITE_BETWEEN: 1,
        H.REPEATED_WRITE: 1,
        H.HEDGES_THEN_ACTS: 1,
        H.ACTS_WITHOUT_READING: 1,
    },
    outages=NoOutages(),
)
R4 = ReferenceConfiguration(
    configuration_id="R4-mixed",
    description="A little of everything, each habit about as often as any other.",
    repeats=1,
    seeds_per_operator=ALL_SEEDS,
    clean_habits=_SOLVES,
    fault_habits={habit: 1 for habit in Habit if habit not in (H.SOLVER, H.FORGETS)},
    outages=NoOutages(),
)
R5 = ReferenceConfiguration(
    configuration_id="R5-careful",
    description="Hedges, verifies and stays vague rather than committing itself.",
    repeats=1,
    seeds_per_operator=ALL_SEEDS,
    clean_habits=_SOLVES,
    fault_habits={
        H.VERIFIES_ONLY: 3,
        H.ASKS_ONLY: 2,
        H.READS_THEN_USES_CORRECTING: 4,
        H.AMBIGUOUS: 3,
        H.NEVER_USES: 2,
        H.HEDGES_THEN_ACTS: 1,
        H.AMBIGUOUS_THEN_ERROR: 1,
        H.ACTS_WITHOUT_READING: 1,
    },
    outages=NoOutages(),
)
R6 = ReferenceConfiguration(
    configuration_id="R6-forgetful",
    description="Small, and forgets its task every other time, so that the gate has something to stop.",
    repeats=1,
    seeds_per_operator=4,
    clean_habits={H.SOLVER: 1, H.FORGETS: 1},
    fault_habits={H.NEVER_READS: 1, H.READS_THEN_USES_BELIEVING: 1},
    outages=NoOutages(),
)

REFERENCE_CONFIGURATIONS: tuple[ReferenceConfiguration, ...] = (R1, R2, R3, R4, R5, R6)
