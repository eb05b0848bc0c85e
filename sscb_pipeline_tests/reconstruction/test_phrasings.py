"""One message after the fault, read by both stages: the table of phrasings, operator by operator."""

from __future__ import annotations

import pytest

from sscb_pipeline_tests.reconstruction import phrasings, worlds
from sscb_pipeline_tests.reconstruction.phrasings import Reading
from sscb_pipeline_tests.reconstruction.worlds import World, summary, uses_of

TABLES = {
    "ReturnDate": (worlds.RETURN_DATE, phrasings.RETURN_DATE),
    "PaySource": (worlds.PAY_SOURCE, phrasings.PAY_SOURCE),
    "ItemOption": (worlds.ITEM_OPTION, phrasings.ITEM_OPTION),
    "WriteEffect": (worlds.WRITE_EFFECT, phrasings.WRITE_EFFECT),
}


@pytest.mark.parametrize(
    ("world", "expected", "text"),
    [
        pytest.param(world, expected, text, id=f"{name}-{number}")
        for name, (world, table) in TABLES.items()
        for number, (expected, text) in enumerate(table)
    ],
)
def test_reading(world: World, expected: Reading, text: str) -> None:
    events = uses_of(world, text)
    assert summary(events) == expected, [(event.rule, event.quote) for event in events]


@pytest.mark.parametrize("name", sorted(TABLES))
def test_every_operator_has_a_broad_table(name: str) -> None:
    table = TABLES[name][1]
    assert len(table) >= 30
    readings = {expected for expected, _ in table}
    assert {phrasings.ADOPTS, phrasings.CORRECTS, phrasings.CAUTIOUS, phrasings.NO_USE} <= readings
