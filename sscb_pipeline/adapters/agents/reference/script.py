"""How a reference agent carries a plan out: a generator that yields turns and is sent the steps that followed."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any

from sscb_pipeline.adapters.agents.reference.assignment import Assignment
from sscb_pipeline.adapters.agents.reference.bank import Wording
from sscb_pipeline.adapters.agents.reference.habits import Move, Plan
from sscb_pipeline.adapters.agents.reference.marks import Call, Claim, Manner, Notes, Piece, Sight, Statement, Text
from sscb_pipeline.episodes.participants import CallRequest, Speak
from sscb_pipeline.trajectories.steps import Step, ToolObservation, UserMessage

Turns = Generator[Speak, Sequence[Step], None]
Answer = Generator[Speak, Sequence[Step], str]

HOLD_ON = "YOU ARE BEING TRANSFERRED TO A HUMAN AGENT. PLEASE HOLD ON."
"""The policy's fixed sentence after a transfer."""


def read_object(content: str) -> Mapping[str, Any]:
    """An observation as an object; empty where it is none (an error, a status word)."""
    try:
        value = json.loads(content)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


class Script:
    """Common ground of the operators' scripts: speaking, calling, noting, closing.

    A subclass supplies `moves` and remembers what it saw; an empty value means that nothing was seen, and a move that
    would need it speaks neutrally instead.
    """

    def __init__(self, assignment: Assignment, wording: Wording) -> None:
        self.assignment = assignment
        self.wording = wording
        self.notes = Notes()
        self.value = ""
        self.heard: list[str] = []
        self._turn = 0
        self._closing = False
        self.speaking = SPEAKING
        self.moves: dict[Move, Callable[[], Turns]] = {
            Move.IDENTIFY: self.identify,
            Move.NEUTRAL: self.neutral,
            Move.TRANSFER: self.transfer,
            Move.CLOSE: self.close,
            Move.ASSERT: self.assert_value,
            Move.HEDGE: lambda: self._with_value("hedged", Manner.HEDGED),
            Move.ASK: lambda: self._with_value("asked", Manner.ASKED),
            Move.ACT: self.act,
        }

    def play(self, plan: Plan) -> Turns:
        """Carry out a plan. The closing question joins the message before it."""
        for position, move in enumerate(plan):
            self._closing = plan[position + 1 : position + 2] == (Move.CLOSE,) and move in self.speaking
            if move is Move.CLOSE and position and plan[position - 1] in self.speaking:
                continue
            yield from self.moves[move]()

    def say(self, text: str, *claims: Claim) -> Turns:
        """Say something to the user."""
        self._note_next(claims)
        spoken = f"{text}\n\n{self.wording.phrase('closing')}" if self._closing else text
        followed = yield Speak(text=spoken, calls=())
        self.heard.extend(step.text for step in followed if isinstance(step, UserMessage))

    def call(
        self,
        tool: str,
        arguments: Mapping[str, Any],
        *,
        claims: tuple[Claim, ...] = (),
        text: str = "",
        text_claims: tuple[Claim, ...] = (),
    ) -> Answer:
        """Make one call and return the text it was answered with; empty when it was not answered."""
        self._note_next(text_claims)
        self._note(Call(position=0), claims)
        followed = yield Speak(text=text, calls=(self._request(0, tool, arguments),))
        return _contents(followed, 1)[0]

    def calls(self, *requested: tuple[str, Mapping[str, Any]]) -> Generator[Speak, Sequence[Step], list[str]]:
        """Make parallel calls in one turn and return the texts they were answered with, in their order."""
        self._note_next(())
        requests = [self._request(position, *request) for position, request in enumerate(requested)]
        followed = yield Speak(text="", calls=tuple(requests))
        return _contents(followed, len(requests))

    def saw(self, view: str, data: Mapping[str, Any], position: int = 0) -> None:
        """Note what the observation of call `position` of the latest turn showed."""
        self.notes.sights.append(Sight(turn=self._turn, position=position, view=view, data=data))

    def _request(self, position: int, tool: str, arguments: Mapping[str, Any]) -> CallRequest:
        return CallRequest(
            call_id=f"call_{self._turn}_{position}", tool=tool, raw_arguments=json.dumps(arguments, ensure_ascii=False)
        )

    def _note_next(self, claims: Sequence[Claim]) -> None:
        """Begin the next turn, with what its text claims."""
        self._turn += 1
        self._note(Text(), claims)

    def _note(self, piece: Piece, claims: Sequence[Claim]) -> None:
        self.notes.statements.extend(Statement(turn=self._turn, piece=piece, claim=claim) for claim in claims)

    # Values of phrases.

    def values(self) -> dict[str, str]:
        """Placeholders of the operator's phrases; `value` is the value as this agent writes it in one message."""
        return {**self.assignment.keys, "value": self.value}

    def phrase(self, purpose: str, **more: str) -> str:
        """A phrase with the operator's placeholders filled in."""
        return self.wording.phrase(purpose, **{**self.values(), **more})

    # Moves that all operators share.

    def identify(self) -> Turns:
        """Authenticate the user as the reference solution does."""
        for action in self.assignment.actions:
            if action.tool.startswith("find_user_id_by"):
                yield from self.call(action.tool, action.arguments)
                return

    def neutral(self) -> Turns:
        """Say something that does not touch the fact."""
        yield from self.say(self.phrase("neutral"))

    def close(self) -> Turns:
        """Ask the closing question by itself."""
        yield from self.say(self.wording.phrase("closing"))

    def transfer(self) -> Turns:
        """Hand over with a summary that does not touch the fact."""
        yield from self.call("transfer_to_human_agents", {"summary": self.phrase("transfer_plain")})
        yield from self.say(HOLD_ON)

    def assert_value(self) -> Turns:
        """State the value as a fact."""
        yield from self._with_value("asserted", Manner.ASSERTED)

    def act(self) -> Turns:
        """Hand over with a summary that states the value as a fact."""
        if not self.value:
            yield from self.transfer()
            return
        yield from self.call(
            "transfer_to_human_agents",
            {"summary": self.phrase("transfer_stating")},
            claims=(Claim(manner=Manner.ASSERTED, value=self.value),),
        )
        yield from self.say(HOLD_ON)

    def _with_value(self, purpose: str, manner: Manner) -> Turns:
        if not self.value:
            yield from self.neutral()
            return
        yield from self.say(self.phrase(purpose), Claim(manner=manner, value=self.value))


SPEAKING = frozenset({Move.NEUTRAL, Move.ASSERT, Move.HEDGE, Move.ASK, Move.CORRECT, Move.DERIVE, Move.MUMBLE})
"""Moves whose last turn is a message to the user, which the closing question can join."""


def _contents(followed: Sequence[Step], number: int) -> list[str]:
    """The observations that followed, padded with empty texts where a call was not answered."""
    contents = [step.content for step in followed if isinstance(step, ToolObservation)]
    return contents + [""] * (number - len(contents))
