"""Requests and tokens per minute, and calls at a time."""

from __future__ import annotations

import asyncio

from sscb_pipeline.completions.pace import Allowance, Pace, Unbounded


def test_no_more_calls_at_a_time_than_allowed() -> None:
    async def run() -> int:
        pace = Pace(concurrency=3, requests=Unbounded(), tokens=Unbounded())
        now = most = 0

        async def call() -> None:
            nonlocal now, most
            async with pace.turn(1):
                now += 1
                most = max(most, now)
                await asyncio.sleep(0.01)
                now -= 1

        await asyncio.gather(*(call() for _ in range(20)))
        return most

    assert asyncio.run(run()) == 3


def test_what_goes_over_the_minute_waits_as_long_as_the_refill_takes() -> None:
    async def run() -> float:
        pace = Pace(concurrency=50, requests=Allowance(per_minute=600), tokens=Unbounded(), clock=lambda: 0.0)
        loop = asyncio.get_running_loop()
        for _ in range(600):
            async with pace.turn(1):
                pass
        start = loop.time()
        async with pace.turn(1):
            return loop.time() - start

    assert asyncio.run(run()) >= 0.09


def test_tokens_that_were_not_used_are_given_back() -> None:
    async def run() -> float:
        pace = Pace(concurrency=1, requests=Unbounded(), tokens=Allowance(per_minute=1000), clock=lambda: 0.0)
        loop = asyncio.get_running_loop()
        start = loop.time()
        for _ in range(10):
            async with pace.turn(900) as taken:
                taken.used(10)
        return loop.time() - start

    assert asyncio.run(run()) < 30  # not given back, the wait is ten minutes and more
