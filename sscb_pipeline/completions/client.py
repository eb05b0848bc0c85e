"""One model behind the port: recalls, budget, pace, deadline, retries and the record of every attempt."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, stop_after_attempt

from sscb_pipeline.artifacts.digest import strict_json
from sscb_pipeline.completions.call_log import (
    Answered,
    Asked,
    CallLog,
    Cost,
    CostUnknown,
    Failed,
    Recalled,
    Slot,
)
from sscb_pipeline.completions.failures import (
    REFUSED_UNREAD,
    CompletionFailedError,
    Consequence,
    FailureKind,
    RetryAfter,
    failure,
)
from sscb_pipeline.completions.pace import Pace
from sscb_pipeline.completions.reply import Reply, Usage, UsageUnknown, read_reply
from sscb_pipeline.completions.request import ChatRequest, RecordedRequest, recorded
from sscb_pipeline.completions.spending import BYTES_PER_TOKEN, Prices, PricesUnknown, Reserved, Spending
from sscb_pipeline.errors import RefusalError

LONGEST_WAIT = 120.0
BAD_REQUESTS_IN_A_ROW = 5
"""So many refused requests before the first answer mean that the configuration is wrong, not the conversations."""


class Completions(Protocol):
    """The port."""

    async def complete(self, request: ChatRequest, slot: Slot) -> Reply:
        """The answer to a request.

        Raises CompletionFailedError when there is none after bounded retries, and BudgetSpentError when the call
        might go over a limit.
        """
        ...


class Transport(Protocol):
    """Carries one request to a provider, once."""

    async def send(self, request: ChatRequest, seconds: float) -> Mapping[str, Any]:
        """The body of the chat completion. Raises CompletionFailedError; never retries."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """`tries` attempts of at most `call_seconds` each; the wait before the n-th retry is `first_wait` * 2^(n-1), with
    jitter, unless the provider says how long to wait."""

    call_seconds: float
    tries: int
    first_wait: float = 1.0


@dataclass(slots=True)
class Health:
    """How calls of one model went in this process."""

    answered: int = 0
    recalled: int = 0
    failed: int = 0
    rejected_in_a_row: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """A model with everything shared by whoever calls it."""

    model: str
    transport: Transport
    pace: Pace
    patience: Patience
    prices: Prices | PricesUnknown
    health: Health = field(default_factory=Health)


class RecordingClient:
    """Implements `Completions` over an endpoint, writing to a call log and an account."""

    def __init__(self, endpoint: Endpoint, log: CallLog, spending: Spending) -> None:
        self._endpoint = endpoint
        self._log = log
        self._spending = spending

    async def complete(self, request: ChatRequest, slot: Slot) -> Reply:
        """See the port. Raises RefusalError when the provider refuses every request from the start."""
        asked = recorded(request)
        known = self._log.recall(slot, asked)
        if isinstance(known, Recalled):
            self._endpoint.health.recalled += 1
            return read_reply(known.body, request)
        patience = self._endpoint.patience
        retrying = AsyncRetrying(
            stop=stop_after_attempt(patience.tries),
            wait=_Waiting(patience, random.Random(asked.sha256)),
            retry=retry_if_exception(_may_retry),
            reraise=True,
        )
        async for attempt in retrying:
            with attempt:
                return await self._attempt(request, asked, slot, attempt.retry_state.attempt_number)
        raise AssertionError("unreachable: the last attempt returns or raises")  # pragma: no cover

    async def _attempt(self, request: ChatRequest, asked: RecordedRequest, slot: Slot, number: int) -> Reply:
        endpoint = self._endpoint
        reserved = self._spending.reserve(request, asked, endpoint.prices)
        began = False
        try:
            async with endpoint.pace.turn(asked.size // BYTES_PER_TOKEN) as taken:
                await self._log.asked(Asked(slot=slot, attempt=number, request=asked.sha256))
                began = True
                reply = await self._ask(request, asked, slot, number, reserved)
                if isinstance(reply.usage, Usage):
                    taken.used(reply.usage.total)
                return reply
        except asyncio.CancelledError:
            if began:
                self._spending.unanswered(reserved)
            else:
                self._spending.withdraw(reserved)
            raise

    async def _ask(
        self, request: ChatRequest, asked: RecordedRequest, slot: Slot, number: int, reserved: Reserved
    ) -> Reply:
        endpoint, loop = self._endpoint, asyncio.get_running_loop()
        start = loop.time()
        try:
            body = await self._send(request)
            response, data = self._log.clean_body(body)
            # Read back from the stored bytes, so that a replay reads exactly what this run read.
            reply = read_reply(strict_json(data, f"response {response}"), request)
        except CompletionFailedError as error:
            raise self._booked(error, asked, slot, number, reserved) from None
        endpoint.health.answered += 1
        endpoint.health.rejected_in_a_row = 0
        self._spending.settle(reserved, reply.usage, endpoint.prices)
        self._log.answered(
            Answered(
                slot=slot,
                attempt=number,
                model=endpoint.model,
                request=asked.sha256,
                response=response,
                finish=reply.finish,
                cut=reply.cut,
                usage=reply.usage,
                cost=_cost(reply.usage, endpoint.prices),
                milliseconds=round((loop.time() - start) * 1000),
            ),
            asked,
            data,
        )
        return reply

    async def _send(self, request: ChatRequest) -> Mapping[str, Any]:
        seconds = self._endpoint.patience.call_seconds
        deadline = asyncio.timeout(seconds)
        try:
            async with deadline:
                return await self._endpoint.transport.send(request, seconds)
        except TimeoutError:
            if not deadline.expired():
                raise
            raise CompletionFailedError(
                failure(FailureKind.TIMEOUT, detail=f"no answer within {seconds:g} s")
            ) from None

    def _booked(
        self, error: CompletionFailedError, asked: RecordedRequest, slot: Slot, number: int, reserved: Reserved
    ) -> Exception:
        """Write a failed attempt down and return what to raise for it."""
        endpoint, health = self._endpoint, self._endpoint.health
        failed = replace(error.failure, detail=self._log.clean(error.failure.detail))
        health.failed += 1
        if failed.kind in REFUSED_UNREAD:
            self._spending.refused(reserved)
        else:
            self._spending.unanswered(reserved)
        self._log.failed(
            Failed(slot=slot, attempt=number, model=endpoint.model, request=asked.sha256, failure=failed), asked
        )
        if failed.kind is FailureKind.BAD_REQUEST:
            health.rejected_in_a_row += 1
            if health.answered == 0 and health.rejected_in_a_row >= BAD_REQUESTS_IN_A_ROW:
                return RefusalError(
                    subject=f"model {endpoint.model}",
                    expected="an answer to one of the first requests",
                    found=f"{health.rejected_in_a_row} refused requests: {failed.detail}",
                    remedy="correct `settings` or `model` in the configuration file, then run the same command again",
                )
        return CompletionFailedError(failed)


class _Waiting:
    """Seconds before the next attempt: what the provider said, or exponential; both with jitter from a seed."""

    def __init__(self, patience: Patience, jitter: random.Random) -> None:
        self._patience = patience
        self._jitter = jitter

    def __call__(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome is not None else None
        told = error.failure.wait if isinstance(error, CompletionFailedError) else None
        if isinstance(told, RetryAfter):
            return min(LONGEST_WAIT, told.seconds) * (1 + 0.1 * self._jitter.random())
        grown = self._patience.first_wait * 2.0 ** (state.attempt_number - 1)
        return min(LONGEST_WAIT, grown) * (0.5 + 0.5 * self._jitter.random())


def _may_retry(error: BaseException) -> bool:
    return isinstance(error, CompletionFailedError) and error.failure.consequence is Consequence.RETRY


def _cost(usage: Usage | UsageUnknown, prices: Prices | PricesUnknown) -> Cost | CostUnknown:
    if isinstance(usage, Usage) and isinstance(prices, Prices):
        return Cost(usd=prices.cost(usage.prompt_tokens, usage.completion_tokens))
    return CostUnknown()
