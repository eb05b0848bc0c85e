"""Reading and rewriting the JSON text of observations.

A rewrite must leave every byte outside the changed field as the substrate wrote it, so that schema, identifiers,
types and key order stay (SPEC 3). The substrate writes `json.dumps` text; a text that does not survive a round trip
unchanged is never rewritten.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sscb_pipeline.errors import SscbError
from sscb_pipeline.faults.intervention import FieldChange
from sscb_pipeline.trajectories.arguments import ParsedArguments
from sscb_pipeline.trajectories.steps import Orphan, ToolCall, ToolObservation, Trajectory

Path = tuple[str | int, ...]


class UnfaithfulRewriteError(SscbError):
    """The observation text would change outside the rewritten field."""


def as_object(content: str) -> Mapping[str, Any]:
    """The observation as a JSON object; empty when it is none (error text, list, plain words)."""
    if not content.startswith("{"):
        return {}
    try:
        value = json.loads(content)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def rewrite(content: str, changes: Sequence[tuple[Path, Any]], *, subject: str) -> tuple[str, tuple[FieldChange, ...]]:
    """Set the fields at the given paths and write the text back; fields that already hold the value count as no change.

    Raises UnfaithfulRewriteError when the text is not exactly what `json.dumps` writes for its value.
    """
    value = json.loads(content)
    if json.dumps(value) != content:
        raise UnfaithfulRewriteError(
            subject=subject,
            expected="observation text as json.dumps writes it",
            found="text that a rewrite would change elsewhere too",
            remedy="rewrite this observation with an operator that knows its form",
        )
    made: list[FieldChange] = []
    for path, after in changes:
        parent: Any = value
        for part in path[:-1]:
            parent = parent[part]
        before = parent[path[-1]]
        if before != after:
            parent[path[-1]] = after
            made.append(FieldChange(path=path, before=before, after=after))
    return (json.dumps(value) if made else content), tuple(made)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One observation with the call it answers and its text read as an object (empty when it is none)."""

    step: int
    tool: str
    arguments: Mapping[str, Any]
    content: str
    value: Mapping[str, Any]


def observations(trajectory: Trajectory) -> Iterator[Seen]:
    """Every paired observation in order of delivery. Orphans are left out: what they answer is not known."""
    for step in trajectory.steps:
        if not isinstance(step, ToolObservation) or isinstance(step.pairing, Orphan):
            continue
        call = trajectory.steps[step.pairing.call]
        assert isinstance(call, ToolCall)
        reading = call.arguments.reading
        arguments = reading.value if isinstance(reading, ParsedArguments) else {}
        yield Seen(
            step=step.index,
            tool=call.tool,
            arguments=arguments,
            content=step.content,
            value=as_object(step.content),
        )
