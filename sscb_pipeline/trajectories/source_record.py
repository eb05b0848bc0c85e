"""The source record (SPEC 1): everything every participant did, in the order the source holds it.

Nothing is tidied: a text that has no key, a null text and an empty text stay three things, ids stay as they
were (they repeat, they are empty, they are missing), and a result that answers nothing is kept. Which result
answers which call is not stored here but derived by `pairing.pair`; what the agent could see is derived by
`projection.project`. A message's place is its index from 0 in `messages`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from sscb_pipeline.trajectories.arguments import Arguments
from sscb_pipeline.trajectories.steps import Complete, CutShort, ToolDefinition


class TextForm(StrEnum):
    """How the source gave a text or an id."""

    NO_KEY = "no_key"
    NULL = "null"
    GIVEN = "given"


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceText:
    """A text, id or name as the source has it. `value` is empty unless `form` is GIVEN."""

    form: TextForm
    value: str

    @property
    def blank(self) -> bool:
        """Whether nothing but white space is there, for whichever reason."""
        return not self.value.strip()

    @property
    def named(self) -> bool:
        """Whether it can serve as an id or a name: given and not the empty string."""
        return self.value != ""


NO_KEY = SourceText(form=TextForm.NO_KEY, value="")
NULL = SourceText(form=TextForm.NULL, value="")


def given(value: str) -> SourceText:
    """A text the source gives, the empty string included."""
    return SourceText(form=TextForm.GIVEN, value=value)


class Actor(StrEnum):
    """Who takes a turn, and so who makes its calls."""

    AGENT = "agent"
    USER = "user"


class Requestor(StrEnum):
    """Whose call a result says it answers."""

    AGENT = "agent"
    USER = "user"
    NOT_GIVEN = "not_given"


class ErrorMark(StrEnum):
    """Whether the source marks a result as the tool's error. The mark is not shown to the agent."""

    ERROR = "error"
    NO_ERROR = "no_error"
    NOT_GIVEN = "not_given"


class SystemOrigin(StrEnum):
    """Where a system text comes from."""

    MESSAGE = "message"
    """A system message of the run; the text is exactly what the agent was sent."""
    POLICY = "policy"
    """The policy in a file's header. The agent was sent it inside an instruction whose wording the source does
    not hold, so the text is a part of what the agent saw, and the source has no message for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceSystem:
    """Instructions to the agent."""

    text: SourceText
    origin: SystemOrigin


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceCall:
    """A call; `arguments` holds the exact text."""

    call_id: SourceText
    tool: str
    arguments: Arguments


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceTurn:
    """One turn of the agent or the simulated user: text, refusal, and calls in their order.

    `reasoning` is what the provider returned as thinking. It never becomes a step. `speaker` is the name a source
    with several agents gives the one who speaks.
    """

    actor: Actor
    text: SourceText
    refusal: SourceText
    reasoning: SourceText
    calls: tuple[SourceCall, ...]
    speaker: SourceText = NO_KEY


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceResult:
    """A tool result with its exact content, and what the source says about the call it answers."""

    call_id: SourceText
    tool: SourceText
    content: SourceText
    requestor: Requestor
    error: ErrorMark


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceHandoff:
    """Control passes to another agent, with what was said to it."""

    recipient: str
    text: SourceText


SourceMessage = SourceSystem | SourceTurn | SourceResult | SourceHandoff


class PairingRule(StrEnum):
    """How results find their calls (SPEC 1)."""

    BY_ID = "by_id"
    BY_POSITION = "by_position"
    """Only for a source whose format says that results follow in the order of the calls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolsNotRecorded:
    """The source does not say which tools the agent had, which is not the same as none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceOrigin:
    """Where a record comes from: format, file name (no directory), place in the file from 0, task and trial."""

    format: str
    file: str
    position: int
    task: str
    trial: str

    @property
    def place(self) -> str:
        """For error messages: file and run."""
        return f"{self.file}: run {self.position} (task {self.task}, trial {self.trial})"


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRecord:
    """One run as recorded. `stop_markers` are those its simulated user was told to use (may be none)."""

    origin: SourceOrigin
    pairing_rule: PairingRule
    stop_markers: tuple[str, ...]
    tools: tuple[ToolDefinition, ...] | ToolsNotRecorded
    messages: tuple[SourceMessage, ...]
    extent: Complete | CutShort
