"""Money, tokens and calls: what was spent, what is known of it, and the limits that stop everything in time.

A limit is hard: before a call its largest possible cost is set aside, and a call that might go over a limit is not
made. What a provider did not tell is counted as unknown, never as 0; against the limits it stands with the amount
that was set aside for it.
"""

from __future__ import annotations

from dataclasses import dataclass

from sscb_pipeline.completions.reply import Usage, UsageUnknown
from sscb_pipeline.completions.request import ChatRequest, NoOutputLimit, RecordedRequest
from sscb_pipeline.errors import SscbError

BYTES_PER_TOKEN = 3
"""A cautious figure: texts of this kind have about four bytes per token."""
UNLIMITED_OUTPUT_TOKENS = 8192
"""What is set aside for an answer whose settings do not bound it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """US dollars per million tokens."""

    input_usd: float
    output_usd: float

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float:
        """Dollars for so many tokens."""
        return (prompt_tokens * self.input_usd + completion_tokens * self.output_usd) / 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class PricesUnknown:
    """Nobody said what the model costs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """At most so much."""

    most: float


@dataclass(frozen=True, slots=True, kw_only=True)
class NoLimit:
    """As much as comes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The limits of a study, over all its runs."""

    usd: Limit | NoLimit
    tokens: Limit | NoLimit
    calls: Limit | NoLimit


NO_BUDGET = Budget(usd=NoLimit(), tokens=NoLimit(), calls=NoLimit())


class BudgetSpentError(SscbError):
    """The next call might go over a limit, so it is not made."""


@dataclass(slots=True, kw_only=True)
class Totals:
    """What is known: sums over the calls that were told, and how many were not."""

    calls: int = 0
    tokens: int = 0
    usd: float = 0.0
    calls_without_usage: int = 0
    calls_without_price: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Reserved:
    """What is set aside for one call."""

    tokens: int
    usd: float


class Spending:
    """The account of one study in this process; `totals` is what the study has spent, earlier runs included."""

    def __init__(self, budget: Budget) -> None:
        self.totals = Totals()
        self._budget = budget
        self._committed = Totals()

    def reserve(self, request: ChatRequest, recorded: RecordedRequest, prices: Prices | PricesUnknown) -> Reserved:
        """Set the largest cost of a call aside. Raises BudgetSpentError where a limit does not hold it."""
        prompt = recorded.size // BYTES_PER_TOKEN
        limit = request.output_limit
        answer = UNLIMITED_OUTPUT_TOKENS if isinstance(limit, NoOutputLimit) else limit
        usd = prices.cost(prompt, answer) if isinstance(prices, Prices) else 0.0
        held = self._committed
        self._hold("calls", self._budget.calls, held.calls, 1)
        self._hold("tokens", self._budget.tokens, held.tokens, prompt + answer)
        self._hold("US dollars", self._budget.usd, held.usd, usd)
        held.calls += 1
        held.tokens += prompt + answer
        held.usd += usd
        return Reserved(tokens=prompt + answer, usd=usd)

    def settle(self, reserved: Reserved, usage: Usage | UsageUnknown, prices: Prices | PricesUnknown) -> None:
        """Book an answered call: its own figures take the place of what was set aside."""
        self.totals.calls += 1
        match usage:
            case Usage():
                self.totals.tokens += usage.total
                self._committed.tokens += usage.total - reserved.tokens
            case UsageUnknown():
                self.totals.calls_without_usage += 1
        if isinstance(usage, Usage) and isinstance(prices, Prices):
            usd = prices.cost(usage.prompt_tokens, usage.completion_tokens)
            self.totals.usd += usd
            self._committed.usd += usd - reserved.usd
        else:
            self.totals.calls_without_price += 1

    def unanswered(self, reserved: Reserved) -> None:
        """Book a call that failed: what it cost is unknown, so it stays set aside as far as tokens and money go."""
        self.totals.calls += 1
        self.totals.calls_without_usage += 1
        self.totals.calls_without_price += 1

    def refused(self, reserved: Reserved) -> None:
        """Book a call the provider refused before any work: it counts as a call and costs nothing."""
        self.totals.calls += 1
        self._committed.tokens -= reserved.tokens
        self._committed.usd -= reserved.usd

    def withdraw(self, reserved: Reserved) -> None:
        """Give back what was set aside for a call that was never made."""
        self._committed.calls -= 1
        self._committed.tokens -= reserved.tokens
        self._committed.usd -= reserved.usd

    def earlier(self, *, calls: int, tokens: int, usd: float, without_usage: int, without_price: int) -> None:
        """Add what earlier runs of the study spent."""
        for account in (self.totals, self._committed):
            account.calls += calls
            account.tokens += tokens
            account.usd += usd
        self.totals.calls_without_usage += without_usage
        self.totals.calls_without_price += without_price

    def _hold(self, unit: str, limit: Limit | NoLimit, committed: float, more: float) -> None:
        if isinstance(limit, Limit) and committed + more > limit.most:
            raise BudgetSpentError(
                subject=f"budget in {unit}",
                expected=f"at most {limit.most:g}",
                found=f"{committed:.6g} spent or set aside, and a call that may take {more:.6g} more",
                remedy="raise the limit in the configuration file and run the same command again; everything is kept",
            )
