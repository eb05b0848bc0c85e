"""When counter-evidence of the reading operators is complete; every known leak is played on the real tool."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from sscb_pipeline.environments.port import Substrate
from sscb_pipeline.faults.operator import Case, EvidenceArrived, EvidenceStep
from sscb_pipeline.faults.operators.registry import OPERATORS
from sscb_pipeline_tests.faults.conftest import Cases, Domains
from sscb_pipeline_tests.faults.scene import Scene

READ_RESERVATION, READ_USER, READ_ORDER = "get_reservation_details", "get_user_details", "get_order_details"


# --- ReturnDate ------------------------------------------------------------------------------------------------------


def test_the_outbound_leg_arrives_with_the_fault(all_cases: Cases, domains: Domains) -> None:
    for case in all_cases["ReturnDate"][::5]:
        scene = Scene(OPERATORS["ReturnDate"], case, domains["airline"])
        scene.call(READ_RESERVATION, reservation_id=case.contract.target.identifier)
        expected = EvidenceStep(step=scene.last, part="outbound segment of the round trip")
        assert scene.evidence() == EvidenceArrived(steps=(expected,))


def _reservation_writes(case: Case, airline: Substrate) -> dict[str, tuple[str, Mapping[str, Any]]]:
    record = airline.records("reservations")[case.contract.target.identifier]
    target = {"reservation_id": record["reservation_id"]}
    bags = {"total_baggages": record["total_baggages"], "nonfree_baggages": record["nonfree_baggages"]}
    payment_id = next(iter(airline.records("users")[record["user_id"]]["payment_methods"]))
    return {
        "baggage": ("update_reservation_baggages", {**target, **bags, "payment_id": payment_id}),
        "passengers": ("update_reservation_passengers", {**target, "passengers": record["passengers"]}),
        "cancel": ("cancel_reservation", target),
    }


@pytest.mark.parametrize("leak", ["baggage", "passengers", "cancel"])
def test_a_write_that_returns_the_reservation_is_evidence_at_its_own_step(
    all_cases: Cases, domains: Domains, leak: str
) -> None:
    played = 0
    for case in all_cases["ReturnDate"][::11]:
        scene = Scene(OPERATORS["ReturnDate"], case, domains["airline"])
        scene.call("list_all_airports")
        tool, arguments = _reservation_writes(case, domains["airline"])[leak]
        if scene.call_with(tool, arguments).outcome.error:
            continue  # a certificate cannot pay for baggage
        played += 1
        expected = EvidenceStep(step=scene.last, part="return date in the record")
        scene.call(READ_RESERVATION, reservation_id=case.contract.target.identifier)
        assert scene.evidence() == EvidenceArrived(steps=(expected,))
    assert played >= 3


def test_a_record_of_another_reservation_is_no_evidence(all_cases: Cases, domains: Domains) -> None:
    case = all_cases["ReturnDate"][0]
    scene = Scene(OPERATORS["ReturnDate"], case, domains["airline"])
    for other in all_cases["ReturnDate"][1:6]:
        if other.contract.target.identifier != case.contract.target.identifier:
            scene.call(READ_RESERVATION, reservation_id=other.contract.target.identifier)
    scene.call(READ_USER, user_id=case.contract.target.owner)
    scene.call(READ_RESERVATION, reservation_id="NOSUCH")
    assert scene.arrival() == "Never"


def test_a_fault_delivered_after_a_change_is_refuted_where_it_is_delivered(all_cases: Cases, domains: Domains) -> None:
    """The agent rebooks what the user dictates, return date kept, before it ever reads: v' is shown afterwards."""
    case = all_cases["ReturnDate"][0]
    scene = Scene(OPERATORS["ReturnDate"], case, domains["airline"])
    record = domains["airline"].records("reservations")[case.contract.target.identifier]
    kept = [{"flight_number": one["flight_number"], "date": one["date"]} for one in record["flights"]]
    card = next(
        name
        for name, method in domains["airline"].records("users")[record["user_id"]]["payment_methods"].items()
        if method["source"] != "certificate"
    )
    done = scene.call(
        "update_reservation_flights",
        reservation_id=record["reservation_id"],
        cabin=record["cabin"],
        flights=kept,
        payment_id=card,
    )
    assert not done.outcome.error
    assert scene.arrival() == "Never", "what a flight change returns is what its own arguments asked for"
    assert scene.call(READ_RESERVATION, reservation_id=record["reservation_id"]).changes
    assert scene.arrival() == scene.last


def test_a_return_date_that_the_run_itself_set_refutes_nothing(all_cases: Cases, domains: Domains) -> None:
    case = all_cases["ReturnDate"][0]
    scene = Scene(OPERATORS["ReturnDate"], case, domains["airline"])
    record = dict(domains["airline"].records("reservations")[case.contract.target.identifier])
    moved = [*record["flights"][:-1], {**record["flights"][-1], "date": "2024-05-30"}]
    changed = json.dumps({**record, "flights": moved})
    scene.observe("update_reservation_flights", {"reservation_id": record["reservation_id"]}, changed)
    scene.observe(READ_RESERVATION, {"reservation_id": record["reservation_id"]}, changed)
    assert scene.arrival() == "Never"


def test_a_refused_change_does_not_end_the_scope(all_cases: Cases, domains: Domains) -> None:
    case = all_cases["ReturnDate"][0]
    scene = Scene(OPERATORS["ReturnDate"], case, domains["airline"])
    target = case.contract.target.identifier
    refused = scene.call(
        "update_reservation_flights", reservation_id=target, cabin="economy", flights=[], payment_id="none"
    )
    assert refused.outcome.error
    scene.call(READ_RESERVATION, reservation_id=target)
    assert scene.arrival() == scene.last


# --- PaySource -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["credit_card", "gift_card", "certificate"])
def test_with_the_schema_the_profile_refutes_itself(all_cases: Cases, domains: Domains, kind: str) -> None:
    case = _paying(all_cases["PaySource"], kind)
    scene = Scene(OPERATORS["PaySource"], case, domains["airline"])
    scene.call("list_all_airports")
    scene.call(READ_USER, user_id=case.contract.target.owner)
    found = scene.evidence()
    assert isinstance(found, EvidenceArrived)
    assert [part.part for part in found.steps] == ["tool schema that ties ids to kinds", "payment id in the record"]
    assert scene.arrival() == scene.last


def test_without_the_schema_the_profile_refutes_nothing(all_cases: Cases, domains: Domains) -> None:
    for case in all_cases["PaySource"][::7]:
        scene = Scene(OPERATORS["PaySource"], case, domains["airline"])
        scene.call(READ_USER, user_id=case.contract.target.owner)
        assert scene.arrival(tools=()) == "Never"


def test_a_reservation_paid_with_the_method_shows_the_id_before_the_profile_is_read(
    all_cases: Cases, domains: Domains
) -> None:
    airline = domains["airline"]
    played = 0
    for case in all_cases["PaySource"]:
        payment_id = case.contract.target.identifier
        paid = next(
            (
                name
                for name in airline.records("users")[case.contract.target.owner]["reservations"]
                if payment_id in json.dumps(airline.records("reservations")[name]["payment_history"])
            ),
            "",
        )
        if not paid:
            continue
        played += 1
        scene = Scene(OPERATORS["PaySource"], case, airline)
        scene.call(READ_RESERVATION, reservation_id=paid)
        first = scene.last
        scene.call(READ_USER, user_id=case.contract.target.owner)
        assert scene.arrival() == first
        assert scene.arrival(tools=()) == "Never"
    assert played >= 10


def test_an_echo_of_the_id_in_an_error_is_no_record(all_cases: Cases, domains: Domains) -> None:
    case = _paying(all_cases["PaySource"], "credit_card")
    scene = Scene(OPERATORS["PaySource"], case, domains["airline"])
    payment_id = case.contract.target.identifier
    scene.observe("book_reservation", {}, f'Error: Not enough balance in payment method "{payment_id}"')
    assert scene.arrival() == "Never"


def test_the_real_kind_in_a_profile_refutes_by_itself(all_cases: Cases, domains: Domains) -> None:
    case = all_cases["PaySource"][0]
    scene = Scene(OPERATORS["PaySource"], case, domains["airline"])
    native = domains["airline"].fresh().call(READ_USER, {"user_id": case.contract.target.owner}).content
    step = scene.observe(READ_USER, {"user_id": case.contract.target.owner}, native)
    assert scene.arrival(tools=()) == step


ERRORS = {
    "certificate": "Error: Certificate cannot be used to update reservation",
    "gift_card": "Error: Gift card balance is not enough",
}


@pytest.mark.parametrize("kind", ERRORS)
def test_the_tools_own_error_rules_the_flipped_kind_out(all_cases: Cases, domains: Domains, kind: str) -> None:
    airline = domains["airline"]
    for case in [case for case in all_cases["PaySource"] if case.contract.authoritative.canonical == kind][::9]:
        scene = Scene(OPERATORS["PaySource"], case, airline)
        scene.call(READ_USER, user_id=case.contract.target.owner)
        delivered = _buy_baggage(scene, case, airline, case.contract.target.identifier)
        assert delivered == ERRORS[kind]
        expected = EvidenceStep(step=scene.last, part="tool error that rules the kind out")
        assert scene.evidence(tools=()) == EvidenceArrived(steps=(expected,))


@pytest.mark.parametrize("kind", ERRORS)
def test_the_same_error_about_another_method_rules_nothing_out(all_cases: Cases, domains: Domains, kind: str) -> None:
    airline = domains["airline"]
    case = next(
        case
        for case in all_cases["PaySource"]
        if case.contract.authoritative.canonical == kind and kind in case.contract.target.locator["others"].values()
    )
    other = next(name for name, known in case.contract.target.locator["others"].items() if known == kind)
    scene = Scene(OPERATORS["PaySource"], case, airline)
    assert _buy_baggage(scene, case, airline, other) == ERRORS[kind]
    assert scene.arrival(tools=()) == "Never"


def test_an_error_that_fits_the_injected_kind_rules_nothing_out(all_cases: Cases, domains: Domains) -> None:
    case = _paying(all_cases["PaySource"], "credit_card")
    scene = Scene(OPERATORS["PaySource"], case, domains["airline"])
    assert case.contract.injected.canonical == "gift_card"
    arguments = {"payment_id": case.contract.target.identifier}
    scene.observe("update_reservation_baggages", arguments, ERRORS["gift_card"])
    assert scene.arrival(tools=()) == "Never"


def _paying(cases: Sequence[Case], kind: str) -> Case:
    return next(case for case in cases if case.contract.authoritative.canonical == kind)


def _buy_baggage(scene: Scene, case: Case, airline: Substrate, payment_id: str) -> str:
    """Buy more baggage than any gift card covers, for a reservation of the user."""
    return scene.call(
        "update_reservation_baggages",
        reservation_id=airline.records("users")[case.contract.target.owner]["reservations"][0],
        total_baggages=1000,
        nonfree_baggages=1000,
        payment_id=payment_id,
    ).outcome.content


# --- ItemOption ------------------------------------------------------------------------------------------------------


def _look_up(scene: Scene) -> int:
    scene.call("get_product_details", product_id=scene.contract.target.locator["product_id"])
    return scene.last


def _read_order(scene: Scene) -> int:
    scene.call(READ_ORDER, order_id=scene.contract.target.locator["order_id"])
    return scene.last


def test_record_and_binding_complete_the_relation_whichever_comes_last(all_cases: Cases, domains: Domains) -> None:
    for case in all_cases["ItemOption"][::6]:
        for first, second in ((_read_order, _look_up), (_look_up, _read_order)):
            scene = Scene(OPERATORS["ItemOption"], case, domains["retail"])
            early = first(scene)
            assert scene.arrival() == "Never"
            late = second(scene)
            found = scene.evidence()
            assert isinstance(found, EvidenceArrived)
            assert [part.step for part in found.steps] == [early, late]
            assert {part.part for part in found.steps} == {
                "binding of the order line to its item id",
                "variant in the product record",
            }
            _look_up(scene)
            assert scene.arrival() == late


def test_another_product_and_another_order_complete_nothing(all_cases: Cases, domains: Domains) -> None:
    cases, retail = all_cases["ItemOption"], domains["retail"]
    case = cases[0]
    locator = case.contract.target.locator
    other = next(other for other in cases if other.contract.target.locator["product_id"] != locator["product_id"])
    elsewhere = next(
        order_id
        for order_id, order in retail.records("orders").items()
        if order_id != locator["order_id"] and locator["item_id"] in {item["item_id"] for item in order["items"]}
    )
    scene = Scene(OPERATORS["ItemOption"], case, retail)
    scene.call("get_product_details", product_id=other.contract.target.locator["product_id"])
    _read_order(scene)
    scene.call("list_all_product_types")
    scene.call(READ_USER, user_id=case.contract.target.owner)
    assert scene.arrival() == "Never"
    scene = Scene(OPERATORS["ItemOption"], case, retail)
    _look_up(scene)
    scene.call(READ_ORDER, order_id=elsewhere)
    assert scene.arrival() == "Never", "the same item in somebody else's order binds another line"


def _order_writes(case: Case, retail: Substrate) -> dict[str, tuple[str, Mapping[str, Any]]]:
    """Every tool that returns the whole order, with arguments for this one; the target line is left as it is."""
    locator = case.contract.target.locator
    order = retail.records("orders")[locator["order_id"]]
    user = retail.records("users")[order["user_id"]]
    target = {"order_id": order["order_id"]}
    address = {key: order["address"][key] for key in ("address1", "address2", "city", "state", "country", "zip")}
    spare = [item["item_id"] for item in order["items"] if item["item_id"] != locator["item_id"]][:1]
    swap: list[str] = []
    if spare:
        line = next(item for item in order["items"] if item["item_id"] == spare[0])
        variants = retail.records("products")[line["product_id"]]["variants"]
        swap = [name for name, variant in variants.items() if variant["available"] and name != spare[0]][:1]
    card = next((name for name, method in user["payment_methods"].items() if method["source"] != "gift_card"), "")
    paid = order["payment_history"][0]["payment_method_id"]
    spares = {"item_ids": spare, "new_item_ids": swap, "payment_method_id": card}
    return {
        "cancel": ("cancel_pending_order", {**target, "reason": "no longer needed"}),
        "address": ("modify_pending_order_address", {**target, **address}),
        "payment": ("modify_pending_order_payment", {**target, "payment_method_id": card}),
        "items": ("modify_pending_order_items", {**target, **spares}),
        "exchange": ("exchange_delivered_order_items", {**target, **spares}),
        "return": (
            "return_delivered_order_items",
            {**target, "item_ids": [locator["item_id"]], "payment_method_id": paid},
        ),
    }


@pytest.mark.parametrize("leak", ["cancel", "address", "payment", "items", "exchange", "return"])
def test_a_write_that_returns_the_order_is_evidence_at_its_own_step(
    all_cases: Cases, domains: Domains, leak: str
) -> None:
    retail = domains["retail"]
    played = 0
    for case in all_cases["ItemOption"]:
        scene = Scene(OPERATORS["ItemOption"], case, retail)
        _read_order(scene)
        tool, arguments = _order_writes(case, retail)[leak]
        if scene.call_with(tool, arguments).outcome.error:
            continue  # the order is in another status, or nothing of it can be swapped
        played += 1
        expected = EvidenceStep(step=scene.last, part="order line in the record")
        _look_up(scene)
        assert scene.evidence() == EvidenceArrived(steps=(expected,))
    assert played


def test_a_line_that_the_run_exchanged_for_another_item_no_longer_speaks_of_the_fact(
    all_cases: Cases, domains: Domains
) -> None:
    retail = domains["retail"]
    played = 0
    for case in all_cases["ItemOption"]:
        locator = case.contract.target.locator
        order = retail.records("orders")[locator["order_id"]]
        variants = retail.records("products")[locator["product_id"]]["variants"]
        other = next((n for n, v in variants.items() if v["available"] and n != locator["item_id"]), "")
        methods = retail.records("users")[order["user_id"]]["payment_methods"]
        card = next((name for name, method in methods.items() if method["source"] != "gift_card"), "")
        scene = Scene(OPERATORS["ItemOption"], case, retail)
        done = scene.call(
            "modify_pending_order_items",
            order_id=order["order_id"],
            item_ids=[locator["item_id"]],
            new_item_ids=[other],
            payment_method_id=card,
        )
        if done.outcome.error:
            continue
        played += 1
        after = scene.call(READ_ORDER, order_id=order["order_id"])
        assert not after.changes
        assert scene.arrival() == "Never"
    assert played
