"""Whether the models of a study file can be called: looked at without a call, or with one small call each."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from sscb_pipeline.adapters.completions.provider import (
    KeyVariable,
    LiteLLMTransport,
    ServerAt,
    client_version,
    http_session,
)
from sscb_pipeline.completions.failures import CompletionFailedError
from sscb_pipeline.completions.reply import Usage, read_reply
from sscb_pipeline.completions.request import ChatRequest
from sscb_pipeline.completions.spending import Prices
from sscb_pipeline.stages.model_contenders import ModelPlan, ModelSetup, plan_from_environment

SMALL_CALL_TOKENS = 16


class Looking(StrEnum):
    """How far to look."""

    WITHOUT_A_CALL = "without_a_call"
    ONE_CALL_EACH = "one_call_each"


class Health(StrEnum):
    """What was found of a model."""

    NOT_CALLED = "not_called"
    ANSWERED = "answered"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFinding:
    """One model of the file, for people: who uses it, how it is reached, what it costs, and whether it answered."""

    used_by: str
    model: str
    reached: str
    prices: str
    sent: Mapping[str, object]
    health: Health
    detail: str


def examine_models(config: Path, looking: Looking) -> tuple[ModelFinding, ...]:
    """Every model of the file. Raises InputError for what can be known to be wrong without a call."""
    plan = plan_from_environment(config)
    return asyncio.run(_examine(plan, looking))


async def _examine(plan: ModelPlan, looking: Looking) -> tuple[ModelFinding, ...]:
    setups = [("user", plan.user), *((c.reference.configuration_id, c.agent) for c in plan.contenders)]
    async with http_session() as session:
        found = []
        for used_by, setup in setups:
            health, detail = Health.NOT_CALLED, "use --live for one small call"
            if looking is Looking.ONE_CALL_EACH:
                health, detail = await _call(setup, session)
            found.append(_finding(used_by, setup, health, plan.secrets.clean(detail)))
    return tuple(found)


async def _call(setup: ModelSetup, session: object) -> tuple[Health, str]:
    transport = LiteLLMTransport(setup.address, setup.transmission.dropped, session)
    limit = "max_completion_tokens" if "max_completion_tokens" in setup.section.settings else "max_tokens"
    request = ChatRequest(
        model=setup.address.model,
        messages=({"role": "user", "content": "Say ok."},),
        tools=(),
        settings={**setup.section.settings, limit: SMALL_CALL_TOKENS},
    )
    try:
        async with asyncio.timeout(setup.patience.call_seconds):
            reply = read_reply(await transport.send(request, setup.patience.call_seconds), request)
    except CompletionFailedError as error:
        return Health.FAILED, f"{error.failure.kind.value} (status {error.failure.status}): {error.failure.detail}"
    except TimeoutError:
        return Health.FAILED, f"no answer within {setup.patience.call_seconds:g} s"
    if not isinstance(reply.usage, Usage):
        return Health.ANSWERED, "it answered and did not tell its usage"
    cost = setup.prices
    told = (
        f", ${cost.cost(reply.usage.prompt_tokens, reply.usage.completion_tokens):.6f}"
        if isinstance(cost, Prices)
        else ", cost unknown"
    )
    return Health.ANSWERED, f"it answered with {reply.usage.total} tokens{told}"


def _finding(used_by: str, setup: ModelSetup, health: Health, detail: str) -> ModelFinding:
    server, key, prices = setup.address.server, setup.address.key, setup.prices
    at = server.url if isinstance(server, ServerAt) else "the provider's own address"
    with_key = f"key in {key.name}" if isinstance(key, KeyVariable) else "no key"
    return ModelFinding(
        used_by=used_by,
        model=setup.address.model,
        reached=f"{at}, {with_key}, through {client_version()}",
        prices=f"${prices.input_usd:g} in, ${prices.output_usd:g} out per million tokens"
        if isinstance(prices, Prices)
        else "unknown",
        sent=setup.transmission.sent,
        health=health,
        detail=detail,
    )
