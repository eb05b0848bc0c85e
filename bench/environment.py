"""What a fresh τ² state, a comparison and a search cost, next to the package's own. Run: python bench/environment.py

Times are CPU milliseconds of this process, the median of several rounds; memory is what tracemalloc sees.
"""

from __future__ import annotations

import copy
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from sscb_pipeline.adapters.tau2 import recorded
from sscb_pipeline.adapters.tau2.package import tau2_module
from sscb_pipeline.adapters.tau2.recorded import Domain
from sscb_pipeline.adapters.tau2.substrate import load

SEARCH = {"origin": "JFK", "destination": "SEA", "date": "2024-05-20"}
EPISODES: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "airline": [
        ("get_user_details", {"user_id": "chen_jackson_3290"}),
        ("get_reservation_details", {"reservation_id": "4WQ150"}),
        ("search_direct_flight", {"origin": "LAX", "destination": "DFW", "date": "2024-05-26"}),
        ("search_direct_flight", {"origin": "DFW", "destination": "LAX", "date": "2024-05-22"}),
        ("search_onestop_flight", {"origin": "LAX", "destination": "DFW", "date": "2024-05-26"}),
        (
            "update_reservation_baggages",
            {
                "reservation_id": "4WQ150",
                "total_baggages": 6,
                "nonfree_baggages": 0,
                "payment_id": "gift_card_3576581",
            },
        ),
    ],
    "retail": [
        ("find_user_id_by_email", {"email": "yusuf.rossi7301@example.com"}),
        ("get_user_details", {"user_id": "yusuf_rossi_9620"}),
        ("get_order_details", {"order_id": "#W4776164"}),
        ("list_all_product_types", {}),
        ("get_product_details", {"product_id": "9523456873"}),
        ("cancel_pending_order", {"order_id": "#W4776164", "reason": "no longer needed"}),
    ],
}


def cpu_ms(work: Callable[[], object], *, times: int, rounds: int = 5) -> float:
    """Median CPU time of one call, in ms."""
    found = []
    for _ in range(rounds):
        start = time.process_time()
        for _ in range(times):
            work()
        found.append((time.process_time() - start) * 1000 / times)
    return statistics.median(found)


def kilobytes(make: Callable[[], object], *, times: int) -> float:
    """Memory that one made object keeps alive, in kB."""
    make()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    kept = [make() for _ in range(times)]
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return (after - before) / 1000 / len(kept)


def line(what: str, unit: str, ours: float, *package: float) -> None:
    """One row of the table; without a figure of the package where it has no such operation."""
    theirs = f"{package[0]:.3f}" if package else "no such"
    print(f"  {what:<46} {ours:>10.4f} {theirs:>12}  {unit}")


def measure(domain: str) -> None:
    """Measure one domain and print its table."""
    substrate = load(domain)
    model = {"airline": "FlightDB", "retail": "RetailDB"}[domain]
    path = recorded.package_root() / Domain(domain).file("db.json")
    database = getattr(tau2_module(f"tau2.domains.{domain}.data_model"), model).load(path)
    build = tau2_module(f"tau2.domains.{domain}.environment").get_environment
    call_of = tau2_module("tau2.data_model.message").ToolCall
    calls = EPISODES[domain]

    def package_environment() -> Any:
        return build(db=copy.deepcopy(database))

    def play(state: Any) -> None:
        for tool, arguments in calls:
            assert not state.call(tool, arguments).error, tool

    def package_play(environment: Any) -> None:
        for tool, arguments in calls:
            environment.get_response(call_of(name=tool, arguments=arguments))

    played = substrate.fresh()
    play(played)
    other = substrate.fresh()
    environment = package_environment()
    package_play(environment)
    print(f"{domain:<48} {'ours':>10} {'package':>12}")
    line("fresh state", "ms", cpu_ms(substrate.fresh, times=1000), cpu_ms(package_environment, times=1, rounds=3))
    line("fresh state", "kB", kilobytes(substrate.fresh, times=200), kilobytes(package_environment, times=1))
    line("state after an episode", "kB", kilobytes(lambda: played_out(substrate.fresh(), play), times=20))
    line("fork after an episode", "ms", cpu_ms(played.fork, times=20))
    line(
        "comparison of two states after an episode",
        "ms",
        cpu_ms(lambda: played.digest() == other.digest(), times=100),
        cpu_ms(environment.get_db_hash, times=1, rounds=3) * 2,
    )
    for tool in ("search_direct_flight", "search_onestop_flight") if domain == "airline" else ():
        for label, state in (("fresh", substrate.fresh()), ("touched", touched(substrate))):
            line(
                f"{tool}, {label} state",
                "ms",
                cpu_ms(partial(state.call, tool, SEARCH), times=10),
                cpu_ms(partial(environment.get_response, call_of(name=tool, arguments=SEARCH)), times=10),
            )
    line(
        f"environment of an episode of {len(calls)} calls, scored",
        "ms",
        cpu_ms(lambda: played_out(substrate.fresh(), play).digest(), times=10),
        cpu_ms(lambda: played_out(package_environment(), package_play).get_db_hash(), times=1, rounds=3),
    )


def played_out(state: Any, play: Callable[[Any], None]) -> Any:
    """The state (ours or the package's environment) after the calls."""
    play(state)
    return state


def touched(substrate: Any) -> Any:
    """A state with one flight touched, so that walking the flights meets an overlay."""
    state = substrate.fresh()
    state.call("get_flight_status", {"flight_number": "HAT001", "date": "2024-05-20"})
    return state


if __name__ == "__main__":
    for name in EPISODES:
        measure(name)
