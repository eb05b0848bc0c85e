"""The three claims re-expressed on one set of runs: counts, not rates of those claims (SPEC 8)."""

from __future__ import annotations

from collections.abc import Iterator

from sscb_pipeline.claims.cell import Calculator, Cell, Place
from sscb_pipeline.claims.population import Conditions, equals
from sscb_pipeline.claims.scope import (
    ADOPTED,
    ADOPTION_KNOWN,
    EVIDENCE_LOCATED,
    STRATA,
    Scope,
    stratum_is,
)

_NUMERATORS: tuple[tuple[str, Conditions, str], ...] = (
    ("runs", (), "evaluable runs"),
    ("adopted", (ADOPTED,), "adopted"),
    ("with eventual counter-evidence", (ADOPTED, EVIDENCE_LOCATED), "adopted, and counter-evidence arrived at all"),
    *(
        (stratum.value, (ADOPTED, stratum_is(stratum)), f"adopted, counter-evidence {stratum.value}")
        for stratum in STRATA
    ),
    (
        "arrival undeterminable",
        (ADOPTED, equals("stratum", "undeterminable")),
        "adopted, arrival undeterminable",
    ),
)
COLUMNS = tuple(column for column, _, _ in _NUMERATORS)


def same_runs_cells(calculator: Calculator, scope: Scope) -> Iterator[Cell]:
    """Table `same_runs`: of the runs of P whose A is determinable, how many meet each stronger statement."""
    for operator in scope.operators:
        for row in scope.rows(operator):
            population = scope.ordinary(*row).and_("adoption determinable", ADOPTION_KNOWN)
            for column, numerator, sentence in _NUMERATORS:
                yield calculator.count(
                    Place(table="same_runs", row=row, column=column), population, numerator, sentence
                )
