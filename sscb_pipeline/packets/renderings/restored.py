"""Rendering R: O with every call restored after its message's text, in order, with its exact arguments (JIA §II-A)."""

from __future__ import annotations

from sscb_pipeline.packets.escape import escape_line, escape_name
from sscb_pipeline.packets.renderings import original
from sscb_pipeline.trajectories.source_record import Actor, SourceCall, SourceMessage, SourceTurn

CALL = {Actor.AGENT: "[TOOL CALL]", Actor.USER: "[USER TOOL CALL]"}


def block(message: SourceMessage) -> str:
    """A message as R shows it."""
    shown = original.block(message)
    if not isinstance(message, SourceTurn) or not message.calls:
        return shown
    return "\n".join([shown, *(call_line(message.actor, call) for call in message.calls)])


def call_line(actor: Actor, call: SourceCall) -> str:
    """`[TOOL CALL] name(arguments)`."""
    return f"{CALL[actor]} {escape_name(call.tool)}({escape_line(call.arguments.raw)})"
