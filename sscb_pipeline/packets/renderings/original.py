"""Rendering O: roles and text only (JIA §II-A). The flawed original: a turn that only calls looks empty."""

from __future__ import annotations

from typing import assert_never

from sscb_pipeline.packets.escape import escape_body, escape_name
from sscb_pipeline.trajectories.source_record import (
    Actor,
    SourceHandoff,
    SourceMessage,
    SourceResult,
    SourceSystem,
    SourceText,
    SourceTurn,
)

ROLE = {Actor.AGENT: "[ASSISTANT]", Actor.USER: "[USER]"}


def block(message: SourceMessage) -> str:
    """A message as O shows it."""
    match message:
        case SourceSystem():
            return said("[SYSTEM]", message.text)
        case SourceTurn():
            return turn(message)
        case SourceResult():
            return result(message)
        case SourceHandoff():
            return said(f"[HANDOFF] {escape_name(message.recipient)}", message.text)
        case _:
            assert_never(message)


def said(line: str, text: SourceText) -> str:
    """A structural line with a text below it; nothing below where there is none."""
    return f"{line}\n{escape_body(text.value)}" if text.named else line


def turn(message: SourceTurn) -> str:
    """A turn's text and refusal."""
    shown = said(ROLE[message.actor], message.text)
    return f"{shown}\n{said('[REFUSAL]', message.refusal)}" if message.refusal.named else shown


def result(message: SourceResult) -> str:
    """A result's content; an empty one is said to be empty, not missing."""
    return said("[TOOL RESULT]" if message.content.named else "[TOOL RESULT] (empty)", message.content)
