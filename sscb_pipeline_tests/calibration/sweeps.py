"""What is played of a bank: every habit on some real cases, and every phrase by itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sscb_pipeline.adapters.agents.reference.habits import PLANS, Habit
from sscb_pipeline.environments.port import Substrate
from sscb_pipeline.faults.intervention import Condition
from sscb_pipeline.faults.operator import Case
from sscb_pipeline.faults.operators.registry import OPERATORS
from sscb_pipeline_tests.calibration.banks import Banks, phrases_of
from sscb_pipeline_tests.calibration.measuring import Domains, Performance, Scenario, perform

Cases = Mapping[str, Sequence[Case]]

SEEDS = (0, 1)

MEASURED_HABITS = [
    (operator, habit) for operator, plans in PLANS.items() for habit in plans if habit is not Habit.SOLVER
]
"""The solver is drawn for clean runs only and keeps no notes of what it states."""

SPOKEN_BY: Mapping[str, Mapping[str, Habit]] = {
    operator: {
        "asserted": Habit.READS_THEN_USES_BELIEVING,
        "hedged": Habit.HEDGES_THEN_ACTS,
        "asked": Habit.VERIFIES_ONLY if operator == "PaySource" else Habit.ASKS_ONLY,
        "checking": Habit.VERIFIES_ONLY,
        "denied": Habit.READS_THEN_USES_CORRECTING,
        "derived": Habit.DERIVED_ONLY,
        "ambiguous": Habit.AMBIGUOUS_THEN_ERROR,
        "neutral": Habit.NEVER_USES,
        "confirm": Habit.READS_THEN_USES_BELIEVING,
        "transfer_plain": Habit.NEVER_USES,
        **({} if operator == "ReturnDate" else {"transfer_stating": Habit.ARGUMENT_ONLY}),
        "closing": Habit.READS_THEN_USES_BELIEVING,
    }
    for operator in PLANS
}
"""A habit that speaks a phrase of the purpose, so that each phrase can be heard by itself. Under ReturnDate the value
enters an argument by a search, never by a hand-over."""

PHRASED = [
    (operator, purpose)
    for operator, speakers in SPOKEN_BY.items()
    for purpose in speakers
    if purpose in phrases_of(Banks.SHIPPED, operator)
]


def habit_performances(
    banks: Banks, operator: str, habit: Habit, substrates: Domains, cases: Cases
) -> Iterator[Performance]:
    """A habit on every case, under the fault and every paired condition, in different words."""
    for condition in (Condition.BASELINE, *OPERATORS[operator].paired):
        for number, case in enumerate(cases[operator]):
            for seed in SEEDS:
                scenario = Scenario(case=case, habit=habit, condition=condition, seed=10 * number + seed)
                yield perform(scenario, phrases_of(banks, operator), substrates)


def phrase_performances(
    banks: Banks, operator: str, purpose: str, substrates: Domains, cases: Cases
) -> Iterator[Performance]:
    """Every phrase of a purpose by itself, on every case. The other purposes keep to their first phrase."""
    phrases = {other: told[:1] for other, told in phrases_of(banks, operator).items()}
    for phrase in phrases_of(banks, operator)[purpose]:
        for number, case in enumerate(cases[operator]):
            scenario = Scenario(
                case=case, habit=SPOKEN_BY[operator][purpose], condition=Condition.BASELINE, seed=number
            )
            yield perform(scenario, {**phrases, purpose: (phrase,)}, substrates)


CASES_EACH = 6
TWICE_EACH = 3


def chosen_cases(substrates: Domains) -> Cases:
    """Some cases per operator, spread over its frame; for ItemOption also some whose value another line of the order
    shows as well, since only there an agent can speak of the value without anybody knowing which line it means."""
    chosen: dict[str, Sequence[Case]] = {}
    for name, operator in OPERATORS.items():
        substrate = substrates[operator.domain]
        found = [
            case for key in operator.candidates(substrate) if isinstance(case := operator.case(key, substrate), Case)
        ]
        twice = [case for case in found if name == "ItemOption" and _shown_twice(case, substrate)]
        chosen[name] = [*_spread(found, CASES_EACH), *_spread(twice, TWICE_EACH)]
    return chosen


def _spread(found: Sequence[Case], number: int) -> Sequence[Case]:
    return found[:: max(1, len(found) // number)][:number]


def _shown_twice(case: Case, substrate: Substrate) -> bool:
    """Whether another line of the order has the injected value of that option."""
    locator, injected = case.contract.target.locator, case.contract.injected.canonical
    lines = substrate.records("orders")[locator["order_id"]]["items"]
    return any(
        line["options"].get(locator["option"]) == injected for line in lines if line["item_id"] != locator["item_id"]
    )
