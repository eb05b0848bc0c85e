"""Mutators, positions and what a mutant is: generic ways to break something, and the requirement that then breaks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from sscb_pipeline.judging.trials.specimens import Specimen
from sscb_pipeline.packets.check_inline import EarlierOriginal
from sscb_pipeline.packets.packet import Packet
from sscb_pipeline.packets.requirement import ASSIGNED, CheckedObject, Checker, Requirement


class Mutator(StrEnum):
    """What is done to an element."""

    DROP = "drop"
    DUPLICATE = "duplicate"
    SWAP = "swap"
    EDIT = "edit"


class Position(StrEnum):
    """Which element of its kind."""

    FIRST = "first"
    MIDDLE = "middle"
    LAST = "last"
    TARGET = "target"
    USER = "user"


class Level(StrEnum):
    """Where the change is made (JIA §II-B), which decides who can see it."""

    SOURCE_RECORD = "source record"
    MEMORY_PACKET = "in-memory packet"
    SAVED_FILE = "saved file"
    EARLIER_ARCHIVE = "earlier archive"


@dataclass(slots=True, kw_only=True)
class Files:
    """What lies on disk when the disk checker starts, by name; a mutant of a saved file changes it."""

    sources: dict[str, bytes]
    archive: dict[str, bytes]
    staged: dict[str, bytes]
    manifest: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class ChangeSpecimen:
    """A change of the source record, before anything is rendered."""

    apply: Callable[[Specimen], Specimen]


@dataclass(frozen=True, slots=True)
class ChangePackets:
    """A change of one record's packets in memory."""

    apply: Callable[[Sequence[Packet]], Sequence[Packet]]


@dataclass(frozen=True, slots=True)
class ChangeFiles:
    """A change of what was saved."""

    apply: Callable[[Files], None]


@dataclass(frozen=True, slots=True)
class ChangeOriginals:
    """What an earlier archive holds of a record's packets."""

    apply: Callable[[Sequence[Packet]], Mapping[str, EarlierOriginal]]


Change = ChangeSpecimen | ChangePackets | ChangeFiles | ChangeOriginals


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """One change and the requirement it breaks, by what the contract says of the changed element."""

    name: str
    mutator: Mutator
    expected: Requirement
    change: Change
    reaches: frozenset[CheckedObject]
    """The objects that differ after the change; a checker is assigned the mutant if it examines one of them."""

    def assigned_to(self, checker: Checker) -> bool:
        """Whether the contract has this checker examine a changed object for the requirement."""
        return any(
            assignment.checker is checker and assignment.examined in self.reaches
            for item in ASSIGNED
            if item.requirement is self.expected
            for assignment in item.assignments
        )

    @property
    def level(self) -> Level:
        """Where the change is made."""
        match self.change:
            case ChangeSpecimen():
                return Level.SOURCE_RECORD
            case ChangePackets():
                return Level.MEMORY_PACKET
            case ChangeFiles():
                return Level.SAVED_FILE
            case ChangeOriginals():
                return Level.EARLIER_ARCHIVE

    @property
    def shared(self) -> bool:
        """Whether the change reaches inputs that both checkers read."""
        return self.level in (Level.SOURCE_RECORD, Level.MEMORY_PACKET)


_Item = TypeVar("_Item")


def mutate(items: Sequence[_Item], at: int, mutator: Mutator, edited: Callable[[_Item], _Item]) -> list[_Item]:
    """The items with the one at `at` dropped, doubled, exchanged with the next (the last with the one before), or
    edited."""
    changed = list(items)
    match mutator:
        case Mutator.DROP:
            del changed[at]
        case Mutator.DUPLICATE:
            changed.insert(at, changed[at])
        case Mutator.SWAP:
            other = at + 1 if at + 1 < len(changed) else at - 1
            changed[at], changed[other] = changed[other], changed[at]
        case Mutator.EDIT:
            changed[at] = edited(changed[at])
    return changed


def at_position(found: Sequence[_Item], position: Position, marked: Callable[[_Item], bool]) -> _Item | None:
    """The item at a position; TARGET and USER take the first that `marked` accepts, or none."""
    if not found:
        return None
    match position:
        case Position.FIRST:
            return found[0]
        case Position.MIDDLE:
            return found[len(found) // 2]
        case Position.LAST:
            return found[-1]
        case Position.TARGET | Position.USER:
            return next((item for item in found if marked(item)), None)
