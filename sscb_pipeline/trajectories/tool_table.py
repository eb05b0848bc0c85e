"""Tool definitions as bytes: large, and the same in thousands of trajectories, so encoded and decoded once each."""

from __future__ import annotations

from typing import Any

from sscb_pipeline.trajectories.fields import Place, a_list, a_mapping, a_string, dump, load_line
from sscb_pipeline.trajectories.steps import ToolDefinition

_KEYS = frozenset({"name", "description", "parameters"})
_KEPT = 64

_encoded: dict[int, tuple[tuple[ToolDefinition, ...], bytes]] = {}
_decoded: dict[bytes, tuple[ToolDefinition, ...]] = {}


def encode_tools(tools: tuple[ToolDefinition, ...]) -> bytes:
    """One line, without its line feed. Cached by identity: the tuple is held, so no other can get its id."""
    entry = _encoded.get(id(tools))
    if entry is not None and entry[0] is tools:
        return entry[1]
    table = [
        {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)} for tool in tools
    ]
    line = dump(table)
    if len(_encoded) >= _KEPT:
        _encoded.clear()
    _encoded[id(tools)] = (tools, line)
    return line


def decode_tools(line: bytes, place: Place) -> tuple[ToolDefinition, ...]:
    """The definitions of a line; equal lines give the very same tuple. Raises InputError."""
    known = _decoded.get(line)
    if known is not None:
        return known
    tools = tuple(
        _tool(value, place.at(f"[{number}]")) for number, value in enumerate(a_list(load_line(line, place), place))
    )
    if len(_decoded) >= _KEPT:
        _decoded.clear()
    _decoded[line] = tools
    return tools


def _tool(value: Any, place: Place) -> ToolDefinition:
    record = a_mapping(value, place, _KEYS)
    parameters = record["parameters"]
    if not isinstance(parameters, dict):
        raise place.at(".parameters").refuse("an object", type(parameters).__name__)
    return ToolDefinition(
        name=a_string(record, "name", place),
        description=a_string(record, "description", place),
        parameters=parameters,
    )
