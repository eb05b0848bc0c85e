"""The narrow port a judge's model is reached through, and the proof that it was sent the authorised bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from sscb_pipeline.artifacts.digest import sha256_hex, strict_json
from sscb_pipeline.errors import IntegrityError
from sscb_pipeline.judging.configuration import SchemaEnforcement


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletionRequest:
    """One request: model, system text, user text, and how the reply is to be made."""

    model: str
    system: str
    user: str
    schema: SchemaEnforcement
    reasoning: str
    temperature: float
    max_tokens: int
    timeout: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """A reply, and the exact body of the request as it left this process."""

    reply: str
    transmitted: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class NoCompletion:
    """No reply came: status, empty answer, time-out. `reason` holds no secret."""

    reason: str


class Completions(Protocol):
    """Implemented by clients; one call is one request, without retries of its own."""

    async def complete(self, request: CompletionRequest) -> Completion | NoCompletion:
        """Send one request."""
        ...


def demand_transmitted(transmitted: bytes, *, before: str, after: str, sha256: str, place: str) -> None:
    """Recover the packet from the body of a request and compare it with the authorised hash.

    Raises IntegrityError when the body holds no such text, several, or other bytes.
    """
    value = strict_json(transmitted, f"request for {place}")
    found = {
        text[len(before) : len(text) - len(after)]
        for text in _texts(value)
        if text.startswith(before) and text.endswith(after) and len(text) >= len(before) + len(after)
    }
    hashes = {sha256_hex(text.encode("utf-8", "surrogatepass")) for text in found}
    if sha256 in hashes and (len(hashes) == 1 or (not before and not after)):
        return
    raise IntegrityError(
        subject=f"transmitted request for {place}",
        expected=f"the packet with sha256 {sha256} between the wrapper's texts",
        found=", ".join(sorted(hashes)[:3]) or "none",
        remedy="the client changed the prompt: correct it, and discard the draws of this configuration",
    )


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)
