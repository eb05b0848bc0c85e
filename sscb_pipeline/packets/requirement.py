"""What a packet must satisfy, as data: each requirement with its object, its stage and its checkers (SPEC 11).

An assignment says which checker examines which object. It is possible only where the checker reads that object and
runs when the object exists; `input_contract.InputContract` refuses any other (JIA §III-B: a requirement on the
staged copies that was assigned to checkers that could not see them).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType


class Stage(StrEnum):
    """The stages of a packet's way to a judge, in order."""

    IMPORT = "import"
    BUILD = "build"
    ARCHIVE = "archive"
    STAGE = "stage"
    EMIT = "emit"
    DISPATCH = "dispatch"

    def not_after(self, other: Stage) -> bool:
        """Whether this stage comes before `other` or is it."""
        order = tuple(Stage)
        return order.index(self) <= order.index(other)


class CheckedObject(StrEnum):
    """What a checker can read."""

    SOURCE_RECORD = "source_record"
    """The imported run in memory."""
    SOURCE_FILE = "source_file"
    """The run's bytes on disk, read again."""
    MEMORY_PACKET = "memory_packet"
    EARLIER_ORIGINAL = "earlier_original"
    """Packets of rendering O that an earlier study archived, with their recorded hash."""
    ARCHIVED_PACKET = "archived_packet"
    STAGED_PACKET = "staged_packet"
    MANIFEST = "manifest"
    """The manifest as staging wrote it."""


EXISTS_FROM: Mapping[CheckedObject, Stage] = MappingProxyType(
    {
        CheckedObject.SOURCE_RECORD: Stage.IMPORT,
        CheckedObject.SOURCE_FILE: Stage.IMPORT,
        CheckedObject.EARLIER_ORIGINAL: Stage.IMPORT,
        CheckedObject.MEMORY_PACKET: Stage.BUILD,
        CheckedObject.ARCHIVED_PACKET: Stage.ARCHIVE,
        CheckedObject.STAGED_PACKET: Stage.STAGE,
        CheckedObject.MANIFEST: Stage.STAGE,
    }
)


class Checker(StrEnum):
    """The two checkers."""

    INLINE = "inline"
    DISK = "disk"


RUNS_AT: Mapping[Checker, Stage] = MappingProxyType({Checker.INLINE: Stage.BUILD, Checker.DISK: Stage.STAGE})
READS: Mapping[Checker, frozenset[CheckedObject]] = MappingProxyType(
    {
        Checker.INLINE: frozenset(
            {CheckedObject.SOURCE_RECORD, CheckedObject.MEMORY_PACKET, CheckedObject.EARLIER_ORIGINAL}
        ),
        Checker.DISK: frozenset(
            {
                CheckedObject.SOURCE_FILE,
                CheckedObject.ARCHIVED_PACKET,
                CheckedObject.STAGED_PACKET,
                CheckedObject.MANIFEST,
            }
        ),
    }
)


class Requirement(StrEnum):
    """The requirements, in the order in which reports list causes before consequences."""

    CALL_HAS_RESULT = "call_has_result"
    RESULT_HAS_CALL = "result_has_call"
    ARGUMENTS_READABLE = "arguments_readable"
    PACKET_SET = "packet_set"
    ENCODING = "encoding"
    QUESTION = "question"
    TASK_CONTEXT = "task_context"
    TARGET_MARKED = "target_marked"
    SCOPE_END = "scope_end"
    MESSAGE_ORDER = "message_order"
    MESSAGE_TEXT = "message_text"
    CALLS_SHOWN = "calls_shown"
    RESULT_TEXT = "result_text"
    RESULT_LINKS = "result_links"
    TOOL_DEFINITIONS = "tool_definitions"
    NOTHING_ELSE = "nothing_else"
    EARLIER_ORIGINAL_SAME = "earlier_original_same"
    SOURCE_BYTES = "source_bytes"
    ARCHIVED_BYTES = "archived_bytes"
    STAGED_BYTES = "staged_bytes"
    STAGED_SET = "staged_set"
    MANIFEST_ENTRIES = "manifest_entries"


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """A checker and the object it examines for a requirement."""

    checker: Checker
    examined: CheckedObject


@dataclass(frozen=True, slots=True, kw_only=True)
class AssignedRequirement:
    """A requirement, what it says, and who examines what for it."""

    requirement: Requirement
    statement: str
    assignments: tuple[Assignment, ...]

    @property
    def stage(self) -> Stage:
        """The earliest stage at which one of its objects can be examined."""
        return min((EXISTS_FROM[item.examined] for item in self.assignments), key=tuple(Stage).index)


def _of_source(requirement: Requirement, statement: str) -> AssignedRequirement:
    return AssignedRequirement(
        requirement=requirement,
        statement=statement,
        assignments=(
            Assignment(checker=Checker.INLINE, examined=CheckedObject.SOURCE_RECORD),
            Assignment(checker=Checker.DISK, examined=CheckedObject.SOURCE_FILE),
        ),
    )


def _of_packet(requirement: Requirement, statement: str) -> AssignedRequirement:
    return AssignedRequirement(
        requirement=requirement,
        statement=statement,
        assignments=(
            Assignment(checker=Checker.INLINE, examined=CheckedObject.MEMORY_PACKET),
            Assignment(checker=Checker.DISK, examined=CheckedObject.ARCHIVED_PACKET),
        ),
    )


def _only(requirement: Requirement, statement: str, checker: Checker, *examined: CheckedObject) -> AssignedRequirement:
    return AssignedRequirement(
        requirement=requirement,
        statement=statement,
        assignments=tuple(Assignment(checker=checker, examined=item) for item in examined),
    )


ASSIGNED: tuple[AssignedRequirement, ...] = (
    _of_source(
        Requirement.CALL_HAS_RESULT,
        "every call, the simulated user's too, is answered by exactly one result; calls after which the recording "
        "holds no other turn only where the contract says so",
    ),
    _of_source(
        Requirement.RESULT_HAS_CALL,
        "every result, of whichever requestor, answers exactly one call, whose tool it names where it names one",
    ),
    _of_source(
        Requirement.ARGUMENTS_READABLE,
        "call arguments are JSON objects, unless the contract preserves malformed calls because they are judged",
    ),
    _of_packet(Requirement.PACKET_SET, "each target has one packet per scope and rendering of the contract, no other"),
    _of_packet(
        Requirement.ENCODING,
        "UTF-8, lines ended by LF, no character that must be escaped, no escape that is not the contract's",
    ),
    _of_packet(Requirement.QUESTION, "the contract's question stands at the beginning"),
    _of_packet(Requirement.TASK_CONTEXT, "the recorded request of the task stands in front, exactly"),
    _of_packet(Requirement.TARGET_MARKED, "the target message is marked, and no other"),
    _of_packet(
        Requirement.SCOPE_END,
        "a prefix packet ends with the target and says so; a full packet ends with the recording and says so",
    ),
    _of_packet(Requirement.MESSAGE_ORDER, "the messages in scope stand there once, in order, with their role"),
    _of_packet(Requirement.MESSAGE_TEXT, "text, refusal and hand-over of each message, exactly"),
    _of_packet(
        Requirement.CALLS_SHOWN,
        "R and C show every call after its message's text, in order, with side, name and exact arguments",
    ),
    _of_packet(Requirement.RESULT_TEXT, "the content of each result, exactly"),
    _of_packet(Requirement.RESULT_LINKS, "C gives each call its id, each result its tool name, call id and requestor"),
    _of_packet(Requirement.TOOL_DEFINITIONS, "C gives the tool definitions, or says that none are recorded"),
    _of_packet(
        Requirement.NOTHING_ELSE,
        "nothing but the contract's content: no labels, no reasoning, no error marks; no calls in O; no tool names "
        "and ids on results and no tool definitions in O and R",
    ),
    _only(
        Requirement.EARLIER_ORIGINAL_SAME,
        "an O packet that an earlier study archived is reused byte for byte",
        Checker.INLINE,
        CheckedObject.EARLIER_ORIGINAL,
        CheckedObject.MEMORY_PACKET,
    ),
    _only(
        Requirement.SOURCE_BYTES,
        "the source file has the sha256 recorded at import",
        Checker.DISK,
        CheckedObject.SOURCE_FILE,
    ),
    _only(
        Requirement.ARCHIVED_BYTES,
        "each archived packet has the sha256 recorded at build",
        Checker.DISK,
        CheckedObject.ARCHIVED_PACKET,
    ),
    _only(
        Requirement.STAGED_BYTES,
        "each staged packet has the sha256 recorded at build",
        Checker.DISK,
        CheckedObject.STAGED_PACKET,
    ),
    _only(
        Requirement.STAGED_SET,
        "the staged folder holds the built packets and nothing else",
        Checker.DISK,
        CheckedObject.STAGED_PACKET,
    ),
    _only(
        Requirement.MANIFEST_ENTRIES,
        "the written manifest names each built packet once, with the sha256 recorded at build, and nothing else",
        Checker.DISK,
        CheckedObject.MANIFEST,
    ),
)
"""The production assignment; every requirement once, in the order of the Enum."""
