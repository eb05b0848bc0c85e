"""Taking values out of other people's JSON: exact where present, refused with file and place where of another kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sscb_pipeline.errors import InputError
from sscb_pipeline.trajectories import strict_json
from sscb_pipeline.trajectories.arguments import Arguments, absent, from_object, from_text
from sscb_pipeline.trajectories.source_record import NO_KEY, NULL, SourceText, given

REMEDY = "correct the file or leave the run out; nothing is guessed on import"


@dataclass(frozen=True, slots=True)
class Value:
    """A value with its place, for messages: `gpt-4o.json: [3].traj[7].content`."""

    file: str
    path: str
    value: Any

    def refuse(self, expected: str) -> InputError:
        """The error for a value of another kind."""
        shown = f"{type(self.value).__name__} {self.value!r:.60}"
        return InputError(subject=f"{self.file}: {self.path or 'top'}", expected=expected, found=shown, remedy=REMEDY)

    def key(self, key: str) -> Value:
        """The value under a key that must be there."""
        record = self.mapping()
        if key not in record:
            raise InputError(
                subject=f"{self.file}: {self.path or 'top'}",
                expected=f"the key {key!r}",
                found=f"the keys {sorted(record)}",
                remedy=REMEDY,
            )
        return Value(self.file, f"{self.path}.{key}", record[key])

    def has(self, key: str) -> bool:
        """Whether a key is there with a value other than null."""
        return self.mapping().get(key) is not None

    def mapping(self) -> Mapping[str, Any]:
        """The value as an object."""
        if not isinstance(self.value, dict):
            raise self.refuse("an object")
        return self.value

    def items(self) -> list[Value]:
        """The elements of a list."""
        if not isinstance(self.value, list):
            raise self.refuse("a list")
        return [Value(self.file, f"{self.path}[{index}]", item) for index, item in enumerate(self.value)]

    def string(self) -> str:
        """The value as a string."""
        if not isinstance(self.value, str):
            raise self.refuse("a string")
        return self.value

    def label(self) -> str:
        """A string or whole number, as a string (task and trial names)."""
        if isinstance(self.value, bool) or not isinstance(self.value, str | int):
            raise self.refuse("a string or a whole number")
        return str(self.value)

    def text(self, key: str) -> SourceText:
        """The text under a key: given, null, or no key at all."""
        record = self.mapping()
        if key not in record:
            return NO_KEY
        if record[key] is None:
            return NULL
        return given(self.key(key).string())

    def arguments(self, key: str) -> Arguments:
        """Call arguments under a key: text as it is, an object, or absent."""
        value = self.mapping().get(key)
        if value is None:
            return absent()
        if isinstance(value, str):
            return from_text(value)
        if isinstance(value, dict):
            return from_object(value)
        raise self.key(key).refuse("arguments as a string or an object")

    def calls(self) -> list[Value]:
        """The elements of `tool_calls`, none where it is null or not there."""
        return self.key("tool_calls").items() if self.has("tool_calls") else []


def document(data: bytes, file: str) -> Value:
    """A whole file as one strict JSON value. Raises InputError."""
    remedy = "export the recording again as strict JSON (UTF-8, no NaN, no key twice); nothing is repaired on import"
    return Value(file, "", strict_json.read_bytes(data, subject=file, remedy=remedy))
