"""What is known of each execution of a partition: its key, its ending and the objects that hold its bytes.

The partition's journal holds one entry per execution; the index is the same entries, sorted, as one object, so that a
receipt can name it.
"""

from __future__ import annotations

from dataclasses import dataclass

from sscb_pipeline.artifacts.journal import Journal
from sscb_pipeline.artifacts.records import decode
from sscb_pipeline.episodes.execution import Ending, ExecutionKey
from sscb_pipeline.errors import IntegrityError


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredObjects:
    """sha256 of the objects of a played execution. Labels are what a reference agent knows of its own run; an empty
    object for every other agent."""

    trajectory: str
    intervention: str
    evaluator: str
    labels: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NothingStored:
    """The execution was not played, so there are no bytes."""


class Solved:
    """Values of `IndexedExecution.solved`."""

    YES = "solved"
    NO = "unsolved"
    NOT_SCORED = "not_scored"


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedExecution:
    """One execution. `agents` is `reference`, `model` or `replay`; `attempts` counts what had to be tried again;
    `steps` is the number of steps of its trajectory, 0 where it was not played."""

    key: ExecutionKey
    agents: str
    ending: Ending
    solved: str
    attempts: int
    steps: int
    objects: StoredObjects | NothingStored

    @property
    def execution_id(self) -> str:
        """See ExecutionKey.execution_id."""
        return self.key.execution_id


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionIndex:
    """All executions of a partition, sorted by execution id, each once."""

    executions: tuple[IndexedExecution, ...]


def read_journal(journal: Journal) -> dict[str, IndexedExecution]:
    """Journalled executions by id. Raises IntegrityError when one was journalled twice."""
    found: dict[str, IndexedExecution] = {}
    for number, entry in enumerate(journal.read().entries, start=2):
        place = f"{journal.path} line {number}"
        execution = decode(IndexedExecution, entry, place)
        if execution.execution_id in found:
            raise IntegrityError(
                subject=f"{place}, execution {execution.execution_id}",
                expected="one entry per execution",
                found="a second one",
                remedy="restore the journal from a copy of the warehouse",
            )
        found[execution.execution_id] = execution
    return found


def index_of(executions: dict[str, IndexedExecution]) -> ExecutionIndex:
    """The index of journalled executions."""
    return ExecutionIndex(executions=tuple(executions[name] for name in sorted(executions)))
