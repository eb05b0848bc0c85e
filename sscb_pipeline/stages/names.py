"""Names of the stages, of their partitions, and of the campaign that cases belong to."""

from __future__ import annotations

from enum import StrEnum

CASES_CAMPAIGN = "cases"
"""Frames and admitted seeds are the same for every campaign, so they are kept under this name."""

DEFAULT_CAMPAIGN = "reference"
"""The campaign of the embedded reference study."""

WHOLE = "all"
"""The partition of a stage that has none."""


class Stage(StrEnum):
    """The stages in their order."""

    FRAMES = "frames"
    INCLUSION = "inclusion"
    EXECUTIONS = "executions"
    MEASUREMENTS = "measurements"
    JUDGE_SAMPLE = "judge_sample"
    JUDGE_DRAWS = "judge_draws"
    JUDGE_TRIALS = "judge_trials"
    CLAIMS = "claims"
    CLAIM_CARDS = "claim_cards"
    REPORT = "report"
    EXPORTS = "exports"


AFTER_LEDGER = frozenset({Stage.CLAIM_CARDS, Stage.REPORT, Stage.EXPORTS})
"""Stages that lay out what the ledger holds; the ledger says nothing about them."""


def grid_partition(operator: str, configuration: str) -> str:
    """The partition of one operator and one configuration, as Dagster prints it (dimensions sorted by name)."""
    return f"{configuration}|{operator}"
