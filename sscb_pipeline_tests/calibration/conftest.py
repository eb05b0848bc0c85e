"""The real τ² domains, loaded once, and some admitted cases of each operator, spread over its frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from sscb_pipeline.adapters.tau2.substrate import load
from sscb_pipeline.environments.port import Substrate
from sscb_pipeline.faults.operator import Case
from sscb_pipeline.faults.operators.registry import OPERATORS

CASES_EACH = 6
TWICE_EACH = 3


@pytest.fixture(scope="session")
def substrates() -> Mapping[str, Substrate]:
    return {name: load(name) for name in ("airline", "retail")}


@pytest.fixture(scope="session")
def cases(substrates: Mapping[str, Substrate]) -> Mapping[str, Sequence[Case]]:
    """Some cases per operator; for ItemOption also some whose value another line of the order shows as well, since
    only there an agent can speak of the value without anybody knowing which line it means."""
    chosen: dict[str, Sequence[Case]] = {}
    for name, operator in OPERATORS.items():
        substrate = substrates[operator.domain]
        found = [
            case for key in operator.candidates(substrate) if isinstance(case := operator.case(key, substrate), Case)
        ]
        twice = [case for case in found if name == "ItemOption" and _shown_twice(case, substrate)]
        chosen[name] = [*_spread(found, CASES_EACH), *_spread(twice, TWICE_EACH)]
    return chosen


def _spread(found: Sequence[Case], number: int) -> Sequence[Case]:
    return found[:: max(1, len(found) // number)][:number]


def _shown_twice(case: Case, substrate: Substrate) -> bool:
    """Whether another line of the order has the injected value of that option."""
    locator, injected = case.contract.target.locator, case.contract.injected.canonical
    lines = substrate.records("orders")[locator["order_id"]]["items"]
    return any(
        line["options"].get(locator["option"]) == injected for line in lines if line["item_id"] != locator["item_id"]
    )
