"""litellm, in the one module that touches it.

It is imported when a model is named or called, and never by a run without models: the import takes seconds. Its own
retries, fallbacks, callbacks and dropping of settings are off; pace, retries and records are the port's.
"""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import AsyncIterator, Coroutine, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from importlib.metadata import version
from typing import Any

from sscb_pipeline.completions.failures import (
    CompletionFailedError,
    Failure,
    FailureKind,
    NotTold,
    RetryAfter,
    failure,
    kind_of,
)
from sscb_pipeline.completions.request import ChatRequest, wire_tools
from sscb_pipeline.completions.spending import Prices, PricesUnknown
from sscb_pipeline.errors import InputError

PLACEHOLDER_KEY = "no-key"
"""What is sent to a server that asks for none; client libraries insist on a value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyVariable:
    """The environment variable that holds the key."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NoKey:
    """The server asks for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerAt:
    """A server of one's own that speaks the provider's protocol."""

    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvidersOwn:
    """The provider's own address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where a model is and how one gets in."""

    model: str
    key: KeyVariable | NoKey
    server: ServerAt | ProvidersOwn


@cache
def _litellm() -> Any:
    """The package, imported once, with everything that works behind our back turned off."""
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # or the import fetches a price list from the network
    # Its own modules, some of which it imports only when they are first needed, warn about their own types.
    warnings.filterwarnings("ignore", message=r"Items? .* on TypedDict class", category=UserWarning)
    with warnings.catch_warnings(action="ignore"):
        import litellm
    litellm.telemetry = False
    litellm.drop_params = False
    litellm.modify_params = False
    litellm.suppress_debug_info = True
    _no_background_work()
    for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy", "httpx", "openai"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    # Its response models are filled with provider bodies of other shapes, and it says so at every call.
    warnings.filterwarnings("ignore", message="Pydantic serializer warnings")
    warnings.filterwarnings("ignore", module=r"litellm\b")
    return litellm


def _no_background_work() -> None:
    """After every answer the client queues work for logging callbacks, of which there are none: a third of a call's
    CPU time, an unbounded queue, and seconds at exit. It is dropped as it comes."""
    with suppress(ImportError):
        from litellm.litellm_core_utils.logging_worker import GLOBAL_LOGGING_WORKER

        GLOBAL_LOGGING_WORKER.ensure_initialized_and_enqueue = _drop


def _drop(async_coroutine: Coroutine[Any, Any, Any]) -> None:
    async_coroutine.close()


def client_version() -> str:
    """Name and release of the client library, without importing it."""
    return f"litellm {version('litellm')}"


def check_model(model: str, server: ServerAt | ProvidersOwn, *, subject: str) -> None:
    """Raises InputError for a model without a known provider, and for one that the client does not list unless it
    is on a server of one's own."""
    litellm = _litellm()
    try:
        litellm.get_llm_provider(model)
    except litellm.exceptions.BadRequestError as error:
        raise _unknown(model, subject, "no provider of that name") from error
    if _listing(model) is not None:
        return
    if isinstance(server, ProvidersOwn):
        raise _unknown(model, subject, f"a model that {client_version()} does not list")
    # The client looks a model's price up several times a call, at length where it has none. Zeros here are for it
    # alone: `listed_prices` takes them for what they are, and what a call cost is never asked of the client.
    _, provider, *_ = litellm.get_llm_provider(model)
    litellm.register_model(
        {
            model: {
                "input_cost_per_token": 0.0,
                "output_cost_per_token": 0.0,
                "litellm_provider": provider,
                "mode": "chat",
            }
        }
    )


def listed_prices(model: str) -> Prices | PricesUnknown:
    """What the client's own list says the model costs."""
    listing = _listing(model)
    given = listing or {}
    into, out = given.get("input_cost_per_token"), given.get("output_cost_per_token")
    if isinstance(into, int | float) and isinstance(out, int | float) and (into or out):
        return Prices(input_usd=into * 1e6, output_usd=out * 1e6)
    return PricesUnknown()


@dataclass(frozen=True, slots=True, kw_only=True)
class Transmission:
    """What becomes of requested settings: what is sent in their place, and the names of those that are dropped."""

    sent: Mapping[str, Any]
    dropped: tuple[str, ...]


def transmission(model: str, settings: Mapping[str, Any]) -> Transmission:
    """What the client makes of the settings for this model. Total: what it refuses counts as dropped."""
    litellm = _litellm()
    name, provider, *_ = litellm.get_llm_provider(model)
    bare = _mapped(name, provider, {})
    dropped = tuple(key for key, value in settings.items() if _mapped(name, provider, {key: value}) == bare)
    kept = {key: value for key, value in settings.items() if key not in dropped}
    sent = _mapped(name, provider, kept)
    if kept and sent == bare:  # together they are refused, each alone is not
        dropped = tuple(settings)
    return Transmission(sent={**_flat(sent)}, dropped=dropped)


def _mapped(name: str, provider: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    litellm = _litellm()
    try:
        found: dict[str, Any] = litellm.utils.get_optional_params(model=name, custom_llm_provider=provider, **settings)
    except litellm.exceptions.UnsupportedParamsError:
        return _mapped(name, provider, {})
    return found


def _flat(sent: Mapping[str, Any]) -> dict[str, Any]:
    """Settings as they reach the body; `stream: false` is not sent."""
    inner = sent.get("extra_body") or {}
    return {**{key: value for key, value in sent.items() if key not in ("extra_body", "stream")}, **inner}


class LiteLLMTransport:
    """Implements `Transport`: one call of `acompletion`, no retries. Made inside `transports`."""

    def __init__(self, address: Address, dropped: tuple[str, ...], session: Any) -> None:
        self._address = address
        self._dropped = frozenset(dropped)
        self._session = session

    async def send(self, request: ChatRequest, seconds: float) -> Mapping[str, Any]:
        """The chat completion as the client returns it. Raises CompletionFailedError."""
        litellm, address = _litellm(), self._address
        given: dict[str, Any] = {name: value for name, value in request.settings.items() if name not in self._dropped}
        if request.tools:
            given["tools"] = wire_tools(request.tools)
        if isinstance(address.server, ServerAt):
            given["api_base"] = address.server.url
        key = address.key
        given["api_key"] = os.environ.get(key.name, "") if isinstance(key, KeyVariable) else PLACEHOLDER_KEY
        try:
            response = await litellm.acompletion(
                model=address.model,
                messages=list(request.messages),
                timeout=seconds,
                max_retries=0,
                num_retries=0,
                shared_session=self._session,
                **given,
            )
            body: Mapping[str, Any] = response.model_dump(warnings=False)
        except Exception as error:
            raise CompletionFailedError(_failure(error)) from None
        return body


@asynccontextmanager
async def http_session() -> AsyncIterator[Any]:
    """The one HTTP session all transports of a run share; it has no limit of its own."""
    import aiohttp

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        yield session


def _failure(error: Exception) -> Failure:
    """The row of the error table for what the client raised."""
    raised = _litellm().exceptions
    words = str(error)
    status = getattr(error, "status_code", None)
    told = str(status) if isinstance(status, int) else "none"
    match error:
        case raised.ContextWindowExceededError():
            kind = FailureKind.CONTEXT_OVERFLOW
        case raised.ContentPolicyViolationError():
            kind = FailureKind.CONTENT_FILTER
        case raised.Timeout():
            kind = FailureKind.TIMEOUT
        case raised.APIConnectionError():
            kind = FailureKind.CONNECTION
        case raised.APIResponseValidationError() | raised.JSONSchemaValidationError():
            kind = FailureKind.MALFORMED_REPLY
        case _ if isinstance(status, int):
            kind = kind_of(status, words)
        case _:
            kind = FailureKind.MALFORMED_REPLY
    return failure(kind, detail=f"{type(error).__name__}: {words}", status=told, wait=_wait(error))


def _wait(error: Exception) -> RetryAfter | NotTold:
    response = getattr(error, "response", None)
    headers = getattr(error, "litellm_response_headers", None) or getattr(response, "headers", None) or {}
    milliseconds, after = headers.get("retry-after-ms"), headers.get("retry-after")
    try:
        if milliseconds is not None:
            return RetryAfter(seconds=float(milliseconds) / 1000)
        if after is not None:
            return RetryAfter(seconds=_seconds(after))
    except ValueError:
        return NotTold()
    return NotTold()


def _seconds(after: str) -> float:
    """Retry-After as seconds: a number or an HTTP date. Raises ValueError for anything else."""
    if after.strip().isdigit():
        return float(after)
    try:
        return max(0.0, float(after))
    except ValueError:
        return max(0.0, (parsedate_to_datetime(after) - datetime.now(UTC)).total_seconds())


def _listing(model: str) -> Mapping[str, Any] | None:
    litellm = _litellm()
    try:
        found: Mapping[str, Any] = litellm.get_model_info(model)
    except Exception:  # the client raises a bare Exception for a model that it does not list
        return None
    return found


def _unknown(model: str, subject: str, found: str) -> InputError:
    return InputError(
        subject=subject,
        expected="a model in litellm's notation, such as openai/gpt-4.1",
        found=f"{model!r}: {found}",
        remedy="correct the name; for a server of your own give its address as `base_url`",
    )
