"""Copy-on-touch records: many states over one shared base, each paying only for what it touches.

A state is a few `TouchedRecords`, one per kind of record. Reading a record by its identifier copies it into the
state first, so that whoever mutates what it was handed mutates its own copy. Walking over values or items copies
nothing and hands out base records: walk to read, access by identifier to change. A substrate whose tools mutate
while walking would corrupt the base; the differential test of the substrate is what shows that none does.

The copy function and the dump function are given by the adapter, since only it knows what a record is.
"""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Callable, ItemsView, Iterator, Mapping, MutableMapping, Sequence, ValuesView
from typing import Any, Generic, TypeVar

R = TypeVar("R")


class SharedRecords(Generic[R]):
    """The base records of one kind, shared by all states of the process and never changed.

    `duplicate` makes an independent deep copy of a record; `dump` turns a record into plain data. Canonical texts
    of base records are made when first asked for and kept.
    """

    __slots__ = ("_canonical", "_dump", "duplicate", "kind", "records")

    def __init__(
        self, *, kind: str, records: Mapping[str, R], duplicate: Callable[[R], R], dump: Callable[[R], Any]
    ) -> None:
        self.kind = kind
        self.records = dict(records)
        self.duplicate = duplicate
        self._dump = dump
        self._canonical: dict[str, str] = {}

    def plain(self, record: R) -> Any:
        """The record as plain data."""
        return self._dump(record)

    def canonical(self, record: R) -> str:
        """Text that is equal for records τ²'s own hash calls equal: JSON with sorted keys, so 1 and 1.0 differ."""
        return json.dumps(self._dump(record), sort_keys=True, default=str)

    def canonical_base(self, identifier: str) -> str:
        """Canonical text of a base record. Raises KeyError."""
        text = self._canonical.get(identifier)
        if text is None:
            text = self._canonical[identifier] = self.canonical(self.records[identifier])
        return text


class TouchedRecords(MutableMapping[str, R]):
    """A mapping that equals the base until it is changed; order and semantics are those of a dict.

    Three parts beside the base: `_touched` holds copies and replacements that keep a base record's place,
    `_removed` the base identifiers that lost their place, `_inserted` what came after (a removed identifier that
    is set again goes to the end, as in a dict).
    """

    __slots__ = ("_inserted", "_removed", "_touched", "shared")

    def __init__(self, shared: SharedRecords[R]) -> None:
        self.shared = shared
        self._touched: dict[str, R] = {}
        self._inserted: dict[str, R] = {}
        self._removed: set[str] = set()

    def __getitem__(self, key: str) -> R:
        """The state's own copy of the record, made now if this is the first touch. Raises KeyError."""
        if key in self._touched:
            return self._touched[key]
        if key in self._inserted:
            return self._inserted[key]
        if key in self._removed:
            raise KeyError(key)
        own = self._touched[key] = self.shared.duplicate(self.shared.records[key])
        return own

    def peek(self, key: str) -> R:
        """The record as it is now, not copied; to be read only. Raises KeyError."""
        if key in self._touched:
            return self._touched[key]
        if key in self._inserted:
            return self._inserted[key]
        if key in self._removed:
            raise KeyError(key)
        return self.shared.records[key]

    def __setitem__(self, key: str, value: R) -> None:
        if key not in self._inserted and self._holds_base_place(key):
            self._touched[key] = value
        else:
            self._inserted[key] = value

    def __delitem__(self, key: str) -> None:
        if key in self._inserted:
            del self._inserted[key]
        elif self._holds_base_place(key):
            self._touched.pop(key, None)
            self._removed.add(key)
        else:
            raise KeyError(key)

    def __contains__(self, key: object) -> bool:
        return key in self._inserted or self._holds_base_place(key)

    def __len__(self) -> int:
        return len(self.shared.records) - len(self._removed) + len(self._inserted)

    def __iter__(self) -> Iterator[str]:
        if not self._removed:
            yield from self.shared.records
        else:
            removed = self._removed
            for key in self.shared.records:
                if key not in removed:
                    yield key
        yield from self._inserted

    def values(self) -> ValuesView[R]:
        """All records in order, none copied; to be read only."""
        if self._untouched():
            return self.shared.records.values()
        return _Values(self)

    def items(self) -> ItemsView[str, R]:
        """All pairs in order, no record copied; to be read only."""
        if self._untouched():
            return self.shared.records.items()
        return _Items(self)

    def popitem(self) -> tuple[str, R]:
        """Remove and return the last pair. Raises KeyError when empty."""
        if self._inserted:
            return self._inserted.popitem()
        for key in reversed(self.shared.records):
            if key not in self._removed:
                return key, self.pop(key)
        raise KeyError("the mapping is empty")

    def differences(self) -> Iterator[tuple[str, str | None]]:
        """What differs from the base: (identifier, canonical text), with None for a removed record. No fixed order."""
        shared = self.shared
        for part in (self._touched, self._inserted):
            for key, record in part.items():
                text = shared.canonical(record)
                if key not in shared.records or text != shared.canonical_base(key):
                    yield key, text
        for key in self._removed:
            if key not in self._inserted:
                yield key, None

    def _holds_base_place(self, key: object) -> bool:
        return key in self.shared.records and key not in self._removed

    def _untouched(self) -> bool:
        return not (self._touched or self._inserted or self._removed)

    def _walk(self) -> Iterator[tuple[str, R]]:
        touched, removed = self._touched, self._removed
        for key, base in self.shared.records.items():
            if key not in removed:
                yield key, touched.get(key, base)
        yield from self._inserted.items()


class _Values(ValuesView[R]):
    """Values of a touched mapping; the inherited view would read through item access and copy every record."""

    def __init__(self, records: TouchedRecords[R]) -> None:
        super().__init__(records)
        self._records = records

    def __iter__(self) -> Iterator[R]:
        for _, record in self._records._walk():
            yield record

    def __contains__(self, value: object) -> bool:
        return any(record is value or record == value for record in self)


class _Items(ItemsView[str, R]):
    """Items of a touched mapping, likewise without copies."""

    def __init__(self, records: TouchedRecords[R]) -> None:
        super().__init__(records)
        self._records = records

    def __iter__(self) -> Iterator[tuple[str, R]]:
        return self._records._walk()

    def __contains__(self, item: object) -> bool:
        match item:
            case (str() as key, value) if key in self._records:
                record = self._records.peek(key)
                return bool(record is value or record == value)
        return False


def fork_together(parts: Sequence[TouchedRecords[R]]) -> tuple[TouchedRecords[R], ...]:
    """Independent copies of the parts of one state.

    All overlays are copied under one memo: two records that share an object go on sharing it in the copy, also
    across kinds (an order line whose options are the very dict of a product's variant).
    """
    overlays = copy.deepcopy([(part._touched, part._inserted) for part in parts])
    forked = []
    for part, (touched, inserted) in zip(parts, overlays, strict=True):
        twin = TouchedRecords(part.shared)
        twin._touched, twin._inserted, twin._removed = touched, inserted, set(part._removed)
        forked.append(twin)
    return tuple(forked)


def digest_of(parts: Sequence[TouchedRecords[R]]) -> str:
    """sha256 (hex) over what differs from the base, whatever the order in which it came to differ.

    Touching without changing leaves the digest that of a fresh state. Cost grows with the records touched, not
    with the base.
    """
    differences = sorted(
        (part.shared.kind, key, text is not None, text or "") for part in parts for key, text in part.differences()
    )
    return hashlib.sha256(json.dumps(differences).encode()).hexdigest()
