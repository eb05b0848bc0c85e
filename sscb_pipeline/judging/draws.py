"""All draws of a run: in their order, resumed from the journal, each recorded once its bytes are durable."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from sscb_pipeline.artifacts.journal import Journal, JournalWriter
from sscb_pipeline.artifacts.records import decode, encode
from sscb_pipeline.artifacts.store import ObjectStore
from sscb_pipeline.assurance.packet_dispatch import Dispatch
from sscb_pipeline.assurance.packet_jobs import Job
from sscb_pipeline.errors import IntegrityError, RefusalError
from sscb_pipeline.judging.judge import Drawn, Judge, NoReply
from sscb_pipeline.judging.verdict import Invalid, ProviderError, Verdict

GROUP = 500
"""Draws whose records are made durable together, where they cost nothing to repeat."""
ALL_INVALID = 20
"""So many draws, and not one valid among the first: the run stops, for its judge or prompt is broken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredReply:
    """sha256 of the object that holds the raw reply."""

    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawRecord:
    """One draw by one judge configuration. `authorised` is the hash the run authorised, `read` that of the bytes the
    judge was given; they are equal in every record there is."""

    run: str
    configuration: str
    job: Job
    read: str
    verdict: Verdict
    reply: StoredReply | NoReply
    attempts: int

    def __post_init__(self) -> None:
        if self.read != self.job.sha256:
            raise IntegrityError(
                subject=f"draw {self.job.number} of packet {self.job.packet}",
                expected=f"the authorised bytes, sha256 {self.job.sha256}",
                found=self.read,
                remedy="discard the draw: its judge read something else",
            )


def read_draws(journal: Journal, run: str, configuration: str) -> dict[int, DrawRecord]:
    """The latest record of each draw of a run by a configuration, by draw number."""
    found: dict[int, DrawRecord] = {}
    for number, entry in enumerate(journal.read().entries, start=2):
        record = decode(DrawRecord, entry, f"{journal.path} line {number}")
        if (record.run, record.configuration) == (run, configuration):
            found[record.job.number] = record
    return found


def left(jobs: Iterable[Job], done: dict[int, DrawRecord]) -> list[Job]:
    """Jobs without a draw, and those whose provider failed: such a draw counts as nothing and may be made again."""
    return [
        job
        for job in jobs
        if job.number not in done or done[job.number].job != job or isinstance(done[job.number].verdict, ProviderError)
    ]


async def run_draws(
    dispatch: Dispatch,
    judge: Judge,
    journal: Journal,
    objects: ObjectStore,
    *,
    configuration: str,
    concurrency: int,
    progress: Callable[[int], None],
) -> dict[int, DrawRecord]:
    """Make every draw that is left, in order, `concurrency` at a time; returns all draws of the run.

    Raises IntegrityError as soon as a packet's bytes are not the authorised ones: no later draw is begun. Raises
    RefusalError when the first draws are all invalid.
    """
    run = dispatch.emitted.name.run
    done = read_draws(journal, run, configuration)
    waiting = left(dispatch.jobs, done)
    group = GROUP if concurrency == 1 else concurrency
    with journal.writer() as writer:
        for start in range(0, len(waiting), group):
            jobs = waiting[start : start + group]
            drawn, failure = await _together(dispatch, judge, jobs, concurrency)
            records = _store(drawn, objects, run, configuration)
            _append(writer, records)
            done.update({record.job.number: record for record in records})
            if failure is not None:
                raise failure
            progress(len(records))
            _stop_if_all_invalid(list(done.values()))
    return done


async def _together(
    dispatch: Dispatch, judge: Judge, jobs: Sequence[Job], concurrency: int
) -> tuple[list[tuple[Job, Drawn]], IntegrityError | None]:
    """Draws of one group. After a refusal no further draw begins; those made before it are returned and kept."""
    if concurrency > 1:
        results = await asyncio.gather(*(judge.draw(dispatch, job) for job in jobs), return_exceptions=True)
        return _sorted_out(jobs, results)
    drawn: list[tuple[Job, Drawn]] = []
    for job in jobs:
        try:
            drawn.append((job, await judge.draw(dispatch, job)))
        except IntegrityError as error:
            return drawn, error
    return drawn, None


def _sorted_out(
    jobs: Sequence[Job], results: Sequence[Drawn | BaseException]
) -> tuple[list[tuple[Job, Drawn]], IntegrityError | None]:
    drawn: list[tuple[Job, Drawn]] = []
    failure: IntegrityError | None = None
    for job, result in zip(jobs, results, strict=True):
        if isinstance(result, Drawn):
            drawn.append((job, result))
        elif isinstance(result, IntegrityError):
            failure = failure or result
        else:
            raise result
    return drawn, failure


def _store(drawn: Sequence[tuple[Job, Drawn]], objects: ObjectStore, run: str, configuration: str) -> list[DrawRecord]:
    """Records of draws, their raw replies durable first, equal ones once."""
    replies = sorted({result.reply for _, result in drawn if isinstance(result.reply, str)})
    stored = dict(zip(replies, objects.put_all([_bytes(reply) for reply in replies]), strict=True))
    return [
        DrawRecord(
            run=run,
            configuration=configuration,
            job=job,
            read=result.read_sha256,
            verdict=result.verdict,
            reply=StoredReply(sha256=stored[result.reply]) if isinstance(result.reply, str) else result.reply,
            attempts=result.attempts,
        )
        for job, result in drawn
    ]


def _bytes(reply: str) -> bytes:
    return reply.encode("utf-8", "surrogatepass")


def _append(writer: JournalWriter, records: Sequence[DrawRecord]) -> None:
    writer.append_all([encode(record) for record in records])


def _stop_if_all_invalid(records: Sequence[DrawRecord]) -> None:
    if len(records) < ALL_INVALID or not all(isinstance(record.verdict, Invalid) for record in records):
        return
    verdict = records[0].verdict
    assert isinstance(verdict, Invalid)
    raise RefusalError(
        subject=f"run {records[0].run[:12]}",
        expected=f"a valid draw among the first {len(records)}",
        found=f"none; the first is invalid: {verdict.reason}",
        remedy="correct the judge's prompt or reply form, then dispatch the run again under the new configuration",
    )
