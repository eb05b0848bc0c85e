"""WriteEffect's intervention: one logical request is suppressed and acknowledged, and nothing else is touched."""

from __future__ import annotations

import json

import pytest

from sscb_pipeline.environments.port import State
from sscb_pipeline.faults.flight_request import CHANGE, READ
from sscb_pipeline.faults.intervention import Condition, Role
from sscb_pipeline.faults.operator import Case
from sscb_pipeline.faults.operators.write_effect import COMMITMENT, READBACK_HINT
from sscb_pipeline.faults.suppression import STATUS_TEXT
from sscb_pipeline_tests.faults.conftest import Cases, Domains
from sscb_pipeline_tests.faults.rebooked import (
    FORMS,
    STATUS,
    as_booked,
    flights_in,
    in_form,
    paid_by_gift_card,
    request_of,
    reservation_of,
    shows_record,
    with_foreign_request,
)
from sscb_pipeline_tests.faults.scene import Scene

form = pytest.mark.parametrize("form", FORMS)


@form
def test_the_request_is_acknowledged_and_leaves_no_trace(all_cases: Cases, domains: Domains, form: str) -> None:
    airline = domains["airline"]
    for case in (in_form(case, form) for case in all_cases["WriteEffect"][::4]):
        scene = Scene(FORMS[form], case, airline)
        done = airline.fresh().call(CHANGE, request_of(case))
        delivered = scene.call(CHANGE, **request_of(case))
        assert delivered.role is Role.FAULT and delivered.changes and not delivered.outcome.error
        assert delivered.outcome.content == (STATUS_TEXT if form == "status" else done.content)
        assert delivered.native.content != delivered.outcome.content
        assert scene.state.digest() == airline.fresh().digest()
        assert FORMS[form].carries_fault(case.contract, CHANGE, delivered.outcome.content)


@form
def test_a_repeat_is_suppressed_again_with_the_same_acknowledgement(
    all_cases: Cases, domains: Domains, form: str
) -> None:
    case = in_form(all_cases["WriteEffect"][0], form)
    scene = Scene(FORMS[form], case, domains["airline"])
    told = [scene.call(CHANGE, **request_of(case)) for _ in range(3)]
    assert len({delivered.outcome for delivered in told}) == 1 and all(delivered.changes for delivered in told)
    assert scene.state.digest() == domains["airline"].fresh().digest()


def test_further_keys_do_not_make_another_request(all_cases: Cases, domains: Domains) -> None:
    case = all_cases["WriteEffect"][0]
    request = request_of(case)
    request["flights"] = [{**segment, "price": 1, "origin": "SFO"} for segment in request["flights"]]
    scene = Scene(STATUS, case, domains["airline"])
    delivered = scene.call(CHANGE, **request)
    assert delivered.changes and not delivered.outcome.error
    assert scene.state.digest() == domains["airline"].fresh().digest()


@form
@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"reservation_id": "NOSUCH"}, "not found"),
        ({"payment_id": "credit_card_0"}, "Payment method not found"),
        ({"flights": [{"flight_number": "HAT000", "date": "2024-05-20"}]}, "not found"),
        ({"flights": [{"flight_number": "HAT001", "date": "2031-01-01"}]}, "not found on date"),
        ({"cabin": "cockpit"}, "cockpit"),
        ({"flights": "tomorrow"}, ""),
    ],
)
def test_the_tools_own_validation_errors_are_no_fault(
    all_cases: Cases, domains: Domains, form: str, change: dict[str, object], error: str
) -> None:
    airline = domains["airline"]
    case = in_form(all_cases["WriteEffect"][0], form)
    wrong = {**request_of(case), **change}
    native = airline.fresh().call(CHANGE, wrong)
    delivered = Scene(FORMS[form], case, airline).call(CHANGE, **wrong)
    assert native.error and error in native.content
    assert delivered.outcome == native and not delivered.changes


def test_the_request_itself_fails_with_the_tools_error_where_the_money_is_gone(
    all_cases: Cases, domains: Domains
) -> None:
    airline = domains["airline"]
    case = paid_by_gift_card(all_cases["WriteEffect"], airline)
    scene = Scene(STATUS, case, airline)
    _spend(scene.state, case)
    spent = scene.state.digest()
    delivered = scene.call(CHANGE, **request_of(case))
    assert delivered.outcome.content == "Error: Gift card balance is not enough"
    assert delivered.outcome.error and not delivered.changes and scene.state.digest() == spent


@form
def test_a_request_for_what_is_already_so_is_no_fault(all_cases: Cases, domains: Domains, form: str) -> None:
    airline = domains["airline"]
    case = in_form(all_cases["WriteEffect"][0], form)
    scene = Scene(FORMS[form], case, airline)
    assert not scene.state.call(CHANGE, request_of(case)).error
    after = scene.state.digest()
    delivered = scene.call(CHANGE, **request_of(case))
    assert not delivered.changes and not delivered.outcome.error
    assert delivered.outcome.content == STATUS_TEXT or form == "native"
    assert scene.state.digest() == after != airline.fresh().digest()


@form
def test_another_request_is_executed(all_cases: Cases, domains: Domains, form: str) -> None:
    airline = domains["airline"]
    case, foreign = with_foreign_request([in_form(case, form) for case in all_cases["WriteEffect"]], airline)
    scene = Scene(FORMS[form], case, airline)
    delivered = scene.call(CHANGE, **foreign)
    expected = airline.fresh()
    expected.call(CHANGE, foreign)
    assert not delivered.changes and not delivered.outcome.error
    assert scene.state.digest() == expected.digest() != airline.fresh().digest()


@form
def test_a_foreign_write_ends_the_scope_so_that_the_same_request_is_executed(
    all_cases: Cases, domains: Domains, form: str
) -> None:
    airline = domains["airline"]
    case, foreign = with_foreign_request([in_form(case, form) for case in all_cases["WriteEffect"]], airline)
    scene = Scene(FORMS[form], case, airline)
    assert scene.call(CHANGE, **request_of(case)).changes
    assert not scene.call(CHANGE, **foreign).changes
    again = scene.call(CHANGE, **request_of(case))
    assert not again.changes and not again.outcome.error
    shown = scene.call(READ, reservation_id=reservation_of(case))
    assert flights_in(shown.outcome.content) == request_of(case)["flights"]


def test_a_write_that_changes_no_flight_leaves_the_scope(all_cases: Cases, domains: Domains) -> None:
    airline = domains["airline"]
    case = all_cases["WriteEffect"][0]
    scene = Scene(STATUS, case, airline)
    assert scene.call(CHANGE, **request_of(case)).changes
    tool, arguments = shows_record(case, airline)["passengers"]
    assert not scene.call_with(tool, arguments).changes
    assert scene.call(CHANGE, **request_of(case)).changes


def test_a_clean_run_acknowledges_in_the_same_form_and_does_the_change(all_cases: Cases, domains: Domains) -> None:
    airline = domains["airline"]
    for name, operator in FORMS.items():
        case = in_form(all_cases["WriteEffect"][0], name)
        scene = Scene(operator, case, airline, Condition.CLEAN)
        delivered = scene.call(CHANGE, **request_of(case))
        assert not delivered.changes
        assert (delivered.outcome.content == STATUS_TEXT) == (name == "status")
        shown = scene.call(READ, reservation_id=reservation_of(case))
        assert flights_in(shown.outcome.content) == request_of(case)["flights"]


def test_removing_the_hint_changes_the_description_of_one_tool_and_nothing_else(
    all_cases: Cases, domains: Domains
) -> None:
    tools = domains["airline"].tools()
    for name, operator in FORMS.items():
        contract = in_form(all_cases["WriteEffect"][0], name).contract
        hinted = operator.interface(contract, Condition.BASELINE, tools)
        bare = operator.interface(contract, Condition.NO_READBACK_HINT, tools)
        for native, with_hint, without in zip(tools, hinted, bare, strict=True):
            assert (native.name, native.parameters) == (with_hint.name, with_hint.parameters)
            assert (native.name, native.parameters) == (without.name, without.parameters)
            if native.name == CHANGE:
                assert with_hint.description == f"{without.description}\n{READBACK_HINT}"
                assert (COMMITMENT in without.description) == (name == "status")
                assert without.description.startswith(native.description)
            else:
                assert native == with_hint == without


def test_without_the_hint_the_same_calls_are_delivered(all_cases: Cases, domains: Domains) -> None:
    case = all_cases["WriteEffect"][0]
    scenes = [
        Scene(STATUS, case, domains["airline"], condition)
        for condition in (Condition.BASELINE, Condition.NO_READBACK_HINT)
    ]
    for tool, arguments in ((CHANGE, request_of(case)), (READ, {"reservation_id": reservation_of(case)})):
        baseline, without = (scene.call_with(tool, arguments) for scene in scenes)
        assert baseline == without


@form
@pytest.mark.parametrize("channel", ["read", "baggage", "passengers", "cancel"])
def test_a_consistent_source_shows_the_claimed_reservation_in_every_channel(
    all_cases: Cases, domains: Domains, form: str, channel: str
) -> None:
    airline = domains["airline"]
    for case in (in_form(case, form) for case in all_cases["WriteEffect"][::20]):
        scene = Scene(FORMS[form], case, airline, Condition.CONSISTENT_SOURCE)
        scene.call(CHANGE, **request_of(case))
        tool, arguments = shows_record(case, airline)[channel]
        delivered = scene.call_with(tool, arguments)
        assert delivered.role is Role.OVERLAY and delivered.changes
        assert flights_in(delivered.outcome.content) == request_of(case)["flights"]
        assert flights_in(delivered.native.content) == as_booked(case, airline)
        expected = airline.fresh()
        expected.call(tool, arguments)
        assert scene.state.digest() == expected.digest()
        assert scene.arrival() == "Never"


@form
def test_a_consistent_source_shows_the_claimed_balance(all_cases: Cases, domains: Domains, form: str) -> None:
    airline = domains["airline"]
    case = in_form(paid_by_gift_card(all_cases["WriteEffect"], airline), form)
    scene = Scene(FORMS[form], case, airline, Condition.CONSISTENT_SOURCE)
    owner, payment_id = case.contract.target.owner, request_of(case)["payment_id"]
    before = json.loads(scene.call("get_user_details", user_id=owner).outcome.content)
    scene.call(READ, reservation_id=reservation_of(case))
    scene.call(CHANGE, **request_of(case))
    delivered = scene.call("get_user_details", user_id=owner)
    after = json.loads(delivered.outcome.content)
    clean = airline.fresh()
    clean.call(CHANGE, request_of(case))
    assert after == clean.record("users", owner)
    assert after["payment_methods"][payment_id] != before["payment_methods"][payment_id]
    assert scene.state.record("users", owner) == airline.records("users")[owner]
    assert scene.arrival() == "Never"


def test_before_the_attempt_a_consistent_source_has_nothing_to_hide(all_cases: Cases, domains: Domains) -> None:
    case = all_cases["WriteEffect"][0]
    scene = Scene(STATUS, case, domains["airline"], Condition.CONSISTENT_SOURCE)
    delivered = scene.call(READ, reservation_id=reservation_of(case))
    assert not delivered.changes and flights_in(delivered.outcome.content) == as_booked(case, domains["airline"])


def _spend(state: State, case: Case) -> None:
    """Buy baggage at 50 a piece with the request's gift card until less than a piece is left."""
    record = state.record("reservations", reservation_of(case))
    method = state.record("users", case.contract.target.owner)["payment_methods"][request_of(case)["payment_id"]]
    pieces = record["nonfree_baggages"] + int(method["amount"] // 50)
    outcome = state.call(
        "update_reservation_baggages",
        {
            "reservation_id": reservation_of(case),
            "total_baggages": pieces,
            "nonfree_baggages": pieces,
            "payment_id": request_of(case)["payment_id"],
        },
    )
    assert not outcome.error
