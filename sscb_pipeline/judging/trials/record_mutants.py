"""Mutants of the source record: calls, results and arguments, the simulated user's too. Packets are then built from
the changed record, so that nothing but a check of the record can find them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sscb_pipeline.judging.trials.mutation import ChangeSpecimen, Mutant, Mutator, Position, at_position, mutate
from sscb_pipeline.judging.trials.specimens import COMPARISON_MESSAGE, ERROR_MESSAGE, Specimen, member, messages
from sscb_pipeline.packets.requirement import CheckedObject, Requirement
from sscb_pipeline.trajectories.arguments import from_text
from sscb_pipeline.trajectories.source_record import (
    Actor,
    Requestor,
    SourceCall,
    SourceMessage,
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
"""A swap puts it where its call was not yet made, or is over; an edit gives it an id no call has."""

_REACHES = frozenset({CheckedObject.SOURCE_RECORD, CheckedObject.SOURCE_FILE})
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

        def change(specimen: Specimen, mutator: Mutator = mutator) -> Specimen:
            turn = specimen.source.record.messages[at]
            assert isinstance(turn, SourceTurn)
            changed = replace(turn, calls=tuple(mutate(turn.calls, len(turn.calls) - 1, mutator, _malformed)))
            content = [*specimen.source.record.messages]
            content[at] = changed
            return _with(specimen, content, 0, at)

        yield Mutant(
            name=f"source: {mutator.value} call, {position.value}",
            mutator=mutator,
            expected=expected,
            change=ChangeSpecimen(change),
            reaches=_REACHES,
        )


_SHIFTS = {Mutator.DROP: -1, Mutator.DUPLICATE: 1, Mutator.SWAP: 0, Mutator.EDIT: 0}


def _of_result(at: int, position: Position) -> Iterator[Mutant]:
    for mutator, expected in _OF_RESULT.items():

        def change(specimen: Specimen, mutator: Mutator = mutator) -> Specimen:
            content = specimen.source.record.messages
            if mutator is Mutator.SWAP:
                changed = _before_its_call(content, at)
            else:
                changed = mutate(content, at, mutator, _stranger)
            return _with(specimen, changed, _SHIFTS[mutator], at)

        yield Mutant(
            name=f"source: {mutator.value} result, {position.value}",
            mutator=mutator,
            expected=expected,
            change=ChangeSpecimen(change),
            reaches=_REACHES,
        )


def _before_its_call(content: Sequence[SourceMessage], at: int) -> list[SourceMessage]:
    """The texts and links of the result exchanged with those of the next result, so that it comes for a call that was
    not yet made; the last is exchanged with the one before."""
    results = [place for place, message in enumerate(content) if isinstance(message, SourceResult)]
    position = results.index(at)
    other = results[position + 1] if position + 1 < len(results) else results[position - 1]
    changed = list(content)
    changed[at], changed[other] = changed[other], changed[at]
    return changed


def _malformed(call: SourceCall) -> SourceCall:
    return replace(call, arguments=from_text(call.arguments.raw.replace('"', "'")))


def _stranger(message: SourceMessage) -> SourceMessage:
    assert isinstance(message, SourceResult)
    return replace(message, call_id=given(f"{message.call_id.value}-of-nobody"))


def _with(specimen: Specimen, content: Sequence[SourceMessage], shift: int, at: int) -> Specimen:
    """The recording with other messages, its targets still naming the same steps."""
    targets = [target.message + (shift if target.message > at else 0) for target in specimen.targets]
    recorded = replace(specimen.source.record, messages=tuple(content))
    return member(specimen.source.record_id, recorded, targets)
