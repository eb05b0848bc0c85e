"""The client: retries, deadlines, records, recalls, budget."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from sscb_pipeline.artifacts.journal import Journal
from sscb_pipeline.artifacts.store import ObjectStore
from sscb_pipeline.completions.call_log import Answered, CostUnknown, Failed, read_intents, read_results
from sscb_pipeline.completions.client import BAD_REQUESTS_IN_A_ROW
from sscb_pipeline.completions.failures import CompletionFailedError, FailureKind, RetryAfter
from sscb_pipeline.completions.recorded import RecordedCompletions
from sscb_pipeline.completions.reply import Reply
from sscb_pipeline.completions.request import recorded
from sscb_pipeline.completions.secrets import Secrets
from sscb_pipeline.completions.spending import Budget, BudgetSpentError, Limit, NoLimit, Prices, Spending
from sscb_pipeline.errors import IntegrityError, RefusalError
from sscb_pipeline_tests.completions.doubles import (
    ScriptedTransport,
    Stalls,
    body,
    client,
    fails,
    log_at,
    request,
    slot,
)

KEY = "sk-planted-0123456789"


def ask(root: Path, transport: ScriptedTransport, **options: object) -> Reply:
    async def run() -> Reply:
        async with log_at(root) as log:
            return await client(transport, log, **options).complete(request(), slot())  # type: ignore[arg-type]

    return asyncio.run(run())


@pytest.mark.parametrize(
    "kind",
    [
        FailureKind.RATE_LIMIT,
        FailureKind.OVERLOAD,
        FailureKind.TIMEOUT,
        FailureKind.CONNECTION,
        FailureKind.SERVER_ERROR,
        FailureKind.MALFORMED_REPLY,
    ],
)
def test_passing_trouble_is_tried_again_and_every_attempt_is_on_record(tmp_path: Path, kind: FailureKind) -> None:
    transport = ScriptedTransport(fails(kind), {"choices": []}, body("Done."))
    assert ask(tmp_path, transport).text == "Done."
    results = list(read_results(Journal(tmp_path / "calls.jsonl")))
    assert [type(result) for result in results] == [Failed, Failed, Answered]
    assert [result.attempt for result in results] == [1, 2, 3]
    assert [intent.attempt for intent in read_intents(Journal(tmp_path / "intents.jsonl"))] == [1, 2, 3]


@pytest.mark.parametrize(
    "kind",
    [FailureKind.AUTHENTICATION, FailureKind.QUOTA, FailureKind.CONTEXT_OVERFLOW, FailureKind.BAD_REQUEST],
)
def test_lasting_trouble_is_not_tried_again(tmp_path: Path, kind: FailureKind) -> None:
    transport = ScriptedTransport(fails(kind), body())
    with pytest.raises(CompletionFailedError):
        ask(tmp_path, transport)
    assert len(transport.sent) == 1


def test_tries_are_bounded(tmp_path: Path) -> None:
    transport = ScriptedTransport(*[fails(FailureKind.OVERLOAD)] * 9)
    with pytest.raises(CompletionFailedError) as caught:
        ask(tmp_path, transport)
    assert (len(transport.sent), caught.value.failure.kind) == (3, FailureKind.OVERLOAD)


def test_the_wait_the_provider_names_is_kept(tmp_path: Path) -> None:
    start = time.monotonic()
    ask(tmp_path, ScriptedTransport(fails(FailureKind.RATE_LIMIT, RetryAfter(seconds=0.3)), body()))
    assert time.monotonic() - start >= 0.3


def test_a_stalled_call_ends_at_its_deadline_and_holds_no_other(tmp_path: Path) -> None:
    async def run() -> list[float]:
        async with log_at(tmp_path) as log:
            stalled = client(ScriptedTransport(Stalls()), log, tries=1, call_seconds=3.0)
            others = client(ScriptedTransport(*[body()] * 5), log)
            start = time.monotonic()
            waiting = asyncio.create_task(stalled.complete(request(), slot("stalled")))
            times = []
            for number in range(5):
                await others.complete(request(), slot(f"other {number}"))
                times.append(time.monotonic() - start)
            with pytest.raises(CompletionFailedError, match="timeout"):
                await waiting
            return [*times, time.monotonic() - start]

    *others, stalled = asyncio.run(run())
    assert max(others) < 2.9
    assert stalled >= 3.0


def test_answers_of_a_killed_run_are_recalled_and_never_served_to_another_repeat(tmp_path: Path) -> None:
    ask(tmp_path, ScriptedTransport(body("First.")))

    async def again() -> tuple[str, str, str]:
        transport = ScriptedTransport(body("Second."), body("Third."))
        async with log_at(tmp_path, open_units={"unit", "repeat 1"}) as log:
            calls = client(transport, log)
            same = await calls.complete(request(), slot())
            other = await calls.complete(request(), slot("repeat 1"))
            changed = await calls.complete(request("Changed"), slot())
        return same.text, other.text, changed.text

    assert asyncio.run(again()) == ("First.", "Second.", "Third.")


def test_a_replay_asks_nobody_and_names_what_differs(tmp_path: Path) -> None:
    ask(tmp_path, ScriptedTransport(fails(FailureKind.OVERLOAD), body("Said.")))
    results = list(read_results(Journal(tmp_path / "calls.jsonl")))
    replayed = RecordedCompletions(ObjectStore(tmp_path / "objects"), results)
    assert asyncio.run(replayed.complete(request(), slot())).text == "Said."
    with pytest.raises(IntegrityError, match="in the record"):
        asyncio.run(replayed.complete(request("Other"), slot()))
    with pytest.raises(IntegrityError, match="no such call"):
        asyncio.run(replayed.complete(request(), slot(ordinal=1)))


def test_the_whole_request_can_be_read_from_the_store(tmp_path: Path) -> None:
    ask(tmp_path, ScriptedTransport(body()))
    asked = recorded(request())
    store = ObjectStore(tmp_path / "objects")
    assert store.get(asked.sha256) == asked.record
    assert b"Be brief." in b"".join(store.get(name) for name in store.iterate())


def test_a_key_that_the_provider_echoes_is_stored_nowhere(tmp_path: Path) -> None:
    async def run() -> Reply:
        async with log_at(tmp_path, secrets=Secrets({"THE_KEY": KEY})) as log:
            answers = ScriptedTransport(fails(FailureKind.SERVER_ERROR, detail=f"bad {KEY}"), body(f"You sent {KEY}."))
            return await client(answers, log).complete(request(), slot())

    assert asyncio.run(run()).text == "You sent [THE_KEY]."
    written = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert KEY.encode() not in written
    assert b"[THE_KEY]" in written


@pytest.mark.parametrize(
    "budget",
    [
        Budget(usd=NoLimit(), tokens=NoLimit(), calls=Limit(most=1)),
        Budget(usd=NoLimit(), tokens=Limit(most=150), calls=NoLimit()),
        Budget(usd=Limit(most=0.002), tokens=NoLimit(), calls=NoLimit()),
    ],
)
def test_a_limit_is_never_gone_over(tmp_path: Path, budget: Budget) -> None:
    async def run() -> ScriptedTransport:
        transport = ScriptedTransport(*[body()] * 100)
        spending = Spending(budget)
        async with log_at(tmp_path) as log:
            calls = client(transport, log, prices=Prices(input_usd=10.0, output_usd=10.0), spending=spending)
            with pytest.raises(BudgetSpentError):
                for number in range(100):
                    await calls.complete(request(max_tokens=50), slot(ordinal=number))
        totals = spending.totals
        for limit, spent in ((budget.usd, totals.usd), (budget.tokens, totals.tokens), (budget.calls, totals.calls)):
            assert isinstance(limit, NoLimit) or spent <= limit.most
        return transport

    assert 1 <= len(asyncio.run(run()).sent) < 100


def test_unknown_price_and_usage_are_counted_apart(tmp_path: Path) -> None:
    answer = body()
    answer["usage"] = None
    spending = Spending(Budget(usd=NoLimit(), tokens=NoLimit(), calls=NoLimit()))
    ask(tmp_path, ScriptedTransport(answer), spending=spending)
    assert (spending.totals.calls, spending.totals.calls_without_usage, spending.totals.calls_without_price) == (
        1,
        1,
        1,
    )
    (result,) = read_results(Journal(tmp_path / "calls.jsonl"))
    assert isinstance(result, Answered)
    assert result.cost == CostUnknown()


def test_a_configuration_whose_every_request_is_refused_stops_the_run(tmp_path: Path) -> None:
    transport = ScriptedTransport(*[fails(FailureKind.BAD_REQUEST)] * 50)

    async def run() -> None:
        async with log_at(tmp_path) as log:
            calls = client(transport, log)
            for number in range(50):
                try:
                    await calls.complete(request(), slot(ordinal=number))
                except CompletionFailedError:
                    continue

    with pytest.raises(RefusalError, match="refused requests"):
        asyncio.run(run())
    assert len(transport.sent) == BAD_REQUESTS_IN_A_ROW
