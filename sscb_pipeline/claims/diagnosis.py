"""Adopted runs: counter-evidence against the first erroneous dependence, final stance, repair (SSC §VI-D).

Prevention (evidence before the first error), correction (final stance) and repair (external state) are three measures
with three denominators. Nothing here combines them.
"""

from __future__ import annotations

from collections.abc import Iterator

from sscb_pipeline.claims.cell import Calculator, Cell, Place, Share
from sscb_pipeline.claims.claims import in_stratum
from sscb_pipeline.claims.population import Conditions, Earlier, Gap, Population, among, differs, equals
from sscb_pipeline.claims.scope import ERROR_LOCATED, EVIDENCE_KNOWN, EVIDENCE_LOCATED, STRATA, USE_LOCATED, Scope

FAR = 1_000_000
"""No execution has this many steps; closes the outer bins."""

BINS: tuple[tuple[str, int, int], ...] = (
    ("≤ −10", -FAR, -10),
    ("−9 to −5", -9, -5),
    ("−4 to −3", -4, -3),
    ("−2", -2, -2),
    ("−1", -1, -1),
    ("0", 0, 0),
    ("1", 1, 1),
    ("2", 2, 2),
    ("3 to 4", 3, 4),
    ("5 to 9", 5, 9),
    ("≥ 10", 10, FAR),
)
NEVER_ARRIVED = "∞"
STANCES = ("endorses", "does_not_endorse", "undeterminable")
_EVIDENCE_NEVER = equals("t_e_status", "never")


def q_u_share(population: Population) -> Share:
    """q_U = P(T_E < T_U | A = 1, r in P); T_E = Never is determinable and not before."""
    return Share(
        population=population,
        evaluable=(EVIDENCE_KNOWN, ERROR_LOCATED),
        numerator=(EVIDENCE_LOCATED, Earlier(left="t_e_step", right="t_u_step")),
        numerator_sentence="counter-evidence visible before the first erroneous dependence (T_E < T_U)",
    )


def diagnosis_cells(calculator: Calculator, scope: Scope) -> Iterator[Cell]:
    """Table `diagnosis`: q_U, the order of T_S, T_E and T_U, and the sign of the gap T_U − T_E."""
    for operator in scope.operators:
        for row in scope.rows(operator):
            adopted = scope.adopted(*row)
            yield calculator.share(Place(table="diagnosis", row=row, column="q_U"), q_u_share(adopted))
            located = adopted.and_("first erroneous dependence located", ERROR_LOCATED, USE_LOCATED)
            for column, numerator, sentence in _ORDERS:
                yield calculator.count(Place(table="diagnosis", row=row, column=column), located, numerator, sentence)


_ORDERS: tuple[tuple[str, Conditions, str], ...] = (
    ("T_S = T_U", (Gap(later="t_u_step", earlier="t_s_step", low=0, high=0),), "first use is the first error"),
    (
        "T_S < T_E < T_U",
        (
            EVIDENCE_LOCATED,
            Earlier(left="t_s_step", right="t_e_step"),
            Earlier(left="t_e_step", right="t_u_step"),
        ),
        "counter-evidence arrived between first use and first error",
    ),
    (
        "positive gap",
        (EVIDENCE_LOCATED, Gap(later="t_u_step", earlier="t_e_step", low=1, high=FAR)),
        "counter-evidence before the first error",
    ),
    (
        "negative gap",
        (EVIDENCE_LOCATED, Gap(later="t_u_step", earlier="t_e_step", low=-FAR, high=-1)),
        "counter-evidence after the first error",
    ),
    (NEVER_ARRIVED, (_EVIDENCE_NEVER,), "counter-evidence absent"),
)


def gap_cells(calculator: Calculator, scope: Scope) -> Iterator[Cell]:
    """Table `gap`: the distribution of T_U − T_E in steps among adopted runs with both determinable; ∞ apart."""
    for operator in scope.operators:
        for row in scope.rows(operator):
            population = scope.adopted(*row).and_("T_E and T_U determinable", EVIDENCE_KNOWN, ERROR_LOCATED)
            for label, low, high in BINS:
                within = Gap(later="t_u_step", earlier="t_e_step", low=low, high=high)
                yield calculator.count(
                    Place(table="gap", row=row, column=label),
                    population,
                    (EVIDENCE_LOCATED, within),
                    f"T_U − T_E: {label} steps",
                )
            yield calculator.count(
                Place(table="gap", row=row, column=NEVER_ARRIVED),
                population,
                (_EVIDENCE_NEVER,),
                "counter-evidence absent",
            )


def stance_cells(calculator: Calculator, scope: Scope) -> Iterator[Cell]:
    """Table `final_stance`: Y_end of adopted runs by arrival condition, as counts of the stratum."""
    for operator in scope.operators:
        for row in scope.rows(operator):
            for stratum in STRATA:
                population = in_stratum(scope.adopted(*row), stratum)
                for stance in STANCES:
                    yield calculator.count(
                        Place(table="final_stance", row=(*row, stratum.value), column=stance),
                        population,
                        (equals("final_stance", stance),),
                        f"final stance: {stance.replace('_', ' ')}",
                    )


def recovery_cells(calculator: Calculator, scope: Scope) -> Iterator[Cell]:
    """Table `recovery`: prevention, correction and repair side by side, each with its own denominator."""
    for operator in scope.operators:
        for row in scope.rows(operator):
            adopted = scope.adopted(*row)
            shares = {
                "prevention": q_u_share(adopted),
                "correction": Share(
                    population=adopted,
                    evaluable=(among("final_stance", "endorses", "does_not_endorse"),),
                    numerator=(equals("final_stance", "does_not_endorse"),),
                    numerator_sentence="no longer endorses the fault at the end",
                ),
                "repair": Share(
                    population=adopted.and_("external state affected", differs("repair", "not_applicable")),
                    evaluable=(among("repair", "repaired", "not_repaired"),),
                    numerator=(equals("repair", "repaired"),),
                    numerator_sentence="the final environment state holds what the task wants",
                ),
            }
            for column, share in shares.items():
                yield calculator.share(Place(table="recovery", row=row, column=column), share)
