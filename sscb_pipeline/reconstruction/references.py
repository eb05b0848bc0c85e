"""Extraction: every mention, after T_F, of the affected entity or of a value in play (SSC §IV-C).

This pass is blind. It knows a subject, whose values are sorted, and no contract: which value was injected and which
one the records support cannot be seen here, and exchanging the two leaves the references byte for byte the same.
Whether a mention is a use at all is for `dependence` to say.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import lru_cache
from typing import assert_never

from sscb_pipeline.reconstruction import mentions_date, mentions_effect, mentions_entity, mentions_option
from sscb_pipeline.reconstruction.arguments import Leaf, leaves
from sscb_pipeline.reconstruction.mentions import Form, Mention
from sscb_pipeline.reconstruction.sentences import lower
from sscb_pipeline.trajectories.steps import (
    AgentMessage,
    Handoff,
    Step,
    SystemText,
    ToolCall,
    ToolObservation,
    Trajectory,
    UserMessage,
)
from sscb_pipeline.trajectories.subject import Subject, ValueKind


class Place(StrEnum):
    """Where the agent made the mention."""

    MESSAGE = "message"
    ARGUMENT = "argument"
    HANDOFF = "handoff"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """One mention. `step` is the step index; `path` the argument path (empty elsewhere); `start` and `end` the span
    in the text at that place; `values` the values in play it can denote, sorted (none for a mere entity mention)."""

    step: int
    place: Place
    path: tuple[str | int, ...]
    start: int
    end: int
    surface: str
    form: Form
    values: tuple[str, ...]
    derivation: str


Finder = Callable[[str, str], Iterator[Mention]]
"""From the original and the lowered text to the mentions in it."""


def extract(subject: Subject, trajectory: Trajectory, after: int) -> tuple[Reference, ...]:
    """All references later than step `after`, in order of delivery and position. Total."""
    finder = finder_of(subject)
    found: list[Reference] = []
    for step in trajectory.steps[after + 1 :]:
        found.extend(_of_step(subject, trajectory, finder, step))
    return tuple(found)


def encode(references: Sequence[Reference]) -> bytes:
    """Canonical bytes of an extraction, for comparison and storage."""
    return json.dumps([asdict(item) for item in references], sort_keys=True).encode("utf-8", "surrogatepass")


def _of_step(subject: Subject, trajectory: Trajectory, finder: Finder, step: Step) -> Iterator[Reference]:
    match step:
        case AgentMessage():
            yield from _of_text(finder, step.index, Place.MESSAGE, (), step.text)
        case Handoff():
            yield from _of_text(finder, step.index, Place.HANDOFF, (), step.text)
        case ToolCall():
            for leaf in leaves(step.arguments):
                yield from _of_text(finder, step.index, Place.ARGUMENT, leaf.path, leaf.text)
            for mention, leaf in _of_identifiers(subject, trajectory, step):
                yield _reference(step.index, Place.ARGUMENT, leaf.path, mention)
        case SystemText() | UserMessage() | ToolObservation():
            return
        case _:
            assert_never(step)


def _of_identifiers(subject: Subject, trajectory: Trajectory, step: ToolCall) -> Iterator[tuple[Mention, Leaf]]:
    if subject.kind is ValueKind.DATE:
        yield from mentions_date.shifted(subject, step)
    if subject.kind is ValueKind.TEXT:
        yield from mentions_option.chosen_variants(subject, trajectory, step)


def _of_text(finder: Finder, step: int, place: Place, path: tuple[str | int, ...], text: str) -> Iterator[Reference]:
    for mention in finder(text, lower(text)):
        yield _reference(step, place, path, mention)


def _reference(step: int, place: Place, path: tuple[str | int, ...], mention: Mention) -> Reference:
    return Reference(
        step=step,
        place=place,
        path=path,
        start=mention.start,
        end=mention.end,
        surface=mention.surface,
        form=mention.form,
        values=mention.values,
        derivation=mention.derivation,
    )


@lru_cache(maxsize=1024)
def finder_of(subject: Subject) -> Finder:
    """The finder for a subject: values in their kind's forms, then the entity. Mentions come in order of position."""
    values = _values_finder(subject)
    entity = mentions_entity.finder(subject)

    def find(text: str, lowered: str) -> Iterator[Mention]:
        found = [*values(text, lowered), *entity(text, lowered)]
        found.sort(key=lambda mention: (mention.start, mention.end, mention.form.value, mention.values))
        return iter(found)

    return find


def _values_finder(subject: Subject) -> Finder:
    match subject.kind:
        case ValueKind.DATE:
            return mentions_date.finder(subject)
        case ValueKind.CATEGORY:
            return mentions_option.category_finder(subject)
        case ValueKind.TEXT:
            return mentions_option.option_finder(subject)
        case ValueKind.EFFECT:
            return mentions_effect.finder(subject)
        case _:
            assert_never(subject.kind)
