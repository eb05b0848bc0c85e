"""Hashes, the one canonical JSON form they are taken over, and the strict reader beside it."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from math import isinf
from typing import Any

from sscb_pipeline.errors import InputError

_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))


def sha256_hex(data: bytes) -> str:
    """sha256 of the exact bytes, 64 hexadecimal digits in lower case."""
    return hashlib.sha256(data).hexdigest()


def canonical_json(value: Any) -> bytes:
    """The canonical bytes of a JSON value: sorted keys, no spaces, UTF-8 with lone surrogates passed through.

    Raises InputError where the value holds NaN, Infinity or something that is no JSON.
    """
    try:
        return _ENCODER.encode(value).encode("utf-8", "surrogatepass")
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(
            subject="canonical JSON",
            expected="null, booleans, finite numbers, text, arrays and objects with text keys",
            found=str(error),
            remedy="convert the value before it is stored",
        ) from error


class _NotStrictError(ValueError):
    """Valid to Python's reader, no JSON to ours."""


def _no_constant(name: str) -> Any:
    raise _NotStrictError(f"{name} is not JSON")


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        counts = Counter(key for key, _ in pairs)
        repeated = counts.most_common(1)[0][0]
        raise _NotStrictError(f"the key {repeated!r} occurs twice in one object")
    return result


def _finite(text: str) -> float:
    value = float(text)
    if isinf(value):
        raise _NotStrictError(f"the number {text} is too large to be finite")
    return value


_DECODER = json.JSONDecoder(parse_float=_finite, parse_constant=_no_constant, object_pairs_hook=_no_duplicates)


def strict_json(data: bytes, subject: str) -> Any:
    """Read JSON bytes. `subject` names where they come from (file and line) and is the subject of every error.

    Raises InputError for bytes that are not UTF-8 (lone surrogates excepted), invalid JSON, NaN, Infinity, a number
    too large to be finite, and duplicate keys.
    """
    try:
        text = data.decode("utf-8", "surrogatepass")
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno} column {error.colno}"
        raise _unreadable(subject, f"{error.msg} at {place}") from error
    except (ValueError, RecursionError) as error:
        raise _unreadable(subject, str(error)) from error


def _unreadable(subject: str, found: str) -> InputError:
    return InputError(
        subject=subject,
        expected="one JSON value",
        found=found,
        remedy="restore the file from its source, or correct it at that place",
    )
