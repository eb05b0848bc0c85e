"""Which steps are judged (JIA §II-A): labels choose targets and are forgotten; a packet knows a message only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sscb_pipeline.errors import InputError
from sscb_pipeline.packets.target import Target, is_call_step
from sscb_pipeline.trajectories.source_record import Actor, SourceRecord, SourceTurn

CORRECT, NEUTRAL, WRONG = 1, 0, -1
"""Values of a step label: correct and advancing, neutral, incorrect or harmful."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetPair:
    """The two targets a trajectory contributes; the comparison target comes before the error target."""

    error: Target
    comparison: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class NoTargets:
    """The trajectory contributes none; `reason` says which rule it does not meet."""

    reason: str


def choose_targets(record_id: str, record: SourceRecord, labels: Mapping[int, int]) -> TargetPair | NoTargets:
    """The targets of a record whose agent turns are labelled by message index (from 0).

    Error target: the earliest tool-call step that begins a run of −1 labels. Comparison target: the nearest earlier
    tool-call step labelled +1. A turn without a label ends a run as a label other than −1 does. Raises InputError for
    a label of what is no agent's turn and for a label of another value.
    """
    turns = _labelled_turns(record_id, record, labels)
    before = NEUTRAL
    for place, (index, label, calls) in enumerate(turns):
        if label == WRONG and before != WRONG and calls:
            for earlier, its_label, its_calls in reversed(turns[:place]):
                if its_label == CORRECT and its_calls:
                    return TargetPair(
                        error=Target(record_id=record_id, message=index),
                        comparison=Target(record_id=record_id, message=earlier),
                    )
            return NoTargets(reason="no tool-call step labelled +1 comes before the error target")
        before = label
    return NoTargets(reason="no tool-call step begins a run of -1 labels")


def _labelled_turns(record_id: str, record: SourceRecord, labels: Mapping[int, int]) -> list[tuple[int, int, bool]]:
    """Message index, label and whether there are calls, of every agent's turn in order."""
    turns = {
        index: message
        for index, message in enumerate(record.messages)
        if isinstance(message, SourceTurn) and message.actor is Actor.AGENT
    }
    for index, label in labels.items():
        if index not in turns or label not in (CORRECT, NEUTRAL, WRONG):
            raise InputError(
                subject=f"label of {record_id}, message {index}",
                expected="-1, 0 or 1 for a turn of the agent",
                found=f"{label!r}" if index in turns else "no turn of the agent there",
                remedy="correct the labels; they count messages from 0, the system message included",
            )
    return [(index, labels.get(index, NEUTRAL), is_call_step(turn)) for index, turn in turns.items()]
