"""The eight cells of a study and what one trajectory's draws in them amount to (JIA §II-A)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sscb_pipeline.judging.verdict import Answer, Answered, Verdict
from sscb_pipeline.packets.input_contract import Rendering, Scope


class TargetKind(StrEnum):
    """Why a step was chosen. Never shown to a judge."""

    ERROR = "error"
    COMPARISON = "comparison"
    UNLABELLED = "unlabelled"
    """Of a recording without step labels; it enters no contrast."""


LABELLED = (TargetKind.ERROR, TargetKind.COMPARISON)


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Cell:
    """One of the cells target × scope × rendering."""

    target: TargetKind
    scope: Scope
    rendering: Rendering


def cells(renderings: Iterable[Rendering], targets: Iterable[TargetKind] = LABELLED) -> tuple[Cell, ...]:
    """The cells of some renderings in order; the labelled targets under O and R give the eight."""
    targets = tuple(targets)
    return tuple(
        Cell(target=target, scope=scope, rendering=rendering)
        for rendering in renderings
        for target in targets
        for scope in Scope
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedTarget:
    """The two targets of one trajectory with their draws per cell, and which targets are blank under O.

    `request` is shared by trajectories of the same user request: the cluster of the bootstrap.
    """

    trajectory: str
    request: str
    blank: Mapping[TargetKind, bool]
    draws: Mapping[Cell, Sequence[Verdict]]


def valid(verdicts: Sequence[Verdict], wanted: int) -> bool:
    """Whether a cell has as many valid draws as asked for, and no other."""
    return len(verdicts) == wanted and all(isinstance(verdict, Answered) for verdict in verdicts)


def consensus(verdicts: Sequence[Verdict]) -> bool:
    """Whether every draw says yes. An abstention or an invalid draw is no yes."""
    return bool(verdicts) and all(says(verdict, Answer.YES) for verdict in verdicts)


def abstains(verdicts: Sequence[Verdict]) -> bool:
    """Whether at least one draw says cannot_decide."""
    return any(says(verdict, Answer.CANNOT_DECIDE) for verdict in verdicts)


def says(verdict: Verdict, answer: Answer) -> bool:
    """Whether a draw is valid and gives this answer."""
    return isinstance(verdict, Answered) and verdict.answer is answer
