"""What became of each screened candidate, and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Disposition(StrEnum):
    """SPEC 4: every screened candidate keeps exactly one."""

    ADMITTED = "admitted"
    UNRESOLVED = "unresolved"
    INVALID_CONTRACT = "invalid_contract"
    NOT_TASK_RELEVANT = "not_task_relevant"
    REPLACED_AFTER_REVIEW = "replaced_after_review"


@dataclass(frozen=True, slots=True, kw_only=True)
class Screened:
    """One screened candidate: ranks from 0 in the frozen and in the screening order, disposition and reason."""

    candidate_id: str
    cluster: str
    rank: int
    screening_rank: int
    disposition: Disposition
    reason: str
