"""Messages in the layout of OpenAI's chat API, as several formats hold them."""

from __future__ import annotations

from sscb_pipeline.adapters.importers.foreign import Value
from sscb_pipeline.trajectories.source_record import (
    NO_KEY,
    NULL,
    Actor,
    ErrorMark,
    Requestor,
    SourceCall,
    SourceMessage,
    SourceResult,
    SourceSystem,
    SourceText,
    SourceTurn,
    SystemOrigin,
    ToolsNotRecorded,
    given,
)
from sscb_pipeline.trajectories.steps import ToolDefinition


def chat_message(message: Value) -> SourceMessage:
    """One message. Raises InputError with the place for another role, another kind of content and `function_call`."""
    role = message.key("role")
    match role.value:
        case "system" | "developer":
            return SourceSystem(text=content(message), origin=SystemOrigin.MESSAGE)
        case "user":
            return _turn(message, Actor.USER)
        case "assistant":
            return _turn(message, Actor.AGENT)
        case "tool":
            return SourceResult(
                call_id=message.text("tool_call_id"),
                tool=message.text("name"),
                content=content(message),
                requestor=Requestor.NOT_GIVEN,
                error=ErrorMark.NOT_GIVEN,
            )
        case _:
            raise role.refuse("one of the roles system, developer, user, assistant, tool")


def content(message: Value) -> SourceText:
    """A text, null, no key, or a list with exactly one text part (several parts have no one exact text)."""
    if not isinstance(message.mapping().get("content"), list):
        return message.text("content")
    parts = message.key("content").items()
    if len(parts) == 1 and parts[0].mapping().get("type") == "text":
        return given(parts[0].key("text").string())
    raise message.key("content").refuse("a text, or a list with one part of type text")


def tool_definitions(value: Value) -> tuple[ToolDefinition, ...]:
    """Definitions as OpenAI's API takes them, or bare `{name, description, parameters | input_schema}`."""
    return tuple(_definition(tool) for tool in value.items())


def tools_of(line: Value) -> tuple[ToolDefinition, ...] | ToolsNotRecorded:
    """The definitions under `tools`, where there are any."""
    return tool_definitions(line.key("tools")) if line.has("tools") else ToolsNotRecorded()


def _definition(tool: Value) -> ToolDefinition:
    function = tool.key("function") if tool.has("function") else tool
    schema = next((key for key in ("parameters", "input_schema", "inputSchema") if function.has(key)), None)
    return ToolDefinition(
        name=function.key("name").string(),
        description=function.text("description").value,
        parameters=function.key(schema).mapping() if schema else {},
    )


def _turn(message: Value, actor: Actor) -> SourceTurn:
    if message.has("function_call"):
        raise message.key("function_call").refuse("null: calls stand in `tool_calls`")
    reasoning = message.text("reasoning_content")
    return SourceTurn(
        actor=actor,
        text=content(message),
        refusal=_unless_null(message.text("refusal")),
        reasoning=reasoning if reasoning is not NO_KEY else message.text("reasoning"),
        calls=tuple(_call(call) for call in message.calls()),
        speaker=_unless_null(message.text("name")),
    )


def _unless_null(text: SourceText) -> SourceText:
    """The API writes null for a refusal or a name that there is none of."""
    return NO_KEY if text is NULL else text


def _call(call: Value) -> SourceCall:
    function = call.key("function")
    return SourceCall(
        call_id=call.text("id"), tool=function.key("name").string(), arguments=function.arguments("arguments")
    )
