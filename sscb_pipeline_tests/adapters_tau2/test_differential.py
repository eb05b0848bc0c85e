"""Random calls on copy-on-touch state against the package's own environment on full deep copies.

Observation text, error flag and final state must be identical, digests must be equal exactly where the package's own
hashes are, and the shared base must be what it was.
"""

from __future__ import annotations

import copy
import warnings
from collections import Counter
from functools import cache
from typing import Any

import pytest

from sscb_pipeline.adapters.tau2 import recorded
from sscb_pipeline.adapters.tau2.package import tau2_module
from sscb_pipeline.adapters.tau2.recorded import Domain
from sscb_pipeline.adapters.tau2.substrate import Tau2State, Tau2Substrate, load
from sscb_pipeline_tests.adapters_tau2.calls import Call, generator, sequence

LENGTH = 40


@cache
def reference_database(domain: str) -> Any:
    """The package's own database, parsed apart from ours; copied whole for every sequence."""
    model = {"airline": "FlightDB", "retail": "RetailDB"}[domain]
    path = recorded.package_root() / Domain(domain).file("db.json")
    return getattr(tau2_module(f"tau2.domains.{domain}.data_model"), model).load(path)


def reference_environment(domain: str) -> Any:
    return tau2_module(f"tau2.domains.{domain}.environment").get_environment(
        db=copy.deepcopy(reference_database(domain))
    )


def package_hash(tables: Any) -> str:
    """τ²'s own hash over plain tables."""
    found: str = tau2_module("tau2.utils").get_dict_hash(tables)
    return found


def tables_of(state: Tau2State) -> dict[str, Any]:
    """Everything our state holds, in order, as plain data."""
    return {kind: {key: part.shared.plain(row) for key, row in part.items()} for kind, part in state._parts.items()}


def base_hash(substrate: Tau2Substrate) -> str:
    base = substrate._machinery.base
    return package_hash(
        {kind: {key: shared.plain(row) for key, row in shared.records.items()} for kind, shared in base.items()}
    )


class Comparison:
    """Plays sequences on both sides and keeps count."""

    def __init__(self, domain: str) -> None:
        self.substrate = load(domain)
        self.outcomes: Counter[tuple[str, bool]] = Counter()
        self.hashes: dict[str, str] = {}
        self.digests: dict[str, str] = {}

    def play(self, number: int) -> None:
        """One sequence; now and then ours goes on in a fork while the state it came from is misused."""
        domain = self.substrate.domain
        rng = generator("forks", domain, number)
        call_of = tau2_module("tau2.data_model.message").ToolCall
        reference = reference_environment(domain)
        state = self.substrate.fresh()
        for position, (tool, arguments) in enumerate(sequence(self.substrate, LENGTH, "differential", number)):
            if rng.random() < 0.05:
                left, state = state, state.fork()
                for other_tool, other in sequence(self.substrate, 3, "misuse", number, position):
                    left.call(other_tool, other)
            self._compare(state, reference, call_of, (tool, arguments), f"sequence {number}, call {position}")
        assert isinstance(state, Tau2State)
        self._compare_final(state, reference, number)

    def _compare(self, state: Any, reference: Any, call_of: Any, call: Call, place: str) -> None:
        tool, arguments = call
        ours = state.call(tool, copy.deepcopy(arguments))
        with warnings.catch_warnings(action="ignore"):
            theirs = reference.get_response(call_of(name=tool, arguments=copy.deepcopy(arguments)))
        assert (ours.content, ours.error) == (theirs.content, theirs.error), f"{place}: {tool}({arguments})"
        self.outcomes[tool, ours.error] += 1

    def _compare_final(self, state: Tau2State, reference: Any, number: int) -> None:
        with warnings.catch_warnings(action="ignore"):
            theirs = reference.tools.db.model_dump()
            expected = reference.get_db_hash()
        ours = tables_of(state)
        assert ours == theirs, f"sequence {number}"
        assert [list(table) for table in ours.values()] == [list(table) for table in theirs.values()]
        assert package_hash(ours) == expected, f"sequence {number}"
        digest = state.digest()
        assert self.hashes.setdefault(digest, expected) == expected, f"sequence {number}: same digest, other hash"
        assert self.digests.setdefault(expected, digest) == digest, f"sequence {number}: same hash, other digest"

    def check_spread(self) -> None:
        """The calls exercised what they should: every tool both answered and refused, and a good part answered."""
        known = {tool.name for tool in self.substrate.tools()}
        answered = {tool for tool, error in self.outcomes if not error}
        refused = {tool for tool, error in self.outcomes if error}
        assert answered == known
        assert known <= refused
        successes = sum(count for (_, error), count in self.outcomes.items() if not error)
        assert 0.3 < successes / self.outcomes.total() < 0.9


def compare(domain: str, sequences: range) -> Comparison:
    comparison = Comparison(domain)
    before = base_hash(comparison.substrate)
    assert before == package_hash(reference_database(domain).model_dump())
    for number in sequences:
        comparison.play(number)
    assert base_hash(comparison.substrate) == before
    return comparison


@pytest.mark.parametrize("domain", ["airline", "retail"])
def test_same_as_full_copies(domain: str) -> None:
    comparison = compare(domain, range(12))
    assert comparison.outcomes.total() == 12 * LENGTH


@pytest.mark.soak
@pytest.mark.parametrize("domain", ["airline", "retail"])
def test_same_as_full_copies_at_length(domain: str) -> None:
    comparison = compare(domain, range(1000, 1150))
    assert comparison.outcomes.total() == 150 * LENGTH >= 5000
    comparison.check_spread()
    successes = sum(count for (_, error), count in comparison.outcomes.items() if not error)
    print(f"{domain}: {comparison.outcomes.total()} calls, {successes} answered, {len(comparison.hashes)} end states")


@pytest.mark.parametrize("domain", ["airline", "retail"])
def test_digests_and_package_hashes_agree_on_which_states_are_equal(domain: str) -> None:
    """Few changes out of a small set, so that different histories often end in the same state."""
    substrate = load(domain)
    calls = {
        "airline": [
            ("send_certificate", {"user_id": "mia_li_3668", "amount": 100}),
            ("send_certificate", {"user_id": "mia_li_3668", "amount": 100.0}),
            ("update_reservation_baggages", BAGGAGE),
            ("update_reservation_baggages", {**BAGGAGE, "total_baggages": 3.0}),
            ("get_reservation_details", {"reservation_id": BAGGAGE["reservation_id"]}),
        ],
        "retail": [
            ("modify_user_address", {"user_id": "yusuf_rossi_9620", **ADDRESS}),
            ("modify_user_address", {"user_id": "yusuf_rossi_9620", **ADDRESS, "zip": "1"}),
            ("cancel_pending_order", {"order_id": "#W4776164", "reason": "no longer needed"}),
            ("cancel_pending_order", {"order_id": "#W4776164", "reason": "ordered by mistake"}),
            ("get_user_details", {"user_id": "yusuf_rossi_9620"}),
        ],
    }[domain]
    rng = generator("equality", domain)
    pairs = set()
    for _ in range(25):
        state = substrate.fresh()
        for tool, arguments in rng.choices(calls, k=rng.randint(0, 3)):
            state.call(tool, arguments)
        assert isinstance(state, Tau2State)
        pairs.add((state.digest(), package_hash(tables_of(state))))
    assert len({digest for digest, _ in pairs}) == len({found for _, found in pairs}) == len(pairs)
    assert 3 < len(pairs) < 25


BAGGAGE = {"reservation_id": "4WQ150", "total_baggages": 3, "nonfree_baggages": 0, "payment_id": "gift_card_3576581"}
ADDRESS = {"address1": "1 Way", "address2": "", "city": "Here", "state": "TX", "country": "USA", "zip": "70000"}
