"""The two stages of recovering uses, behind one interface (SPEC 7). Other implementations supply the same two calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from sscb_pipeline.faults.contract import FaultContract
from sscb_pipeline.reconstruction.measurement import UseEvent
from sscb_pipeline.reconstruction.references import Reference
from sscb_pipeline.trajectories.steps import Trajectory
from sscb_pipeline.trajectories.subject import Subject


class Extract(Protocol):
    """Stage one, blind: all references to the subject later than step `after`."""

    def __call__(self, subject: Subject, trajectory: Trajectory, after: int) -> tuple[Reference, ...]:
        """References in order of delivery."""
        ...


class Classify(Protocol):
    """Stage two: each candidate under the contract."""

    def __call__(
        self, contract: FaultContract, subject: Subject, trajectory: Trajectory, references: Sequence[Reference]
    ) -> tuple[UseEvent, ...]:
        """Events in order of delivery."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Stages:
    """An implementation of both stages. `version` names what labels it gives; a change of rules is a new version."""

    extract: Extract
    classify: Classify
    version: str
