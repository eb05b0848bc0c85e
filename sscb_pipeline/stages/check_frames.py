"""Check of a candidate frame: the environment still gives these bytes, and the order is the frozen one."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from enum import StrEnum
from itertools import pairwise

from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.assurance.manifest import current
from sscb_pipeline.assurance.requirement import Outcome
from sscb_pipeline.environments.port import Substrate
from sscb_pipeline.faults.operator import Operator
from sscb_pipeline.inclusion.frame import Frame, read_frame
from sscb_pipeline.stages.frames import FRAME, output
from sscb_pipeline.stages.gate import Closed, Opened, conclude, kept_or_broken
from sscb_pipeline.stages.names import CASES_CAMPAIGN, Stage


class FrameRequirement(StrEnum):
    """What a frame must keep."""

    CANDIDATES_FROM_RECORDS = "candidates_from_records"
    """The operator's rule, applied to the environment's records now, gives exactly these candidates."""
    ORDER_FROZEN_BY_HASH = "order_frozen_by_hash"
    """Ranks follow the seeded hash of the stable ids."""
    CLUSTERS_CYCLED = "clusters_cycled"
    """Every cluster's first candidate stands before any cluster's second."""
    DATA_VERIFIED = "data_verified"
    """The frame names the sha256 of the environment data in use."""


def check_frame(warehouse: Warehouse, operator: Operator, substrate: Substrate) -> Opened | Closed:
    """Examine the operator's current frame and write its receipt when all is kept."""
    published = current(warehouse, campaign=CASES_CAMPAIGN, stage=Stage.FRAMES, partition=operator.name)
    sha256 = output(published, FRAME)
    frame = read_frame(warehouse.objects.get(sha256), sha256, operator.name)
    outcomes: dict[StrEnum, Outcome] = {
        FrameRequirement.CANDIDATES_FROM_RECORDS: kept_or_broken(_strangers(frame, operator, substrate)),
        FrameRequirement.ORDER_FROZEN_BY_HASH: kept_or_broken(_misranked(frame)),
        FrameRequirement.CLUSTERS_CYCLED: kept_or_broken(_uncycled(frame)),
        FrameRequirement.DATA_VERIFIED: kept_or_broken(_other_data(frame, substrate)),
    }
    return conclude(warehouse, published, FrameRequirement, outcomes)


def _strangers(frame: Frame, operator: Operator, substrate: Substrate) -> Iterator[str]:
    """Both directions: candidates the records do not give, and candidates the frame lacks."""
    given = {candidate.candidate_id: candidate for candidate in operator.candidates(substrate)}
    framed = {ranked.candidate.candidate_id: ranked.candidate for ranked in frame.candidates}
    for name in sorted(given.keys() | framed.keys()):
        if given.get(name) != framed.get(name):
            yield f"candidate {name}: the records and the frame disagree"
    if len(framed) != len(frame.candidates):
        yield f"frame of {frame.operator}: a candidate stands in it twice"


def _misranked(frame: Frame) -> Iterator[str]:
    by_rank = sorted(frame.candidates, key=lambda ranked: ranked.rank)
    keys = [
        hashlib.sha256(f"{frame.seed}\x00{ranked.candidate.candidate_id}".encode()).hexdigest() for ranked in by_rank
    ]
    for place, (before, after) in enumerate(pairwise(keys)):
        if before > after:
            yield f"rank {place + 1} ({by_rank[place + 1].candidate.candidate_id}): out of hash order"


def _uncycled(frame: Frame) -> Iterator[str]:
    seen: dict[str, int] = {}
    reached = 0
    for place, ranked in enumerate(frame.candidates):
        cycle = seen[ranked.candidate.cluster] = seen.get(ranked.candidate.cluster, 0) + 1
        if cycle < reached or ranked.screening_rank != place:
            yield f"screening rank {place} ({ranked.candidate.candidate_id}): stands in a later cycle than its own"
        reached = max(reached, cycle)


def _other_data(frame: Frame, substrate: Substrate) -> Iterator[str]:
    for name in sorted(frame.data_sha256.keys() | substrate.data_sha256.keys()):
        if frame.data_sha256.get(name) != substrate.data_sha256.get(name):
            yield f"{name}: another sha256 than the frame was built from"
