"""Paired checks: the same seed and configuration at repeat 0, baseline against a changed condition (SSC §V-B).

A pair counts when both its runs lie in P with adoption and arrival determinable and the seed is no target-value
control, so that every figure of a line has the same denominator.
"""

from __future__ import annotations

from collections.abc import Iterator

from sscb_pipeline.claims.cell import Calculator, Cell, Place, Share
from sscb_pipeline.claims.claims import adoption_share, arrival_share
from sscb_pipeline.claims.population import Having, Population, Related, ValueCondition, among, equals
from sscb_pipeline.claims.scope import (
    ADOPTED,
    ADOPTION_KNOWN,
    ARRIVAL_KNOWN,
    CLEAN_SOLVED,
    FIRST_REPEAT,
    IN_P,
    ORDINARY,
    POOLED,
    Scope,
)
from sscb_pipeline.faults.intervention import Condition as RunCondition
from sscb_pipeline.reconstruction.measurement import ArrivalStratum

PAIRED = (RunCondition.NO_READBACK_HINT, RunCondition.CONSISTENT_SOURCE)
_EVALUABLE = (CLEAN_SOLVED, FIRST_REPEAT, *IN_P, ORDINARY, ADOPTION_KNOWN, ARRIVAL_KNOWN)
_KEY = ("operator", "configuration", "seed_id")


def paired_cells(calculator: Calculator, scope: Scope) -> Iterator[Cell]:
    """Table `paired`: pairs, and adoption, read-backs and before-use arrivals in both arms, with joint counts."""
    for changed in PAIRED:
        if changed.value not in scope.run_conditions:
            continue
        for operator in scope.operators:
            if not _scheduled(calculator, scope, operator, changed):
                continue
            for _, configuration in scope.rows(operator):
                if _scheduled(calculator, scope, operator, changed, configuration):
                    yield from _line(calculator, scope, (changed.value, operator, configuration), changed)


def _scheduled(
    calculator: Calculator, scope: Scope, operator: str, changed: RunCondition, configuration: str = POOLED
) -> int:
    conditions = scope.line(operator, configuration).conditions
    return int(calculator.filter.mask((*conditions, equals("condition", changed.value))).sum())


def _line(calculator: Calculator, scope: Scope, row: tuple[str, str, str], changed: RunCondition) -> Iterator[Cell]:
    line = scope.line(row[1], row[2])
    baseline = _arm(scope, line, RunCondition.BASELINE, changed)
    other = _arm(scope, line, changed, RunCondition.BASELINE)
    scheduled = line.and_(f"{changed.value}, repeat 0", equals("condition", changed.value), FIRST_REPEAT)
    counterpart = _counterpart(scope, RunCondition.BASELINE)
    yield calculator.count(
        Place(table="paired", row=row, column="evaluable pairs"),
        scheduled,
        (*_EVALUABLE, counterpart),
        "both runs of the pair evaluable",
    )
    for arm, population in ((RunCondition.BASELINE.value, baseline), (changed.value, other)):
        for measure, share in (
            ("adoption", adoption_share(population)),
            ("read-back", _readback_share(population)),
            ("before use", arrival_share(population, ArrivalStratum.BEFORE)),
        ):
            side = "baseline" if arm == RunCondition.BASELINE.value else "changed"
            yield calculator.share(Place(table="paired", row=row, column=f"{measure}, {side}"), share)
    yield from _joint(calculator, scope, row, baseline, changed)


def _joint(
    calculator: Calculator, scope: Scope, row: tuple[str, ...], baseline: Population, changed: RunCondition
) -> Iterator[Cell]:
    adopted_there = _counterpart(scope, changed, ADOPTED)
    declined_there = _counterpart(scope, changed, equals("adoption", "false"))
    declined = equals("adoption", "false")
    for column, numerator in (
        ("adopted in both", (ADOPTED, adopted_there)),
        ("adopted in baseline only", (ADOPTED, declined_there)),
        ("adopted when changed only", (declined, adopted_there)),
        ("adopted in neither", (declined, declined_there)),
    ):
        yield calculator.count(Place(table="paired", row=row, column=column), baseline, numerator, column)


def _arm(scope: Scope, line: Population, own: RunCondition, counterpart: RunCondition) -> Population:
    return line.and_(
        f"{own.value} runs of evaluable pairs with {counterpart.value}",
        equals("condition", own.value),
        *_EVALUABLE,
        _counterpart(scope, counterpart),
    )


def _counterpart(scope: Scope, condition: RunCondition, *extra: ValueCondition) -> Related:
    """The other run of the pair exists, is evaluable, and meets `extra`."""
    where = (*scope.conditions, equals("condition", condition.value), *_EVALUABLE, *extra)
    return Related(key=_KEY, where=where, having=Having.SOME)


def _readback_share(population: Population) -> Share:
    return Share(
        population=population,
        evaluable=(among("readback", "read", "not_read"),),
        numerator=(equals("readback", "read"),),
        numerator_sentence="an authoritative read after the fault",
    )
