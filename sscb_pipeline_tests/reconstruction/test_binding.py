"""What a value is said of, where more than one sentence or step decides it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sscb_pipeline.measured import Located, Never, Undeterminable
from sscb_pipeline.reconstruction.mentions import Form
from sscb_pipeline.reconstruction.references import extract, finder_of
from sscb_pipeline.reconstruction.sentences import lower
from sscb_pipeline.trajectories.subject import Subject
from sscb_pipeline_tests.reconstruction.worlds import (
    ITEM_OPTION,
    PAY_SOURCE,
    RETURN_DATE,
    World,
    faulted,
    measured,
    summary,
    uses_of,
)

RECORD_PAID_WITH = '{{"reservation_id": "AB12CD", "payment_history": [{{"payment_id": "{}", "amount": 100}}]}}'
READ = ("get_reservation_details", {"reservation_id": "AB12CD"})
STATED, UNSETTLED, NONE = ("yes", "yes", "endorses"), ("unsettled", "unsettled", "none"), ("no", "no", "none")


def _found(subject: Subject, text: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(item.surface, item.values) for item in finder_of(subject)(text, lower(text)) if item.values]


def _with_options(attribute: str, values: tuple[str, str], name: str) -> Subject:
    subject = replace(ITEM_OPTION.subject, values=values, alternatives=(), attributes=(attribute,))
    return replace(subject, names=(name, name.split()[-1]))


@pytest.mark.parametrize(
    ("attribute", "values", "text", "value"),
    [
        ("screen size", ("13-inch", "15-inch"), "a 13 inch laptop", "13-inch"),
        ("screen size", ("13-inch", "15-inch"), 'a 15" laptop', "15-inch"),
        ("capacity", ("1.5L", "2L"), "holds 1.5 liters", "1.5L"),
        ("capacity", ("500ml", "750ml"), "the 750 ml bottle", "750ml"),
        ("length", ("100ft", "25ft"), "25 feet long", "25ft"),
        ("storage", ("256GB SSD", "512GB SSD"), "with 512 GB SSD", "512GB SSD"),
        ("color", ("gray", "red"), "a Grey one", "gray"),
        ("size", ("L", "XL"), "Size: XL", "XL"),
        ("size", ("L", "XL"), "size l, please", "L"),
        ("size", ("M", "S"), "the small shirt", "S"),
        ("size", ("8", "9"), "size 9 shoes", "9"),
        ("waterproof", ("no", "yes"), "it is waterproof", "yes"),
        ("waterproof", ("no", "yes"), "it is not waterproof", "no"),
        ("waterproof", ("no", "yes"), "waterproof: no", "no"),
        ("pieces", ("1000", "500"), "a 500-piece puzzle", "500"),
        ("connectivity", ("Wi-Fi", "Wi-Fi + Cellular"), "wifi + cellular", "Wi-Fi + Cellular"),
    ],
)
def test_option_values_in_other_spellings(attribute: str, values: tuple[str, str], text: str, value: str) -> None:
    found = _found(_with_options(attribute, values, "thing"), text)
    assert [values for _, values in found] == [(value,)]


@pytest.mark.parametrize("text", ["I'll help.", "a long s-curve", "high demand", "no problem, yes"])
def test_ordinary_words_are_no_option_values(text: str) -> None:
    assert _found(_with_options("size", ("L", "S"), "shirt"), text) == []
    assert _found(_with_options("waterproof", ("no", "yes"), "camera"), text) == []


def test_longer_spelling_wins() -> None:
    subject = replace(ITEM_OPTION.subject, values=("grey", "space grey"), alternatives=())
    assert _found(subject, "a space grey lamp") == [("space grey", ("space grey",))]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("the seventeenth of May", "2024-05-17"),
        ("May the 24th", "2024-05-24"),
        ("24.05.2024", "2024-05-24"),
        ("May seventeenth", "2024-05-17"),
        ("17-May-2024", "2024-05-17"),
        ("between May 20-24", "2024-05-24"),
        ("a 4-night stay", "2024-05-24"),
        ("3 days before your outbound", "2024-05-17"),
        ("after your outbound", "2024-05-24"),
    ],
)
def test_dates_in_other_forms(text: str, value: str) -> None:
    assert (value,) in [values for _, values in _found(RETURN_DATE.subject, text)]


@pytest.mark.parametrize("text", ["2023-05-17", "at 5:17", "$517", "May 18", "HAT517", "flight 1/2 of 3", "June 17"])
def test_other_numbers_are_no_dates_in_play(text: str) -> None:
    assert _found(RETURN_DATE.subject, text) == []


def test_entity_is_found_without_a_value() -> None:
    trajectory = faulted(RETURN_DATE).agent("Your return flight? It is on QX7R2K.").end()
    forms = [item.form for item in extract(RETURN_DATE.subject, trajectory, 3)]
    assert forms == [Form.ENTITY, Form.ENTITY, Form.IDENTIFIER]


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        ("It is a round trip from SFO to JFK on May 20 and May 17.", STATED),
        ("Dates: May 20 - May 17.", STATED),
        ("Reservation ZZ99ZZ returns on May 17, reservation QX7R2K on another day.", NONE),
        ("QX7R2K returns on May 17 and ZZ99ZZ on May 19.", STATED),
        ("- ZZ99ZZ: return on May 17", NONE),
    ],
)
def test_date_binding(text: str, reading: tuple[str, str, str]) -> None:
    assert summary(uses_of(RETURN_DATE, text)) == reading


def test_value_without_a_cue_may_come_from_the_user() -> None:
    history = faulted(RETURN_DATE).user("My birthday is on May 17.").agent("Noted, May 17.")
    assert summary(measured(RETURN_DATE, history.end()).uses) == UNSETTLED


def test_date_of_a_change_the_user_asked_for_is_open() -> None:
    history = faulted(RETURN_DATE).user("Please move my return to May 17.").agent("HAT400 leaves JFK on May 17.")
    assert isinstance(measured(RETURN_DATE, history.end()).t_s, Undeterminable)


def test_search_a_day_away_rests_on_the_value_only_where_a_shift_was_asked_for() -> None:
    search = ("search_direct_flight", {"origin": "JFK", "destination": "SFO", "date": "2024-05-18"})
    plain = measured(RETURN_DATE, faulted(RETURN_DATE).agent("", search).end())
    assert plain.t_s == Never()
    asked = faulted(RETURN_DATE).user("Push my return back by one day.").agent("", search)
    assert measured(RETURN_DATE, asked.end()).t_u == Located(step=5)


def test_check_announced_before_other_observations_leaves_a_call_open() -> None:
    search = ("search_direct_flight", {"origin": "JFK", "destination": "SFO", "date": "2024-05-17"})
    other = ("get_flight_status", {"flight_number": "HAT222"})
    words = "Let me verify that the return is on 2024-05-17."
    history = faulted(RETURN_DATE).agent(words, other).result("available").agent("", search)
    found = measured(RETURN_DATE, history.end())
    assert found.t_s == Located(step=4)
    assert isinstance(found.adoption, Undeterminable)


def test_check_announced_before_the_reply_covers_the_call() -> None:
    search = ("search_direct_flight", {"origin": "JFK", "destination": "SFO", "date": "2024-05-17"})
    history = faulted(RETURN_DATE).agent("I will verify that return date.").user("Fine.").agent("", search)
    assert measured(RETURN_DATE, history.end()).adoption is False


@pytest.mark.parametrize(
    ("paid_with", "text", "reading"),
    [
        ("gift_card_8020792", "It was paid with a certificate.", STATED),
        ("gift_card_8020792", "The refund goes to your original payment method (certificate).", STATED),
        ("credit_card_4959530", "It was paid with a certificate.", NONE),
    ],
)
def test_kind_of_what_was_paid_with(paid_with: str, text: str, reading: tuple[str, str, str]) -> None:
    history = faulted(PAY_SOURCE).agent("", READ).result(RECORD_PAID_WITH.format(paid_with)).agent(text)
    assert summary(measured(PAY_SOURCE, history.end()).uses) == reading


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        ("I have issued a certificate of $50 to you. You can use this certificate later.", NONE),
        ("I cannot offer you a certificate.", NONE),
        ("The two certificates on file cannot be used.", NONE),
        ("gift_card_8020792 is yours. It cannot be used for the change.", STATED),
    ],
)
def test_kind_binding(text: str, reading: tuple[str, str, str]) -> None:
    assert summary(uses_of(PAY_SOURCE, text)) == reading


def test_brand_of_the_target_leaves_its_kind_open() -> None:
    subject = replace(PAY_SOURCE.subject, values=("credit_card", "gift_card"), alternatives=("certificate",))
    contract = PAY_SOURCE.contract
    world = replace(
        PAY_SOURCE,
        subject=subject,
        contract=replace(contract, injected=replace(contract.injected, canonical="credit_card")),
    )
    assert summary(uses_of(world, "Charged to your Visa, gift_card_8020792.")) == UNSETTLED


def _with_sibling() -> World:
    context = (("order", "#W2611340"), ("sibling:1111111111", "white"))
    return replace(ITEM_OPTION, subject=replace(ITEM_OPTION.subject, context=context))


def test_sibling_line_with_the_same_option() -> None:
    world = _with_sibling()
    assert summary(uses_of(world, "Your desk lamp is white.")) == UNSETTLED
    assert summary(uses_of(world, "The desk lamp 6805564527 is white.")) == STATED
    assert summary(uses_of(world, "The desk lamp 1111111111 is white.")) == NONE
    returned = ("return_delivered_order_items", {"order_id": "#W2611340", "item_ids": ["6805564527"]})
    assert isinstance(measured(world, faulted(world).agent("", returned).end()).t_s, Undeterminable)
    alone = measured(ITEM_OPTION, faulted(ITEM_OPTION).agent("", returned).end())
    assert alone.t_s == Never()


def test_product_under_discussion() -> None:
    assert summary(uses_of(ITEM_OPTION, "The color is white.")) == STATED
    history = (
        faulted(ITEM_OPTION).user("Now about my water bottle.").agent("What about it?").agent("The color is white.")
    )
    assert summary(measured(ITEM_OPTION, history.end()).uses) == UNSETTLED
