"""The input contract of packets as data: what must be there, what must not, and who checks it (JIA §I, SPEC 11)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from sscb_pipeline.errors import InputError
from sscb_pipeline.packets.requirement import (
    ASSIGNED,
    EXISTS_FROM,
    READS,
    RUNS_AT,
    AssignedRequirement,
    CheckedObject,
    Checker,
    Requirement,
)

QUESTION = (
    "Using only this packet, is the target step incorrect or counterproductive for the user's task?\n"
    "Answer yes, no or cannot_decide."
)
"""SPEC 11; the answers are those a verdict may hold."""


class Scope(StrEnum):
    """How far a packet goes (JIA §II-A)."""

    PREFIX = "prefix"
    """Ends with the target message, before its tool results."""
    FULL = "full"
    """Goes to the end of the recording."""


class Rendering(StrEnum):
    """How a packet shows its messages."""

    ORIGINAL = "O"
    """Roles and text only: the flawed original, kept for comparison."""
    RESTORED = "R"
    """O with every call restored after its message's text."""
    COMPLETE = "C"
    """R with ids, tool names, definitions and the form of each text; injective."""


class Content(StrEnum):
    """What a packet may be required to hold or to lack."""

    QUESTION = "question"
    TASK_CONTEXT = "task_context"
    TARGET_MARK = "target_mark"
    ROLES = "roles"
    TEXTS = "texts"
    RESULT_TEXTS = "result_texts"
    CALLS = "calls"
    CALL_IDS = "call_ids"
    RESULT_LINKS = "result_links"
    TOOL_DEFINITIONS = "tool_definitions"
    TEXT_FORMS = "text_forms"
    SPEAKERS = "speakers"
    LABELS = "labels"
    TARGET_RESULT = "target_result"
    LATER_MESSAGES = "later_messages"
    REASONING = "reasoning"
    ERROR_MARKS = "error_marks"
    EVALUATION = "evaluation"


_ALWAYS = frozenset(
    {
        Content.QUESTION,
        Content.TASK_CONTEXT,
        Content.TARGET_MARK,
        Content.ROLES,
        Content.TEXTS,
        Content.RESULT_TEXTS,
    }
)
_COMPLETE = frozenset(
    {
        Content.CALL_IDS,
        Content.RESULT_LINKS,
        Content.TOOL_DEFINITIONS,
        Content.TEXT_FORMS,
        Content.SPEAKERS,
    }
)
_NEVER = frozenset({Content.LABELS, Content.REASONING, Content.ERROR_MARKS, Content.EVALUATION})


@dataclass(frozen=True, slots=True, kw_only=True)
class PacketKind:
    """A scope and a rendering."""

    scope: Scope
    rendering: Rendering


def required(kind: PacketKind) -> frozenset[Content]:
    """What a packet of this kind must hold."""
    match kind.rendering:
        case Rendering.ORIGINAL:
            return _ALWAYS
        case Rendering.RESTORED:
            return _ALWAYS | {Content.CALLS}
        case Rendering.COMPLETE:
            return _ALWAYS | {Content.CALLS} | _COMPLETE


def excluded(kind: PacketKind) -> frozenset[Content]:
    """What a packet of this kind must not hold: everything that is not required but what a full packet may show."""
    later = frozenset({Content.TARGET_RESULT, Content.LATER_MESSAGES})
    inside = later if kind.scope is Scope.PREFIX else frozenset[Content]()
    return (frozenset(Content) - required(kind) - later) | inside | _NEVER


class MalformedCalls(StrEnum):
    """What to do with call arguments that are no JSON object (JIA §VI, test 2: it depends on what is judged)."""

    PRESERVE = "preserve"
    """They are shown as they are."""
    REJECT = "reject"
    """They break `Requirement.ARGUMENTS_READABLE`."""


class TrailingCalls(StrEnum):
    """Calls after which the recording holds no other turn, so that no result can be expected."""

    ALLOWED = "allowed"
    REFUSED = "refused"


class Transformation(StrEnum):
    """What may be done to a text on its way into a packet; see `escape`."""

    ESCAPE_CONTROL = "escape_control"
    ESCAPE_SURROGATE = "escape_surrogate"
    ESCAPE_LOOKALIKE = "escape_lookalike"
    ESCAPE_LINE_FEED_IN_LINE = "escape_line_feed_in_line"


@dataclass(frozen=True, slots=True, kw_only=True)
class InputContract:
    """All rules of a cohort's packets.

    Raises InputError, a configuration error, where a requirement is missing or stands twice, where one has no
    checker, and where a checker is assigned an object that it does not read or that does not exist when it runs.
    """

    scopes: tuple[Scope, ...]
    renderings: tuple[Rendering, ...]
    malformed_calls: MalformedCalls
    trailing_calls: TrailingCalls
    question: str = QUESTION
    permitted: frozenset[Transformation] = frozenset(Transformation)
    requirements: tuple[AssignedRequirement, ...] = ASSIGNED

    def __post_init__(self) -> None:
        for what, values in (("scope", self.scopes), ("rendering", self.renderings)):
            if not values or len(set(values)) != len(values):
                raise _misconfigured("input contract", f"at least one {what}, each once", repr([*map(str, values)]))
        names = [item.requirement for item in self.requirements]
        if sorted(names) != sorted(Requirement):
            missing = [name.value for name in Requirement if names.count(name) != 1]
            raise _misconfigured("input contract", "every requirement exactly once", f"otherwise: {', '.join(missing)}")
        for item in self.requirements:
            _refuse_misassignment(item)

    @property
    def kinds(self) -> tuple[PacketKind, ...]:
        """The packets of one target, in order: scopes, inside them renderings."""
        return tuple(PacketKind(scope=scope, rendering=shown) for scope in self.scopes for shown in self.renderings)

    def assigned_to(self, checker: Checker) -> tuple[Requirement, ...]:
        """The requirements a checker must report on, in order."""
        return tuple(
            item.requirement
            for item in self.requirements
            if any(assignment.checker is checker for assignment in item.assignments)
        )


def _refuse_misassignment(item: AssignedRequirement) -> None:
    subject = f"requirement {item.requirement.value}"
    if not item.assignments:
        raise _misconfigured(subject, "at least one checker", "none")
    for assignment in item.assignments:
        checker, examined = assignment.checker, assignment.examined
        runs, exists = RUNS_AT[checker], EXISTS_FROM[examined]
        if not exists.not_after(runs):
            raise _misconfigured(
                subject,
                f"a checker that runs at stage {exists.value} or later, when the {_told(examined)} exists",
                f"the {checker.value} checker, which runs at stage {runs.value}",
            )
        if examined not in READS[checker]:
            reads = ", ".join(sorted(_told(one) for one in READS[checker]))
            raise _misconfigured(
                subject, f"a checker that reads the {_told(examined)}", f"the {checker.value} checker: {reads}"
            )


def _told(examined: CheckedObject) -> str:
    return examined.value.replace("_", " ")


def _misconfigured(subject: str, expected: str, found: str) -> InputError:
    return InputError(
        subject=subject,
        expected=expected,
        found=found,
        remedy="correct the contract's requirements; nothing was built",
    )


STUDY = InputContract(
    scopes=(Scope.PREFIX, Scope.FULL),
    renderings=(Rendering.ORIGINAL, Rendering.RESTORED),
    malformed_calls=MalformedCalls.REJECT,
    trailing_calls=TrailingCalls.ALLOWED,
)
"""JIA's eight cells (two targets each): O and R."""

PRODUCTION = InputContract(
    scopes=(Scope.PREFIX, Scope.FULL),
    renderings=(Rendering.COMPLETE,),
    malformed_calls=MalformedCalls.PRESERVE,
    trailing_calls=TrailingCalls.ALLOWED,
)
"""Packets for judging runs of our own: complete, malformed calls shown as they were made."""

CONTRACTS: Mapping[str, InputContract] = MappingProxyType({"study": STUDY, "production": PRODUCTION})
"""By name, as a command takes it."""
