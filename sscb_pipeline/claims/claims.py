"""Arrival, adoption, and the three claims with their own populations (SSC §III-C, §V-B).

Adoption, adoption with eventual counter-evidence, and adoption under timely counter-evidence are statements about
different executions; none inherits the support of another. The same runs re-expressed are counts, and stand in
`same_runs`.
"""

from __future__ import annotations

from collections.abc import Iterator

from sscb_pipeline.claims.cell import Calculator, Cell, Place, Share
from sscb_pipeline.claims.population import Population
from sscb_pipeline.claims.scope import (
    ADOPTED,
    ADOPTION_KNOWN,
    ARRIVAL_KNOWN,
    EVIDENCE_LOCATED,
    ORDINARY,
    STRATA,
    Scope,
    stratum_is,
)
from sscb_pipeline.reconstruction.measurement import ArrivalStratum

ADOPTION = "adoption"
EVENTUAL = "adoption with eventual counter-evidence"
TIMELY = "adoption under timely counter-evidence"


def arrival_cells(calculator: Calculator, scope: Scope) -> Iterator[Cell]:
    """Table `arrival`: shares of before, after and absent among the Z_S-determinable runs of P, controls included."""
    for operator in scope.operators:
        for row in scope.rows(operator):
            for stratum in STRATA:
                yield calculator.share(
                    Place(table="arrival", row=row, column=stratum.value), arrival_share(scope.used(*row), stratum)
                )


def arrival_share(population: Population, stratum: ArrivalStratum) -> Share:
    """The share of one arrival condition among runs whose Z_S is determinable."""
    return Share(
        population=population,
        evaluable=(ARRIVAL_KNOWN,),
        numerator=(stratum_is(stratum),),
        numerator_sentence=f"counter-evidence arrived: {stratum.value}",
    )


def adoption_share(population: Population) -> Share:
    """The share of adopted runs among those whose A is determinable."""
    return Share(
        population=population,
        evaluable=(ADOPTION_KNOWN,),
        numerator=(ADOPTED,),
        numerator_sentence="adopted the fault (A = 1)",
    )


def adoption_cells(calculator: Calculator, scope: Scope) -> Iterator[Cell]:
    """Table `adoption`: A_T over triggered runs, A_P within P, and a_s within each arrival condition."""
    for operator in scope.operators:
        for row in scope.rows(operator):
            triggered = scope.triggered(*row).and_("no target-value control", ORDINARY)
            yield calculator.share(Place(table="adoption", row=row, column="A_T"), adoption_share(triggered))
            yield calculator.share(Place(table="adoption", row=row, column="A_P"), adoption_share(scope.ordinary(*row)))
            for stratum in STRATA:
                yield calculator.share(
                    Place(table="adoption", row=row, column=f"a_{stratum.value}"),
                    adoption_share(in_stratum(scope.ordinary(*row), stratum)),
                )


def in_stratum(population: Population, stratum: ArrivalStratum) -> Population:
    """The part of a population with Z_S = stratum."""
    return population.and_(f"counter-evidence {stratum.value}", stratum_is(stratum))


def claim_cells(calculator: Calculator, scope: Scope) -> Iterator[Cell]:
    """Table `claims`: each of the three claims on the population it is about."""
    for operator in scope.operators:
        for row in scope.rows(operator):
            population = scope.ordinary(*row)
            eventual = population.and_("counter-evidence arrived in the observed execution", EVIDENCE_LOCATED)
            timely = in_stratum(population, ArrivalStratum.BEFORE)
            for column, own in ((ADOPTION, population), (EVENTUAL, eventual), (TIMELY, timely)):
                yield calculator.share(Place(table="claims", row=row, column=column), adoption_share(own))
