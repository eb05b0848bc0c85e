"""Which result answers which call (SPEC 1), for the agent's calls and the simulated user's alike.

By id: the latest message that holds an unanswered call of that id, inside it the first such call, cross-checked
on the tool name and the requestor where the result gives them. A result without a usable id is paired only while
exactly one call is open. By position, where the format declares it: the first unanswered call of the latest
message that holds one. A result that answers nothing is an orphan; a contradiction is an error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sscb_pipeline.errors import InputError
from sscb_pipeline.trajectories.source_record import (
    Actor,
    PairingRule,
    Requestor,
    SourceCall,
    SourceRecord,
    SourceResult,
    SourceTurn,
)


class PairingConflictError(InputError):
    """A result contradicts the call it would answer, or more than one call could be meant."""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class CallPlace:
    """A call by message index (from 0) and position inside the message (from 0). Unique, whatever its id."""

    message: int
    position: int

    @property
    def uid(self) -> str:
        """Our own id of the call, unique within its record."""
        return f"m{self.message}c{self.position}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unanswering:
    """The result answers no call of the record."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """All links of a record, one-to-one.

    `answers` maps the message index of every result to the call it answers; `unanswered` are the calls without
    a result, in order; `reused_ids` are ids that more than one call has, by first reuse; `synthetic` are calls the
    source gives no usable id, which are known by their `CallPlace.uid` only.
    """

    answers: Mapping[int, CallPlace | Unanswering]
    unanswered: tuple[CallPlace, ...]
    reused_ids: tuple[str, ...]
    synthetic: tuple[CallPlace, ...]

    @property
    def orphans(self) -> tuple[int, ...]:
        """Message indices of the results that answer nothing."""
        return tuple(index for index, link in self.answers.items() if isinstance(link, Unanswering))


@dataclass(frozen=True, slots=True)
class _Open:
    """A call that waits for its result."""

    place: CallPlace
    actor: Actor
    call: SourceCall


def pair(record: SourceRecord) -> Pairing:
    """Link every result of a record. Raises PairingConflictError naming the message."""
    waiting: list[_Open] = []
    answers: dict[int, CallPlace | Unanswering] = {}
    seen: dict[str, int] = {}
    synthetic: list[CallPlace] = []
    for index, message in enumerate(record.messages):
        if isinstance(message, SourceTurn):
            for position, call in enumerate(message.calls):
                place = CallPlace(message=index, position=position)
                waiting.append(_Open(place, message.actor, call))
                if call.call_id.named:
                    seen[call.call_id.value] = seen.get(call.call_id.value, 0) + 1
                else:
                    synthetic.append(place)
        elif isinstance(message, SourceResult):
            subject = f"{record.origin.place}, message {index}"
            chosen = _choose(subject, message, waiting, record.pairing_rule)
            if isinstance(chosen, Unanswering):
                answers[index] = chosen
            else:
                waiting.remove(chosen)
                answers[index] = chosen.place
    return Pairing(
        answers=answers,
        unanswered=tuple(entry.place for entry in waiting),
        reused_ids=tuple(call_id for call_id, count in seen.items() if count > 1),
        synthetic=tuple(synthetic),
    )


def _choose(subject: str, result: SourceResult, waiting: Sequence[_Open], rule: PairingRule) -> _Open | Unanswering:
    candidates = _of_requestor(result, waiting)
    if rule is PairingRule.BY_POSITION:
        chosen = _first_of_latest(candidates)
        if isinstance(chosen, _Open) and _ids_differ(result, chosen):
            raise _conflict(
                subject, f"id {chosen.call.call_id.value!r} of the call at {_told(chosen)}", result.call_id.value
            )
    elif result.call_id.named:
        same_id = [entry for entry in waiting if entry.call.call_id.value == result.call_id.value]
        chosen = _first_of_latest(_of_requestor(result, same_id))
        if isinstance(chosen, Unanswering) and same_id:
            found = f"requestor {result.requestor.value}"
            raise _conflict(
                subject, f"a result for the {same_id[-1].actor.value}'s call at {_told(same_id[-1])}", found
            )
    else:
        chosen = _only(subject, candidates)
    if isinstance(chosen, Unanswering):
        return Unanswering(reason=_why_none(result))
    if result.tool.named and result.tool.value != chosen.call.tool:
        raise _conflict(subject, f"a result of {chosen.call.tool!r}, called at {_told(chosen)}", result.tool.value)
    return chosen


def _of_requestor(result: SourceResult, waiting: Sequence[_Open]) -> list[_Open]:
    if result.requestor is Requestor.NOT_GIVEN:
        return list(waiting)
    return [entry for entry in waiting if entry.actor.value == result.requestor.value]


def _first_of_latest(candidates: Sequence[_Open]) -> _Open | Unanswering:
    if not candidates:
        return Unanswering(reason="")
    latest = max(entry.place.message for entry in candidates)
    return next(entry for entry in candidates if entry.place.message == latest)


def _only(subject: str, candidates: Sequence[_Open]) -> _Open | Unanswering:
    if not candidates:
        return Unanswering(reason="")
    if len(candidates) > 1:
        raise PairingConflictError(
            subject=subject,
            expected="exactly one open call for a result without an id",
            found=f"{len(candidates)} open calls, at " + " and ".join(_told(entry) for entry in candidates),
            remedy="give the calls and results ids, or import with a format that declares pairing by position",
        )
    return candidates[0]


def _ids_differ(result: SourceResult, entry: _Open) -> bool:
    call_id = entry.call.call_id
    return result.call_id.named and call_id.named and result.call_id.value != call_id.value


def _told(entry: _Open) -> str:
    return f"message {entry.place.message}, call {entry.place.position}"


def _why_none(result: SourceResult) -> str:
    whose = "" if result.requestor is Requestor.NOT_GIVEN else f" of the {result.requestor.value}"
    if result.call_id.named:
        return f"no unanswered call{whose} with id {result.call_id.value!r} comes before it"
    return f"it has no id and no call{whose} is open"


def _conflict(subject: str, expected: str, found: str) -> PairingConflictError:
    return PairingConflictError(
        subject=subject,
        expected=expected,
        found=repr(found),
        remedy="correct the ids or names in the source; results are never moved to another call",
    )
