"""When counter-evidence of WriteEffect is complete: reads after the attempt, leaks, foreign writes, balances."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from sscb_pipeline.environments.port import Substrate
from sscb_pipeline.faults.flight_request import CHANGE, READ
from sscb_pipeline.faults.operator import Case, EvidenceArrived, EvidenceStep
from sscb_pipeline.faults.suppression import STATUS_TEXT
from sscb_pipeline.measured import Undeterminable
from sscb_pipeline_tests.faults.conftest import Cases, Domains
from sscb_pipeline_tests.faults.rebooked import (
    FORMS,
    NATIVE,
    STATUS,
    in_form,
    paid_by_gift_card,
    request_of,
    reservation_of,
    searches,
    shows_record,
    with_foreign_request,
)
from sscb_pipeline_tests.faults.scene import Scene

form = pytest.mark.parametrize("form", FORMS)


@form
@pytest.mark.parametrize("channel", ["read", "baggage", "passengers", "cancel"])
def test_every_record_after_the_attempt_is_evidence_at_its_own_step(
    all_cases: Cases, domains: Domains, form: str, channel: str
) -> None:
    airline = domains["airline"]
    for case in (in_form(case, form) for case in all_cases["WriteEffect"][::15]):
        scene = Scene(FORMS[form], case, airline)
        scene.call(READ, reservation_id=reservation_of(case))
        scene.call(CHANGE, **request_of(case))
        scene.call("list_all_airports")
        tool, arguments = shows_record(case, airline)[channel]
        assert not scene.call_with(tool, arguments).outcome.error
        expected = EvidenceStep(step=scene.last, part="reservation after the attempt")
        scene.call(READ, reservation_id=reservation_of(case))
        assert scene.evidence() == EvidenceArrived(steps=(expected,))


@form
def test_a_read_before_the_attempt_does_not_count(all_cases: Cases, domains: Domains, form: str) -> None:
    case = in_form(all_cases["WriteEffect"][0], form)
    scene = Scene(FORMS[form], case, domains["airline"])
    scene.call(READ, reservation_id=reservation_of(case))
    assert scene.arrival() == "Never"
    scene.call(CHANGE, **request_of(case))
    assert scene.arrival() == "Never"


@form
def test_another_reservation_does_not_count(all_cases: Cases, domains: Domains, form: str) -> None:
    cases = all_cases["WriteEffect"]
    case = in_form(cases[0], form)
    other = next(other for other in cases if reservation_of(other) != reservation_of(case))
    scene = Scene(FORMS[form], case, domains["airline"])
    scene.call(CHANGE, **request_of(case))
    scene.call(READ, reservation_id=reservation_of(other))
    scene.call("get_user_details", user_id=case.contract.target.owner)
    scene.call(CHANGE, **request_of(other))
    assert scene.arrival() == "Never"
    scene.call(READ, reservation_id=reservation_of(case))
    assert scene.arrival() == scene.last


@form
def test_after_a_foreign_write_a_read_speaks_of_another_request(all_cases: Cases, domains: Domains, form: str) -> None:
    airline = domains["airline"]
    case, foreign = with_foreign_request([in_form(case, form) for case in all_cases["WriteEffect"]], airline)
    scene = Scene(FORMS[form], case, airline)
    scene.call(CHANGE, **request_of(case))
    scene.call(CHANGE, **foreign)
    scene.call(READ, reservation_id=reservation_of(case))
    assert scene.arrival() == "Never"
    scene.call(CHANGE, **request_of(case))
    scene.call(READ, reservation_id=reservation_of(case))
    assert scene.arrival() == "Never", "the same request was really executed this time"


@form
def test_a_foreign_write_after_the_read_changes_nothing(all_cases: Cases, domains: Domains, form: str) -> None:
    airline = domains["airline"]
    case, foreign = with_foreign_request([in_form(case, form) for case in all_cases["WriteEffect"]], airline)
    scene = Scene(FORMS[form], case, airline)
    scene.call(CHANGE, **request_of(case))
    scene.call(READ, reservation_id=reservation_of(case))
    arrived = scene.last
    scene.call(CHANGE, **foreign)
    assert scene.arrival() == arrived


@form
def test_a_refused_foreign_write_leaves_the_scope(all_cases: Cases, domains: Domains, form: str) -> None:
    case = in_form(all_cases["WriteEffect"][0], form)
    scene = Scene(FORMS[form], case, domains["airline"])
    scene.call(CHANGE, **request_of(case))
    refused = scene.call(CHANGE, **{**request_of(case), "payment_id": "none"})
    assert refused.outcome.error
    scene.call(READ, reservation_id=reservation_of(case))
    assert scene.arrival() == scene.last


@form
def test_a_request_that_is_suppressed_again_after_a_change_back_is_refuted_by_the_next_read(
    all_cases: Cases, domains: Domains, form: str
) -> None:
    """Changing to what is stored moves nothing, so that the request made once more is suppressed once more."""
    airline = domains["airline"]
    case = in_form(all_cases["WriteEffect"][0], form)
    record = airline.records("reservations")[reservation_of(case)]
    back = {
        **request_of(case),
        "flights": [{"flight_number": one["flight_number"], "date": one["date"]} for one in record["flights"]],
    }
    scene = Scene(FORMS[form], case, airline)
    scene.call(CHANGE, **request_of(case))
    assert not scene.call(CHANGE, **back).changes
    scene.call(READ, reservation_id=reservation_of(case))
    assert scene.arrival() == "Never", "the record shows what was asked for last"
    assert scene.call(CHANGE, **request_of(case)).changes
    scene.call(READ, reservation_id=reservation_of(case))
    assert scene.arrival() == scene.last


@form
def test_an_attempt_the_tool_refuses_is_no_attempt(all_cases: Cases, domains: Domains, form: str) -> None:
    case = in_form(all_cases["WriteEffect"][0], form)
    scene = Scene(FORMS[form], case, domains["airline"])
    scene.observe(CHANGE, request_of(case), "Error: Not enough seats on flight HAT001")
    scene.call(READ, reservation_id=reservation_of(case))
    assert scene.arrival() == "Never"


# --- the gift-card balance -------------------------------------------------------------------------------------------


def _paid(all_cases: Cases, airline: Substrate, form: str) -> tuple[Case, Scene]:
    case = in_form(paid_by_gift_card(all_cases["WriteEffect"], airline), form)
    return case, Scene(FORMS[form], case, airline)


def _profile(scene: Scene) -> int:
    scene.call("get_user_details", user_id=scene.contract.target.owner)
    return scene.last


@form
def test_a_balance_that_had_to_move_and_did_not_is_evidence(all_cases: Cases, domains: Domains, form: str) -> None:
    airline = domains["airline"]
    case, scene = _paid(all_cases, airline, form)
    before = _profile(scene)
    scene.call(READ, reservation_id=reservation_of(case))
    for tool, arguments in searches(case, airline):
        scene.call_with(tool, arguments)
    scene.call(CHANGE, **request_of(case))
    assert scene.arrival() == "Never"
    after = _profile(scene)
    assert scene.evidence() == EvidenceArrived(
        steps=(
            EvidenceStep(step=before, part="gift-card balance before the attempt"),
            EvidenceStep(step=after, part="gift-card balance after the attempt"),
        )
    )


@form
def test_without_a_balance_seen_before_there_is_nothing_to_compare(
    all_cases: Cases, domains: Domains, form: str
) -> None:
    case, scene = _paid(all_cases, domains["airline"], form)
    scene.call(READ, reservation_id=reservation_of(case))
    scene.call(CHANGE, **request_of(case))
    _profile(scene)
    assert scene.arrival() == "Never"


def test_where_the_fares_are_not_visible_the_balance_cannot_be_settled(all_cases: Cases, domains: Domains) -> None:
    case, scene = _paid(all_cases, domains["airline"], "status")
    _profile(scene)
    scene.call(READ, reservation_id=reservation_of(case))
    scene.call(CHANGE, **request_of(case))
    _profile(scene)
    assert isinstance(scene.evidence(), Undeterminable)


def test_the_native_acknowledgement_shows_the_new_fares_itself(all_cases: Cases, domains: Domains) -> None:
    case, scene = _paid(all_cases, domains["airline"], "native")
    _profile(scene)
    scene.call(READ, reservation_id=reservation_of(case))
    scene.call(CHANGE, **request_of(case))
    after = _profile(scene)
    assert scene.arrival() == after


@form
def test_a_repeated_attempt_is_no_other_payment(all_cases: Cases, domains: Domains, form: str) -> None:
    airline = domains["airline"]
    case, scene = _paid(all_cases, airline, form)
    _profile(scene)
    scene.call(READ, reservation_id=reservation_of(case))
    for tool, arguments in searches(case, airline):
        scene.call_with(tool, arguments)
    scene.call(CHANGE, **request_of(case))
    scene.call(CHANGE, **request_of(case))
    assert scene.arrival() == "Never"
    after = _profile(scene)
    assert scene.arrival() == after


@form
def test_another_payment_with_the_card_in_between_leaves_the_balance_open(
    all_cases: Cases, domains: Domains, form: str
) -> None:
    airline = domains["airline"]
    case, scene = _paid(all_cases, airline, form)
    _profile(scene)
    scene.call(READ, reservation_id=reservation_of(case))
    scene.call(CHANGE, **request_of(case))
    elsewhere = next(
        name
        for name in airline.records("users")[case.contract.target.owner]["reservations"]
        if name != reservation_of(case)
    )
    bags = airline.records("reservations")[elsewhere]
    scene.call(
        "update_reservation_baggages",
        reservation_id=elsewhere,
        total_baggages=bags["total_baggages"],
        nonfree_baggages=bags["nonfree_baggages"],
        payment_id=request_of(case)["payment_id"],
    )
    _profile(scene)
    assert scene.arrival() == "Never"


@pytest.mark.parametrize("booked_with", ["the same card", "another method"])
def test_a_change_without_a_price_difference_moves_no_balance(
    all_cases: Cases, domains: Domains, booked_with: str
) -> None:
    """The acknowledgement then ends with the payment of the booking, which is no payment for the change."""
    airline = domains["airline"]
    case = in_form(paid_by_gift_card(all_cases["WriteEffect"], airline), "native")
    payment_id = request_of(case)["payment_id"]
    scene = Scene(NATIVE, case, airline)
    record = _same_fares(dict(airline.records("reservations")[reservation_of(case)]), case)
    booking = payment_id if booked_with == "the same card" else "credit_card_1"
    history = [{"payment_id": booking, "amount": 400}]
    _profile(scene)
    scene.observe(READ, {"reservation_id": reservation_of(case)}, json.dumps({**record, "payment_history": history}))
    acknowledged = {**record, "flights": _moved(record, case), "payment_history": history}
    scene.observe(CHANGE, request_of(case), json.dumps(acknowledged))
    _profile(scene)
    assert scene.arrival() == "Never"


def _same_fares(record: dict[str, Any], case: Case) -> dict[str, Any]:
    return {**record, "flights": [{**segment, "price": 100} for segment in record["flights"]]}


def _moved(record: dict[str, Any], case: Case) -> list[dict[str, Any]]:
    return [
        {**segment, "flight_number": new["flight_number"], "date": new["date"]}
        for segment, new in zip(record["flights"], request_of(case)["flights"], strict=True)
    ]


def test_a_credit_card_has_no_balance(all_cases: Cases, domains: Domains) -> None:
    case = next(case for case in all_cases["WriteEffect"] if "credit_card" in request_of(case)["payment_id"])
    scene = Scene(STATUS, case, domains["airline"])
    _profile(scene)
    scene.call(READ, reservation_id=reservation_of(case))
    scene.call(CHANGE, **request_of(case))
    _profile(scene)
    assert scene.arrival() == "Never"


def test_the_status_text_alone_bears_the_fault_in_status_form(all_cases: Cases, domains: Domains) -> None:
    case = all_cases["WriteEffect"][0]
    contract = case.contract
    done = domains["airline"].fresh().call(CHANGE, request_of(case)).content
    kept = domains["airline"].fresh().call(READ, {"reservation_id": reservation_of(case)}).content
    assert STATUS.carries_fault(contract, CHANGE, STATUS_TEXT)
    assert NATIVE.carries_fault(contract, CHANGE, done)
    assert not NATIVE.carries_fault(contract, CHANGE, kept)
    assert not STATUS.carries_fault(contract, READ, done)
    assert not STATUS.carries_fault(contract, CHANGE, "Error: Flight HAT001 not found")


def test_a_request_that_changes_nothing_the_tool_stores_has_no_valid_contract(
    all_cases: Cases, domains: Domains
) -> None:
    case = all_cases["WriteEffect"][0]
    assert case.contract.parameters["shown_fields"] == ["flights"]
    both = replace(case.contract, parameters={**case.contract.parameters, "shown_fields": ["cabin"]})
    kept = domains["airline"].fresh().call(READ, {"reservation_id": reservation_of(case)}).content
    assert NATIVE.carries_fault(both, CHANGE, kept), "judged by the cabin alone, the old record shows the request"
