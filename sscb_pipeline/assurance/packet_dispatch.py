"""Dispatch: the last entrance. Everything is demanded again, then each draw gets the very bytes that were hashed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.assurance.judge_run import Emitted, RunName
from sscb_pipeline.assurance.packet_jobs import Job, enter_emitted, jobs_of
from sscb_pipeline.assurance.packet_staging import staged_files
from sscb_pipeline.assurance.verified_read import VerifiedFolder


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """One draw and the verified bytes of its packet."""

    job: Job
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispatch:
    """An authorised run: its draws in order and the folder whose files are verified as they are read."""

    emitted: Emitted
    jobs: tuple[Job, ...]
    packets: VerifiedFolder

    def deliver(self, job: Job) -> Delivery:
        """Open the packet once, hash what was read, compare, hand over. Raises IntegrityError for changed bytes."""
        return Delivery(job=job, data=self.packets.read(job.packet))

    def deliveries(self) -> Iterator[Delivery]:
        """Every draw in order; one packet is in memory at a time."""
        return (self.deliver(job) for job in self.jobs)


def open_dispatch(warehouse: Warehouse, name: RunName) -> Dispatch:
    """Enter the last stage: receipts of build, staging and emission, closed sets of scripts and packets, every hash.

    Raises RefusalError or IntegrityError; then nothing was handed to a judge.
    """
    entered = enter_emitted(warehouse, name)
    jobs = jobs_of(warehouse, entered)
    packets = staged_files(warehouse, entered.staged.built)
    packets.demand()
    return Dispatch(emitted=entered, jobs=jobs, packets=packets)
