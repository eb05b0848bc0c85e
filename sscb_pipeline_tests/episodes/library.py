"""A lending library behind the environment port: small enough that every answer is known by heart."""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sscb_pipeline.environments.port import Outcome, Scenario, Score, State, Task, TaskOrigin
from sscb_pipeline.episodes.participants import AgentStops, AgentTurn, CallRequest, Speak, UserSignal, UserTurn
from sscb_pipeline.errors import EnvironmentUnavailableError, UserSimulatorFailedError
from sscb_pipeline.faults.intervention import FieldChange, Role
from sscb_pipeline.faults.operator import Delivered, no_change
from sscb_pipeline.trajectories.steps import Step, ToolDefinition

BOOKS: dict[str, dict[str, Any]] = {"B1": {"book_id": "B1", "due": "2024-05-20"}}


class Shelf:
    """The library's state; `failures` calls in a row are not answered."""

    def __init__(self, books: dict[str, dict[str, Any]], failures: int = 0) -> None:
        self.books = books
        self.failures = failures
        self.calls: list[str] = []

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Outcome:
        if self.failures:
            self.failures -= 1
            raise EnvironmentUnavailableError(
                subject="library", expected="an answer", found="no connection", remedy="try again"
            )
        self.calls.append(tool)
        if tool == "get_book":
            return Outcome(content=json.dumps(self.books[str(arguments["book_id"])]), error=False)
        if tool == "renew":
            self.books[str(arguments["book_id"])]["due"] = str(arguments["due"])
            return Outcome(content="renewed", error=False)
        return Outcome(content=f"Unknown tool {tool}", error=True)

    def fork(self) -> State:
        return Shelf(copy.deepcopy(self.books), self.failures)

    def digest(self) -> str:
        return hashlib.sha256(json.dumps(self.books, sort_keys=True).encode()).hexdigest()

    def record(self, kind: str, identifier: str) -> Mapping[str, Any]:
        return copy.deepcopy({"books": self.books}[kind][identifier])


class Library:
    """The substrate."""

    domain = "library"
    data_sha256: Mapping[str, str] = {}

    def tasks(self) -> Sequence[Task]:
        return (TASK,)

    def tools(self) -> tuple[ToolDefinition, ...]:
        return (ToolDefinition(name="get_book", description="Read a book's record.", parameters={"type": "object"}),)

    def system_prompt(self) -> str:
        return "You are the librarian."

    def user_guidelines(self) -> str:
        return "Be brief."

    def greeting(self) -> str:
        return "Hi! How can I help you today?"

    def records(self, kind: str) -> Mapping[str, Mapping[str, Any]]:
        return {"books": BOOKS}[kind]

    def writes(self) -> frozenset[str]:
        return frozenset({"renew"})

    def fresh(self) -> Shelf:
        return Shelf(copy.deepcopy(BOOKS))

    def score(self, task: Task, state: State, said: Sequence[str]) -> Score:
        return Score(
            database=state.record("books", "B1") == BOOKS["B1"],
            communicated=all(any(wanted in text for text in said) for wanted in task.communicate),
        )


TASK = Task(
    task_id="T1",
    domain="library",
    origin=TaskOrigin.NATIVE,
    scenario=Scenario(reason_for_call="When is B1 due?", known_info="", unknown_info="", task_instructions=""),
    actions=(),
    communicate=("2024-05-20",),
)


class Wrong:
    """Delivers every due date as the first of May."""

    def call(self, state: State, tool: str, arguments: Mapping[str, Any]) -> Delivered:
        native = state.call(tool, arguments)
        if tool != "get_book":
            return no_change(native)
        told = native.content.replace("2024-05-20", "2024-05-01")
        change = FieldChange(path=("due",), before="2024-05-20", after="2024-05-01")
        return Delivered(outcome=Outcome(content=told, error=False), native=native, role=Role.FAULT, changes=(change,))


class ScriptedAgent:
    """Plays the turns it was given, then stops."""

    def __init__(self, *turns: AgentTurn) -> None:
        self._turns = list(turns)

    async def turn(self, history: Sequence[Step], tools: Sequence[ToolDefinition]) -> AgentTurn:
        return self._turns.pop(0) if self._turns else AgentStops(reason="nothing left to do")


class ReadingAgent:
    """Reads B1, then repeats the due date it was shown."""

    def __init__(self, after: Callable[[], None] = lambda: None) -> None:
        self._after = after

    async def turn(self, history: Sequence[Step], tools: Sequence[ToolDefinition]) -> AgentTurn:
        last = history[-1]
        content = getattr(last, "content", "")
        if content:
            self._after()
            return say(f"It is due on {json.loads(content)['due']}.")
        return call(("get_book", '{"book_id": "B1"}'))


class ScriptedUser:
    """Says its lines in order; a line may carry a signal."""

    def __init__(self, *turns: UserTurn) -> None:
        self._turns = list(turns)

    async def turn(self, history: Sequence[Step]) -> UserTurn:
        return self._turns.pop(0)


class FailingUser:
    """Never gets a turn out."""

    async def turn(self, history: Sequence[Step]) -> UserTurn:
        raise UserSimulatorFailedError(subject="user", expected="a turn", found="nothing", remedy="rerun")


def say(text: str) -> Speak:
    return Speak(text=text, calls=())


def call(*calls: tuple[str, str], text: str = "") -> Speak:
    return Speak(
        text=text,
        calls=tuple(
            CallRequest(call_id=f"c{number}", tool=tool, raw_arguments=raw) for number, (tool, raw) in enumerate(calls)
        ),
    )


def asks(text: str = "When is B1 due?") -> UserTurn:
    return UserTurn(text=text, signal=UserSignal.CONTINUES)


def stops(text: str = "", signal: UserSignal = UserSignal.STOP) -> UserTurn:
    return UserTurn(text=text, signal=signal)
