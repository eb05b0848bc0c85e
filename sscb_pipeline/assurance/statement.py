"""Manifests in the layout of the in-toto Statement v1, so that tools which know it can read them.

A statement names its subjects with their sha256 and says something about them in its predicate. It is a claim, not a
permission: what opens a gate is a receipt for the bytes of the manifest that names the statement.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sscb_pipeline.artifacts.digest import canonical_json, strict_json
from sscb_pipeline.assurance.manifest import NamedObject
from sscb_pipeline.errors import IntegrityError

STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
_DIGITS = frozenset("0123456789abcdef")


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """Subjects sorted by name, each once and at least one, and what is said about them."""

    subjects: tuple[NamedObject, ...]
    predicate_type: str
    predicate: Mapping[str, Any]


def statement_bytes(statement: Statement) -> bytes:
    """Canonical JSON bytes. Raises IntegrityError for subjects out of order, named twice or without a sha256."""
    _check_subjects(statement.subjects, "statement to be written")
    return canonical_json(
        {
            "_type": STATEMENT_TYPE,
            "subject": [{"name": item.name, "digest": {"sha256": item.sha256}} for item in statement.subjects],
            "predicateType": statement.predicate_type,
            "predicate": dict(statement.predicate),
        }
    )


@lru_cache(maxsize=8)
def read_statement(data: bytes, place: str) -> Statement:
    """The statement in some bytes. Raises InputError for what is no JSON, IntegrityError for what is no statement.

    Every entrance reads and hashes the bytes again; equal bytes are parsed once, since they say the same.
    """
    value = strict_json(data, place)
    keys = {"_type", "subject", "predicateType", "predicate"}
    if not isinstance(value, dict) or value.keys() != keys or value["_type"] != STATEMENT_TYPE:
        raise _damaged(place, f"an object with {', '.join(sorted(keys))} of type {STATEMENT_TYPE}", "another value")
    if not isinstance(value["predicate"], dict) or not isinstance(value["predicateType"], str):
        raise _damaged(place, "a predicate and its type", "another value")
    if not isinstance(value["subject"], list):
        raise _damaged(place, "a list of subjects", "another value")
    subjects = tuple(_subject(item, place) for item in value["subject"])
    _check_subjects(subjects, place)
    return Statement(subjects=subjects, predicate_type=value["predicateType"], predicate=value["predicate"])


def _subject(value: Any, place: str) -> NamedObject:
    if isinstance(value, dict) and value.keys() == {"name", "digest"} and isinstance(value["name"], str):
        digest = value["digest"]
        if isinstance(digest, dict) and digest.keys() == {"sha256"} and isinstance(digest["sha256"], str):
            return NamedObject(name=value["name"], sha256=digest["sha256"])
    raise _damaged(place, "subjects with a name and a sha256", "another value")


def _check_subjects(subjects: Sequence[NamedObject], place: str) -> None:
    names = [item.name for item in subjects]
    if not names or names != sorted(set(names)):
        raise _damaged(place, "at least one subject, sorted by name, each once", ", ".join(names[:5]) or "none")
    for item in subjects:
        if len(item.sha256) != 64 or not _DIGITS.issuperset(item.sha256):
            raise _damaged(place, f"a sha256 of subject {item.name}", repr(item.sha256[:80]))


def _damaged(place: str, expected: str, found: str) -> IntegrityError:
    return IntegrityError(subject=place, expected=expected, found=found, remedy="run its stage again")
