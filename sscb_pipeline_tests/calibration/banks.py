"""The three phrase banks: the one the reference agents ship with, and two of other words that exist only here.

The second and the third bank were written from what each purpose has to claim, without a look at how text is read, so
that the first measurement of each said something about wording the rules were not made with. Rules were mended after
both of those; the figures of the third bank from before are in docs/adr/0007.
"""

from __future__ import annotations

import functools
import re
from enum import StrEnum
from pathlib import Path

import yaml
from pydantic import TypeAdapter

from sscb_pipeline.adapters.agents.reference import bank as shipped
from sscb_pipeline.adapters.agents.reference.bank import Bank

_BANK: TypeAdapter[dict[str, tuple[str, ...]]] = TypeAdapter(dict[str, tuple[str, ...]])


class Banks(StrEnum):
    """Whose words an agent speaks."""

    SHIPPED = "shipped"
    HELD_OUT = "held_out"
    BLIND = "blind"


_FOLDERS = {Banks.HELD_OUT: Path(__file__).parent / "wording", Banks.BLIND: Path(__file__).parent / "wording_blind"}


@functools.cache
def phrases_of(banks: Banks, operator: str) -> Bank:
    """The phrases of an operator in one of the banks, the common ones included."""
    if banks is Banks.SHIPPED:
        return shipped.bank(operator)
    read: dict[str, tuple[str, ...]] = {}
    for name in ("common", operator):
        read |= _BANK.validate_python(yaml.safe_load((_FOLDERS[banks] / f"{name}.yaml").read_text(encoding="utf-8")))
    return read


_PLACEHOLDER = re.compile(r"\{\w+\}")
_BREAK = re.compile(r"[.!?]\s|[.!?]$|[:;|\n\0]")
_WORD = re.compile(r"[a-z0-9]+(?:['’][a-z]+)*")


def words(text: str) -> tuple[str, ...]:
    """The words of a text in lower case."""
    return tuple(_WORD.findall(text.lower()))


def sentences(phrase: str) -> list[tuple[str, ...]]:
    """The sentences of a phrase as rows of words, also broken where a placeholder stands."""
    return [words(part) for part in _BREAK.split(_PLACEHOLDER.sub("\0", phrase))]


def longest_fixed_part(phrase: str) -> str:
    """The longest part of a phrase between placeholders."""
    return max(_PLACEHOLDER.split(phrase), key=len)
