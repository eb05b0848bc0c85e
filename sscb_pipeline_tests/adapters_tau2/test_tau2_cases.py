"""Adversarial cases on environments, and traps of the first τ-bench, as τ² answers them."""

from __future__ import annotations

import warnings

import pytest

from sscb_pipeline.adapters.tau2.substrate import load
from sscb_pipeline.environments.port import Outcome
from sscb_pipeline.environments.probe import effect_on
from sscb_pipeline.environments.replay import RecordedCall, ReplayMismatchError, replay
from sscb_pipeline_tests.adapters_tau2.calls import sequence

RESERVATION = "4WQ150"


def same_flights() -> list[dict[str, str]]:
    legs = load("airline").records("reservations")[RESERVATION]["flights"]
    return [{"flight_number": leg["flight_number"], "date": leg["date"]} for leg in legs]


class TestC65CabinThatIsNeverStored:
    def test_tau2_stores_the_cabin(self) -> None:
        """τ-bench v1 does not, so there a cabin-only update is no candidate; here the probe shows that it is one."""
        state = load("airline").fresh()
        effect = effect_on(
            state,
            "update_reservation_flights",
            {
                "reservation_id": RESERVATION,
                "cabin": "basic_economy",
                "flights": same_flights(),
                "payment_id": "gift_card_3576581",
            },
            kind="reservations",
            identifier=RESERVATION,
        )
        assert not effect.outcome.error
        assert effect.changed == {"cabin", "flights", "payment_history"}

    def test_an_identical_resubmission_changes_nothing(self) -> None:
        state = load("airline").fresh()
        effect = effect_on(
            state,
            "update_reservation_flights",
            {
                "reservation_id": RESERVATION,
                "cabin": "business",
                "flights": same_flights(),
                "payment_id": "gift_card_3576581",
            },
            kind="reservations",
            identifier=RESERVATION,
        )
        assert not effect.outcome.error
        assert effect.changed == frozenset()


@pytest.mark.parametrize("domain", ["airline", "retail"])
class TestC67AnswerByTheClock:
    def test_any_sequence_replays_to_the_same_answers(self, domain: str) -> None:
        substrate = load(domain)
        first = substrate.fresh()
        calls = [
            RecordedCall(tool=tool, arguments=arguments, outcome=first.call(tool, arguments))
            for tool, arguments in sequence(substrate, 60, "replay")
        ]
        second = substrate.fresh()
        replay(second, calls)
        assert first.digest() == second.digest()

    def test_a_difference_names_the_field(self, domain: str) -> None:
        user = next(iter(load(domain).records("users")))
        arguments = {"user_id": user}
        content = load(domain).fresh().call("get_user_details", arguments).content
        doctored = Outcome(content=content.replace('"country": "USA"', '"country": "UTOPIA"'), error=False)
        assert doctored.content != content
        with pytest.raises(ReplayMismatchError, match=r"call 0 \(get_user_details\), field content.address.country"):
            replay(
                load(domain).fresh(),
                [RecordedCall(tool="get_user_details", arguments=arguments, outcome=doctored)],
            )


def test_c67_the_clock_of_bookings_is_frozen() -> None:
    substrate = load("airline")
    user = "mia_li_3668"
    state = substrate.fresh()
    state.call("send_certificate", {"user_id": user, "amount": 5000})
    flights = [("HAT001", "2024-05-20")]
    price = substrate.records("flights")["HAT001"]["dates"]["2024-05-20"]["prices"]["economy"]
    outcome = state.call(
        "book_reservation",
        {
            "user_id": user,
            "origin": "PHL",
            "destination": "LGA",
            "flight_type": "one_way",
            "cabin": "economy",
            "flights": [{"flight_number": number, "date": date} for number, date in flights],
            "passengers": [{"first_name": "Mia", "last_name": "Li", "dob": "1990-04-05"}],
            "payment_methods": [{"payment_id": "certificate_3221322", "amount": price}],
            "total_baggages": 0,
            "nonfree_baggages": 0,
            "insurance": "no",
        },
    )
    assert not outcome.error, outcome.content
    assert state.record("reservations", "HATHAT")["created_at"] == "2024-05-15T15:00:00"
    assert "certificate_3221322" not in state.record("users", user)["payment_methods"]


@pytest.mark.parametrize("domain", ["airline", "retail"])
def test_c69_reads_leave_the_graded_state_alone(domain: str) -> None:
    substrate = load(domain)
    state = substrate.fresh()
    answered = set()
    for tool, arguments in sequence(substrate, 300, "reads"):
        if tool not in substrate.writes() and not state.call(tool, arguments).error:
            answered.add(tool)
    assert answered == {tool.name for tool in substrate.tools()} - substrate.writes()
    assert state.digest() == substrate.fresh().digest()
    assert substrate.score(substrate.tasks()[0], state, []) == substrate.score(
        substrate.tasks()[0], substrate.fresh(), []
    )


def test_modified_items_do_not_alias_the_catalogue_of_another_state() -> None:
    """A modified line takes over the variant's own option dict; neither base nor fork may notice what follows."""
    substrate = load("retail")
    order = next(
        order
        for order in substrate.records("orders").values()
        if order["status"] == "pending" and len(order["items"]) == 1
    )
    line = order["items"][0]
    variants = substrate.records("products")[line["product_id"]]["variants"]
    new = next(name for name, variant in variants.items() if variant["available"] and name != line["item_id"])
    cards = {
        name: method
        for name, method in substrate.records("users")[order["user_id"]]["payment_methods"].items()
        if method["source"] != "gift_card"
    }
    arguments = {
        "order_id": order["order_id"],
        "item_ids": [line["item_id"]],
        "new_item_ids": [new],
        "payment_method_id": next(iter(cards)),
    }
    state = substrate.fresh()
    outcome = state.call("modify_pending_order_items", arguments)
    assert not outcome.error, outcome.content
    fork = state.fork()
    assert fork.record("orders", order["order_id"])["items"][0]["options"] == variants[new]["options"]
    assert fork.digest() == state.digest()
    assert substrate.fresh().record("orders", order["order_id"])["items"][0]["item_id"] == line["item_id"]


def test_observations_do_not_depend_on_the_warning_filter() -> None:
    """Odd expressions make the compiler warn, ill-typed records the serialiser; as errors both would change answers."""
    calls = [
        ("calculate", {"expression": "1(2)"}),
        ("update_reservation_flights", {**ODD_CABIN, "cabin": ["none"]}),
        ("get_reservation_details", {"reservation_id": RESERVATION}),
    ]
    answers = []
    for action in ("error", "ignore"):
        state = load("airline").fresh()
        with warnings.catch_warnings(action=action):
            answers.append([state.call(tool, arguments) for tool, arguments in calls] + [state.digest()])
    assert answers[0] == answers[1]
    assert answers[0][1] == answers[0][2]
    assert '"cabin": ["none"]' in answers[0][2].content


def test_an_argument_a_tool_keeps_is_not_the_callers_object() -> None:
    cabin = ["none"]
    state = load("airline").fresh()
    assert not state.call("update_reservation_flights", {**ODD_CABIN, "cabin": cabin}).error
    digest = state.digest()
    cabin.append("changed by the caller")
    assert state.record("reservations", RESERVATION)["cabin"] == ["none"]
    assert state.digest() == digest


ODD_CABIN = {"reservation_id": RESERVATION, "flights": [], "payment_id": "gift_card_3576581"}
