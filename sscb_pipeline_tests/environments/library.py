"""A tiny substrate for tests: a lending library over copy-on-touch records.

It holds traps of real substrates: `find_title` keeps a log of reads outside the graded records, `relabel` takes a
shelf and never stores it, and `opening_hours` answers by a clock that the test sets.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from sscb_pipeline.environments.port import (
    Outcome,
    ReferenceAction,
    Scenario,
    Score,
    State,
    Task,
    TaskOrigin,
)
from sscb_pipeline.environments.touched import SharedRecords, TouchedRecords, digest_of, fork_together
from sscb_pipeline.trajectories.steps import ToolDefinition


@dataclass
class Book:
    """A record of the library."""

    title: str
    shelf: str
    holder: str
    tags: dict[str, str] = field(default_factory=dict)


def shared_books() -> SharedRecords[Book]:
    """Three books, new ones at each call."""
    books = {
        "b1": Book("Atlas", "A", "", {"size": "large"}),
        "b2": Book("Bestiary", "B", "", {"size": "small"}),
        "b3": Book("Cookery", "C", "", {"size": "small"}),
    }
    return SharedRecords(
        kind="books", records=books, duplicate=lambda book: replace(book, tags=dict(book.tags)), dump=asdict
    )


@dataclass
class Clock:
    """What `opening_hours` reads."""

    hour: int


class LibraryState:
    """One execution's state of the library."""

    def __init__(self, books: TouchedRecords[Book], clock: Clock) -> None:
        self._books = books
        self._clock = clock
        self.read_log: list[str] = []
        self._tools: dict[str, Callable[..., Any]] = {
            "find_title": self._find_title,
            "lend": self._lend,
            "relabel": self._relabel,
            "opening_hours": self._opening_hours,
        }

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Outcome:
        try:
            if tool not in self._tools:
                raise ValueError(f"no tool {tool}")
            return Outcome(content=json.dumps(self._tools[tool](**arguments)), error=False)
        except (KeyError, TypeError, ValueError) as error:
            return Outcome(content=f"Error: {error}", error=True)

    def fork(self) -> State:
        (books,) = fork_together([self._books])
        return LibraryState(books, self._clock)

    def digest(self) -> str:
        return digest_of([self._books])

    def record(self, kind: str, identifier: str) -> Mapping[str, Any]:
        if kind != "books":
            raise KeyError(kind)
        return asdict(self._books.peek(identifier))

    def _find_title(self, book: str) -> Any:
        self.read_log.append(book)
        return asdict(self._books[book])

    def _lend(self, book: str, holder: str) -> Any:
        if self._books[book].holder:
            raise ValueError("already lent")
        self._books[book].holder = holder
        return asdict(self._books[book])

    def _relabel(self, book: str, title: str, shelf: str) -> Any:
        self._books[book].title = title
        return {"title": title, "shelf": shelf}

    def _opening_hours(self) -> Any:
        return {"library": "main", "status": "open" if 9 <= self._clock.hour < 17 else "closed"}


class Library:
    """The library as a substrate."""

    def __init__(self, clock: Clock | None = None) -> None:
        self._books = shared_books()
        self._clock = clock or Clock(hour=10)

    @property
    def domain(self) -> str:
        return "library"

    @property
    def data_sha256(self) -> Mapping[str, str]:
        return {"books": "0" * 64}

    def tasks(self) -> Sequence[Task]:
        return (
            Task(
                task_id="0",
                domain=self.domain,
                origin=TaskOrigin.NATIVE,
                scenario=Scenario(
                    reason_for_call="You want the atlas.",
                    known_info="You are Ada.",
                    unknown_info="",
                    task_instructions="Be brief.",
                ),
                actions=(ReferenceAction(tool="lend", arguments={"book": "b1", "holder": "ada"}),),
                communicate=("Atlas",),
            ),
        )

    def tools(self) -> tuple[ToolDefinition, ...]:
        names = ("find_title", "lend", "relabel", "opening_hours")
        return tuple(
            ToolDefinition(name=name, description=f"{name} of the library", parameters={"type": "object"})
            for name in names
        )

    def system_prompt(self) -> str:
        return "You run the library desk."

    def user_guidelines(self) -> str:
        return "Play the reader."

    def greeting(self) -> str:
        return "Good day."

    def records(self, kind: str) -> Mapping[str, Mapping[str, Any]]:
        return {"books": {key: asdict(book) for key, book in self._books.records.items()}}[kind]

    def writes(self) -> frozenset[str]:
        return frozenset({"lend", "relabel"})

    def fresh(self) -> State:
        return LibraryState(TouchedRecords(self._books), self._clock)

    def score(self, task: Task, state: State, said: Sequence[str]) -> Score:
        gold = self.fresh()
        for action in task.actions:
            gold.call(action.tool, action.arguments)
        return Score(
            database=gold.digest() == state.digest(),
            communicated=all(any(required in text for text in said) for required in task.communicate),
        )
