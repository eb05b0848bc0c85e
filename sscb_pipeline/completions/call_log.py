"""Every request and every response, durable: the intent before a call, the result after its bytes.

Two journals per configuration. `call_intents` gets a line before each attempt and is waited for; `calls` gets a line
for every answer or failure, after its objects. Lines that come while the disk is busy go down together. Results are
waited for by `barrier`, which whoever stores an execution calls first, so that no execution is on record without its
calls. What a killed process had answers to is recalled and not asked again.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from sscb_pipeline.artifacts.digest import canonical_json, sha256_hex, strict_json
from sscb_pipeline.artifacts.journal import Journal
from sscb_pipeline.artifacts.records import decode, encode
from sscb_pipeline.artifacts.store import ObjectStore
from sscb_pipeline.completions.failures import Failure
from sscb_pipeline.completions.reply import Cut, Usage, UsageUnknown
from sscb_pipeline.completions.request import RecordedRequest
from sscb_pipeline.completions.secrets import Secrets

INTENTS = "call_intents"
CALLS = "calls"


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """The place of a call: unit of work (an execution id), participant (`agent`, `user`), and how many calls this
    participant made in the unit before (from 0)."""

    unit: str
    participant: str
    ordinal: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """An attempt that is about to be made (attempts count from 1)."""

    slot: Slot
    attempt: int
    request: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """US dollars of a call, by the prices of its configuration."""

    usd: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CostUnknown:
    """Price or usage is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """An attempt that was answered. `request` and `response` name objects; `milliseconds` is wall time."""

    slot: Slot
    attempt: int
    model: str
    request: str
    response: str
    finish: str
    cut: Cut
    usage: Usage | UsageUnknown
    cost: Cost | CostUnknown
    milliseconds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """An attempt that failed."""

    slot: Slot
    attempt: int
    model: str
    request: str
    failure: Failure


Result = Answered | Failed


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """The recorded body of an answer to exactly this request in exactly this place."""

    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class NotRecorded:
    """There is no such answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Noted:
    blobs: tuple[bytes, ...]
    entry: Mapping[str, Any]


def read_results(journal: Journal) -> Iterator[Result]:
    """Every recorded result, in order of writing. Raises IntegrityError or InputError for a damaged journal."""
    for number, entry in enumerate(journal.read().entries, start=2):
        yield decode(Result, entry, f"{journal.path} line {number}")  # type: ignore[arg-type]


def read_intents(journal: Journal) -> Iterator[Asked]:
    """Every recorded intent, in order of writing."""
    for number, entry in enumerate(journal.read().entries, start=2):
        yield decode(Asked, entry, f"{journal.path} line {number}")


class CallLog:
    """The record of one configuration's calls; made by `open_log`."""

    def __init__(
        self,
        *,
        objects: ObjectStore,
        answers: dict[Slot, tuple[str, str]],
        intents: _GroupWriter[Mapping[str, Any]],
        results: _GroupWriter[_Noted],
        secrets: Secrets,
    ) -> None:
        self._objects = objects
        self._answers = answers
        self._intents = intents
        self._results = results
        self._secrets = secrets

    def recall(self, slot: Slot, request: RecordedRequest) -> Recalled | NotRecorded:
        """The recorded answer, where this very request was answered in this place. Raises IntegrityError."""
        known = self._answers.get(slot)
        if known is None or known[0] != request.sha256:
            return NotRecorded()
        return Recalled(body=strict_json(self._objects.get(known[1]), f"response {known[1]}"))

    async def asked(self, asked: Asked) -> None:
        """Note an intent; durable on return."""
        await self._intents.write(encode(asked))

    def answered(self, answered: Answered, request: RecordedRequest, body: bytes) -> None:
        """Note an answer; `body` is what `clean_body` gave and `answered.response` its sha256."""
        self._results.post(_Noted(blobs=(*request.parts, request.record, body), entry=encode(answered)))

    def failed(self, failed: Failed, request: RecordedRequest) -> None:
        """Note a failed attempt."""
        self._results.post(_Noted(blobs=(*request.parts, request.record), entry=encode(failed)))

    def clean_body(self, body: Mapping[str, Any]) -> tuple[str, bytes]:
        """sha256 and bytes of a body as it is stored: canonical JSON without secrets."""
        data = self._secrets.clean_bytes(canonical_json(dict(body)))
        return sha256_hex(data), data

    def clean(self, text: str) -> str:
        """A text without secrets."""
        return self._secrets.clean(text)

    async def barrier(self) -> None:
        """Wait until every result noted so far is durable. Raises what the disk raised."""
        await self._results.settled()


@asynccontextmanager
async def open_log(
    *, objects: ObjectStore, intents: Journal, calls: Journal, open_units: Collection[str], secrets: Secrets
) -> AsyncIterator[CallLog]:
    """The log for the block, alone on its journals. Answers of `open_units` can be recalled; everything that was noted
    is durable when the block is left, however it is left."""
    answers = {
        result.slot: (result.request, result.response)
        for result in read_results(calls)
        if isinstance(result, Answered) and result.slot.unit in open_units
    }

    def commit_results(items: list[_Noted]) -> None:
        objects.put_all(dict.fromkeys(blob for item in items for blob in item.blobs))
        results_writer.append_all([item.entry for item in items])

    with intents.writer() as intents_writer, calls.writer() as results_writer:
        async with AsyncExitStack() as stack:
            asking = await stack.enter_async_context(_group_writer(intents_writer.append_all))
            results = await stack.enter_async_context(_group_writer(commit_results))
            yield CallLog(objects=objects, answers=answers, intents=asking, results=results, secrets=secrets)


Item = TypeVar("Item")


class _GroupWriter(Generic[Item]):
    """Writes items in order, in groups, on a thread of its own."""

    def __init__(self, commit: Callable[[list[Item]], None]) -> None:
        self._commit = commit
        self._pool = ThreadPoolExecutor(1)
        self._waiting: list[Item] = []
        self._group: asyncio.Future[None] | None = None
        self._running: asyncio.Task[None] | None = None
        self._error: BaseException | None = None

    def post(self, item: Item) -> asyncio.Future[None]:
        """Hand an item over; the future is its group's. Raises what an earlier group raised."""
        if self._error is not None:
            raise self._error
        self._waiting.append(item)
        loop = asyncio.get_running_loop()
        if self._group is None:
            self._group = loop.create_future()
            self._group.add_done_callback(_retrieve)
        if self._running is None:
            self._running = loop.create_task(self._run())
        return self._group

    async def write(self, item: Item) -> None:
        """Hand an item over; durable on return."""
        # One waiter's cancellation must not cancel the group's future under the others.
        await asyncio.shield(self.post(item))

    async def settled(self) -> None:
        """Wait until nothing is waiting or being written."""
        while self._running is not None:
            await asyncio.shield(self._running)
        if self._error is not None:
            raise self._error

    async def close(self) -> None:
        """Write what is waiting and end the thread. Raises what the disk raised."""
        try:
            await self.settled()
        finally:
            self._pool.shutdown(wait=True)

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            while self._waiting:
                items, self._waiting = self._waiting, []
                group, self._group = self._group, None
                assert group is not None
                try:
                    await loop.run_in_executor(self._pool, self._commit, items)
                except Exception as error:
                    self._error = error
                    group.set_exception(error)
                    return
                group.set_result(None)
        finally:
            self._running = None


def _retrieve(group: asyncio.Future[None]) -> None:
    """An error that nobody waited for is raised by the next post or by `settled`, so it is not lost."""
    with suppress(asyncio.CancelledError):
        group.exception()


@asynccontextmanager
async def _group_writer(commit: Callable[[list[Item]], None]) -> AsyncIterator[_GroupWriter[Item]]:
    writer = _GroupWriter(commit)
    try:
        yield writer
    finally:
        await writer.close()
