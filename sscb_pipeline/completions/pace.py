"""How fast one model may be asked: calls at a time, requests and tokens per minute.

A bucket holds at most one minute's allowance and refills steadily. Whoever needs more than it holds waits until it has
refilled far enough, in order of arrival; nobody who waits holds one of the places for calls at a time.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """At most so many per minute."""

    per_minute: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Unbounded:
    """As many per minute as come."""


Rate = Allowance | Unbounded


class _Bucket:
    """Debt model: taking may go below zero, and the next one waits until the debt is refilled."""

    def __init__(self, rate: Rate, clock: Callable[[], float]) -> None:
        self._rate = rate
        self._clock = clock
        self._level = rate.per_minute if isinstance(rate, Allowance) else 0.0
        self._at = clock()

    def take(self, amount: float) -> float:
        """Take `amount` and return the seconds to wait before using it."""
        if isinstance(self._rate, Unbounded):
            return 0.0
        self._refill(self._rate)
        # A single amount above the whole allowance waits for a full bucket and leaves a debt for the next.
        missing = min(amount, self._rate.per_minute) - self._level
        self._level -= amount
        return max(0.0, missing * 60.0 / self._rate.per_minute)

    def give_back(self, amount: float) -> None:
        """Return what was taken and not used; a negative amount takes more."""
        if isinstance(self._rate, Allowance):
            self._level += amount

    def _refill(self, rate: Allowance) -> None:
        now = self._clock()
        self._level = min(rate.per_minute, self._level + (now - self._at) * rate.per_minute / 60.0)
        self._at = now


class Taken:
    """Tokens that a call has taken; `used` settles the account with what it really used."""

    def __init__(self, bucket: _Bucket, tokens: int) -> None:
        self._bucket = bucket
        self._tokens = tokens

    def used(self, tokens: int) -> None:
        """The call used so many tokens."""
        self._bucket.give_back(self._tokens - tokens)


class Pace:
    """The limits of one model, shared by everything that calls it in this process."""

    def __init__(
        self, *, concurrency: int, requests: Rate, tokens: Rate, clock: Callable[[], float] | None = None
    ) -> None:
        told = clock or asyncio.get_running_loop().time
        self._places = asyncio.Semaphore(concurrency)
        self._requests = _Bucket(requests, told)
        self._tokens = _Bucket(tokens, told)

    @asynccontextmanager
    async def turn(self, tokens: int) -> AsyncIterator[Taken]:
        """Wait for a turn of an estimated size and hold a place for the block."""
        pause = max(self._requests.take(1), self._tokens.take(tokens))
        if pause:
            await asyncio.sleep(pause)
        async with self._places:
            yield Taken(self._tokens, tokens)
