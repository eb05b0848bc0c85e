"""The text leaves of call arguments, in order, with their paths."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sscb_pipeline.trajectories.arguments import Arguments, ParsedArguments


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """A string or number in the arguments. Arguments that do not parse are one leaf at the empty path."""

    path: tuple[str | int, ...]
    text: str


def leaves(arguments: Arguments) -> Iterator[Leaf]:
    """Every string and number, depth first, in the order written. Keys are no leaves."""
    if not isinstance(arguments.reading, ParsedArguments):
        if arguments.raw:
            yield Leaf(path=(), text=arguments.raw)
        return
    yield from _walk((), arguments.reading.value)


def _walk(path: tuple[str | int, ...], value: Any) -> Iterator[Leaf]:
    if isinstance(value, str):
        yield Leaf(path=path, text=value)
    elif isinstance(value, bool) or value is None:
        return
    elif isinstance(value, int | float):
        yield Leaf(path=path, text=str(value))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _walk((*path, str(key)), item)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _walk((*path, index), item)
