"""What an execution is, and the one way in which it ended."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from enum import StrEnum

from sscb_pipeline.faults.intervention import Condition

PROTOCOL_VERSION = "1"
"""Changes whenever scaffold, interception or turn loop change what an agent sees."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionKey:
    """All that defines an execution (SPEC 1). `repeat` counts from 0; hashes are sha256 of canonical content."""

    campaign: str
    operator: str
    seed_id: str
    seed_sha256: str
    configuration_id: str
    configuration_sha256: str
    condition: Condition
    repeat: int

    @property
    def execution_id(self) -> str:
        """sha256 (hex, 64) over the definition and the protocol version."""
        definition = [
            PROTOCOL_VERSION,
            self.campaign,
            self.seed_sha256,
            self.configuration_sha256,
            self.condition.value,
            self.repeat,
        ]
        return hashlib.sha256(json.dumps(definition, separators=(",", ":")).encode()).hexdigest()


class EndingKind(StrEnum):
    """SPEC 6: every scheduled execution ends as exactly one of these."""

    COMPLETED = "completed"
    TRUNCATED = "truncated"
    MISSING = "missing"
    NOT_RUN = "not_run"


class StopReason(StrEnum):
    """Why, within the kind. The first seven complete a history; then truncation, missing, and not run."""

    USER_STOP = "user_stop"
    TRANSFER = "transfer"
    OUT_OF_SCOPE = "out_of_scope"
    AGENT_STOP = "agent_stop"
    STEP_CAP = "step_cap"
    EMPTY_RESPONSE = "empty_response"
    REFUSAL = "refusal"
    CONTENT_FILTER = "content_filter"
    CONTEXT_OVERFLOW = "context_overflow"
    DEADLINE = "deadline"
    ENVIRONMENT_FAILURE = "environment_failure"
    USER_SIMULATOR_FAILURE = "user_simulator_failure"
    PROVIDER_FAILURE = "provider_failure"
    BUDGET = "budget"
    INTERRUPTED = "interrupted"
    CLEAN_UNSOLVED = "clean_unsolved"


KIND_OF: dict[StopReason, EndingKind] = {
    StopReason.USER_STOP: EndingKind.COMPLETED,
    StopReason.TRANSFER: EndingKind.COMPLETED,
    StopReason.OUT_OF_SCOPE: EndingKind.COMPLETED,
    StopReason.AGENT_STOP: EndingKind.COMPLETED,
    StopReason.STEP_CAP: EndingKind.COMPLETED,
    StopReason.EMPTY_RESPONSE: EndingKind.COMPLETED,
    StopReason.REFUSAL: EndingKind.COMPLETED,
    StopReason.CONTENT_FILTER: EndingKind.COMPLETED,
    StopReason.CONTEXT_OVERFLOW: EndingKind.TRUNCATED,
    StopReason.DEADLINE: EndingKind.TRUNCATED,
    StopReason.ENVIRONMENT_FAILURE: EndingKind.MISSING,
    StopReason.USER_SIMULATOR_FAILURE: EndingKind.MISSING,
    StopReason.PROVIDER_FAILURE: EndingKind.MISSING,
    StopReason.BUDGET: EndingKind.NOT_RUN,
    StopReason.INTERRUPTED: EndingKind.NOT_RUN,
    StopReason.CLEAN_UNSOLVED: EndingKind.NOT_RUN,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How an execution ended; `detail` is a sentence for people."""

    reason: StopReason
    detail: str

    @property
    def kind(self) -> EndingKind:
        """The kind the reason belongs to."""
        return KIND_OF[self.reason]
