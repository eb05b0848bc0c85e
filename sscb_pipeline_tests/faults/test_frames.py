"""Candidate frames: their sizes and clusters on the real domains, and what becomes of their candidates."""

from __future__ import annotations

from collections import Counter

import pytest

from sscb_pipeline.faults.contract import Literalness, ValueControl
from sscb_pipeline.faults.operator import Case, InvalidContract, NotTaskRelevant
from sscb_pipeline.faults.operators.registry import OPERATORS
from sscb_pipeline_tests.faults.conftest import Cases, Domains, Frames


@pytest.mark.parametrize(
    ("operator", "candidates", "clusters"),
    [("ReturnDate", 106, 68), ("ItemOption", 203, 203), ("PaySource", 120, 32), ("WriteEffect", 114, 83)],
)
def test_frame_sizes(frames: Frames, operator: str, candidates: int, clusters: int) -> None:
    frame = frames[operator]
    assert (len(frame), len({candidate.cluster for candidate in frame})) == (candidates, clusters)
    assert len({candidate.candidate_id for candidate in frame}) == candidates


def test_order_lines_belong_to_66_orders(frames: Frames) -> None:
    assert len({candidate.key["order_id"] for candidate in frames["ItemOption"]}) == 66


def test_every_reservation_of_the_return_date_frame_is_a_round_trip_of_equal_legs(
    frames: Frames, domains: Domains
) -> None:
    reservations = domains["airline"].records("reservations")
    framed = {candidate.key["reservation_id"] for candidate in frames["ReturnDate"]}
    for reservation_id in framed:
        record = reservations[reservation_id]
        half = len(record["flights"]) // 2
        outbound, back = record["flights"][:half], record["flights"][half:]
        assert record["flight_type"] == "round_trip"
        assert (outbound[0]["origin"], outbound[-1]["destination"]) == (record["origin"], record["destination"])
        assert (back[0]["origin"], back[-1]["destination"]) == (record["destination"], record["origin"])


def test_write_effect_takes_upcoming_reservations_that_policy_lets_change(frames: Frames, domains: Domains) -> None:
    reservations = domains["airline"].records("reservations")
    for candidate in frames["WriteEffect"]:
        record = reservations[candidate.key["reservation_id"]]
        assert record["cabin"] != "basic_economy"
        assert min(segment["date"] for segment in record["flights"]) > "2024-05-15"


def test_pay_source_takes_users_with_at_least_two_methods(frames: Frames, domains: Domains) -> None:
    users = domains["airline"].records("users")
    kinds = Counter(
        users[candidate.key["user_id"]]["payment_methods"][candidate.key["payment_id"]]["source"]
        for candidate in frames["PaySource"]
    )
    assert kinds == {"credit_card": 45, "gift_card": 41, "certificate": 34}
    assert all(len(users[candidate.cluster]["payment_methods"]) >= 2 for candidate in frames["PaySource"])


def test_what_becomes_of_the_order_lines(frames: Frames, domains: Domains) -> None:
    operator, retail = OPERATORS["ItemOption"], domains["retail"]
    outcomes = Counter(type(operator.case(candidate, retail)) for candidate in frames["ItemOption"])
    assert outcomes == {Case: 125, NotTaskRelevant: 76, InvalidContract: 2}


def test_lines_that_share_an_item_id_have_no_valid_contract(frames: Frames, domains: Domains) -> None:
    operator, retail = OPERATORS["ItemOption"], domains["retail"]
    orders = retail.records("orders")
    for candidate in frames["ItemOption"]:
        items = [item["item_id"] for item in orders[candidate.key["order_id"]]["items"]]
        shared = items.count(items[candidate.key["line"]]) > 1
        case = operator.case(candidate, retail)
        assert isinstance(case, InvalidContract) == shared
        assert not isinstance(case, InvalidContract) or "share the item id" in case.reason


def test_target_value_controls_are_those_whose_injected_value_the_task_wants(
    all_cases: Cases, domains: Domains
) -> None:
    products = domains["retail"].records("products")
    flagged = Counter(case.control for case in all_cases["ItemOption"])
    assert flagged == {ValueControl.ORDINARY: 108, ValueControl.TARGET_VALUE: 17}
    for case in all_cases["ItemOption"]:
        locator = case.contract.target.locator
        variants = products[locator["product_id"]]["variants"]
        wanted = {
            variants[new]["options"].get(locator["option"])
            for action in case.task.actions
            for old, new in zip(
                action.arguments.get("item_ids", ()), action.arguments.get("new_item_ids", ()), strict=False
            )
            if old == locator["item_id"]
        }
        assert (case.control is ValueControl.TARGET_VALUE) == (case.contract.injected.canonical in wanted)


def test_literal_lines_are_those_whose_task_names_the_option_or_its_value(all_cases: Cases) -> None:
    flagged = Counter(case.literalness for case in all_cases["ItemOption"])
    assert flagged == {Literalness.LITERAL: 76, Literalness.NOT_LITERAL: 49}
    for case in all_cases["ItemOption"]:
        scenario = case.task.scenario
        told = " ".join(
            (scenario.reason_for_call, scenario.known_info, scenario.unknown_info, scenario.task_instructions)
        ).lower()
        named = (case.contract.target.locator["option"], case.contract.authoritative.canonical)
        if case.literalness is Literalness.LITERAL:
            assert any(word.lower() in told for word in named)


@pytest.mark.parametrize("operator", ["ReturnDate", "PaySource", "WriteEffect"])
def test_derived_tasks_earn_full_reward_by_their_own_reference_actions(
    all_cases: Cases, domains: Domains, operator: str
) -> None:
    airline = domains["airline"]
    for case in all_cases[operator][::5]:
        state = airline.fresh()
        for action in case.task.actions:
            assert not state.call(action.tool, action.arguments).error
        score = airline.score(case.task, state, case.task.communicate)
        assert score.solved
        if case.task.communicate:
            assert not airline.score(case.task, state, ("nothing of that kind",)).solved
