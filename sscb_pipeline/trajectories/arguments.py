"""Call arguments: the exact text the model produced, beside what it parses to. Never repaired."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class ArgumentForm(StrEnum):
    """How the source gave the arguments."""

    TEXT = "text"
    """A string, kept as it was."""
    OBJECT = "object"
    """Already an object; `raw` is its compact JSON (`json.dumps`, key order kept, no ASCII escaping)."""
    ABSENT = "absent"
    """null or no value at all; `raw` is the empty string."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedArguments:
    """The arguments as a JSON object."""

    value: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class UnparsableArguments:
    """The text is no JSON object; `reason` says why and where."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Arguments:
    """Exact text `raw`, the form it came in, and its reading."""

    raw: str
    form: ArgumentForm
    reading: ParsedArguments | UnparsableArguments


def _reject_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _finite(literal: str) -> float:
    value = float(literal)
    if math.isinf(value):
        raise ValueError(f"the number {literal[:40]} is too large for a double")
    return value


def read_text(raw: str) -> ParsedArguments | UnparsableArguments:
    """Read argument text strictly: an object, all numbers finite, nothing after it."""
    try:
        value = json.loads(raw, parse_constant=_reject_constant, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        return UnparsableArguments(reason=f"invalid JSON: {error}")
    if not isinstance(value, dict):
        return UnparsableArguments(reason=f"not an object but {type(value).__name__}")
    return ParsedArguments(value=value)


def from_text(raw: str) -> Arguments:
    """Arguments that came as text."""
    return Arguments(raw=raw, form=ArgumentForm.TEXT, reading=read_text(raw))


def from_object(value: Mapping[str, Any]) -> Arguments:
    """Arguments that came as an object. Read back from `raw`, so that what is stored and what is used agree."""
    raw = json.dumps(value, ensure_ascii=False, separators=(", ", ": "))
    return Arguments(raw=raw, form=ArgumentForm.OBJECT, reading=read_text(raw))


def absent() -> Arguments:
    """Arguments the source did not give."""
    return Arguments(raw="", form=ArgumentForm.ABSENT, reading=UnparsableArguments(reason="no arguments were given"))
