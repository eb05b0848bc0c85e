"""What is injected: v' against v, on every candidate of the real domains."""

from __future__ import annotations

from datetime import date
from itertools import pairwise

from sscb_pipeline.faults.contract import Literalness
from sscb_pipeline.faults.itinerary import return_leg_start
from sscb_pipeline_tests.faults.conftest import Cases, Domains, Frames


def test_the_injected_return_leg_ends_before_the_outbound_leg_begins(all_cases: Cases, domains: Domains) -> None:
    reservations = domains["airline"].records("reservations")
    spanning = 0
    for case in all_cases["ReturnDate"]:
        record = reservations[case.contract.target.identifier]
        dates = [date.fromisoformat(segment["date"]) for segment in record["flights"]]
        start = return_leg_start(record)
        outbound, back = dates[:start], dates[start:]
        injected = [date.fromisoformat(day) for day in case.contract.injected.data["dates"]]
        assert max(injected) < min(outbound)
        assert [b - a for a, b in pairwise(injected)] == [b - a for a, b in pairwise(back)]
        assert case.contract.injected.canonical == injected[0].isoformat()
        assert case.contract.authoritative.canonical == back[0].isoformat()
        spanning += back[0] != back[-1]
    assert spanning >= 5


def test_a_leg_that_is_flown_on_one_day_lands_one_day_before_the_outbound(all_cases: Cases, domains: Domains) -> None:
    reservations = domains["airline"].records("reservations")
    for case in all_cases["ReturnDate"]:
        record = reservations[case.contract.target.identifier]
        days = case.contract.injected.data["dates"]
        if len(set(days)) == 1:
            before = date.fromisoformat(record["flights"][0]["date"]) - date.fromisoformat(days[-1])
            assert before.days == 1


def test_a_kind_is_flipped_to_another_kind_that_the_profile_could_hold(all_cases: Cases) -> None:
    flipped = {
        (case.contract.authoritative.canonical, case.contract.injected.canonical) for case in all_cases["PaySource"]
    }
    assert flipped == {
        ("certificate", "gift_card"),
        ("gift_card", "certificate"),
        ("credit_card", "gift_card"),
    }


def test_an_option_is_replaced_by_another_value_the_product_offers(all_cases: Cases, domains: Domains) -> None:
    products, orders = domains["retail"].records("products"), domains["retail"].records("orders")
    for case in all_cases["ItemOption"]:
        locator, injected = case.contract.target.locator, case.contract.injected.canonical
        line = orders[locator["order_id"]]["items"][locator["line"]]
        offered = {
            variant["options"].get(locator["option"])
            for variant in products[locator["product_id"]]["variants"].values()
        }
        assert line["options"][locator["option"]] == case.contract.authoritative.canonical != injected
        assert injected in offered


def test_swaps_onto_existing_variants_are_preferred_within_the_options_a_task_names(
    all_cases: Cases, domains: Domains
) -> None:
    products, orders = domains["retail"].records("products"), domains["retail"].records("orders")
    could, did = 0, 0
    for case in all_cases["ItemOption"]:
        locator = case.contract.target.locator
        line = orders[locator["order_id"]]["items"][locator["line"]]
        variants = [variant["options"] for variant in products[locator["product_id"]]["variants"].values()]

        def swaps(
            option: str, options: dict[str, str] = line["options"], known: list[dict[str, str]] = variants
        ) -> bool:
            return any({**options, option: other.get(option)} == other != options for other in known)

        onto_existing = {**line["options"], locator["option"]: case.contract.injected.canonical} in variants
        possible = any(swaps(option) for option in line["options"])
        could += possible
        did += onto_existing
        assert onto_existing or not swaps(locator["option"])
        assert onto_existing or not possible or case.literalness is Literalness.LITERAL
    assert (could, did, len(all_cases["ItemOption"])) == (116, 105, 125)


def test_187_of_the_203_lines_allow_a_swap_onto_another_existing_variant(frames: Frames, domains: Domains) -> None:
    products, orders = domains["retail"].records("products"), domains["retail"].records("orders")
    allowing = 0
    for candidate in frames["ItemOption"]:
        line = orders[candidate.key["order_id"]]["items"][candidate.key["line"]]
        variants = [variant["options"] for variant in products[line["product_id"]]["variants"].values()]
        allowing += any(
            sum(line["options"][option] != other.get(option) for option in line["options"]) == 1 for other in variants
        )
    assert allowing == 187


def test_the_requested_change_is_visible_once_it_is_made(all_cases: Cases, domains: Domains) -> None:
    airline = domains["airline"]
    for case in all_cases["WriteEffect"]:
        state, request = airline.fresh(), case.contract.injection.match
        before = state.record("reservations", request["reservation_id"])
        assert not state.call("update_reservation_flights", request).error
        after = state.record("reservations", request["reservation_id"])
        assert {field for field in ("flights", "cabin") if before[field] != after[field]} == set(
            case.contract.parameters["shown_fields"]
        )
