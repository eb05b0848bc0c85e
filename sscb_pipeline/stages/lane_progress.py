"""Progress of model runs: per model the executions done, the rate, errors, time left; over all what was spent."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from sscb_pipeline.completions.client import Endpoint
from sscb_pipeline.completions.spending import Spending
from sscb_pipeline.episodes.batch import ExecutionResult
from sscb_pipeline.stages.reporter import Reporter

EVERY_SECONDS = 2.0


class LaneProgress:
    """Tells a reporter how every lane stands, every two seconds."""

    def __init__(
        self,
        reporter: Reporter,
        left: Mapping[str, int],
        agents: Mapping[str, Endpoint],
        user: Endpoint,
        spending: Spending,
    ) -> None:
        self._reporter = reporter
        self._left = dict(left)
        self._agents = agents
        self._user = user
        self._spending = spending
        self._done: Counter[str] = Counter()
        self._advance: dict[str, Callable[[int], None]] = {}
        self._start = time.monotonic()

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Show for the block, inside a running event loop."""
        self._start = time.monotonic()
        self._advance = {name: self._reporter.begin(f"executions {name}", n) for name, n in self._left.items()}
        ticking = asyncio.get_running_loop().create_task(self._tick())
        try:
            yield
        finally:
            ticking.cancel()
            self._tell()

    def stored(self, results: Sequence[ExecutionResult]) -> None:
        """So many executions are finished."""
        for name, count in Counter(result.key.configuration_id for result in results).items():
            self._done[name] += count
            self._advance[name](count)

    def lines(self) -> dict[str, str]:
        """One line per model."""
        minutes = max(1e-9, (time.monotonic() - self._start) / 60)
        return {name: self._line(name, minutes) for name in self._left}

    def _line(self, name: str, minutes: float) -> str:
        health, done = self._agents[name].health, self._done[name]
        remaining = self._left[name] - done
        left = f"{remaining / (done / minutes):.0f} min left" if done else "time left unknown"
        return (
            f"{done / minutes:.0f} executions/min, {health.answered / minutes:.0f} calls/min, "
            f"{health.failed} failed calls, {left}"
        )

    def spent(self) -> str:
        """What the campaign has spent, unknown amounts beside the sums."""
        totals = self._spending.totals
        unpriced = f" + {totals.calls_without_price} calls of unknown cost" if totals.calls_without_price else ""
        unused = f" + {totals.calls_without_usage} calls of unknown size" if totals.calls_without_usage else ""
        return f"{totals.calls} calls, {totals.tokens} tokens{unused}, ${totals.usd:.4f}{unpriced}"

    def _tell(self) -> None:
        for name, line in self.lines().items():
            self._reporter.tell(f"executions {name}", line)
        user = self._user.health
        self._reporter.tell("spent", f"{self.spent()}; simulated user: {user.failed} failed calls")

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(EVERY_SECONDS)
            self._tell()
