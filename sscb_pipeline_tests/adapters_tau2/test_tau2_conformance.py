"""The conformance suite on τ²'s airline and retail."""

from __future__ import annotations

import pytest

from sscb_pipeline.adapters.tau2.substrate import load
from sscb_pipeline.environments.port import Substrate, Task
from sscb_pipeline_tests.environments.conformance import Sample, SubstrateConformance


def first_writing_task(substrate: Substrate) -> Task:
    """The first native task whose reference actions leave another state than they found."""
    for task in substrate.tasks():
        state = substrate.fresh()
        for action in task.actions:
            state.call(action.tool, action.arguments)
        if state.digest() != substrate.fresh().digest():
            return task
    raise AssertionError("no native task writes")


class TestAirline(SubstrateConformance):
    @pytest.fixture
    def sample(self) -> Sample:
        substrate = load("airline")
        return Sample(
            substrate=substrate,
            read=("get_reservation_details", {"reservation_id": "4WQ150"}),
            write=(
                "update_reservation_passengers",
                {
                    "reservation_id": "4WQ150",
                    "passengers": [
                        {"first_name": "Ada", "last_name": f"Number {position}", "dob": "1990-01-01"}
                        for position in range(3)
                    ],
                },
            ),
            other_write=("send_certificate", {"user_id": "mia_li_3668", "amount": 77}),
            failing=("cancel_reservation", {"reservation_id": "NOSUCH"}),
            record=("reservations", "4WQ150"),
            task=first_writing_task(substrate),
        )


class TestRetail(SubstrateConformance):
    @pytest.fixture
    def sample(self) -> Sample:
        substrate = load("retail")
        address = {"address1": "1 Way", "address2": "", "city": "Here", "state": "TX", "country": "USA", "zip": "70000"}
        users = iter(substrate.records("users"))
        first, second = next(users), next(users)
        return Sample(
            substrate=substrate,
            read=("get_user_details", {"user_id": first}),
            write=("modify_user_address", {"user_id": first, **address}),
            other_write=("modify_user_address", {"user_id": second, **address}),
            failing=("cancel_pending_order", {"order_id": "#W0", "reason": "no longer needed"}),
            record=("users", first),
            task=first_writing_task(substrate),
        )
