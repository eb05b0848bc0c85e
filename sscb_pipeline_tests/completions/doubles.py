"""Doubles of the port's seams: a transport that answers by script, and what it takes to put a client over it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from sscb_pipeline.artifacts.journal import Journal
from sscb_pipeline.artifacts.store import ObjectStore
from sscb_pipeline.completions.call_log import CallLog, Slot, open_log
from sscb_pipeline.completions.client import Endpoint, Patience, RecordingClient
from sscb_pipeline.completions.failures import CompletionFailedError, FailureKind, NotTold, RetryAfter, failure
from sscb_pipeline.completions.pace import Pace, Unbounded
from sscb_pipeline.completions.request import ChatRequest
from sscb_pipeline.completions.secrets import NO_SECRETS, Secrets
from sscb_pipeline.completions.spending import NO_BUDGET, Budget, Prices, PricesUnknown, Spending

MODEL = "openai/scripted"


def body(text: str | None = "Hello.", **more: Any) -> dict[str, Any]:
    """A chat completion that says `text`; `more` goes into the message."""
    return {
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text, **more}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    }


def fails(
    kind: FailureKind, wait: RetryAfter | NotTold | None = None, detail: str = "scripted"
) -> CompletionFailedError:
    """A failed attempt."""
    return CompletionFailedError(failure(kind, detail=detail, wait=wait))


class Stalls:
    """The provider takes the request and says nothing."""


class ScriptedTransport:
    """Answers one after the other; keeps what it was sent."""

    def __init__(self, *answers: Mapping[str, Any] | CompletionFailedError | Stalls) -> None:
        self._answers = list(answers)
        self.sent: list[ChatRequest] = []

    async def send(self, request: ChatRequest, seconds: float) -> Mapping[str, Any]:
        """The next answer."""
        self.sent.append(request)
        answer = self._answers.pop(0)
        if isinstance(answer, Stalls):
            await asyncio.sleep(3600)
        if isinstance(answer, CompletionFailedError):
            raise answer
        assert not isinstance(answer, Stalls)
        return answer


def request(text: str = "Hi", **settings: Any) -> ChatRequest:
    """A request with one user message."""
    return ChatRequest(
        model=MODEL,
        messages=({"role": "system", "content": "Be brief."}, {"role": "user", "content": text}),
        tools=(),
        settings=settings,
    )


def slot(unit: str = "unit", ordinal: int = 0) -> Slot:
    """A place of the agent."""
    return Slot(unit=unit, participant="agent", ordinal=ordinal)


@asynccontextmanager
async def log_at(
    root: Path, *, open_units: Collection[str] = (), secrets: Secrets = NO_SECRETS
) -> AsyncIterator[CallLog]:
    """A call log below a folder."""
    async with open_log(
        objects=ObjectStore(root / "objects"),
        intents=Journal(root / "intents.jsonl"),
        calls=Journal(root / "calls.jsonl"),
        open_units=open_units,
        secrets=secrets,
    ) as log:
        yield log


def client(
    transport: ScriptedTransport,
    log: CallLog,
    *,
    budget: Budget = NO_BUDGET,
    prices: Prices | PricesUnknown | None = None,
    tries: int = 3,
    call_seconds: float = 5.0,
    concurrency: int = 4,
    spending: Spending | None = None,
) -> RecordingClient:
    """A client over the transport."""
    endpoint = Endpoint(
        model=MODEL,
        transport=transport,
        pace=Pace(concurrency=concurrency, requests=Unbounded(), tokens=Unbounded()),
        patience=Patience(call_seconds=call_seconds, tries=tries, first_wait=0.001),
        prices=prices or PricesUnknown(),
    )
    return RecordingClient(endpoint, log, spending or Spending(budget))
