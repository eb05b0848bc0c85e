"""Wording: seeded choice among phrases, dates and names. Phrases are data in `wording/*.yaml`."""

from __future__ import annotations

import functools
import hashlib
import json
import random
from collections.abc import Callable, Mapping
from datetime import date
from importlib import resources

import yaml
from pydantic import TypeAdapter

Bank = Mapping[str, tuple[str, ...]]
"""Phrase templates by purpose."""

_BANK: TypeAdapter[dict[str, tuple[str, ...]]] = TypeAdapter(dict[str, tuple[str, ...]])


@functools.cache
def bank(operator: str) -> Bank:
    """The phrases of an operator, with the common ones."""
    folder = resources.files(__package__) / "wording"
    read: dict[str, tuple[str, ...]] = {}
    for name in ("common", operator):
        text = (folder / f"{name}.yaml").read_text(encoding="utf-8")
        read.update(_BANK.validate_python(yaml.safe_load(text)))
    return read


@functools.cache
def banks_sha256() -> str:
    """sha256 over every phrase, so that a changed wording is a changed configuration."""
    operators = ("ReturnDate", "PaySource", "ItemOption", "WriteEffect")
    text = json.dumps({name: bank(name) for name in operators}, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def seed_of(*parts: object) -> int:
    """A generator seed that is a hash of a key."""
    return int.from_bytes(hashlib.sha256(json.dumps([str(part) for part in parts]).encode()).digest()[:8], "big")


def _ordinal(day: int) -> str:
    suffix = "th" if day in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return f"{day}{suffix}"


DATE_FORMS: tuple[Callable[[date], str], ...] = (
    lambda day: day.isoformat(),
    lambda day: f"{day:%B} {day.day}, {day.year}",
    lambda day: f"{day:%B} {day.day}",
    lambda day: f"{day:%B} {_ordinal(day.day)}",
    lambda day: f"{day.day} {day:%B} {day.year}",
    lambda day: f"{day:%A}, {day:%B} {_ordinal(day.day)}",
    lambda day: f"{day:%A}, {day:%B} {day.day}, {day.year}",
    lambda day: f"{day:%b} {day.day}, {day.year}",
)


def _plain(canonical: str) -> str:
    return canonical.replace("_", " ")


KIND_FORMS: tuple[Callable[[str], str], ...] = (
    _plain,
    lambda kind: f"**{_plain(kind)}**",
    lambda kind: f"travel {kind}" if kind == "certificate" else _plain(kind),
)


class Wording:
    """One agent's way of speaking: a bank and a generator of its own."""

    def __init__(self, phrases: Bank, seed: int) -> None:
        self._phrases = phrases
        self._random = random.Random(seed)

    def phrase(self, purpose: str, **values: str) -> str:
        """One phrase of that purpose, filled in. Raises KeyError for an unknown purpose or placeholder."""
        return self._random.choice(self._phrases[purpose]).format(**values)

    def dates(self) -> Callable[[str], str]:
        """One of the usual ways to write an ISO date, for one message."""
        form = self._random.choice(DATE_FORMS)
        return lambda iso: form(date.fromisoformat(iso))

    def kinds(self) -> Callable[[str], str]:
        """One way to write kinds of payment methods, for one message."""
        return self._random.choice(KIND_FORMS)
