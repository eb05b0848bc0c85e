"""Judges behind one port: a draw gets verified bytes, or a reader that verifies, and ends in a verdict."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from sscb_pipeline.artifacts.digest import sha256_hex
from sscb_pipeline.assurance.packet_dispatch import Delivery, Dispatch
from sscb_pipeline.assurance.packet_jobs import Job
from sscb_pipeline.errors import IntegrityError
from sscb_pipeline.judging.completions import (
    Completion,
    CompletionRequest,
    Completions,
    NoCompletion,
    demand_transmitted,
)
from sscb_pipeline.judging.configuration import JudgeConfiguration
from sscb_pipeline.judging.packet_reader import PacketReader
from sscb_pipeline.judging.verdict import Answer, Answered, Invalid, ProviderError, ReplyForm, Verdict, parse_reply


@dataclass(frozen=True, slots=True, kw_only=True)
class NoReply:
    """The judge said nothing that could be kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """How a draw ended: verdict, the raw reply, the sha256 of the bytes the judge was given, and attempts made."""

    verdict: Verdict
    reply: str | NoReply
    read_sha256: str
    attempts: int


class Judge(Protocol):
    """One judge configuration at work."""

    async def draw(self, dispatch: Dispatch, job: Job) -> Drawn:
        """Judge one packet once. Raises IntegrityError when its bytes are not the authorised ones."""
        ...


class RecordingStub:
    """Stands in for a judge: takes the delivered bytes, hashes them itself and keeps the hash (JIA §II-B)."""

    def __init__(self) -> None:
        self.read: list[str] = []

    async def draw(self, dispatch: Dispatch, job: Job) -> Drawn:
        """Read, and answer cannot_decide."""
        sha256 = sha256_hex(dispatch.deliver(job).data)
        self.read.append(sha256)
        verdict = Answered(answer=Answer.CANNOT_DECIDE, form=ReplyForm.WORD)
        return Drawn(verdict=verdict, reply=Answer.CANNOT_DECIDE.value, read_sha256=sha256, attempts=1)


Pause = Callable[[int], Awaitable[None]]
"""Waits before attempt number n (from 1) is repeated."""


async def doubling_pause(attempt: int) -> None:
    """Half a second, doubled with each attempt, at most 30 seconds."""
    await asyncio.sleep(min(30.0, 0.25 * 2**attempt))


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptJudge:
    """A model that gets the packet's bytes in its prompt, without tools."""

    configuration: JudgeConfiguration
    completions: Completions
    pause: Pause = doubling_pause

    async def draw(self, dispatch: Dispatch, job: Job) -> Drawn:
        """Ask until a reply comes or the retries are used up; every transmitted request is verified."""
        delivery = dispatch.deliver(job)
        request = self._request(delivery)
        attempts = 1 + self.configuration.retries
        answer: Completion | NoCompletion = NoCompletion(reason="no attempt was made")
        for attempt in range(1, attempts + 1):
            answer = await self.completions.complete(request)
            if isinstance(answer, Completion):
                self._demand(answer, job)
                return Drawn(
                    verdict=parse_reply(answer.reply), reply=answer.reply, read_sha256=job.sha256, attempts=attempt
                )
            if attempt < attempts:
                await self.pause(attempt)
        assert isinstance(answer, NoCompletion)
        return Drawn(
            verdict=ProviderError(reason=answer.reason), reply=NoReply(), read_sha256=job.sha256, attempts=attempts
        )

    def _request(self, delivery: Delivery) -> CompletionRequest:
        chosen = self.configuration
        return CompletionRequest(
            model=chosen.model,
            system=chosen.system,
            user=chosen.before + self._text(delivery) + chosen.after,
            schema=chosen.schema,
            reasoning=chosen.reasoning,
            temperature=chosen.temperature,
            max_tokens=chosen.max_tokens,
            timeout=chosen.timeout,
        )

    def _text(self, delivery: Delivery) -> str:
        try:
            return delivery.data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise IntegrityError(
                subject=f"packet {delivery.job.packet}",
                expected="UTF-8, so that a prompt can hold it",
                found=f"{error.reason} at byte {error.start}",
                remedy="render the packet with this version's escape",
            ) from error

    def _demand(self, answer: Completion, job: Job) -> None:
        demand_transmitted(
            answer.transmitted,
            before=self.configuration.before,
            after=self.configuration.after,
            sha256=job.sha256,
            place=f"packet {job.packet}, draw {job.draw}",
        )


class FileSession(Protocol):
    """One conversation with a judge that reads its packet line by line."""

    async def ask(self, reader: PacketReader) -> str:
        """Read and reply."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class FileJudge:
    """A judge that reads its packet itself: a new session for every draw, through a reader that verifies at read."""

    new_session: Callable[[], FileSession]

    async def draw(self, dispatch: Dispatch, job: Job) -> Drawn:
        """A draw in which not every line was read is invalid, whatever was replied."""
        reader = PacketReader(lambda: dispatch.deliver(job).data)
        reply = await self.new_session().ask(reader)
        unread = reader.unread()
        verdict = Invalid(reason=unread) if unread else parse_reply(reply)
        return Drawn(verdict=verdict, reply=reply, read_sha256=job.sha256, attempts=1)
