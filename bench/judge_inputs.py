"""The judge path over many packets: build, both checks, archive, stage, emit, dispatch to the stub, against a floor.

The floor is the time to render the same packets, write nothing, and read and hash their bytes once; rendering one by
one, or with each message of a recording rendered once for all its packets as the builder does. Prints one line per
figure, and how time grows with packets. Run as `python bench/judge_inputs.py [PACKETS] [FOLDER]`.
"""

from __future__ import annotations

import asyncio
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from sscb_pipeline.artifacts.journal import Journal
from sscb_pipeline.artifacts.warehouse import create_or_open
from sscb_pipeline.assurance.judge_run import record
from sscb_pipeline.assurance.packet_dispatch import open_dispatch
from sscb_pipeline.assurance.packet_staging import staging_folder
from sscb_pipeline.judging.cell import TargetKind
from sscb_pipeline.judging.configuration import STUB
from sscb_pipeline.judging.draws import run_draws
from sscb_pipeline.judging.judge import RecordingStub
from sscb_pipeline.judging.judged_steps import Member, judged
from sscb_pipeline.judging.packet_run import (
    build_run,
    check_emitted_run,
    check_staged_run,
    emit_run,
    run_name,
    stage_run,
)
from sscb_pipeline.judging.trials.specimens import (
    COMPARISON_MESSAGE,
    ERROR_MESSAGE,
    call,
    member,
    messages,
    result,
    turn,
)
from sscb_pipeline.judging.trials.specimens import record as recorded
from sscb_pipeline.packets.build import build_record, render
from sscb_pipeline.packets.input_contract import STUDY
from sscb_pipeline.trajectories.source_record import (
    NULL,
    Actor,
    SourceMessage,
    SourceSystem,
    SystemOrigin,
    given,
)

PACKETS_PER_RECORD = len(STUDY.kinds) * 2


def members(records: int) -> Iterator[Member]:
    """Recordings whose full packets are about 20 kB, in the proportions of recorded airline runs: a policy of 6 kB,
    and some thirty messages, every third a result of a kilobyte."""
    policy = "".join(f"{number}. A rule of the policy, in a sentence of usual length.\n" for number in range(100))
    for number in range(records):
        _, request, *rest = messages(number)
        long: list[SourceMessage] = [SourceSystem(text=given(policy), origin=SystemOrigin.MESSAGE), request]
        for lap in range(EXCHANGES):
            long += _exchange(number, lap)
        one = member(f"bench-{number}", recorded(number, [*long, *rest]), _targets())
        steps = tuple(
            judged(one.source.record, target, kind)
            for target, kind in zip(one.targets, (TargetKind.COMPARISON, TargetKind.ERROR), strict=True)
        )
        yield Member(source=one.source, request=str(number), steps=steps)


EXCHANGES = 9


def _exchange(number: int, lap: int) -> list[SourceMessage]:
    """A call without text, its result, and a message of the user."""
    found = f'{{"reservation": "R{number}-{lap}", "rows": "' + "some text of a result, " * 45 + '"}'
    return [
        turn(Actor.AGENT, NULL, call(f"e{lap}", "get_order", f'{{"id": "{number}-{lap}"}}')),
        result(f"e{lap}", "get_order", found),
        turn(Actor.USER, given(f"Thank you; and the next one, number {lap}, please. " * 2)),
    ]


def _targets() -> tuple[int, int]:
    return COMPARISON_MESSAGE + 3 * EXCHANGES, ERROR_MESSAGE + 3 * EXCHANGES


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds on the wall clock, and of processor time (which a busy machine does not stretch)."""

    wall: float
    processor: float

    def __add__(self, other: Spent) -> Spent:
        return Spent(self.wall + other.wall, self.processor + other.processor)


def timed(label: str, work: Callable[[], object]) -> Spent:
    """Time of one call, printed."""
    wall, processor = time.perf_counter(), time.process_time()
    work()
    spent = Spent(time.perf_counter() - wall, time.process_time() - processor)
    print(f"  {label:34s} {spent.wall:7.2f} s  ({spent.processor:.2f} s processor)")
    return spent


def floors(folder: Path, records: int) -> tuple[Spent, Spent]:
    """One read and one hash of the same bytes from files, plus rendering: each packet by itself, and, as the builder
    does, with the messages of a recording rendered once for its eight packets."""

    def one_by_one() -> None:
        for one in members(records):
            for target in one.targets:
                for kind in STUDY.kinds:
                    render(one.source.record, target, kind, STUDY.question)

    def shared() -> None:
        for one in members(records):
            build_record(one.source, one.targets, STUDY)

    def read_and_hash() -> None:
        for path in folder.iterdir():
            sha256(path.read_bytes()).hexdigest()

    read = timed("floor: read and hash", read_and_hash)
    return read + timed("floor: render one by one", one_by_one), read + timed("floor: render, shared", shared)


def measure(packets: int, folder: Path) -> tuple[Spent, Spent]:
    """Time of the whole path and of the floor."""
    records = packets // PACKETS_PER_RECORD
    warehouse = create_or_open(folder / f"w{packets}")
    name = run_name("bench", lambda: members(records), STUDY, "bench")
    stub = RecordingStub()

    def build() -> None:
        record(warehouse, build_run(warehouse, name, lambda: members(records), STUDY)[1])

    def dispatch() -> None:
        asyncio.run(
            run_draws(
                open_dispatch(warehouse, name),
                stub,
                Journal(warehouse.root / "draws.jsonl"),
                warehouse.objects,
                configuration=STUB.sha256,
                concurrency=1,
                progress=lambda done: None,
            )
        )

    def emit() -> None:
        emit_run(warehouse, name, draws=2)
        record(warehouse, check_emitted_run(warehouse, name))

    print(f"{packets} packets")
    whole = timed("build, inline check, archive", build)
    whole += timed("stage", lambda: stage_run(warehouse, name))
    whole += timed("disk check", lambda: record(warehouse, check_staged_run(warehouse, name, STUDY)))
    whole += timed("emit and check", emit)
    whole += timed("dispatch, two draws each", dispatch)
    staged = staging_folder(warehouse, name)
    size = sum(path.stat().st_size for path in staged.iterdir())
    assert len(stub.read) == 2 * packets
    single, shared = floors(staged, records)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"  {size / packets / 1000:.1f} kB a packet")
    for told, bottom in (("rendered one by one", single), ("messages rendered once", shared)):
        wall, processor = whole.wall / bottom.wall, whole.processor / bottom.processor
        print(f"  {whole.wall:.1f} s, {wall:.1f} times the floor with {told} ({processor:.1f} by processor time)")
    print(f"  peak memory of the process {peak:.0f} MB")
    return whole, single


def main(packets: int, folder: Path) -> None:
    """A tenth of the packets first, so that growth shows."""
    with tempfile.TemporaryDirectory(dir=folder) as name:
        small, _ = measure(packets // 10, Path(name))
        large, _ = measure(packets, Path(name))
        print(f"ten times the packets took {large.wall / small.wall:.1f} times as long")


if __name__ == "__main__":
    arguments = sys.argv[1:]
    main(
        int(arguments[0]) if arguments else 10_000,
        Path(arguments[1]) if len(arguments) > 1 else Path(tempfile.gettempdir()),
    )
