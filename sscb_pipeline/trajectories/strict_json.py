"""JSON read strictly: no NaN or Infinity, no number too large for a double, no key twice, nothing after the value."""

from __future__ import annotations

import json
import math
from typing import Any

from sscb_pipeline.errors import InputError


def _reject_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _finite(literal: str) -> float:
    value = float(literal)
    if math.isinf(value):
        raise ValueError(f"the number {literal[:40]} is too large for a double")
    return value


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {twice!r} stands twice in one object")
    return value


_DECODER = json.JSONDecoder(object_pairs_hook=_distinct, parse_constant=_reject_constant, parse_float=_finite)


def loads(text: str, *, subject: str, remedy: str) -> Any:
    """The value of a JSON text. Raises InputError that gives line and column where the parser knows them."""
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        raise InputError(subject=subject, expected="strict JSON", found=str(error), remedy=remedy) from error


def read_bytes(data: bytes, *, subject: str, remedy: str) -> Any:
    """The value of UTF-8 bytes. Raises InputError, with the offset of the first byte that is not UTF-8."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        found = f"{error.reason} at byte {error.start}"
        raise InputError(subject=subject, expected="UTF-8", found=found, remedy=remedy) from error
    return loads(text, subject=subject, remedy=remedy)
