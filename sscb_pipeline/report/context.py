"""What a report says besides the analysis: where the numbers come from, frames, screening, calibration."""

from __future__ import annotations

from dataclasses import dataclass

from sscb_pipeline.claims.calibration import Calibration
from sscb_pipeline.report.judge_section import JudgeInputs, NoTrials


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameLine:
    """One candidate frame: its size, entity clusters, admitted seeds, and the sha256 it was frozen with."""

    operator: str
    candidates: int
    clusters: int
    admitted: int
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DispositionLine:
    """How many screened candidates of an operator got one disposition for one reason."""

    operator: str
    disposition: str
    reason: str
    candidates: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NotCalibrated:
    """There are no realised labels to compare with, for the reason `why`."""

    why: str


NOT_PART = NoTrials(why="judge inputs are no part of this report")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportContext:
    """`substrate` and `code_version` are one-line texts; `ledger_sha256` names the ledger that was analysed."""

    title: str
    substrate: str
    code_version: str
    ledger_sha256: str
    frames: tuple[FrameLine, ...]
    dispositions: tuple[DispositionLine, ...]
    calibration: Calibration | NotCalibrated
    judging: JudgeInputs | NoTrials = NOT_PART
