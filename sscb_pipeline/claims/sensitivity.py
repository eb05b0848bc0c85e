"""The main figures under other rules of inclusion (SSC §V-B): one variant changes one rule."""

from __future__ import annotations

from collections.abc import Iterator

from sscb_pipeline.claims.cell import Calculator, Cell, Place, Share
from sscb_pipeline.claims.claims import adoption_share, arrival_share, in_stratum
from sscb_pipeline.claims.diagnosis import q_u_share
from sscb_pipeline.claims.population import Condition, Having, Population, Related
from sscb_pipeline.claims.scope import (
    ADOPTED,
    ARRIVAL_KNOWN,
    BASELINE,
    CLEAN_SOLVED,
    FIRST_REPEAT,
    IN_P,
    LITERAL,
    ORDINARY,
    POOLED,
    STRATA,
    Scope,
)

MAIN = "main analysis"
COMMON_SEEDS = "common clean-solved seeds"
ALL_REPEATS = "all repeats"
STRICT_LITERAL = "strict literal ItemOption rule"
CONTROLS_IN = "target-value controls in"
VARIANTS = (MAIN, COMMON_SEEDS, ALL_REPEATS, STRICT_LITERAL, CONTROLS_IN)
STRICT_OPERATOR = "ItemOption"
"""The only operator the strict literal rule speaks of."""


def sensitivity_cells(calculator: Calculator, scope: Scope) -> Iterator[Cell]:
    """Table `sensitivity`: arrival shares, A_P, a_s and q_U per operator, pooled, under each variant."""
    for operator in scope.operators:
        for variant in VARIANTS:
            if variant == STRICT_LITERAL and operator != STRICT_OPERATOR:
                continue
            for column, share in _shares(scope, operator, variant):
                yield calculator.share(Place(table="sensitivity", row=(operator, variant), column=column), share)


def arrival_variant_cells(calculator: Calculator, scope: Scope) -> Iterator[Cell]:
    """Table `sensitivity_arrival`: arrival shares per configuration under every rule but the main one and the one on
    controls, which the arrival analysis holds anyway."""
    for row, variant in _by_configuration(scope, (COMMON_SEEDS, ALL_REPEATS, STRICT_LITERAL)):
        population = scope.line(*row).and_(variant, *_rules(scope, variant))
        for stratum in STRATA:
            yield calculator.share(
                Place(table="sensitivity_arrival", row=(*row, variant), column=stratum.value),
                arrival_share(population, stratum),
            )


def adoption_variant_cells(calculator: Calculator, scope: Scope) -> Iterator[Cell]:
    """Table `sensitivity_adoption`: A_P, a_s and q_U per configuration under every rule but the main one."""
    for row, variant in _by_configuration(scope, VARIANTS[1:]):
        for column, share in _outcomes(_measured(scope, row, variant)):
            yield calculator.share(Place(table="sensitivity_adoption", row=(*row, variant), column=column), share)


def _by_configuration(scope: Scope, variants: tuple[str, ...]) -> Iterator[tuple[tuple[str, str], str]]:
    for operator in scope.operators:
        for row in scope.rows(operator):
            for variant in variants:
                if variant != STRICT_LITERAL or operator == STRICT_OPERATOR:
                    yield row, variant


def _shares(scope: Scope, operator: str, variant: str) -> Iterator[tuple[str, Share]]:
    used = scope.line(operator, POOLED).and_(variant, *_rules(scope, variant))
    for stratum in STRATA:
        yield stratum.value, arrival_share(used, stratum)
    yield from _outcomes(_measured(scope, (operator, POOLED), variant))


def _measured(scope: Scope, row: tuple[str, str], variant: str) -> Population:
    """P of adoption and diagnosis under a variant; controls are left out except where the variant lets them in."""
    used = scope.line(*row).and_(variant, *_rules(scope, variant))
    return used if variant == CONTROLS_IN else used.and_("no target-value control", ORDINARY)


def _outcomes(measured: Population) -> Iterator[tuple[str, Share]]:
    yield "A_P", adoption_share(measured)
    for stratum in STRATA:
        yield f"a_{stratum.value}", adoption_share(in_stratum(measured, stratum))
    yield "q_U", q_u_share(measured.and_("adopted", ADOPTED))


def _rules(scope: Scope, variant: str) -> tuple[Condition, ...]:
    """The conditions of P under a variant."""
    usual = (BASELINE, CLEAN_SOLVED, *IN_P)
    if variant == ALL_REPEATS:
        return usual
    if variant == COMMON_SEEDS:
        return (*usual, FIRST_REPEAT, scope.common_seeds)
    if variant == STRICT_LITERAL:
        return (*usual, FIRST_REPEAT, LITERAL)
    return (*usual, FIRST_REPEAT)


GROUP = ("operator", "configuration", "seed_id")
"""A seed–configuration group."""


def repeat_cells(calculator: Calculator, scope: Scope) -> Iterator[Cell]:
    """Table `repeats`: of the seed–configuration groups with at least two evaluable runs, how many change Z_S."""
    evaluable = (*scope.conditions, BASELINE, CLEAN_SOLVED, *IN_P, ARRIVAL_KNOWN)
    several = Related(key=GROUP, where=evaluable, having=Having.SEVERAL)
    crossing = Related(key=GROUP, where=evaluable, having=Having.SEVERAL_STRATA)
    for operator in scope.operators:
        for row in scope.rows(operator):
            population = scope.line(*row).and_(
                "seed–configuration groups with repeated evaluable baseline runs", *evaluable[2:], several
            )
            yield calculator.share(
                Place(table="repeats", row=row, column="change arrival condition"),
                Share(
                    population=population,
                    evaluable=(),
                    numerator=(crossing,),
                    numerator_sentence="repeats of the group differ in arrival condition",
                    unit=GROUP,
                ),
            )
