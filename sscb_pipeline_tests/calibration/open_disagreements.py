"""Executions on which labels and measurement are known to disagree: ceilings that may only come down.

A pair that is not listed has none. When the measurement improves, lower the figure or strike the line.
"""

from __future__ import annotations

from collections.abc import Mapping

from sscb_pipeline.adapters.agents.reference.habits import Habit
from sscb_pipeline_tests.calibration.banks import Banks

OPEN_HABITS: Mapping[tuple[Banks, str, Habit], int] = {}
"""By habit, over all cases, conditions and wordings of `habit_performances`."""

OPEN_PHRASES: Mapping[tuple[Banks, str, str], int] = {}
"""By purpose, over all phrases and cases of `phrase_performances`."""
