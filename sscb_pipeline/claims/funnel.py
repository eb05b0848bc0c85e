"""From scheduled executions to analysable runs: what was lost where (SSC Table III(a), SPEC 6)."""

from __future__ import annotations

from collections.abc import Iterator

from sscb_pipeline.claims.cell import Calculator, Cell, Count, Place
from sscb_pipeline.claims.population import Conditions, Population, among, equals
from sscb_pipeline.claims.scope import (
    ADOPTED,
    ADOPTION_KNOWN,
    ARRIVAL_KNOWN,
    BASELINE,
    FIRST_REPEAT,
    IN_P,
    ORDINARY,
    POOLED,
    TRIGGERED,
    Scope,
)
from sscb_pipeline.episodes.execution import KIND_OF, EndingKind, StopReason

ALL_OPERATORS = "all operators"
FIRST = "repeat 0"
EVERY = "all repeats"
NOT_TRIGGERED = "not triggered"

_RAN = among("ending", EndingKind.COMPLETED.value, EndingKind.TRUNCATED.value)

STAGES: tuple[tuple[str, Conditions, str], ...] = (
    ("scheduled", (), "scheduled executions"),
    *((kind.value, (equals("ending", kind.value),), f"ended as {kind.value.replace('_', ' ')}") for kind in EndingKind),
    ("run", (_RAN,), "observed fault runs: completed or truncated"),
    ("triggered", (TRIGGERED,), "the intervention took effect and was delivered"),
    ("not_triggered", (equals("triggered", "not_triggered"),), "the intervention never took effect"),
    ("trigger_undeterminable", (equals("triggered", "undeterminable"),), "delivery could not be proven"),
    ("no_witness", (TRIGGERED, equals("witness", "none")), "triggered, no witness for the run's own prefix"),
    ("use_located", IN_P, "first dependent use located (P)"),
    ("no_use", (TRIGGERED, equals("t_s_status", "never")), "triggered, no dependent use"),
    (
        "use_undeterminable",
        (TRIGGERED, equals("t_s_status", "undeterminable")),
        "triggered, first dependent use undeterminable",
    ),
    ("n_Z", (*IN_P, ARRIVAL_KNOWN), "in P, arrival determinable"),
    ("u_Z", (*IN_P, equals("stratum", "undeterminable")), "in P, arrival undeterminable"),
    ("controls", (*IN_P, equals("control", "target_value")), "in P, target-value controls"),
    ("n_A", (*IN_P, ORDINARY, ADOPTION_KNOWN), "in P, no control, adoption determinable"),
    ("u_A", (*IN_P, ORDINARY, equals("adoption", "undeterminable")), "in P, no control, adoption undeterminable"),
    ("adopted", (*IN_P, ORDINARY, ADOPTED), "in P, no control, adopted"),
)
COLUMNS = tuple(column for column, _, _ in STAGES)


def funnel_cells(calculator: Calculator, scope: Scope) -> Iterator[Cell]:
    """Table `funnel`: baseline executions by operator, once for repeat 0 and once for all repeats."""
    for extent, extra in ((FIRST, (BASELINE, FIRST_REPEAT)), (EVERY, (BASELINE,))):
        for operator in (*scope.operators, ALL_OPERATORS):
            own = () if operator == ALL_OPERATORS else (equals("operator", operator),)
            population = Population(
                sentence=f"{operator}, baseline, {extent} ({scope.agents} agents, campaign {scope.campaign})",
                conditions=(*scope.conditions, *own, *extra),
            )
            for column, numerator, sentence in STAGES:
                yield calculator.count(
                    Place(table="funnel", row=(extent, operator), column=column), population, numerator, sentence
                )


def ending_cells(calculator: Calculator, scope: Scope) -> Iterator[Cell]:
    """Table `endings`: every reason for which executions were cut short, missing or not run, and those not triggered,
    by run condition and operator. Reasons that never occur have no row."""
    for run_condition in scope.run_conditions:
        for label, conditions in _losses():
            populations = [
                scope.line(operator, POOLED).and_(run_condition, equals("condition", run_condition))
                for operator in scope.operators
            ]
            cells = [
                calculator.count(
                    Place(table="endings", row=(run_condition, *label), column=operator),
                    population,
                    conditions,
                    f"{label[0].replace('_', ' ')}: {label[1].replace('_', ' ')}",
                )
                for operator, population in zip(scope.operators, populations, strict=True)
            ]
            if any(isinstance(cell.value, Count) and cell.value.k for cell in cells):
                yield from cells


def _losses() -> Iterator[tuple[tuple[str, str], Conditions]]:
    for reason in StopReason:
        kind = KIND_OF[reason]
        if kind is not EndingKind.COMPLETED:
            yield (kind.value, reason.value), (equals("ending", kind.value), equals("stop_reason", reason.value))
    yield (NOT_TRIGGERED, "never took effect"), (equals("triggered", "not_triggered"),)
