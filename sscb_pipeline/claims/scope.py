"""The populations that every table starts from (SSC §V-B).

A scope names the executions one analysis is about: one kind of agents and one campaign. Its conditions stand in every
query, related ones included, so that a ledger which holds other campaigns or kinds of agents gives the same ids.
"""

from __future__ import annotations

from dataclasses import dataclass

from sscb_pipeline.claims.population import (
    Having,
    Population,
    Related,
    ValueCondition,
    among,
    differs,
    equals,
)
from sscb_pipeline.faults.intervention import Condition as RunCondition
from sscb_pipeline.reconstruction.measurement import ArrivalStratum

POOLED = "all configurations"
"""Row label of the pooled line."""

BASELINE = equals("condition", RunCondition.BASELINE.value)
FIRST_REPEAT = equals("repeat", 0)
CLEAN_SOLVED = equals("clean", "solved")
TRIGGERED = equals("triggered", "triggered")
WITNESSED = differs("witness", "none")
"""A run whose own prefix has no witness is reported outside P (SPEC 5)."""
USE_LOCATED = equals("t_s_status", "located")
IN_P = (TRIGGERED, WITNESSED, USE_LOCATED)
ORDINARY = equals("control", "ordinary")
LITERAL = equals("literalness", "literal")
ADOPTED = equals("adoption", "true")
ADOPTION_KNOWN = among("adoption", "true", "false")
EVIDENCE_LOCATED = equals("t_e_status", "located")
EVIDENCE_KNOWN = among("t_e_status", "located", "never")
ERROR_LOCATED = equals("t_u_status", "located")
STRATA = (ArrivalStratum.BEFORE, ArrivalStratum.AFTER, ArrivalStratum.ABSENT)
ARRIVAL_KNOWN = among("stratum", *(stratum.value for stratum in STRATA))


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """One kind of agents, one campaign, and the operators, configurations and run conditions that occur in it."""

    agents: str
    campaign: str
    lines: tuple[tuple[str, str], ...]
    run_conditions: tuple[str, ...]

    @property
    def operators(self) -> tuple[str, ...]:
        """Operators that occur, sorted."""
        return tuple(sorted({operator for operator, _ in self.lines}))

    def configurations(self, operator: str) -> tuple[str, ...]:
        """Configurations with at least one scheduled execution of this operator, sorted."""
        return tuple(configuration for name, configuration in self.lines if name == operator)

    def rows(self, operator: str) -> tuple[tuple[str, str], ...]:
        """The lines of a table for one operator: each configuration, then the pooled line."""
        return (*((operator, configuration) for configuration in self.configurations(operator)), (operator, POOLED))

    @property
    def conditions(self) -> tuple[ValueCondition, ...]:
        """What every query of this analysis begins with."""
        return (equals("agents", self.agents), equals("campaign", self.campaign))

    def line(self, operator: str, configuration: str) -> Population:
        """All executions of one line; `configuration` may be POOLED."""
        own = () if configuration == POOLED else (equals("configuration", configuration),)
        name = f"{operator}, {configuration}"
        return Population(
            sentence=f"{name} ({self.agents} agents, campaign {self.campaign})",
            conditions=(*self.conditions, equals("operator", operator), *own),
        )

    def scheduled(self, operator: str, configuration: str) -> Population:
        """Repeat 0 of the baseline."""
        return self.line(operator, configuration).and_("baseline, repeat 0", BASELINE, FIRST_REPEAT)

    def triggered(self, operator: str, configuration: str) -> Population:
        """Main analysis, triggered runs: repeat 0 of every clean-solved configuration–seed pair."""
        return self.scheduled(operator, configuration).and_("clean task solved, triggered", CLEAN_SOLVED, TRIGGERED)

    def used(self, operator: str, configuration: str) -> Population:
        """P of SSC §V-B, target-value controls included: triggered, with a witness, first dependent use located."""
        return self.triggered(operator, configuration).and_(
            "with a witness, first dependent use located", WITNESSED, USE_LOCATED
        )

    def ordinary(self, operator: str, configuration: str) -> Population:
        """P without target-value controls: the population of adoption and diagnosis."""
        return self.used(operator, configuration).and_("no target-value control", ORDINARY)

    def adopted(self, operator: str, configuration: str) -> Population:
        """Adopted runs of P, without target-value controls."""
        return self.ordinary(operator, configuration).and_("adopted", ADOPTED)

    @property
    def common_seeds(self) -> Related:
        """Seeds that no configuration scheduled on them left unsolved in the clean condition."""
        return Related(
            key=("operator", "seed_id"),
            where=(*self.conditions, BASELINE, differs("clean", "solved")),
            having=Having.NONE,
        )


def stratum_is(stratum: ArrivalStratum) -> ValueCondition:
    """Z_S = stratum."""
    return equals("stratum", stratum.value)
