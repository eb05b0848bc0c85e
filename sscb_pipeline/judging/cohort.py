"""A cohort: which labelled trajectories are judged, drawn once with a seed and written down with its hash."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from sscb_pipeline.artifacts.digest import sha256_hex
from sscb_pipeline.artifacts.records import from_bytes, to_bytes
from sscb_pipeline.errors import InputError, IntegrityError
from sscb_pipeline.judging.targets import NoTargets, TargetPair, choose_targets
from sscb_pipeline.packets.packet import PacketSource, packet_source
from sscb_pipeline.packets.target import Target, is_blank, target_turn
from sscb_pipeline.trajectories.source_record import SourceRecord

FORMAT = "sscb.cohort/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledRecord:
    """A recorded run with its step labels. `request` names the user request that clusters runs."""

    record_id: str
    record: SourceRecord
    request: str
    labels: Mapping[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class CohortMember:
    """One trajectory of a cohort. `source_sha256` is that of its source record's bytes when it was drawn; `request`
    is the sha256 of the user request; blank targets say nothing in their text (so O shows nothing of them)."""

    record_id: str
    source_sha256: str
    request: str
    error: int
    comparison: int
    error_blank: bool
    comparison_blank: bool

    @property
    def targets(self) -> tuple[Target, Target]:
        """In the order of the messages, which tells nothing of the kind that is not also told by the recording."""
        first, second = sorted((self.comparison, self.error))
        return Target(record_id=self.record_id, message=first), Target(record_id=self.record_id, message=second)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cohort:
    """Members sorted by record id, with all that decided on them: seed, exclusions, and how many were eligible."""

    format: str
    seed: str
    candidates: int
    eligible: int
    excluded: tuple[str, ...]
    members: tuple[CohortMember, ...]


def draw_cohort(candidates: Iterable[LabelledRecord], *, seed: str, size: int, excluded: frozenset[str]) -> Cohort:
    """Draw `size` of the eligible trajectories: those with both targets that the exclusion list does not name.

    Each is ranked by a hash of seed and record id, so order and number of the candidates have no part in it. Raises
    InputError for a record id that comes twice, for an excluded id that is no candidate's, and when fewer are
    eligible than are asked for.
    """
    members: list[CohortMember] = []
    counted: Counter[str] = Counter()
    for candidate in candidates:
        counted[candidate.record_id] += 1
        pair = choose_targets(candidate.record_id, candidate.record, candidate.labels)
        if isinstance(pair, TargetPair) and candidate.record_id not in excluded:
            members.append(_member(candidate, pair))
    twice = [record_id for record_id, times in counted.items() if times > 1]
    unknown = sorted(excluded - counted.keys())
    if twice or unknown:
        raise InputError(
            subject="candidates of a cohort",
            expected="each record id once, and every excluded id among them",
            found=f"twice: {', '.join(twice) or 'none'}; excluded but unknown: {', '.join(unknown) or 'none'}",
            remedy="correct the ids or the exclusion list",
        )
    if not 0 < size <= len(members):
        raise InputError(
            subject="size of a cohort",
            expected=f"1 to {len(members)}, the number of eligible trajectories",
            found=str(size),
            remedy="ask for fewer, or give more recordings",
        )
    ranked = sorted(members, key=lambda member: _rank(seed, member.record_id))
    return Cohort(
        format=FORMAT,
        seed=seed,
        candidates=len(counted),
        eligible=len(members),
        excluded=tuple(sorted(excluded)),
        members=tuple(sorted(ranked[:size], key=lambda member: member.record_id)),
    )


def eligible_number(candidates: Iterable[LabelledRecord], excluded: frozenset[str]) -> int:
    """How many of the candidates have both targets and are not excluded."""
    return sum(
        not isinstance(choose_targets(one.record_id, one.record, one.labels), NoTargets)
        for one in candidates
        if one.record_id not in excluded
    )


def _rank(seed: str, record_id: str) -> tuple[str, str]:
    key = f"{seed}\x00{record_id}".encode("utf-8", "surrogatepass")
    return sha256_hex(key), record_id


def _member(candidate: LabelledRecord, pair: TargetPair) -> CohortMember:
    record = candidate.record
    return CohortMember(
        record_id=candidate.record_id,
        source_sha256=packet_source(candidate.record_id, record).sha256,
        request=sha256_hex(candidate.request.encode("utf-8", "surrogatepass")),
        error=pair.error.message,
        comparison=pair.comparison.message,
        error_blank=is_blank(target_turn(record, pair.error)),
        comparison_blank=is_blank(target_turn(record, pair.comparison)),
    )


def cohort_bytes(cohort: Cohort) -> bytes:
    """The cohort file: one line with the sha256 of the rest, then the cohort."""
    data = to_bytes(cohort)
    return f"sha256 {sha256_hex(data)}\n".encode() + data


def read_cohort(data: bytes, file: str) -> Cohort:
    """The cohort of a file's bytes. Raises IntegrityError where its hash does not hold, InputError for another
    format."""
    first, _, rest = data.partition(b"\n")
    recorded = first.decode("ascii", "replace")
    found = f"sha256 {sha256_hex(rest)}"
    if recorded != found:
        raise IntegrityError(
            subject=file,
            expected=f"a cohort whose first line is {found[:19]}…",
            found=repr(recorded[:80]),
            remedy="restore the file, or draw the cohort again",
        )
    cohort = from_bytes(Cohort, rest, file)
    if cohort.format != FORMAT:
        raise InputError(
            subject=file, expected=FORMAT, found=repr(cohort.format), remedy="read it with the release that wrote it"
        )
    return cohort


def sources_of(
    cohort: Cohort, candidates: Iterable[LabelledRecord]
) -> Iterator[tuple[PacketSource, tuple[Target, ...]]]:
    """The cohort's records with their targets, as `packets.build.build` takes them, one at a time.

    Raises IntegrityError where a record is not the one that was drawn or is missing at the end.
    """
    waiting = {member.record_id: member for member in cohort.members}
    for candidate in candidates:
        if candidate.record_id not in waiting:
            continue
        member = waiting.pop(candidate.record_id)
        source = packet_source(candidate.record_id, candidate.record)
        if source.sha256 != member.source_sha256:
            raise IntegrityError(
                subject=f"record {member.record_id}",
                expected=f"sha256 {member.source_sha256[:12]}, as it was drawn",
                found=source.sha256[:12],
                remedy="import the recording that the cohort was drawn from, or draw a new cohort",
            )
        yield source, member.targets
    if waiting:
        raise IntegrityError(
            subject="records of the cohort",
            expected="every record that was drawn",
            found=f"none for {', '.join(sorted(waiting)[:5])}",
            remedy="import all recordings that the cohort was drawn from",
        )
