"""A mention inside one text, as the finders of the several value kinds report it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Form(StrEnum):
    """How a mention is made."""

    EXACT = "exact"
    """The value in its canonical form."""
    WRITTEN = "written"
    """The value in another written form."""
    DERIVED = "derived"
    """A value that follows from it (a count of nights, a week day, what a kind of payment can be used for)."""
    PROPOSITION = "proposition"
    """A clause that may say whether the requested change took effect."""
    IDENTIFIER = "identifier"
    """An exact record id; says nothing about the attribute."""
    ENTITY = "entity"
    """A noun or pronoun for the entity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """Span [start, end) in the text, its surface, the values in play it can denote (sorted) and how it derives."""

    start: int
    end: int
    surface: str
    form: Form
    values: tuple[str, ...]
    derivation: str
