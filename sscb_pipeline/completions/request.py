"""What is asked of a model, and the exact bytes that stand for it.

A request never holds a key, a header or an address. Its identity is the sha256 of its canonical record, in which the
texts that repeat in thousands of requests (the system message, the tool table) are named by their own sha256, so that
each is stored once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sscb_pipeline.artifacts.digest import canonical_json, sha256_hex
from sscb_pipeline.trajectories.steps import ToolDefinition

Message = Mapping[str, Any]
"""One message in the OpenAI chat format."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest:
    """Model, messages, tools, and the decoding settings as they were requested."""

    model: str
    messages: tuple[Message, ...]
    tools: tuple[ToolDefinition, ...]
    settings: Mapping[str, Any]

    @property
    def output_limit(self) -> int | NoOutputLimit:
        """The most tokens the answer may have, where the settings bound it."""
        for name in ("max_completion_tokens", "max_tokens"):
            value = self.settings.get(name)
            if isinstance(value, int):
                return value
        return NO_OUTPUT_LIMIT


@dataclass(frozen=True, slots=True)
class NoOutputLimit:
    """The settings do not bound the answer."""


NO_OUTPUT_LIMIT = NoOutputLimit()


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedRequest:
    """A request as it is stored: its sha256, its record, and the parts the record names."""

    sha256: str
    record: bytes
    parts: tuple[bytes, ...]

    @property
    def size(self) -> int:
        """Bytes of the whole request, parts included; a bound for its tokens."""
        return len(self.record) + sum(map(len, self.parts))


def recorded(request: ChatRequest) -> RecordedRequest:
    """The stored form of a request. Raises InputError where a message is no JSON."""
    tools_sha256, tools = _table(request.tools)
    parts = [tools] if request.tools else []
    messages: list[Any] = list(request.messages)
    if messages and set(messages[0]) == {"role", "content"} and messages[0]["role"] == "system":
        text_sha256, text = _system(messages[0]["content"])
        messages[0] = {"role": "system", "content_object": text_sha256}
        parts.append(text)
    record = canonical_json(
        {
            "model": request.model,
            "settings": dict(request.settings),
            "tools_object": tools_sha256 if request.tools else "",
            "messages": messages,
        }
    )
    return RecordedRequest(sha256=sha256_hex(record), record=record, parts=tuple(parts))


def wire_tools(tools: tuple[ToolDefinition, ...]) -> list[dict[str, Any]]:
    """The tool table in the OpenAI format."""
    return [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": dict(tool.parameters),
            },
        }
        for tool in tools
    ]


_TABLES: dict[int, tuple[tuple[ToolDefinition, ...], str, bytes]] = {}
_MOST_TABLES = 64


def _table(tools: tuple[ToolDefinition, ...]) -> tuple[str, bytes]:
    """Hash and bytes of a tool table. Kept by identity; the tuple is held, so that no other can get its id."""
    known = _TABLES.get(id(tools))
    if known is not None and known[0] is tools:
        return known[1], known[2]
    content = canonical_json(wire_tools(tools))
    if len(_TABLES) >= _MOST_TABLES:
        _TABLES.clear()
    _TABLES[id(tools)] = (tools, sha256_hex(content), content)
    return _TABLES[id(tools)][1], content


@lru_cache(maxsize=256)
def _system(text: str) -> tuple[str, bytes]:
    content = text.encode("utf-8", "surrogatepass")
    return sha256_hex(content), content
