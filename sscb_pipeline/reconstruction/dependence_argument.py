"""Uses in tool-call arguments: values written into them, and records chosen by their id.

A call that holds v' commits to it or uses it operatively, whatever the words around it hedge (SSC §IV-C), unless those
words say that the call is made to check the value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from functools import lru_cache
from typing import Any

from sscb_pipeline.measured import Undeterminable, Verdict
from sscb_pipeline.reconstruction import speech
from sscb_pipeline.reconstruction.arguments import leaves
from sscb_pipeline.reconstruction.measurement import UseEvent
from sscb_pipeline.reconstruction.references import Reference
from sscb_pipeline.reconstruction.scene import Side, Sides, names, supplied_elsewhere, user_names, user_names_date
from sscb_pipeline.reconstruction.sentences import lower
from sscb_pipeline.trajectories.arguments import ParsedArguments
from sscb_pipeline.trajectories.steps import AgentMessage, Step, ToolCall, ToolObservation, Trajectory, UserMessage
from sscb_pipeline.trajectories.subject import Subject, ValueKind

_ACT_STATES_NOTHING = Undeterminable(reason="an act; no stance is put in words")
_SEARCH = re.compile(
    r"\b(?:check|verify|confirm|see|look)\w*\s+(?:for |out |up |at |on )?(?:the |which |what |"
    r"any |all |available |direct |one-stop |if there (?:is|are) |whether there (?:is|are) |some |"
    r"possible )*(?:flights?|availab\w*|options?|connections?|seats?)\b"
)
_WRITES = ("update", "modify", "book", "cancel", "exchange", "return", "transfer", "send")


def leaf_text(call: ToolCall, reference: Reference) -> str:
    """The text of the argument a reference is in."""
    for leaf in leaves(call.arguments):
        if leaf.path == reference.path:
            return leaf.text
    return call.arguments.raw


def is_prose(text: str) -> bool:
    """Whether an argument is written in sentences (a summary for a colleague), to be read like a message."""
    return len(text.split()) >= 5


def of_value(subject: Subject, both: Sides, trajectory: Trajectory, reference: Reference) -> UseEvent:
    """A value written into an argument."""
    call = trajectory.steps[reference.step]
    assert isinstance(call, ToolCall)
    if reference.derivation == "shift":
        reference = _narrowed_shift(trajectory, reference)
        if not reference.values or _other_direction(subject, call):
            return _no_use(reference, call, "another_date")
    side = both.of(reference.values[0])
    rule, dependent, erroneous = _value_verdicts(subject, trajectory, call, reference, side)
    return UseEvent(
        step=reference.step,
        dependent=dependent,
        erroneous=erroneous,
        stance=_ACT_STATES_NOTHING,
        rule=rule,
        quote=f"{call.tool} {call.arguments.raw}",
    )


def _value_verdicts(
    subject: Subject, trajectory: Trajectory, call: ToolCall, reference: Reference, side: Side
) -> tuple[str, Verdict, Verdict]:
    if len(reference.values) > 1:
        reason = Undeterminable(reason="the argument fits more than one value in play")
        return "argument_ambiguous", True, reason
    if _about_another_record(subject, call):
        return "argument_of_another_record", False, False
    wrong: Verdict
    if _independently_supplied(subject, trajectory, call, reference) or _other_direction(subject, call):
        reason = Undeterminable(reason="the argument may rest on what a user or another observation supplied")
        wrong = reason if side is Side.INJECTED else False
        return "argument_of_other_provenance", reason, wrong
    if side is Side.AUTHORITATIVE:
        return "argument_rests_on_v", True, False
    checked = said_to_check(subject, trajectory, call)
    if checked is True:
        return "argument_to_check", True, False
    if checked is False:
        return "argument_operative", True, True
    return "argument_perhaps_to_check", True, checked


def _arguments(call: ToolCall) -> dict[str, Any]:
    reading = call.arguments.reading
    return dict(reading.value) if isinstance(reading, ParsedArguments) else {}


def _about_another_record(subject: Subject, call: ToolCall) -> bool:
    """The call names a record of the entity's own kind, and not the target."""
    if subject.kind is not ValueKind.DATE:
        return False
    named = _arguments(call).get("reservation_id")
    return isinstance(named, str) and named not in subject.identifiers


def _other_direction(subject: Subject, call: ToolCall) -> bool:
    """A search in the outbound direction: its date need not rest on the return date."""
    if subject.kind is not ValueKind.DATE:
        return False
    given, context = _arguments(call), dict(subject.context)
    origin, destination = given.get("origin"), given.get("destination")
    if not (isinstance(origin, str) and isinstance(destination, str)) or "origin" not in context:
        return False
    if origin == context.get("origin") or destination == context.get("destination"):
        return True
    return origin != context.get("destination") and destination != context.get("origin")


def _independently_supplied(subject: Subject, trajectory: Trajectory, call: ToolCall, reference: Reference) -> bool:
    """Whether something other than the fault-bearing record may have supplied the value.

    Written beside the target's own flight number it is that segment's date; only the user could have given it too.
    """
    if reference.derivation == "shift":
        return user_names_date(trajectory, call.index, reference.surface)
    value = reference.values[0]
    if _beside_own_name(subject, call, reference):
        return user_names(subject, trajectory, call.index, value)
    return supplied_elsewhere(subject, trajectory, call.index, value)


def _beside_own_name(subject: Subject, call: ToolCall, reference: Reference) -> bool:
    parent: Any = _arguments(call)
    for part in reference.path[:-1]:
        parent = parent[part]
    named = str(parent.get("flight_number", "")) if isinstance(parent, dict) else ""
    return bool(named) and named.lower() in subject.names


_SHIFT = re.compile(
    r"\b(?P<count>one|a|1|two|2|three|3)[ -](?:\w+ )?days?\b|\bday (?:later|earlier|before|after|"
    r"sooner|prior)\b|\b(?:next|previous|following) day\b"
)


_SHIFT_DAYS = {"one": 1, "a": 1, "1": 1, "two": 2, "2": 2, "three": 3, "3": 3}


def _narrowed_shift(trajectory: Trajectory, reference: Reference) -> Reference:
    """The values that lie as many days from the argument as a user message asked to shift by."""
    wanted = {
        _SHIFT_DAYS.get(match["count"] or "one", 1)
        for step in trajectory.steps[: reference.step]
        if isinstance(step, UserMessage)
        for match in _SHIFT.finditer(lower(step.text))
    }
    day = date.fromisoformat(reference.surface)
    near = tuple(value for value in reference.values if abs((date.fromisoformat(value) - day).days) in wanted)
    return replace(reference, values=near)


def _no_use(reference: Reference, call: ToolCall, rule: str) -> UseEvent:
    return UseEvent(
        step=reference.step,
        dependent=False,
        erroneous=False,
        stance=_ACT_STATES_NOTHING,
        rule=rule,
        quote=f"{call.tool} {call.arguments.raw}",
    )


def said_to_check(subject: Subject, trajectory: Trajectory, call: ToolCall) -> Verdict:
    """Whether words around the call say that it is made to check the value.

    True for words of the same turn, and for an announcement in the agent's message just before, with at most the user's
    reply in between. An announcement about the value from before other observations may or may not still hold.
    """
    since: set[type[Step]] = set()
    for step in reversed(trajectory.steps[: call.index]):
        if isinstance(step, AgentMessage):
            return _announcement(subject, lower(step.text), frozenset(since))
        if isinstance(step, UserMessage) and UserMessage in since:
            return False
        since.add(type(step))
    return False


def _announcement(subject: Subject, text: str, since: frozenset[type[Step]]) -> Verdict:
    """`since` holds the kinds of steps between the words and the call."""
    if not _announces_check(text) or (UserMessage in since and not _FIRST_PERSON.search(text)):
        return False
    if ToolObservation not in since:
        return True
    if UserMessage not in since and (_names_value(subject, text) or _THE_VALUE.search(text)):
        return Undeterminable(
            reason="a check was announced before other observations; whether this call is part of it is not said"
        )
    return False


_FIRST_PERSON = re.compile(r"\b(?:i'll|i will|let me|i'm going to|i am going to|i shall)\b")
_THE_VALUE = re.compile(r"\b(?:that|this|the return) date\b|\bthat value\b")
_RETRIEVAL = re.compile(
    r"\b(?:verify|check|confirm|double-check|validate|see)\w*\s+(?:on )?(?:your|the|this|that|all)\s+(?:\w+ ){0,2}?"
    r"(?:reservation|booking|account|profile|identity|user id|details|information|status|"
    r"eligibility|options?|order|records?)\b"
)


_DOUBTS_THEN_LOOKS = re.compile(
    r"\b(?:is|are|was|can|could|does|do)\b[^?.]{0,60}\b(?:plausible|possible|right|correct|true|accurate|be(?: "
    r"right)?|credible|"
    r"sound|make sense|add up|fit)\b[^?.]{0,40}\?[^?]{0,80}\b(?:find out|see|settle (?:it|that|this)|check|make "
    r"sure|look)\b"
)
"""A question whether the value can be right, and then a look to answer it."""


def _announces_check(text: str) -> bool:
    if _DOUBTS_THEN_LOOKS.search(text):
        return True
    stripped = _RETRIEVAL.sub(" ", _SEARCH.sub(" ", text))
    return bool(speech.VERIFY.search(stripped)) and not speech.ACTION_CONFIRM.search(stripped)


def _names_value(subject: Subject, text: str) -> bool:
    return any(names(subject, text, value) for value in subject.values)


def of_variant(both: Sides, trajectory: Trajectory, reference: Reference) -> UseEvent:
    """The id of a product variant that carries a value in play: the choice may rest on the order line's option."""
    call = trajectory.steps[reference.step]
    assert isinstance(call, ToolCall)
    reason = Undeterminable(reason="the choice of this variant may rest on the ordered option")
    wrong: Verdict = reason if both.of(reference.values[0]) is Side.INJECTED else False
    writes = call.tool.startswith(_WRITES)
    return UseEvent(
        step=reference.step,
        dependent=reason if writes else False,
        erroneous=wrong if writes else False,
        stance=_ACT_STATES_NOTHING,
        rule="variant_choice" if writes else "retrieval",
        quote=f"{call.tool} {call.arguments.raw}",
    )


def of_identifier(subject: Subject, both: Sides, trajectory: Trajectory, reference: Reference) -> Iterator[UseEvent]:
    """The target's own id as an argument. No use, unless the choice of just this record may rest on the fact.

    An id inside sentences chooses no record.
    """
    call = trajectory.steps[reference.step]
    assert isinstance(call, ToolCall)
    if not call.tool.startswith(_WRITES) or is_prose(leaf_text(call, reference)):
        return
    reason = _why_choice_may_rest(subject, trajectory, call, reference)
    if reason:
        doubt = Undeterminable(reason=reason)
        yield UseEvent(
            step=reference.step,
            dependent=doubt,
            erroneous=False if _asked_by_right_kind(subject, both, trajectory, call) else doubt,
            stance=_ACT_STATES_NOTHING,
            rule="choice_of_record",
            quote=f"{call.tool} {call.arguments.raw}",
        )


def _why_choice_may_rest(subject: Subject, trajectory: Trajectory, call: ToolCall, reference: Reference) -> str:
    if subject.kind is ValueKind.CATEGORY:
        if _designated(subject, trajectory, call):
            return ""
        return "the payment method may have been chosen for its kind"
    if subject.kind is ValueKind.TEXT:
        siblings = any(name.startswith("sibling:") for name, _ in subject.context)
        if siblings and not _user_said(trajectory, call.index, subject.identifiers):
            return "the order line may have been told from its sibling by the option"
    return ""


def _designated(subject: Subject, trajectory: Trajectory, call: ToolCall) -> bool:
    """The user pointed at the method itself (id, last digits, balance), or an earlier call had already used it."""
    for step in trajectory.steps[: call.index]:
        if isinstance(step, UserMessage) and _pointer(subject).search(lower(step.text)):
            return True
        if isinstance(step, ToolCall) and any(identifier in step.arguments.raw for identifier in subject.identifiers):
            return True
    return False


@lru_cache(maxsize=1024)
def _pointer(subject: Subject) -> re.Pattern[str]:
    listed = "|".join(re.escape(word.lower()) for word in _designations(subject))
    return re.compile(rf"(?<![\w.])(?:{listed})(?!\w|\.\d)")


def _asked_by_right_kind(subject: Subject, both: Sides, trajectory: Trajectory, call: ToolCall) -> bool:
    """The user asked for a method of the authoritative kind, and for none of the injected one."""
    if subject.kind is not ValueKind.CATEGORY:
        return False
    right, wrong = (user_names(subject, trajectory, call.index, value) for value in (both.authoritative, both.injected))
    return right and not wrong


def _designations(subject: Subject) -> tuple[str, ...]:
    return (*subject.identifiers, *(name for name in subject.names if any(sign.isdigit() for sign in name)))


def _user_said(trajectory: Trajectory, before: int, words: tuple[str, ...]) -> bool:
    return any(
        isinstance(step, UserMessage) and any(word.lower() in lower(step.text) for word in words)
        for step in trajectory.steps[:before]
    )
