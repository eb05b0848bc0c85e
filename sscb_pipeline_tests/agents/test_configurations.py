"""Reference configurations: hash, draws, and that every kind of history occurs in the default run by construction."""

from __future__ import annotations

import string
from collections import Counter
from dataclasses import replace

import pytest

from sscb_pipeline.adapters.agents.reference.bank import bank
from sscb_pipeline.adapters.agents.reference.configurations import (
    R1,
    R2,
    R6,
    REFERENCE_CONFIGURATIONS,
    NoOutages,
)
from sscb_pipeline.adapters.agents.reference.habits import PLANS, Habit
from sscb_pipeline.faults.intervention import Condition

SEEDS = [f"seed-{number}" for number in range(30)]


def draws(operator: str) -> Counter[Habit]:
    return Counter(
        configuration.habit(
            operator=operator, seed_id=f"{operator}/{seed}", condition=Condition.BASELINE, repeat=repeat
        )
        for configuration in REFERENCE_CONFIGURATIONS
        for seed in SEEDS
        for repeat in range(configuration.repeats)
    )


def test_repeats_of_the_five_and_the_small_sixth() -> None:
    assert [configuration.repeats for configuration in REFERENCE_CONFIGURATIONS] == [3, 3, 3, 1, 1, 1]
    assert R6.seeds_per_operator < 10
    assert len({configuration.configuration_id for configuration in REFERENCE_CONFIGURATIONS}) == 6


@pytest.mark.parametrize("operator", list(PLANS))
def test_every_habit_of_an_operator_is_drawn_somewhere(operator: str) -> None:
    assert set(draws(operator)) >= set(PLANS[operator]) - {Habit.SOLVER, Habit.FORGETS}


def test_clean_runs_solve_except_in_the_sixth() -> None:
    for configuration in REFERENCE_CONFIGURATIONS:
        drawn = {
            configuration.habit(operator="PaySource", seed_id=seed, condition=Condition.CLEAN, repeat=0)
            for seed in SEEDS
        }
        assert drawn == ({Habit.SOLVER, Habit.FORGETS} if configuration is R6 else {Habit.SOLVER})


def test_the_paired_conditions_meet_the_habit_of_the_baseline() -> None:
    for condition in (Condition.CONSISTENT_SOURCE, Condition.NO_READBACK_HINT):
        for seed in SEEDS:
            arguments = {"operator": "WriteEffect", "seed_id": seed, "repeat": 0}
            assert R1.habit(condition=condition, **arguments) == R1.habit(condition=Condition.BASELINE, **arguments)  # type: ignore[arg-type]


def test_repeats_cross_habits() -> None:
    crossing = [
        len({R2.habit(operator="ItemOption", seed_id=s, condition=Condition.BASELINE, repeat=r) for r in range(3)})
        for s in SEEDS
    ]
    assert max(crossing) == 3


def test_the_outage_class_is_small_and_hits_one_repeat_of_one_configuration() -> None:
    hit = [
        (configuration.configuration_id, condition, repeat)
        for configuration in REFERENCE_CONFIGURATIONS
        for seed in (f"s{number}" for number in range(120))
        for condition in Condition
        for repeat in range(3)
        if configuration.outages_of(seed_id=seed, condition=condition, repeat=repeat, tool="get_user_details")
    ]
    assert 2 <= len(hit) <= 30
    assert set(hit) == {(R2.configuration_id, Condition.BASELINE, 1)}


def test_the_hash_follows_the_content() -> None:
    assert R1.sha256 == replace(R1).sha256
    assert R1.sha256 == replace(R1, description="other words").sha256
    changed = [
        replace(R1, repeats=2),
        replace(R1, fault_habits={Habit.NEVER_READS: 1}),
        replace(R1, configuration_id="other"),
        replace(R2, outages=NoOutages()),
    ]
    assert len({R1.sha256, R2.sha256, *(configuration.sha256 for configuration in changed)}) == 6


@pytest.mark.parametrize("operator", list(PLANS))
def test_banks_offer_a_choice_and_are_well_formed(operator: str) -> None:
    for purpose, phrases in bank(operator).items():
        assert len(phrases) >= 1 and len(set(phrases)) == len(phrases), purpose
        for phrase in phrases:
            assert all(name is None or name.isidentifier() for _, name, _, _ in string.Formatter().parse(phrase))
    for purpose in ("asserted", "hedged", "denied", "closing", "neutral"):
        assert len(bank(operator)[purpose]) >= 2
