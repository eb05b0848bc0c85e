"""Frozen records as JSON and back, without loss.

Every dataclass becomes an object that carries its class name under `type`, so that unions such as
`Located | Never | Undeterminable` come back as what they were. Tuples are arrays, members of a StrEnum their text,
mappings objects with text keys. What would not come back equal is refused when it is written, and unknown, extra or
missing fields are refused when read. Type hints are resolved once per class.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable, Mapping
from enum import StrEnum
from math import isfinite
from typing import Any, TypeVar

from sscb_pipeline.artifacts.digest import canonical_json, strict_json
from sscb_pipeline.errors import InputError

TAG = "type"

Record = TypeVar("Record")
_Convert = Callable[[Any], Any]


@dataclasses.dataclass(frozen=True, slots=True)
class _Codec:
    """How values of one declared type are written and read."""

    encode: _Convert
    decode: _Convert


class _MismatchError(Exception):
    """A value does not fit; the path grows from the inside out."""

    def __init__(self, expected: str, found: str) -> None:
        super().__init__(expected, found)
        self.expected = expected
        self.found = found
        self.path: list[str] = []


def encode(record: Any) -> dict[str, Any]:
    """A dataclass instance as a JSON-able object with its class tag.

    Raises InputError, naming the field, for a value that does not fit its declared type or is no JSON, and TypeError
    for a class whose declared types have no lossless form here.
    """
    codec = _class_codec(type(record))
    try:
        encoded: dict[str, Any] = codec.encode(record)
    except _MismatchError as mismatch:
        raise _input_error(type(record).__name__, mismatch, "give the record the value its class declares") from None
    return encoded


def decode(expected: type[Record], value: Any, subject: str = "record") -> Record:
    """The record of class `expected` that `value` encodes; `subject` names where the value came from.

    `expected` may be a union of dataclasses. Raises InputError naming the path of the first field that does not fit.
    """
    try:
        result: Record = _codec(expected).decode(value)
    except _MismatchError as mismatch:
        raise _input_error(subject, mismatch, "write the file again with this version, or correct the field") from None
    return result


def to_bytes(record: Any) -> bytes:
    """Canonical JSON bytes of a record; its identity is their sha256."""
    return canonical_json(encode(record))


def from_bytes(expected: type[Record], data: bytes, subject: str) -> Record:
    """The record in canonical or other JSON bytes; errors as `decode` and `strict_json`."""
    return decode(expected, strict_json(data, subject), subject)


def _input_error(subject: str, mismatch: _MismatchError, remedy: str) -> InputError:
    path = "".join(reversed(mismatch.path)) or " (root)"
    return InputError(subject=f"{subject}{path}", expected=mismatch.expected, found=mismatch.found, remedy=remedy)


def _show(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def _at(place: str, convert: _Convert, value: Any) -> Any:
    try:
        return convert(value)
    except _MismatchError as mismatch:
        mismatch.path.append(place)
        raise


_CODECS: dict[Any, _Codec] = {}
_CLASSES: dict[type, _Codec] = {}


def _codec(declared: Any) -> _Codec:
    known = _CODECS.get(declared)
    if known is None:
        known = _CODECS[declared] = _compile(declared)
    return known


def _compile(declared: Any) -> _Codec:
    if declared is Any:
        return _Codec(_plain, _plain)
    if declared in _SCALARS:
        return _scalar(declared)
    if isinstance(declared, type) and dataclasses.is_dataclass(declared):
        return _class_codec(declared)
    if isinstance(declared, type) and issubclass(declared, StrEnum):
        return _enumeration(declared)
    origin, arguments = typing.get_origin(declared), typing.get_args(declared)
    if origin in (typing.Union, types.UnionType):
        return _union(arguments)
    if origin is tuple:
        return _tuple(arguments)
    if origin in (Mapping, dict) and arguments[0] is str:
        return _mapping(arguments[1])
    raise TypeError(f"no lossless JSON form is defined for the declared type {declared!r}")


_SCALARS = (str, int, bool, float, type(None))
_NAMES = {str: "text", int: "an integer", bool: "true or false", float: "a finite number", type(None): "null"}


def _scalar(declared: Any) -> _Codec:
    name = _NAMES[declared]

    def exact(value: Any) -> Any:
        if type(value) is not declared:
            raise _MismatchError(name, _show(value))
        return value

    def number(value: Any) -> Any:
        if not (type(value) is int or (type(value) is float and isfinite(value))):
            raise _MismatchError(name, _show(value))
        return value

    convert = number if declared is float else exact
    return _Codec(convert, convert)


def _enumeration(declared: type[StrEnum]) -> _Codec:
    members = {member.value: member for member in declared}

    def write(value: Any) -> str:
        if type(value) is not declared:
            raise _MismatchError(f"a {declared.__name__}", _show(value))
        return str(value.value)

    def read(value: Any) -> StrEnum:
        member = members.get(value) if type(value) is str else None
        if member is None:
            raise _MismatchError(f"one of {', '.join(members)}", _show(value))
        return member

    return _Codec(write, read)


def _tuple(arguments: tuple[Any, ...]) -> _Codec:
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        return _sequence(_codec(arguments[0]))
    parts = tuple(_codec(argument) for argument in arguments)

    def through(kind: Any, converters: list[_Convert]) -> Callable[[Any], list[Any]]:
        def convert(value: Any) -> list[Any]:
            if type(value) is not kind or len(value) != len(converters):
                raise _MismatchError(f"a {kind.__name__} of {len(converters)}", _show(value))
            return [_at(f"[{place}]", converters[place], item) for place, item in enumerate(value)]

        return convert

    read = through(list, [part.decode for part in parts])
    return _Codec(through(tuple, [part.encode for part in parts]), lambda value: tuple(read(value)))


def _sequence(item: _Codec) -> _Codec:
    def through(kind: Any, convert: _Convert) -> Callable[[Any], list[Any]]:
        def all_items(value: Any) -> list[Any]:
            if type(value) is not kind:
                raise _MismatchError("an array" if kind is list else "a tuple", _show(value))
            try:
                return [convert(part) for part in value]
            except _MismatchError:
                return [_at(f"[{place}]", convert, part) for place, part in enumerate(value)]

        return all_items

    read = through(list, item.decode)
    return _Codec(through(tuple, item.encode), lambda value: tuple(read(value)))


def _mapping(declared: Any) -> _Codec:
    item = _codec(declared)

    def through(convert: _Convert) -> _Convert:
        def all_values(value: Any) -> dict[str, Any]:
            if not isinstance(value, Mapping):
                raise _MismatchError("an object", _show(value))
            result: dict[str, Any] = {}
            for key, part in value.items():
                if type(key) is not str:
                    raise _MismatchError("text keys", _show(key))
                result[key] = _at(f"[{key!r}]", convert, part)
            return result

        return all_values

    return _Codec(through(item.encode), through(item.decode))


def _plain(value: Any) -> Any:
    """JSON data as it is; refuses what JSON would change (tuples, keys that are no text, NaN, other classes)."""
    kind = type(value)
    if kind is str or kind is int or kind is bool or value is None:
        return value
    if kind is float and isfinite(value):
        return value
    if kind is list:
        return [part if type(part) is str else _at(f"[{place}]", _plain, part) for place, part in enumerate(value)]
    if kind is dict:
        for key in value:
            if type(key) is not str:
                raise _MismatchError("text keys", _show(key))
        return {key: part if type(part) is str else _at(f"[{key!r}]", _plain, part) for key, part in value.items()}
    raise _MismatchError(
        "plain JSON data (null, boolean, finite number, text, list, dict with text keys)", _show(value)
    )


def _union(members: tuple[Any, ...]) -> _Codec:
    records: dict[str, type] = {}
    written: dict[type, _Convert] = {}
    read: dict[type, _Convert] = {}
    texts: dict[str, StrEnum] = {}
    for member in members:
        codec = _codec(member)
        if isinstance(member, type) and dataclasses.is_dataclass(member):
            if member.__name__ in records:
                raise TypeError(f"two members of a union share the class name {member.__name__}")
            records[member.__name__] = member
            written[member] = codec.encode
        elif isinstance(member, type) and issubclass(member, StrEnum):
            clash = texts.keys() & {item.value for item in member}
            if clash or str in members:
                raise TypeError(f"{member.__name__} cannot be told from the other members of its union")
            texts.update({item.value: item for item in member})
            written[member] = codec.encode
        elif member in _SCALARS:
            written[member] = codec.encode
            read[member] = codec.decode
        else:
            raise TypeError(f"{member!r} cannot be a member of a union")
    if texts:
        read[str] = _text_reader(texts)
    if records:
        read[dict] = _tag_reader(records)
    names = " or ".join(getattr(member, "__name__", str(member)) for member in members)

    def choose(converters: dict[type, _Convert]) -> _Convert:
        def convert(value: Any) -> Any:
            converter = converters.get(type(value))
            if converter is None:
                raise _MismatchError(names, _show(value))
            return converter(value)

        return convert

    return _Codec(choose(written), choose(read))


def _text_reader(texts: dict[str, StrEnum]) -> _Convert:
    def convert(value: Any) -> StrEnum:
        if value not in texts:
            raise _MismatchError(f"one of {', '.join(texts)}", _show(value))
        return texts[value]

    return convert


def _tag_reader(records: dict[str, type]) -> _Convert:
    def convert(value: Any) -> Any:
        tag = value.get(TAG)
        record = records.get(tag) if type(tag) is str else None
        if record is None:
            raise _MismatchError(f"the class tag {' or '.join(records)}", _show(tag))
        return _class_codec(record).decode(value)

    return convert


def _class_codec(record: type) -> _Codec:
    """The codec of a dataclass. Its fields are resolved at first use, so classes may refer to themselves."""
    known = _CLASSES.get(record)
    if known is not None:
        return known
    if not dataclasses.is_dataclass(record):
        raise TypeError(f"{record.__name__} is no dataclass")
    name = record.__name__
    fields: tuple[tuple[str, _Codec], ...] = ()
    tagged_size = 0

    def resolve() -> None:
        nonlocal fields, tagged_size
        hints = typing.get_type_hints(record)
        declared = tuple((field.name, _codec(hints[field.name])) for field in dataclasses.fields(record))
        if any(field == TAG for field, _ in declared):
            raise TypeError(f"{name} has a field named {TAG!r}, which is taken by the class tag")
        fields, tagged_size = declared, len(declared) + 1

    def write(value: Any) -> dict[str, Any]:
        if type(value) is not record:
            raise _MismatchError(f"a {name}", _show(value))
        if not tagged_size:
            resolve()
        result: dict[str, Any] = {TAG: name}
        place = ""
        try:
            for place, codec in fields:
                result[place] = codec.encode(getattr(value, place))
        except _MismatchError as mismatch:
            mismatch.path.append(f".{place}")
            raise
        return result

    def read(value: Any) -> Any:
        if type(value) is not dict or value.get(TAG) != name:
            raise _MismatchError(f"an object with the class tag {name}", _show(value))
        if not tagged_size:
            resolve()
        place = ""
        arguments: dict[str, Any] = {}
        try:
            for place, codec in fields:
                arguments[place] = codec.decode(value[place])
        except KeyError:
            raise _MismatchError(f"{name} with the field {place}", "no such field") from None
        except _MismatchError as mismatch:
            mismatch.path.append(f".{place}")
            raise
        if len(value) != tagged_size:
            extra = sorted(value.keys() - {TAG} - {field for field, _ in fields})
            raise _MismatchError(f"{name} with no other field than its own", f"the field {', '.join(extra)}")
        return record(**arguments)

    codec = _CLASSES[record] = _Codec(write, read)
    return codec
