"""What all renderings share: the packet around the messages.

    [JUDGE PACKET]
    [QUESTION]
    ...
    [TASK CONTEXT]
    ...
    [TRAJECTORY]
    [MESSAGE 0]
    [SYSTEM]
    ...
    [TARGET MESSAGE 4]
    [ASSISTANT]
    ...
    [END OF PACKET] the target message is the last one shown

Messages are numbered by their index in the source record. A text stands on the lines after its structural line.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from sscb_pipeline.packets.escape import escape_body
from sscb_pipeline.packets.input_contract import Scope
from sscb_pipeline.packets.target import Target, target_turn
from sscb_pipeline.packets.task_context import NoRequest, request_of
from sscb_pipeline.trajectories.source_record import SourceRecord

PREFIX_END = "[END OF PACKET] the target message is the last one shown"
FULL_END = "[END OF PACKET] the recording ends here"


def head(record: SourceRecord, question: str) -> str:
    """Everything before the tools and messages."""
    request = request_of(record)
    asked = (
        "[TASK CONTEXT] (none recorded)"
        if isinstance(request, NoRequest)
        else f"[TASK CONTEXT]\n{escape_body(request.text)}"
    )
    return f"[JUDGE PACKET]\n[QUESTION]\n{escape_body(question)}\n{asked}"


def assemble(record: SourceRecord, target: Target, scope: Scope, opening: str, blocks: Sequence[str]) -> bytes:
    """The packet's bytes. `blocks[i]` shows message i. Raises InputError for a target that is no agent's turn."""
    target_turn(record, target)
    match scope:
        case Scope.PREFIX:
            last, end = target.message, PREFIX_END
        case Scope.FULL:
            last, end = len(record.messages) - 1, FULL_END
        case _:
            assert_never(scope)
    parts = [opening, "[TRAJECTORY]"]
    for index in range(last + 1):
        parts.append(f"[TARGET MESSAGE {index}]" if index == target.message else f"[MESSAGE {index}]")
        parts.append(blocks[index])
    parts.append(end)
    return ("\n".join(parts) + "\n").encode("utf-8")
