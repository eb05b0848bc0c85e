"""Recordings made for trials: small, and with all that makes recordings hard (blank call steps, parallel calls, calls
of the simulated user, ids, tool definitions)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sscb_pipeline.packets.input_contract import InputContract, MalformedCalls, Rendering, Scope, TrailingCalls
from sscb_pipeline.packets.packet import PacketSource, packet_source
from sscb_pipeline.packets.target import Target
from sscb_pipeline.trajectories.arguments import from_text
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

TRIAL_CONTRACT = InputContract(
    scopes=(Scope.PREFIX, Scope.FULL),
    renderings=(Rendering.ORIGINAL, Rendering.RESTORED, Rendering.COMPLETE),
    malformed_calls=MalformedCalls.REJECT,
    trailing_calls=TrailingCalls.ALLOWED,
)
"""Everything the trials can break: all renderings, both scopes, arguments that must be JSON."""

COMPARISON_MESSAGE = 4
ERROR_MESSAGE = 12
SPECIMENS = 3

_TOOLS = tuple(
    ToolDefinition(
        name=name,
        description=about,
        parameters={"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]},
    )
    for name, about in (
        ("get_order", "Read one order."),
        ("get_product", "Read one product.\nPrices are in dollars."),
        ("change_order", "Change an order (once)."),
        ("restart_phone", "The user's own device."),
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Specimen:
    """A recording with its targets, as a cohort names them."""

    source: PacketSource
    targets: tuple[Target, ...]


def call(call_id: str, tool: str, arguments: str) -> SourceCall:
    """A call with an id and exact argument text."""
    return SourceCall(call_id=given(call_id), tool=tool, arguments=from_text(arguments))


def turn(actor: Actor, text: SourceText, *calls: SourceCall) -> SourceTurn:
    """A turn without refusal and reasoning."""
    return SourceTurn(actor=actor, text=text, refusal=NO_KEY, reasoning=NO_KEY, calls=calls)


def result(call_id: str, tool: str, content: str, requestor: Requestor = Requestor.AGENT) -> SourceResult:
    """A result that names call, tool and requestor."""
    return SourceResult(
        call_id=given(call_id),
        tool=given(tool),
        content=given(content),
        requestor=requestor,
        error=ErrorMark.NO_ERROR,
    )


def messages(number: int) -> tuple[SourceMessage, ...]:
    """Sixteen messages; the agent's calls stand at 2, 4, 6 (two in parallel) and 12, the user's at 9."""
    order, product = f"#W{100 + number}", f"P{200 + number}"
    return (
        SourceSystem(text=given(f"Policy {number}.\nChange an order once."), origin=SystemOrigin.MESSAGE),
        turn(Actor.USER, given(f"I am user {number}.\nPlease change order {order}.")),
        turn(Actor.AGENT, given(f"Let me look, user {number}."), call("c1", "get_order", f'{{"id": "{order}"}}')),
        result("c1", "get_order", f'{{"order": "{order}", "total": {30 + number}}}'),
        turn(Actor.AGENT, NULL, call("c2", "get_product", f'{{"id": "{product}"}}')),
        result("c2", "get_product", f'{{"product": "{product}",\n "price": {number}}}'),
        turn(
            Actor.AGENT,
            given(""),
            call("c3", "get_order", f'{{"id": "{order}x"}}'),
            call("c4", "get_product", f'{{"id": "{product}x"}}'),
        ),
        result("c3", "get_order", f"Error: no order {order}x"),
        result("c4", "get_product", f"Error: no product {product}x"),
        turn(Actor.USER, NULL, call("u1", "restart_phone", f'{{"id": "phone {number}"}}')),
        result("u1", "restart_phone", f"restarted {number}", Requestor.USER),
        turn(Actor.USER, given(f"My phone is on again, {number}.")),
        turn(Actor.AGENT, NULL, call("c5", "change_order", f'{{"id": "{order}", "size": {number}}}')),
        result("c5", "change_order", f'{{"status": "changed {number}"}}'),
        turn(Actor.AGENT, given(f"Your order {order} is changed.")),
        turn(Actor.USER, given(f"Thank you, {number}.")),
    )


def record(number: int, content: Sequence[SourceMessage]) -> SourceRecord:
    """A recording with the tools defined."""
    return SourceRecord(
        origin=SourceOrigin(format="trial", file="specimens", position=number, task=str(number), trial="0"),
        pairing_rule=PairingRule.BY_ID,
        stop_markers=(),
        tools=_TOOLS,
        messages=tuple(content),
        extent=Complete(),
    )


def specimen(number: int) -> Specimen:
    """Recording `number` with its comparison and its error target."""
    return member(f"specimen-{number}", record(number, messages(number)), (COMPARISON_MESSAGE, ERROR_MESSAGE))


def member(record_id: str, recorded: SourceRecord, targets: Sequence[int]) -> Specimen:
    """A recording under an id, with the messages that are judged."""
    return Specimen(
        source=packet_source(record_id, recorded),
        targets=tuple(Target(record_id=record_id, message=message) for message in targets),
    )


def specimens() -> tuple[Specimen, ...]:
    """The cohort of the trials."""
    return tuple(specimen(number) for number in range(SPECIMENS))
