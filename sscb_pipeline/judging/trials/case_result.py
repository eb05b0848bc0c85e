"""How one fault case went under one control."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sscb_pipeline.judging.trials.fault_cases import Family


class Control(StrEnum):
    """Cumulative controls (SPEC 11). P0 to P3 exist in these trials only; production is P4."""

    P0 = "P0"
    P1 = "P1"
    P2 = "P2"
    P3 = "P3"
    P4 = "P4"

    @property
    def stops_on_failure(self) -> bool:
        """P1 and later: nothing follows a step or check that failed."""
        return self is not Control.P0

    @property
    def checks_files(self) -> bool:
        """P2 and later: staged files, manifest, job list and scripts are checked before dispatch and at read."""
        return self in (Control.P2, Control.P3, Control.P4)


@dataclass(frozen=True, slots=True)
class Read:
    """A packet the recording stub was given: its name and the sha256 of the bytes."""

    packet: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """`victim` is where the fault lay, `stopped_by` the first refusal in words ('' for none), `reads` what the stub
    was given, `changed` how many of these were not what a sound build makes, `planned` how many draws there were."""

    case: str
    family: Family
    control: Control
    victim: str
    stopped_by: str
    reads: int
    changed: int
    planned: int

    @property
    def stopped(self) -> bool:
        """Nothing was read."""
        return self.reads == 0

    @property
    def completed(self) -> bool:
        """Every draw was made, with nothing but sound bytes."""
        return self.reads == self.planned and not self.changed and not self.stopped_by


def changed_reads(reads: Sequence[Read], sound: Mapping[str, str]) -> int:
    """How many reads gave other bytes than a sound build makes of that packet."""
    return sum(sound.get(read.packet) != read.sha256 for read in reads)
