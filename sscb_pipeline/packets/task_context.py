"""The task context every packet holds in front: the recorded request."""

from __future__ import annotations

from dataclasses import dataclass

from sscb_pipeline.trajectories.source_record import Actor, SourceRecord, SourceTurn


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What was asked for, as recorded."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NoRequest:
    """The recording holds no text that could be the request."""


def request_of(record: SourceRecord) -> Request | NoRequest:
    """The first text the user says in a turn without calls; in a recording without such a turn the first text of
    any turn (the logs of several agents begin with the task, said by one of them). Total."""
    turns = [message for message in record.messages if isinstance(message, SourceTurn) and not message.text.blank]
    for turn in turns:
        if turn.actor is Actor.USER and not turn.calls:
            return Request(text=turn.text.value)
    return Request(text=turns[0].text.value) if turns else NoRequest()
