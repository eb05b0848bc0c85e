"""What a classification rule looks at: one mention, its sentence, and what was visible before it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from sscb_pipeline.errors import InputError
from sscb_pipeline.faults.contract import FaultContract
from sscb_pipeline.reconstruction.arguments import leaves
from sscb_pipeline.reconstruction.dates import written_dates
from sscb_pipeline.reconstruction.mentions import Form
from sscb_pipeline.reconstruction.references import Reference, finder_of
from sscb_pipeline.reconstruction.sentences import Reading, Sentence, lower
from sscb_pipeline.trajectories.steps import (
    AgentMessage,
    Orphan,
    ToolCall,
    ToolObservation,
    Trajectory,
    UserMessage,
)
from sscb_pipeline.trajectories.subject import Subject, ValueKind


class Side(StrEnum):
    """Which side of the contract a value in play is on."""

    INJECTED = "injected"
    AUTHORITATIVE = "authoritative"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides:
    """v' and v in the subject's canonical forms."""

    injected: str
    authoritative: str

    def of(self, value: str) -> Side:
        """The side of a value in play."""
        return Side.INJECTED if value == self.injected else Side.AUTHORITATIVE


def sides(contract: FaultContract, subject: Subject) -> Sides:
    """v' and v of a contract. Raises InputError where the subject's values are not the contract's two assertions."""
    found = Sides(injected=contract.injected.canonical, authoritative=contract.authoritative.canonical)
    if {found.injected, found.authoritative} != set(subject.values) or found.injected == found.authoritative:
        raise InputError(
            subject=f"contract {contract.contract_id}",
            expected=f"two assertions that are the subject's values {list(subject.values)}",
            found=f"{found.injected!r} and {found.authoritative!r}",
            remedy="let the operator's subject list exactly the canonical forms of the contract's assertions",
        )
    return found


_LONGEST_LIST = 40
_FIELD = re.compile(r"^\W*(?:\d{1,2}[.)]\s*)?[a-z][\w ()/-]{0,30}:\s*\S")
"""A labelled field: 'type: certificate'."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A mention in its text. `reading` is the text at the reference's place; `start` and `end` the mention's span
    inside `sentence`."""

    subject: Subject
    sides: Sides
    trajectory: Trajectory
    reference: Reference
    reading: Reading
    sentence: Sentence
    start: int
    end: int

    @property
    def before(self) -> str:
        """The sentence up to the mention."""
        return self.sentence.text[: self.start]

    @property
    def after(self) -> str:
        """The sentence from the end of the mention."""
        return self.sentence.text[self.end :]

    def following(self, count: int) -> tuple[Sentence, ...]:
        """The next sentences of the same text."""
        index = self.sentence.index
        return self.reading.sentences[index + 1 : index + 1 + count]

    def beside(self) -> tuple[Sentence, ...]:
        """The other items of the same list: neighbours that stand under the very same headings. Without any heading,
        the other lines of a list of labelled fields."""
        chain = self.sentence.headings
        if not chain:
            return self._fields_beside()
        found: list[Sentence] = []
        for part in (reversed(self.reading.sentences[: self.sentence.index]), self.following(_LONGEST_LIST)):
            for item in part:
                if item.headings != chain and chain[0] not in item.headings:
                    break
                if item.headings == chain:
                    found.append(item)
        return tuple(found)

    def _fields_beside(self) -> tuple[Sentence, ...]:
        found: list[Sentence] = []
        if self.sentence.depth < 1.0 or not _FIELD.match(self.sentence.text):
            return ()
        for part in (reversed(self.reading.sentences[: self.sentence.index]), self.following(_LONGEST_LIST)):
            for item in part:
                if item.depth != self.sentence.depth or not _FIELD.match(item.text):
                    break
                found.append(item)
        return tuple(found)

    def preceding(self) -> Sentence | None:
        """The sentence before, if any."""
        return self.reading.sentences[self.sentence.index - 1] if self.sentence.index else None


def agent_texts(trajectory: Trajectory, before: int) -> Iterator[AgentMessage]:
    """Agent messages before a step, latest first."""
    for step in reversed(trajectory.steps[:before]):
        if isinstance(step, AgentMessage):
            yield step


def user_names(subject: Subject, trajectory: Trajectory, before: int, value: str) -> bool:
    """Whether a user message before the step names the value."""
    return any(isinstance(step, UserMessage) and names(subject, step.text, value) for step in trajectory.steps[:before])


def user_names_date(trajectory: Trajectory, before: int, iso: str) -> bool:
    """Whether a user message before the step names a date, in any written form."""
    day = date.fromisoformat(iso)
    return any(
        isinstance(step, UserMessage) and any(written.denotes(day) for written in written_dates(lower(step.text)))
        for step in trajectory.steps[:before]
    )


def supplied_elsewhere(subject: Subject, trajectory: Trajectory, before: int, value: str) -> bool:
    """Whether, before the step, a user message or an observation about something else names the value.

    An observation about the target (it holds one of its identifiers) is the fault-bearing record or a sibling of it;
    one that answers a call whose own arguments hold the value only echoes the agent.
    """
    if user_names(subject, trajectory, before, value):
        return True
    for step in trajectory.steps[:before]:
        if not isinstance(step, ToolObservation) or not _quick(subject, value, step.content):
            continue
        if any(identifier in step.content for identifier in subject.identifiers):
            continue
        call = trajectory.call_of(step)
        if isinstance(call, Orphan) or not _holds(subject, call, value):
            return True
    return False


def _quick(subject: Subject, value: str, content: str) -> bool:
    if subject.kind is ValueKind.DATE:
        # A timestamp such as created_at is no statement of the date.
        return value in content.replace(f"{value}T", "")
    if subject.kind is ValueKind.CATEGORY:
        return f'"{value}"' in content
    return False


def _holds(subject: Subject, call: ToolCall, value: str) -> bool:
    return any(names(subject, leaf.text, value) for leaf in leaves(call.arguments))


def names(subject: Subject, text: str, value: str) -> bool:
    return any(
        value in mention.values and mention.form in (Form.EXACT, Form.WRITTEN)
        for mention in finder_of(subject)(text, lower(text))
    )
