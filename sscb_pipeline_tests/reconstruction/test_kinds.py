"""Kinds of phrasing, each with a table of its own: naming a fact to settle it, deriving from it, leaving it open."""

from __future__ import annotations

import pytest

from sscb_pipeline_tests.reconstruction import kinds_date, kinds_effect, kinds_option, kinds_payment, worlds
from sscb_pipeline_tests.reconstruction.phrasings import Reading
from sscb_pipeline_tests.reconstruction.worlds import World, summary, uses_of

KINDS = {
    "date_counted": (worlds.RETURN_DATE, kinds_date.COUNTED),
    "date_weekday": (worlds.RETURN_DATE, kinds_date.WEEKDAY_BESIDE_DATE),
    "date_counted_from_before": (worlds.RETURN_DATE, kinds_date.COUNTED_FROM_BEFORE),
    "date_refused": (worlds.RETURN_DATE, kinds_date.REFUSED),
    "date_last_night": (worlds.RETURN_DATE, kinds_date.LAST_NIGHT),
    "effect_declared": (worlds.WRITE_EFFECT, kinds_effect.DECLARED),
    "date_doubted": (worlds.RETURN_DATE, kinds_date.DOUBTED),
    "payment_told_and_taken_back": (worlds.PAY_SOURCE, kinds_payment.TOLD_AND_TAKEN_BACK),
    "option_in_tables": (kinds_option.NUMBERED, kinds_option.IN_TABLES),
    "option_weighed": (worlds.ITEM_OPTION, kinds_option.WEIGHED),
    "option_act_names": (kinds_option.CAMERA, kinds_option.ACT_NAMES),
    "effect_unsure": (worlds.WRITE_EFFECT, kinds_effect.UNSURE),
    "effect_open_talk_of_work": (worlds.WRITE_EFFECT, kinds_effect.OPEN_TALK_OF_WORK),
    "payment_usability": (worlds.PAY_SOURCE, kinds_payment.USABILITY),
    "option_letter_sizes": (kinds_option.SIZED, kinds_option.LETTER_SIZES),
    "option_digits": (kinds_option.NUMBERED, kinds_option.DIGITS),
    "option_number_first": (kinds_option.NUMBERED, kinds_option.NUMBER_FIRST),
    "option_yes_and_no": (kinds_option.ANSWERED, kinds_option.YES_AND_NO),
    "option_statements": (worlds.ITEM_OPTION, kinds_option.STATEMENTS),
    "effect_settling": (worlds.WRITE_EFFECT, kinds_effect.SETTLING),
    "effect_open_talk": (worlds.WRITE_EFFECT, kinds_effect.OPEN_TALK),
}


@pytest.mark.parametrize(
    ("world", "expected", "text"),
    [
        pytest.param(world, expected, text, id=f"{name}-{number}")
        for name, (world, table) in KINDS.items()
        for number, (expected, text) in enumerate(table)
    ],
)
def test_reading(world: World, expected: Reading, text: str) -> None:
    events = uses_of(world, text)
    assert summary(events) == expected, [(event.rule, event.quote) for event in events]


@pytest.mark.parametrize("name", sorted(KINDS))
def test_every_kind_has_ten_phrasings_and_some_that_are_none_of_it(name: str) -> None:
    readings = [expected for expected, _ in KINDS[name][1]]
    assert len(readings) >= 10
    assert len(set(readings)) > 1
