"""ReturnDate, PaySource and ItemOption rewrite one field in every return of one tool, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from sscb_pipeline.environments.port import Substrate
from sscb_pipeline.faults.intervention import Condition, Role
from sscb_pipeline.faults.observation import UnfaithfulRewriteError, rewrite
from sscb_pipeline.faults.operator import Case
from sscb_pipeline.faults.operators.registry import OPERATORS
from sscb_pipeline_tests.faults.conftest import Cases, Domains
from sscb_pipeline_tests.faults.scene import Scene

Call = tuple[str, Mapping[str, Any]]


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How the tests read the target, what must change in it, and calls that must not be touched."""

    read: Callable[[Case], Call]
    falsified: Callable[[Case, dict[str, Any]], None]
    others: Callable[[Case], tuple[Call, ...]]


def _dates(case: Case, record: dict[str, Any]) -> None:
    for segment, day in zip(
        record["flights"][case.contract.target.locator["return_start"] :],
        case.contract.injected.data["dates"],
        strict=True,
    ):
        segment["date"] = day


def _source(case: Case, record: dict[str, Any]) -> None:
    record["payment_methods"][case.contract.target.identifier]["source"] = case.contract.injected.canonical


def _option(case: Case, record: dict[str, Any]) -> None:
    locator = case.contract.target.locator
    record["items"][locator["line"]]["options"][locator["option"]] = case.contract.injected.canonical


READINGS = {
    "ReturnDate": Reading(
        read=lambda case: ("get_reservation_details", {"reservation_id": case.contract.target.identifier}),
        falsified=_dates,
        others=lambda case: (
            ("get_user_details", {"user_id": case.contract.target.owner}),
            ("update_reservation_baggages", _baggages(case.contract.target.identifier, "no such method")),
            ("get_reservation_details", {"reservation_id": "NOSUCH"}),
            ("get_reservation_details", {"reservation_id": "4WQ150"}),
        ),
    ),
    "PaySource": Reading(
        read=lambda case: ("get_user_details", {"user_id": case.contract.target.owner}),
        falsified=_source,
        others=lambda case: (
            ("get_user_details", {"user_id": "no such user"}),
            ("get_user_details", {"user_id": "sofia_kim_7287"}),
            ("list_all_airports", {}),
        ),
    ),
    "ItemOption": Reading(
        read=lambda case: ("get_order_details", {"order_id": case.contract.target.locator["order_id"]}),
        falsified=_option,
        others=lambda case: (
            ("get_order_details", {"order_id": "#W0000000"}),
            ("get_order_details", {"order_id": "#W2611340"}),
            ("get_product_details", {"product_id": case.contract.target.locator["product_id"]}),
            ("get_user_details", {"user_id": case.contract.target.owner}),
        ),
    ),
}


def _baggages(reservation_id: str, payment_id: str) -> Mapping[str, Any]:
    return {
        "reservation_id": reservation_id,
        "total_baggages": 1,
        "nonfree_baggages": 1,
        "payment_id": payment_id,
    }


@pytest.mark.parametrize("name", READINGS)
def test_every_return_of_the_named_tool_is_rewritten_in_one_field(
    all_cases: Cases, domains: Domains, name: str
) -> None:
    operator, reading = OPERATORS[name], READINGS[name]
    substrate = domains[operator.domain]
    for case in all_cases[name][::3]:
        tool, arguments = reading.read(case)
        native = substrate.fresh().call(tool, arguments).content
        expected = json.loads(native)
        reading.falsified(case, expected)
        scene = Scene(operator, case, substrate)
        for _ in range(3):
            delivered = scene.call_with(tool, arguments)
            assert delivered.native.content == native == json.dumps(json.loads(native))
            assert delivered.outcome.content == json.dumps(expected) != native
            assert delivered.changes and delivered.role is Role.FAULT and not delivered.outcome.error
            assert operator.carries_fault(case.contract, tool, delivered.outcome.content)
            assert not operator.carries_fault(case.contract, tool, native)
            assert not operator.carries_fault(case.contract, "another_tool", delivered.outcome.content)
        assert scene.state.digest() == substrate.fresh().digest()


@pytest.mark.parametrize("name", READINGS)
def test_changes_name_path_value_before_and_value_after(all_cases: Cases, domains: Domains, name: str) -> None:
    operator, reading = OPERATORS[name], READINGS[name]
    for case in all_cases[name][::9]:
        tool, arguments = reading.read(case)
        delivered = Scene(operator, case, domains[operator.domain]).call_with(tool, arguments)
        before, after = json.loads(delivered.native.content), json.loads(delivered.outcome.content)
        for change in delivered.changes:
            assert _at(before, change.path) == change.before != change.after == _at(after, change.path)


@pytest.mark.parametrize("name", READINGS)
def test_other_entities_other_tools_and_errors_are_delivered_as_they_are(
    all_cases: Cases, domains: Domains, name: str
) -> None:
    operator, reading = OPERATORS[name], READINGS[name]
    substrate = domains[operator.domain]
    errors = 0
    for case in all_cases[name][::9]:
        scene = Scene(operator, case, substrate)
        for tool, arguments in reading.others(case):
            if (tool, arguments) == reading.read(case):
                continue
            delivered = scene.call_with(tool, arguments)
            assert delivered.outcome == delivered.native == substrate.fresh().call(tool, arguments)
            assert delivered.changes == ()
            errors += delivered.outcome.error
    assert errors


@pytest.mark.parametrize("name", OPERATORS)
def test_a_clean_run_is_left_alone(all_cases: Cases, domains: Domains, name: str) -> None:
    operator, case = OPERATORS[name], all_cases[name][0]
    substrate = domains[operator.domain]
    scene = Scene(operator, case, substrate, Condition.CLEAN)
    for action in case.task.actions:
        delivered = scene.call(action.tool, **action.arguments)
        assert delivered.changes == () and delivered.outcome == delivered.native
        assert not delivered.outcome.error
    assert substrate.score(case.task, scene.state, case.task.communicate).solved


@pytest.mark.parametrize("name", OPERATORS)
def test_clean_and_fault_runs_show_the_same_interface(all_cases: Cases, domains: Domains, name: str) -> None:
    operator, case = OPERATORS[name], all_cases[name][0]
    tools = domains[operator.domain].tools()
    shown = {
        condition: operator.interface(case.contract, condition, tools)
        for condition in (Condition.CLEAN, Condition.BASELINE, Condition.CONSISTENT_SOURCE)
    }
    assert shown[Condition.CLEAN] == shown[Condition.BASELINE] == shown[Condition.CONSISTENT_SOURCE]
    assert [tool.name for tool in shown[Condition.CLEAN]] == [tool.name for tool in tools]


def test_dates_that_the_run_itself_changed_are_delivered_as_they_are(all_cases: Cases, domains: Domains) -> None:
    airline = domains["airline"]
    case, change = _moved_return(all_cases["ReturnDate"], airline)
    scene = Scene(OPERATORS["ReturnDate"], case, airline)
    read = {"reservation_id": case.contract.target.identifier}
    assert scene.call("get_reservation_details", **read).changes
    assert not scene.call("update_reservation_flights", **change).outcome.error
    later = scene.call("get_reservation_details", **read)
    assert not later.changes
    assert json.loads(later.outcome.content)["flights"][-1]["date"] == change["flights"][-1]["date"]


def test_a_cancelled_reservation_keeps_its_dates_and_the_fault(all_cases: Cases, domains: Domains) -> None:
    case = all_cases["ReturnDate"][0]
    scene = Scene(OPERATORS["ReturnDate"], case, domains["airline"])
    read = {"reservation_id": case.contract.target.identifier}
    assert not scene.call("cancel_reservation", **read).outcome.error
    assert scene.call("get_reservation_details", **read).changes


def test_text_that_a_rewrite_would_change_elsewhere_is_never_rewritten() -> None:
    with pytest.raises(UnfaithfulRewriteError, match=r"json\.dumps"):
        rewrite('{"a":1,"b": 2}', [(("a",), 3)], subject="spaced otherwise")
    assert rewrite('{"a": 1, "b": 2}', [(("a",), 1)], subject="same") == ('{"a": 1, "b": 2}', ())


def _at(value: Any, path: tuple[str | int, ...]) -> Any:
    for part in path:
        value = value[part]
    return value


def _moved_return(cases: Sequence[Case], airline: Substrate) -> tuple[Case, dict[str, Any]]:
    """A case whose last flight can be moved to another day, and the change that does it."""
    for case in cases:
        record = airline.records("reservations")[case.contract.target.identifier]
        methods = airline.records("users")[record["user_id"]]["payment_methods"]
        card = next((name for name, method in methods.items() if method["source"] == "credit_card"), "")
        kept = [{"flight_number": one["flight_number"], "date": one["date"]} for one in record["flights"]]
        for day in range(20, 31) if card else ():
            change = {
                "reservation_id": record["reservation_id"],
                "cabin": record["cabin"],
                "flights": [*kept[:-1], {**kept[-1], "date": f"2024-05-{day}"}],
                "payment_id": card,
            }
            outcome = airline.fresh().call("update_reservation_flights", change)
            if not outcome.error and change["flights"] != kept:
                return case, change
    raise LookupError("no return flight can be moved")
