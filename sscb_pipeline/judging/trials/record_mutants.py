"""Mutants of the source record: calls, results and arguments, the simulated user's too. Packets are then built from
the changed record, so that nothing but a check of the record can find them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sscb_pipeline.judging.trials.mutation import Level, Mutant, Mutator, Position, at_position, mutate
from sscb_pipeline.judging.trials.specimens import COMPARISON_MESSAGE, ERROR_MESSAGE, messages
from sscb_pipeline.packets.requirement import Requirement
from sscb_pipeline.trajectories.arguments import from_text
from sscb_pipeline.trajectories.source_record import (
    Actor,
    Requestor,
    SourceCall,
    SourceMessage,
    SourceRecord,
    SourceResult,
    SourceTurn,
    given,
)

_OF_CALL = {
    Mutator.DROP: Requirement.RESULT_HAS_CALL,
    Mutator.DUPLICATE: Requirement.CALL_HAS_RESULT,
    Mutator.EDIT: Requirement.ARGUMENTS_READABLE,
}
"""A dropped call leaves its result alone, a doubled one stays unanswered, an edit makes its arguments no JSON."""
_OF_RESULT = {
    Mutator.DROP: Requirement.CALL_HAS_RESULT,
    Mutator.DUPLICATE: Requirement.RESULT_HAS_CALL,
    Mutator.SWAP: Requirement.RESULT_HAS_CALL,
    Mutator.EDIT: Requirement.RESULT_HAS_CALL,
}
"""A swap puts the result before its call; an edit gives it an id no call has."""

_TARGETS = (COMPARISON_MESSAGE, ERROR_MESSAGE)


def record_mutants() -> Iterator[Mutant]:
    """Every mutator at every position; equal changes come once."""
    sample = messages(0)
    calls = [at for at, message in enumerate(sample) if isinstance(message, SourceTurn) and message.calls]
    results = [at for at, message in enumerate(sample) if isinstance(message, SourceResult)]
    for position in Position:
        yield from _at(position, sample, calls, results)


def _at(
    position: Position, sample: tuple[SourceMessage, ...], calls: list[int], results: list[int]
) -> Iterator[Mutant]:
    called = at_position(calls, position, lambda at: _marked_call(sample[at], at, position))
    answered = at_position(results, position, lambda at: _marked_result(sample, at, position))
    if called is not None:
        yield from _of_call(called, position)
    if answered is not None:
        yield from _of_result(answered, position)


def _marked_call(message: SourceMessage, at: int, position: Position) -> bool:
    if position is Position.TARGET:
        return at in _TARGETS
    return isinstance(message, SourceTurn) and message.actor is Actor.USER


def _marked_result(sample: tuple[SourceMessage, ...], at: int, position: Position) -> bool:
    message = sample[at]
    if position is Position.TARGET:
        return at - 1 in _TARGETS
    return isinstance(message, SourceResult) and message.requestor is Requestor.USER


def _of_call(at: int, position: Position) -> Iterator[Mutant]:
    for mutator, expected in _OF_CALL.items():

        def change(record: SourceRecord, mutator: Mutator = mutator) -> SourceRecord:
            turn = record.messages[at]
            assert isinstance(turn, SourceTurn)
            last = len(turn.calls) - 1
            calls = mutate(turn.calls, last, mutator, _malformed)
            return _with(record, at, replace(turn, calls=tuple(calls)))

        yield Mutant(
            name=f"source: {mutator.value} call, {position.value}",
            level=Level.SOURCE_RECORD,
            mutator=mutator,
            expected=expected,
            change=change,
        )


def _of_result(at: int, position: Position) -> Iterator[Mutant]:
    for mutator, expected in _OF_RESULT.items():

        def change(record: SourceRecord, mutator: Mutator = mutator) -> SourceRecord:
            # A swap with the message before the call's own, so that the result comes first.
            place = at - 1 if mutator is Mutator.SWAP else at
            return replace(record, messages=tuple(mutate(record.messages, place, mutator, _stranger)))

        yield Mutant(
            name=f"source: {mutator.value} result, {position.value}",
            level=Level.SOURCE_RECORD,
            mutator=mutator,
            expected=expected,
            change=change,
        )


def _malformed(call: SourceCall) -> SourceCall:
    return replace(call, arguments=from_text(call.arguments.raw.replace('"', "'")))


def _stranger(message: SourceMessage) -> SourceMessage:
    assert isinstance(message, SourceResult)
    return replace(message, call_id=given(f"{message.call_id.value}-of-nobody"))


def _with(record: SourceRecord, at: int, message: SourceMessage) -> SourceRecord:
    return replace(record, messages=(*record.messages[:at], message, *record.messages[at + 1 :]))
