"""The candidate frame: built before any agent runs, in an order frozen by a seeded hash (SSC §V-B)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sscb_pipeline.artifacts.digest import sha256_hex
from sscb_pipeline.artifacts.records import from_bytes, to_bytes
from sscb_pipeline.errors import IntegrityError
from sscb_pipeline.faults.operator import Candidate

FRAME_SEED = "sscb-frame-1"
"""Seed of the frozen order; recorded with every frame."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A candidate with its place in the frozen order and in the screening order, both from 0."""

    candidate: Candidate
    rank: int
    screening_rank: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """All candidates of an operator in screening order, the seed of the order, and the data they were built from."""

    operator: str
    seed: str
    data_sha256: Mapping[str, str]
    candidates: tuple[Ranked, ...]

    def to_bytes(self) -> bytes:
        """Canonical bytes; the frame's hash is their sha256."""
        return to_bytes(self)


def freeze(operator: str, candidates: Sequence[Candidate], data_sha256: Mapping[str, str], seed: str) -> Frame:
    """Freeze the order by sha256(seed, id), then cycle over entity clusters.

    Every cluster's first candidate comes before any cluster's second; within a cycle the frozen order stands.
    """
    frozen = sorted(
        candidates,
        key=lambda candidate: hashlib.sha256(f"{seed}\x00{candidate.candidate_id}".encode()).hexdigest(),
    )
    seen: dict[str, int] = {}
    cycles = []
    for rank, candidate in enumerate(frozen):
        cycle = seen.get(candidate.cluster, 0)
        seen[candidate.cluster] = cycle + 1
        cycles.append((cycle, rank, candidate))
    return Frame(
        operator=operator,
        seed=seed,
        data_sha256=dict(data_sha256),
        candidates=tuple(
            Ranked(candidate=candidate, rank=rank, screening_rank=place)
            for place, (_, rank, candidate) in enumerate(sorted(cycles, key=lambda entry: entry[:2]))
        ),
    )


def read_frame(data: bytes, sha256: str, place: str) -> Frame:
    """A frame from its bytes. Raises IntegrityError when they are not the frame that was frozen."""
    found = sha256_hex(data)
    if found != sha256:
        raise IntegrityError(
            subject=f"candidate frame {place}",
            expected=f"sha256 {sha256}",
            found=found,
            remedy="restore the frame from its object, or start a new warehouse: a changed frame is another study",
        )
    return from_bytes(Frame, data, place)
