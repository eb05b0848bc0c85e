"""Completions through litellm, for judges. The only module of the judge path that imports litellm, and not before
the first request: the import takes seconds."""

from __future__ import annotations

import os
from typing import Any

from sscb_pipeline.errors import InputError
from sscb_pipeline.judging.completions import Completion, CompletionRequest, NoCompletion
from sscb_pipeline.judging.configuration import SchemaEnforcement
from sscb_pipeline.judging.verdict import Answer

_SCHEMA = {
    "type": "object",
    "properties": {
        "verdict": {"type": "string", "enum": [answer.value for answer in Answer]},
        "why": {"type": "string"},
    },
    "required": ["verdict", "why"],
    "additionalProperties": False,
}


class LitellmCompletions:
    """Requests to an OpenAI-compatible endpoint; `base_url` and `key` empty for the provider's own settings.

    The body of each request is taken where it leaves the HTTP client, not from what was meant to be sent.
    """

    def __init__(self, *, base_url: str = "", key: str = "") -> None:
        self._base_url = base_url
        self._key = key

    async def complete(self, request: CompletionRequest) -> Completion | NoCompletion:
        """One request. What the provider answers instead of a reply becomes NoCompletion, its text left out: error
        texts of providers may repeat headers."""
        os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
        import litellm
        import openai

        bodies: list[bytes] = []

        async def keep(sent: Any) -> None:
            bodies.append(sent.content)

        async with openai.DefaultAsyncHttpxClient(event_hooks={"request": [keep]}, timeout=request.timeout) as http:
            client = openai.AsyncOpenAI(
                api_key=self._key or os.environ.get("OPENAI_API_KEY") or "none",
                base_url=self._base_url or None,
                http_client=http,
                max_retries=0,
            )
            try:
                response = await litellm.acompletion(**_arguments(request), client=client, num_retries=0)
            except openai.OpenAIError as error:
                status = getattr(error, "status_code", None)
                return NoCompletion(reason=f"{type(error).__name__}" + (f", status {status}" if status else ""))
        return _read(response, bodies)


def _arguments(request: CompletionRequest) -> dict[str, Any]:
    messages = [{"role": "user", "content": request.user}]
    if request.system:
        messages.insert(0, {"role": "system", "content": request.system})
    arguments: dict[str, Any] = {
        "model": request.model,
        "messages": messages,
        "temperature": request.temperature,
        "max_tokens": request.max_tokens,
        "timeout": request.timeout,
    }
    if request.reasoning != "none":
        arguments["reasoning_effort"] = request.reasoning
    match request.schema:
        case SchemaEnforcement.NONE:
            return arguments
        case SchemaEnforcement.JSON_OBJECT:
            return {**arguments, "response_format": {"type": "json_object"}}
        case SchemaEnforcement.JSON_SCHEMA:
            schema = {"name": "verdict", "strict": True, "schema": _SCHEMA}
            return {**arguments, "response_format": {"type": "json_schema", "json_schema": schema}}


def _read(response: Any, bodies: list[bytes]) -> Completion | NoCompletion:
    choices = getattr(response, "choices", None) or []
    if not choices:
        return NoCompletion(reason="an answer without a candidate")
    content = choices[0].message.content
    if not content:
        return NoCompletion(reason=f"an empty candidate, finish reason {choices[0].finish_reason}")
    if len(bodies) != 1:
        return NoCompletion(reason=f"{len(bodies)} requests were sent where one was meant")
    return Completion(reply=content, transmitted=bodies[0])


def demand_provider_prefix(model: str) -> str:
    """The model's name if it names an OpenAI-compatible provider first (`openai/…`). Raises InputError."""
    if model.startswith("openai/") and len(model) > len("openai/"):
        return model
    raise InputError(
        subject=f"judge model {model!r}",
        expected="a model of an OpenAI-compatible endpoint, written openai/NAME",
        found="another name",
        remedy="write openai/NAME and give the endpoint's address with --base-url",
    )
