"""Copy-on-touch records against a plain dict, and what they owe the shared base."""

from __future__ import annotations

import copy
from dataclasses import asdict, dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sscb_pipeline.environments.touched import SharedRecords, TouchedRecords, digest_of, fork_together


@dataclass
class Box:
    content: dict[str, Any] = field(default_factory=dict)


class Copies:
    """A duplicate function that counts."""

    def __init__(self) -> None:
        self.made = 0

    def __call__(self, box: Box) -> Box:
        self.made += 1
        return copy.deepcopy(box)


def boxes(kind: str = "boxes", copies: Copies | None = None, count: int = 4) -> SharedRecords[Box]:
    records = {f"k{i}": Box({"n": i}) for i in range(count)}
    return SharedRecords(kind=kind, records=records, duplicate=copies or Copies(), dump=asdict)


KEYS = st.sampled_from([f"k{i}" for i in range(7)])
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["get", "mutate", "set", "delete", "pop", "popitem", "setdefault", "walk", "clear"]),
        KEYS,
        st.integers(0, 3),
    ),
    max_size=30,
)


def apply(records: Any, step: tuple[str, str, int]) -> Any:
    """One step on a mapping; what it gives or the error it raises, as plain data."""
    action, key, number = step
    try:
        match action:
            case "get":
                return asdict(records[key])
            case "mutate":
                records[key].content["n"] = number
            case "set":
                records[key] = Box({"n": number})
            case "delete":
                del records[key]
            case "pop":
                return asdict(records.pop(key))
            case "popitem":
                name, box = records.popitem()
                return name, asdict(box)
            case "setdefault":
                return asdict(records.setdefault(key, Box({"n": number})))
            case "walk":
                return [(name, asdict(box)) for name, box in records.items()]
            case "clear":
                records.clear()
    except KeyError:
        return "KeyError"
    return None


@given(STEPS)
def test_behaves_as_a_dict_and_leaves_the_base_alone(steps: list[tuple[str, str, int]]) -> None:
    shared = boxes()
    before = {key: asdict(box) for key, box in shared.records.items()}
    ours, plain = TouchedRecords(shared), copy.deepcopy(shared.records)
    for step in steps:
        assert apply(ours, step) == apply(plain, step), step
        assert list(ours) == list(plain)
        assert len(ours) == len(plain)
        assert list(ours.items()) == list(plain.items())
        assert list(ours.values()) == list(plain.values())
        assert [key in ours for key in ("k0", "k5", "k9")] == [key in plain for key in ("k0", "k5", "k9")]
        assert ours == plain
    assert {key: asdict(box) for key, box in shared.records.items()} == before


@given(STEPS, STEPS)
def test_digests_are_equal_exactly_where_contents_are(
    first: list[tuple[str, str, int]], second: list[tuple[str, str, int]]
) -> None:
    shared = boxes()
    one, other = TouchedRecords(shared), TouchedRecords(shared)
    for step in first:
        apply(one, step)
    for step in second:
        apply(other, step)
    equal = {key: asdict(box) for key, box in one.items()} == {key: asdict(box) for key, box in other.items()}
    assert (digest_of([one]) == digest_of([other])) == equal


@given(STEPS, STEPS)
def test_a_fork_continues_where_its_origin_was(
    first: list[tuple[str, str, int]], second: list[tuple[str, str, int]]
) -> None:
    origin = TouchedRecords(boxes())
    for step in first:
        apply(origin, step)
    before = [(key, asdict(box)) for key, box in origin.items()], digest_of([origin])
    (fork,) = fork_together([origin])
    control = copy.deepcopy(dict(origin.items()))
    for step in second:
        assert apply(fork, step) == apply(control, step)
    assert ([(key, asdict(box)) for key, box in origin.items()], digest_of([origin])) == before


def test_walking_copies_nothing_and_access_copies_once() -> None:
    copies = Copies()
    records = TouchedRecords(boxes(copies=copies, count=50))
    assert len(list(records.values())) == len(list(records.items())) == len(list(records)) == 50
    assert "k7" in records and records.peek("k7").content == {"n": 7}
    assert copies.made == 0
    assert records["k7"] is records["k7"]
    assert copies.made == 1
    assert sum(1 for _ in records.values()) == 50
    assert Box({"n": 49}) in records.values()
    assert ("k49", Box({"n": 49})) in records.items()
    assert ("k49", Box({"n": 1})) not in records.items()
    assert "k49" not in records.items()
    assert copies.made == 1


def test_walking_shows_the_states_own_records() -> None:
    records = TouchedRecords(boxes())
    records["k1"].content["n"] = "own"
    assert [box.content["n"] for box in records.values()] == [0, "own", 2, 3]
    assert next(box for box in records.values() if box.content["n"] == "own") is records["k1"]


def test_a_removed_record_is_gone_for_every_kind_of_access() -> None:
    records = TouchedRecords(boxes())
    del records["k1"]
    with pytest.raises(KeyError):
        records["k1"]
    with pytest.raises(KeyError):
        records.peek("k1")
    with pytest.raises(KeyError):
        del records["k1"]
    records["k1"] = Box({"n": "back"})
    assert list(records) == ["k0", "k2", "k3", "k1"]
    assert records.peek("k1").content == {"n": "back"}


def test_aliasing_inside_a_state_survives_a_fork_across_kinds() -> None:
    orders, products = TouchedRecords(boxes("orders")), TouchedRecords(boxes("products"))
    orders["k0"].content["options"] = products["k0"].content
    orders_twin, products_twin = fork_together([orders, products])
    assert orders_twin["k0"].content["options"] is products_twin["k0"].content
    assert products_twin["k0"].content is not products["k0"].content


def test_digest_ignores_order_and_touch_but_not_kind_or_number_type() -> None:
    def state(*changes: tuple[str, str, Any]) -> str:
        parts = {kind: TouchedRecords(boxes(kind)) for kind in ("a", "b")}
        for kind, key, number in changes:
            parts[kind][key].content["n"] = number
        return digest_of(list(parts.values()))

    fresh = state()
    assert state(("a", "k1", 1)) == fresh
    assert state(("a", "k1", 7), ("b", "k2", 8)) == state(("b", "k2", 8), ("a", "k1", 7))
    assert state(("a", "k1", 7)) != state(("b", "k1", 7))
    assert state(("a", "k1", 1.0)) != fresh


def test_digest_tells_a_removal_from_a_change_and_forgets_what_was_undone() -> None:
    shared = boxes()
    fresh = digest_of([TouchedRecords(shared)])
    records = TouchedRecords(shared)
    kept = records.pop("k1")
    removed = digest_of([records])
    assert removed != fresh
    records["k1"] = kept
    assert digest_of([records]) == fresh
    records["new"] = Box({})
    assert digest_of([records]) not in {fresh, removed}
    del records["new"]
    assert digest_of([records]) == fresh
