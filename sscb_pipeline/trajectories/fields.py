"""Reading our own encoded records field by field, with the place in every refusal."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sscb_pipeline.errors import InputError
from sscb_pipeline.trajectories import strict_json
from sscb_pipeline.trajectories.arguments import (
    ArgumentForm,
    Arguments,
    absent,
    from_text,
    read_text,
)

REMEDY = "restore the file from the store or record the run again; it is not repaired"


def dump(value: Any) -> bytes:
    """Compact JSON text in UTF-8, lone surrogates kept as they are (two that stand side by side do not fuse)."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8", "surrogatepass")


def split_lines(data: bytes, file: str) -> tuple[bytes, bytes, bytes]:
    """The three lines of an encoded record, each ended by a line feed. Raises InputError."""
    lines = data.split(b"\n")
    if len(lines) != 4 or lines[3] != b"":
        found = f"{len(lines) - 1} line ends and {len(lines[-1])} bytes after the last"
        raise InputError(subject=file, expected="three lines: header, tools, history", found=found, remedy=REMEDY)
    if any(line.endswith(b"\r") for line in lines):
        raise InputError(subject=file, expected="lines ended by LF", found="lines ended by CRLF", remedy=REMEDY)
    return lines[0], lines[1], lines[2]


def load_line(line: bytes, place: Place) -> Any:
    """The JSON value of one line. Raises InputError."""
    try:
        text = line.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise place.refuse("UTF-8", f"{error.reason} at byte {error.start}") from error
    return strict_json.loads(text, subject=str(place), remedy=REMEDY)


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a file, for messages only."""

    file: str
    path: str

    def __str__(self) -> str:
        return f"{self.file}: {self.path}"

    def at(self, part: str) -> Place:
        """A place inside this one."""
        return Place(self.file, f"{self.path}{part}")

    def refuse(self, expected: str, found: str) -> InputError:
        """The error to raise for this place."""
        return InputError(subject=str(self), expected=expected, found=found, remedy=REMEDY)


def a_mapping(value: Any, place: Place, keys: frozenset[str]) -> Mapping[str, Any]:
    """An object with exactly these keys."""
    if not isinstance(value, dict):
        raise place.refuse("an object", type(value).__name__)
    if value.keys() != keys:
        raise place.refuse(f"the keys {sorted(keys)}", f"{sorted(value)}")
    return value


def a_list(value: Any, place: Place) -> list[Any]:
    """A list."""
    if not isinstance(value, list):
        raise place.refuse("a list", type(value).__name__)
    return value


def a_string(record: Mapping[str, Any], key: str, place: Place) -> str:
    """The string under a key."""
    value = record[key]
    if not isinstance(value, str):
        raise place.at(f".{key}").refuse("a string", type(value).__name__)
    return value


def a_number(record: Mapping[str, Any], key: str, place: Place) -> int:
    """The count or index under a key: an integer from 0."""
    value = record[key]
    if type(value) is not int or value < 0:
        raise place.at(f".{key}").refuse("an integer from 0", repr(value))
    return value


def one_of(record: Mapping[str, Any], key: str, place: Place, values: frozenset[str]) -> str:
    """A string under a key that must be one of a closed set."""
    value = a_string(record, key, place)
    if value not in values:
        raise place.at(f".{key}").refuse(f"one of {sorted(values)}", repr(value))
    return value


def dump_arguments(arguments: Arguments) -> dict[str, str]:
    """Form and exact text; the reading is derived from the text again when it is read."""
    return {"form": arguments.form.value, "raw": arguments.raw}


_ARGUMENT_KEYS = frozenset({"form", "raw"})
_ARGUMENT_FORMS = frozenset(ArgumentForm)


def load_arguments(value: Any, place: Place) -> Arguments:
    """Arguments with their reading. Raises InputError where form and text contradict each other."""
    record = a_mapping(value, place, _ARGUMENT_KEYS)
    raw = a_string(record, "raw", place)
    form = ArgumentForm(one_of(record, "form", place, _ARGUMENT_FORMS))
    if form is ArgumentForm.TEXT:
        return from_text(raw)
    if form is ArgumentForm.OBJECT:
        return Arguments(raw=raw, form=form, reading=read_text(raw))
    if raw:
        raise place.at(".raw").refuse("no text for absent arguments", f"{len(raw)} characters")
    return absent()
