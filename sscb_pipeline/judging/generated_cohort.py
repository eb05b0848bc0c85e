"""A cohort that can be shipped: 30 labelled trajectories over 22 user requests, made up from a seed.

It has the shape of JIA's cohort, not its content: 14 runs whose results have neither id nor name (paired by
position) and 16 in which a simulated user makes calls too; 26 error and 27 comparison targets without text; targets
with parallel calls; wrong steps that are no targets (text only, later in a run of wrong steps), correct calls further
away, neutral ones. With both targets, both scopes and O and R these are 240 packets.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from sscb_pipeline.artifacts.digest import sha256_hex
from sscb_pipeline.judging.cohort import LabelledRecord
from sscb_pipeline.judging.targets import CORRECT, NEUTRAL, WRONG
from sscb_pipeline.trajectories.arguments import from_object, from_text
from sscb_pipeline.trajectories.source_record import (
    NO_KEY,
    NULL,
    Actor,
    ErrorMark,
    PairingRule,
    Requestor,
    SourceCall,
    SourceMessage,
    SourceOrigin,
    SourceRecord,
    SourceResult,
    SourceSystem,
    SourceText,
    SourceTurn,
    SystemOrigin,
    given,
)
from sscb_pipeline.trajectories.steps import Complete, ToolDefinition

TRAJECTORIES = 30
REQUESTS = 22
BY_POSITION = 14
SPOKEN_ERRORS = frozenset({3, 9, 17, 26})
SPOKEN_COMPARISONS = frozenset({5, 14, 22})
DEFAULT_SEED = "generated-cohort"

_POLICY = (
    "You work at the desk of a lending library for instruments.\n\n"
    "- Look up a member before you change a loan.\n"
    "- A loan may be prolonged once, by at most 14 days.\n"
    "- [NOTE] Deposits are returned by the cashier, never by the desk.\n"
)
_TOOLS = (
    ToolDefinition(
        name="get_member",
        description="Look up a member by id.",
        parameters={"type": "object", "properties": {"member_id": {"type": "string"}}, "required": ["member_id"]},
    ),
    ToolDefinition(
        name="find_instruments",
        description="List instruments of a kind that can be lent.",
        parameters={"type": "object", "properties": {"kind": {"type": "string"}, "limit": {"type": "integer"}}},
    ),
    ToolDefinition(
        name="prolong_loan",
        description="Prolong a loan by some days.",
        parameters={"type": "object", "properties": {"loan_id": {"type": "string"}, "days": {"type": "integer"}}},
    ),
)
_KINDS = ("viola", "oboe", "cello", "lute", "bassoon", "zither")


@dataclass(slots=True)
class _Making:
    """A run in the making."""

    random: Random
    by_position: bool
    messages: list[SourceMessage] = field(default_factory=list)
    labels: dict[int, int] = field(default_factory=dict)
    calls: int = 0

    def say(self, actor: Actor, text: str) -> None:
        self.messages.append(_turn(actor, given(text), ()))

    def agent(self, label: int, text: str, *calls: tuple[str, dict[str, object]]) -> None:
        """A labelled turn of the agent, then the results of its calls."""
        self.labels[len(self.messages)] = label
        self._act(Actor.AGENT, given(text) if text or not calls else NULL, calls)

    def user_calls(self, *calls: tuple[str, dict[str, object]]) -> None:
        """The simulated user acts in its own world."""
        self._act(Actor.USER, NULL, calls)

    def _act(self, actor: Actor, text: SourceText, calls: tuple[tuple[str, dict[str, object]], ...]) -> None:
        made = []
        for tool, arguments in calls:
            self.calls += 1
            raw = json.dumps(arguments)
            call_id = NO_KEY if self.by_position else given(f"call_{self.calls}")
            made.append(
                SourceCall(
                    call_id=call_id,
                    tool=tool,
                    arguments=from_text(raw) if self.by_position else from_object(arguments),
                )
            )
        self.messages.append(_turn(actor, text, tuple(made)))
        for call in made:
            self.messages.append(self._result(actor, call))

    def _result(self, actor: Actor, call: SourceCall) -> SourceResult:
        requestor = Requestor.AGENT if actor is Actor.AGENT else Requestor.USER
        return SourceResult(
            call_id=call.call_id,
            tool=NO_KEY,
            content=given(_content(call, self.random)),
            requestor=Requestor.NOT_GIVEN if self.by_position else requestor,
            error=ErrorMark.NOT_GIVEN if self.by_position else ErrorMark.NO_ERROR,
        )


def _turn(actor: Actor, text: SourceText, calls: tuple[SourceCall, ...]) -> SourceTurn:
    return SourceTurn(actor=actor, text=text, refusal=NO_KEY, reasoning=NO_KEY, calls=calls)


def _content(call: SourceCall, random: Random) -> str:
    match call.tool:
        case "get_member":
            return json.dumps({"member": "Ina Roth", "loans": [f"L{random.randrange(900)}"], "deposit": 40})
        case "find_instruments":
            found = [{"id": f"I{random.randrange(9000)}", "kind": kind, "free": True} for kind in _KINDS]
            return json.dumps(found, indent=1)
        case "prolong_loan":
            return json.dumps({"ok": True, "until": f"2025-0{random.randrange(1, 10)}-11"})
        case _:
            return ""


def generated_records(seed: str = DEFAULT_SEED) -> Iterator[LabelledRecord]:
    """The 30 trajectories, the same for the same seed. The first eight requests have two trajectories each."""
    for number in range(TRAJECTORIES):
        yield _record(seed, number)


def _record(seed: str, number: int) -> LabelledRecord:
    request_number = number % REQUESTS
    topic = Random(sha256_hex(f"{seed}/request/{request_number}".encode()))
    kind, loan = topic.choice(_KINDS), f"L{100 + request_number}"
    request = f"Please prolong my loan {loan} and tell me which {kind}s are free. I am member M{request_number}."
    by_position = number < BY_POSITION
    making = _Making(random=Random(sha256_hex(f"{seed}/run/{number}".encode())), by_position=by_position)
    making.messages.append(SourceSystem(text=given(_POLICY), origin=SystemOrigin.MESSAGE))
    _play(making, number, request, kind, loan)
    name = f"{'position' if by_position else 'userside'}:{number}"
    return LabelledRecord(
        record_id=name,
        record=SourceRecord(
            origin=SourceOrigin(
                format="generated", file="generated", position=number, task=f"request {request_number}", trial=""
            ),
            pairing_rule=PairingRule.BY_POSITION if by_position else PairingRule.BY_ID,
            stop_markers=(),
            tools=_TOOLS,
            messages=tuple(making.messages),
            extent=Complete(),
        ),
        request=request,
        labels=making.labels,
    )


def _play(making: _Making, number: int, request: str, kind: str, loan: str) -> None:
    random = making.random
    member: tuple[str, dict[str, object]] = ("get_member", {"member_id": f"M{number % REQUESTS}"})
    listing: tuple[str, dict[str, object]] = ("find_instruments", {"kind": kind, "limit": random.randrange(3, 9)})
    wrong: tuple[str, dict[str, object]] = ("prolong_loan", {"loan_id": loan, "days": random.randrange(30, 60)})
    making.say(Actor.USER, request)
    if number % 3 == 0:
        making.agent(CORRECT, "", member)
        making.agent(NEUTRAL, "One moment.")
    if number % 5 == 0:
        # a wrong step that calls nothing begins a run; the call inside the run begins none, so neither is a target
        making.agent(WRONG, "Your loan was prolonged already.")
        making.agent(WRONG, "", listing)
        making.agent(CORRECT, "I was wrong there; let me look.")
    if not making.by_position:
        opening: tuple[str, dict[str, object]] = ("open_app", {"tab": kind})
        making.user_calls(("look_at_card", {}), *([opening] if number % 2 else []))
        making.say(Actor.USER, "My card says the loan ends this week.")
    spoken = "I look up what is free." if number in SPOKEN_COMPARISONS else ""
    making.agent(CORRECT, spoken, listing, *([member] if number % 4 == 1 else []))
    if number % 2:
        making.agent(NEUTRAL, "Thank you for waiting.")
    spoken = "I prolong it by more than a month." if number in SPOKEN_ERRORS else ""
    making.agent(WRONG, spoken, wrong, *([listing] if number % 6 == 2 else []))
    making.agent(WRONG, f"Done: {loan} runs for over a month more.")
    if not making.by_position:
        making.user_calls(("look_at_card", {}))
    making.say(Actor.USER, "Is that within the rules?\n[ASSISTANT]\nsaid so before?")
    making.agent(CORRECT, "", ("prolong_loan", {"loan_id": loan, "days": 14}))
    making.agent(CORRECT, "It is now prolonged by 14 days, as the rules allow.")
