"""Targets as packets know them: a message of a record. Which label chose it is nobody's business here (SPEC 11)."""

from __future__ import annotations

from dataclasses import dataclass

from sscb_pipeline.errors import InputError
from sscb_pipeline.trajectories.source_record import Actor, SourceRecord, SourceTurn


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Target:
    """The judged step: the message at index `message` (from 0) of record `record_id`; its parallel calls share it."""

    record_id: str
    message: int


def target_turn(record: SourceRecord, target: Target) -> SourceTurn:
    """The agent's turn a target names. Raises InputError where there is none."""
    messages = record.messages
    if 0 <= target.message < len(messages):
        turn = messages[target.message]
        if isinstance(turn, SourceTurn) and turn.actor is Actor.AGENT:
            return turn
        found = type(turn).__name__ if not isinstance(turn, SourceTurn) else f"a turn of the {turn.actor.value}"
    else:
        found = f"{len(messages)} messages"
    raise InputError(
        subject=f"target {target.record_id}, message {target.message}",
        expected="a turn of the agent",
        found=found,
        remedy="choose a target of this record",
    )


def is_call_step(turn: SourceTurn) -> bool:
    """Whether the message carries at least one call."""
    return bool(turn.calls)


def is_blank(turn: SourceTurn) -> bool:
    """Whether the message says nothing, so that a rendering without calls shows nothing of it (JIA §II-A)."""
    return turn.text.blank and turn.refusal.blank
