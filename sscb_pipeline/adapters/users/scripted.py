"""A deterministic user made from a task's scenario.

It says who it is and what it wants, agrees when the agent asks for its confirmation, does not know the records, may
volunteer one thing it is sure of, and ends the talk when the agent asks whether there is anything else. Like any
simulated user it sees what was said and no tool traffic.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from sscb_pipeline.environments.port import Scenario
from sscb_pipeline.episodes.participants import UserSignal, UserTurn
from sscb_pipeline.trajectories.steps import AgentMessage, Step, UserMessage

MAX_TURNS = 12
"""A user who has spoken this often ends the talk."""

_TRANSFERRED = "BEING TRANSFERRED TO A HUMAN AGENT"
_CLOSING = re.compile(r"\banything else\b[^?]*\?\s*$", re.IGNORECASE)
_CONFIRM = re.compile(r"\(yes/no\)|\b(confirm|go ahead|proceed)\b[^?]*\?", re.IGNORECASE)
_WHO = re.compile(r"\b(user id|your name|zip code|e-?mail|verify your identity)\b[^?]*\?", re.IGNORECASE)
_STAGE_DIRECTION = re.compile(r"\b(reveal|mention|agent|pretend|make up)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?])\s+")

_PERSONS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), told)
    for pattern, told in (
        (r"\byou are\b", "I am"),
        (r"\byou're\b", "I'm"),
        (r"\byou name is\b", "my name is"),
        (r"\byourself\b", "myself"),
        (r"\byours\b", "mine"),
        (r"\byour\b", "my"),
        (r"\b(to|for|with|at|from|of|about|tell|give|let|gives|tells|join|help) you\b", r"\1 me"),
        (r"\byou\b", "I"),
    )
)


class ScriptedUser:
    """One conversation's user. `knows` is a sentence it volunteers after the agent's first statement, or empty."""

    def __init__(self, scenario: Scenario, *, seed: int, knows: str = "") -> None:
        self._scenario = scenario
        self._random = random.Random(seed)
        self._knows = knows

    async def turn(self, history: Sequence[Step]) -> UserTurn:
        """The next turn, from what was said so far."""
        own = sum(isinstance(step, UserMessage) for step in history)
        heard = next((step.text for step in reversed(history) if isinstance(step, AgentMessage)), "")
        if own == 0:
            return _goes_on(self._opening())
        if _TRANSFERRED in heard:
            return UserTurn(text="", signal=UserSignal.TRANSFER)
        if _CLOSING.search(heard) or own >= MAX_TURNS:
            return UserTurn(text=self._random.choice(("", "No, that is all. Thank you.")), signal=UserSignal.STOP)
        if _CONFIRM.search(heard):
            return _goes_on(self._random.choice(("Yes, please.", "Yes, I confirm.", "Yes, go ahead.")))
        if _WHO.search(heard):
            return _goes_on(first_person(self._scenario.known_info) or "I have told you all I know.")
        if self._knows:
            told, self._knows = self._knows, ""
            return _goes_on(told)
        if heard.rstrip().endswith("?"):
            return _goes_on("I am not sure, I do not have that at hand.")
        return _goes_on(self._random.choice(("Okay.", "I see.", "Okay, thank you.")))

    def _opening(self) -> str:
        hello = self._random.choice(("Hi!", "Hello.", "Hi there,"))
        parts = (first_person(self._scenario.known_info), first_person(self._scenario.reason_for_call))
        return " ".join((hello, *(part for part in parts if part)))


def first_person(told: str) -> str:
    """A scenario text as its reader would say it; sentences that only direct the play are left out."""
    kept = [part for part in _SENTENCE.split(told.strip()) if part and not _STAGE_DIRECTION.search(part)]
    text = " ".join(kept)
    for pattern, replacement in _PERSONS:
        text = pattern.sub(replacement, text)
    starts = (part[:1].upper() + part[1:] for part in _SENTENCE.split(text))
    return " ".join(starts)


def _goes_on(text: str) -> UserTurn:
    return UserTurn(text=text, signal=UserSignal.CONTINUES)
