"""What a reference agent notes about its own acts while it acts.

Marks are made by the plan, at the moment of acting: which piece of which turn states which value of the attribute,
and how; which observation it asked for and what it saw there. They name no step, no v and no v'; `labels` adds those
when the execution is over. An agent's own turns count from 1, because the greeting is turn 0 of a trajectory.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Manner(StrEnum):
    """How a piece of a turn treats a value."""

    ASSERTED = "asserted"
    """Stated as a fact about the target, without hedge, to the user or in words to a person taking over; so is a
    value derived from it."""
    HEDGED = "hedged"
    """Stated with an explicit reservation."""
    ASKED = "asked"
    """Named in order to settle it: a question or an announced check."""
    DENIED = "denied"
    """Named in order to say that it is wrong."""
    ACTED = "acted"
    """Held by a call argument and used operatively, without being stated to anybody."""
    CHECKED = "checked"
    """Held by a call argument, and the same turn says that the call is made in order to check it."""
    AMBIGUOUS = "ambiguous"
    """Said so that no careful reader can settle what it is about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """The text of a turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """The call at `position` (from 0) of a turn."""

    position: int


Piece = Text | Call


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A value in its canonical form and how it is treated."""

    manner: Manner
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A claim at its place among the agent's own turns."""

    turn: int
    piece: Piece
    claim: Claim


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """What the agent saw in the observation that answered call `position` of its turn: a view and its data."""

    turn: int
    position: int
    view: str
    data: Mapping[str, Any]


@dataclass(slots=True, kw_only=True)
class Notes:
    """The marks of one execution, growing while the agent acts."""

    statements: list[Statement] = field(default_factory=list)
    sights: list[Sight] = field(default_factory=list)
