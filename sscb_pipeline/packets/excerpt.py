"""What a packet shows of one message: for people, and to count the call steps that a rendering leaves blank."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sscb_pipeline.errors import InputError

_ROLES = ("[SYSTEM]", "[USER]", "[ASSISTANT]", "[TOOL RESULT]", "[HANDOFF]")
_NO_TEXT = ("", " (empty)", " (null)", " (no key)")


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownMessage:
    """A message of a packet: its index, whether it is marked as the target, and its lines without that mark."""

    index: int
    target: bool
    lines: tuple[str, ...]

    @property
    def blank(self) -> bool:
        """Whether a reader sees a role and nothing else: no text, no refusal, no call (JIA's blank step)."""
        role = next((at for at, line in enumerate(self.lines) if line.startswith(_ROLES)), len(self.lines))
        if role == len(self.lines):
            return True
        rest = self.lines[role].partition("]")[2]
        return rest in _NO_TEXT and not any(line.strip() for line in self.lines[role + 1 :])


def shown_messages(data: bytes, name: str) -> Iterator[ShownMessage]:
    """The messages of a packet of any rendering, in order; `name` names it in errors.

    Raises InputError for bytes that are no packet.
    """
    try:
        lines = data.decode("utf-8").split("\n")
        first = lines.index("[TRAJECTORY]") + 1
    except ValueError as error:
        raise InputError(
            subject=name, expected="a packet", found=str(error), remedy="build the packet again"
        ) from error
    current: list[str] = []
    mark = ""
    for line in lines[first:]:
        if line.startswith(("[MESSAGE ", "[TARGET MESSAGE ", "[END OF PACKET]")):
            if mark:
                yield _shown(mark, current)
            mark, current = line, []
        else:
            current.append(line)


def _shown(mark: str, lines: list[str]) -> ShownMessage:
    number = mark.rpartition(" ")[2].rstrip("]")
    return ShownMessage(index=int(number), target=mark.startswith("[TARGET"), lines=tuple(lines))


def shown_message(data: bytes, index: int, name: str) -> ShownMessage:
    """The message with this index. Raises InputError where the packet does not show it."""
    for message in shown_messages(data, name):
        if message.index == index:
            return message
    raise InputError(
        subject=name, expected=f"message {index}", found="no such message", remedy="name a message of the packet"
    )
