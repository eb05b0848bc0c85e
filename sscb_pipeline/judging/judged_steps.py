"""Which steps a run judges and why: known to the run and to its results, never to a packet or a judge."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from sscb_pipeline.artifacts.digest import sha256_hex
from sscb_pipeline.judging.cell import TargetKind
from sscb_pipeline.judging.cohort import LabelledRecord
from sscb_pipeline.judging.targets import TargetPair, choose_targets
from sscb_pipeline.packets.packet import PacketSource, packet_source
from sscb_pipeline.packets.target import Target, is_blank, target_turn
from sscb_pipeline.trajectories.source_record import Actor, SourceRecord, SourceTurn


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedStep:
    """A message that is judged, why it was chosen, and whether O shows nothing of it."""

    message: int
    kind: TargetKind
    blank: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A record of a run with the steps judged. `request` is the sha256 of the user request that clusters runs."""

    source: PacketSource
    request: str
    steps: tuple[JudgedStep, ...]

    @property
    def targets(self) -> tuple[Target, ...]:
        """The targets in the order of the messages."""
        messages = sorted({step.message for step in self.steps})
        return tuple(Target(record_id=self.source.record_id, message=message) for message in messages)


Members = Callable[[], Iterable[Member]]
"""The members of a run in order; every call begins anew, so that none need be kept."""


def labelled_members(records: Iterable[LabelledRecord]) -> Iterator[Member]:
    """The records that have both targets by SPEC 11's rules; others contribute none."""
    for labelled in records:
        pair = choose_targets(labelled.record_id, labelled.record, labelled.labels)
        if isinstance(pair, TargetPair):
            yield Member(
                source=packet_source(labelled.record_id, labelled.record),
                request=_request(labelled.request),
                steps=(
                    judged(labelled.record, pair.error, TargetKind.ERROR),
                    judged(labelled.record, pair.comparison, TargetKind.COMPARISON),
                ),
            )


def unlabelled_member(record_id: str, record: SourceRecord, request: str) -> Member | None:
    """A record without labels: its last call step of the agent is judged, or its last turn where it never called; a
    record in which the agent does nothing contributes none."""
    turns = [
        (at, message)
        for at, message in enumerate(record.messages)
        if isinstance(message, SourceTurn) and message.actor is Actor.AGENT
    ]
    chosen = [at for at, turn in turns if turn.calls] or [at for at, _ in turns]
    if not chosen:
        return None
    step = judged(record, Target(record_id=record_id, message=chosen[-1]), TargetKind.UNLABELLED)
    return Member(source=packet_source(record_id, record), request=_request(request), steps=(step,))


def judged(record: SourceRecord, target: Target, kind: TargetKind) -> JudgedStep:
    """A step with what is known of it."""
    return JudgedStep(message=target.message, kind=kind, blank=is_blank(target_turn(record, target)))


def _request(text: str) -> str:
    return sha256_hex(text.encode("utf-8", "surrogatepass"))
