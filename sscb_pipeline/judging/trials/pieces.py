"""A packet's bytes as pieces: a structural line and the lines of text below it. For changing packets only."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_STRUCTURE = re.compile(r"\[[A-Z][^\]]*\]")
_NUMBER = re.compile(r"\[(?:TARGET )?MESSAGE (\d+)\]")
HEAD = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """`tag` is the structural line up to its bracket, `rest` what follows on it, `body` the lines below; `message` is
    the number of the message it belongs to, or HEAD."""

    tag: str
    rest: str
    body: tuple[str, ...]
    message: int

    @property
    def opens(self) -> bool:
        """Whether it is the line with a message's number."""
        return _NUMBER.fullmatch(self.tag) is not None


def pieces(data: bytes) -> list[Piece]:
    """The pieces of a well-formed packet."""
    found: list[Piece] = []
    message = HEAD
    for line in data.decode("utf-8").removesuffix("\n").split("\n"):
        structure = _STRUCTURE.match(line)
        if structure is None:
            last = found[-1]
            found[-1] = Piece(tag=last.tag, rest=last.rest, body=(*last.body, line), message=last.message)
            continue
        number = _NUMBER.fullmatch(structure.group())
        if number is not None:
            message = int(number.group(1))
        found.append(Piece(tag=structure.group(), rest=line[structure.end() :], body=(), message=message))
    return found


def joined(parts: Iterable[Piece]) -> bytes:
    """The bytes of some pieces."""
    return "".join(f"{line}\n" for part in parts for line in (part.tag + part.rest, *part.body)).encode("utf-8")
