"""What a campaign's recorded calls add up to."""

from __future__ import annotations

from collections import Counter

from sscb_pipeline.artifacts.warehouse import JournalName, Warehouse
from sscb_pipeline.completions.call_log import (
    CALLS,
    INTENTS,
    Answered,
    Cost,
    Failed,
    Slot,
    read_intents,
    read_results,
)
from sscb_pipeline.completions.failures import REFUSED_UNREAD
from sscb_pipeline.completions.reply import Usage
from sscb_pipeline.completions.spending import Spending, Totals
from sscb_pipeline.stages.model_contenders import ModelPlan


def recorded_totals(warehouse: Warehouse, campaign: str, configuration: str) -> Totals:
    """Calls, tokens and money of a configuration so far. An intent without a result was a call, and nothing else is
    known of it. Sums are over what was told; the other calls are counted beside them."""
    totals = Totals()
    settled: Counter[tuple[Slot, int]] = Counter()
    for result in read_results(warehouse.journal(_name(campaign, configuration, CALLS))):
        settled[result.slot, result.attempt] += 1
        totals.calls += 1
        if isinstance(result, Failed) and result.failure.kind in REFUSED_UNREAD:
            continue
        usage = result.usage if isinstance(result, Answered) else None
        if isinstance(usage, Usage):
            totals.tokens += usage.total
        else:
            totals.calls_without_usage += 1
        cost = result.cost if isinstance(result, Answered) else None
        if isinstance(cost, Cost):
            totals.usd += cost.usd
        else:
            totals.calls_without_price += 1
    asked: Counter[tuple[Slot, int]] = Counter()
    for intent in read_intents(warehouse.journal(_name(campaign, configuration, INTENTS))):
        asked[intent.slot, intent.attempt] += 1
    lost = sum((asked - settled).values())
    totals.calls += lost
    totals.calls_without_usage += lost
    totals.calls_without_price += lost
    return totals


def add_earlier(spending: Spending, warehouse: Warehouse, plan: ModelPlan) -> None:
    """Book what earlier runs of the plan's campaign spent."""
    for contender in plan.contenders:
        found = recorded_totals(warehouse, plan.file.campaign, contender.reference.configuration_id)
        spending.earlier(
            calls=found.calls,
            tokens=found.tokens,
            usd=found.usd,
            without_usage=found.calls_without_usage,
            without_price=found.calls_without_price,
        )


def _name(campaign: str, configuration: str, journal: str) -> JournalName:
    return JournalName(campaign=campaign, stage=journal, partition=configuration)
