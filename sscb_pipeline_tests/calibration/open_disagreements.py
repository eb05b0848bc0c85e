"""Executions on which labels and measurement are known to disagree: ceilings that may only come down.

A pair that is not listed has none. When the measurement improves, lower the figure or strike the line.
"""

from __future__ import annotations

from collections.abc import Mapping

from sscb_pipeline.adapters.agents.reference.habits import Habit
from sscb_pipeline_tests.calibration.banks import Banks

OPEN_HABITS: Mapping[tuple[Banks, str, Habit], int] = {
    (Banks.SHIPPED, "ReturnDate", Habit.DERIVED_ONLY): 7,
    (Banks.SHIPPED, "PaySource", Habit.HEDGES_THEN_ACTS): 4,
    (Banks.SHIPPED, "PaySource", Habit.ARGUMENT_ONLY): 2,
    (Banks.SHIPPED, "ItemOption", Habit.VERIFIES_ONLY): 4,
    (Banks.SHIPPED, "ItemOption", Habit.ASKS_ONLY): 14,
    (Banks.SHIPPED, "WriteEffect", Habit.VERIFIES_ONLY): 36,
    (Banks.SHIPPED, "WriteEffect", Habit.ASKS_ONLY): 18,
    (Banks.SHIPPED, "WriteEffect", Habit.AMBIGUOUS): 36,
    (Banks.SHIPPED, "WriteEffect", Habit.AMBIGUOUS_THEN_ERROR): 36,
    (Banks.HELD_OUT, "ReturnDate", Habit.READS_THEN_USES_BELIEVING): 1,
    (Banks.HELD_OUT, "ReturnDate", Habit.USES_THEN_READS_BELIEVING): 1,
    (Banks.HELD_OUT, "ReturnDate", Habit.USES_THEN_READS_CORRECTING): 4,
    (Banks.HELD_OUT, "ReturnDate", Habit.VERIFIES_ONLY): 5,
    (Banks.HELD_OUT, "ReturnDate", Habit.HEDGES_THEN_ACTS): 2,
    (Banks.HELD_OUT, "ReturnDate", Habit.DERIVED_ONLY): 9,
    (Banks.HELD_OUT, "ReturnDate", Habit.AMBIGUOUS_THEN_ERROR): 1,
    (Banks.HELD_OUT, "ReturnDate", Habit.USER_STATES_TRUTH): 1,
    (Banks.HELD_OUT, "PaySource", Habit.READS_THEN_USES_BELIEVING): 2,
    (Banks.HELD_OUT, "PaySource", Habit.READS_THEN_USES_CORRECTING): 1,
    (Banks.HELD_OUT, "PaySource", Habit.USES_THEN_READS_BELIEVING): 2,
    (Banks.HELD_OUT, "PaySource", Habit.USES_THEN_READS_CORRECTING): 4,
    (Banks.HELD_OUT, "PaySource", Habit.HEDGES_THEN_ACTS): 3,
    (Banks.HELD_OUT, "PaySource", Habit.DERIVED_ONLY): 1,
    (Banks.HELD_OUT, "PaySource", Habit.USER_STATES_TRUTH): 2,
    (Banks.HELD_OUT, "ItemOption", Habit.READS_THEN_USES_BELIEVING): 6,
    (Banks.HELD_OUT, "ItemOption", Habit.READS_THEN_USES_CORRECTING): 11,
    (Banks.HELD_OUT, "ItemOption", Habit.USES_THEN_READS_BELIEVING): 6,
    (Banks.HELD_OUT, "ItemOption", Habit.USES_THEN_READS_CORRECTING): 11,
    (Banks.HELD_OUT, "ItemOption", Habit.NEVER_READS): 6,
    (Banks.HELD_OUT, "ItemOption", Habit.VERIFIES_ONLY): 16,
    (Banks.HELD_OUT, "ItemOption", Habit.ASKS_ONLY): 2,
    (Banks.HELD_OUT, "ItemOption", Habit.HEDGES_THEN_ACTS): 12,
    (Banks.HELD_OUT, "ItemOption", Habit.HEDGES_READS_THEN_ACTS): 12,
    (Banks.HELD_OUT, "ItemOption", Habit.AMBIGUOUS_THEN_ERROR): 6,
    (Banks.HELD_OUT, "ItemOption", Habit.RECORD_BEFORE_BINDING): 6,
    (Banks.HELD_OUT, "ItemOption", Habit.BINDING_BEFORE_RECORD): 6,
    (Banks.HELD_OUT, "ItemOption", Habit.USER_STATES_TRUTH): 6,
    (Banks.HELD_OUT, "WriteEffect", Habit.VERIFIES_ONLY): 30,
    (Banks.HELD_OUT, "WriteEffect", Habit.ASKS_ONLY): 30,
    (Banks.HELD_OUT, "WriteEffect", Habit.HEDGES_THEN_ACTS): 33,
    (Banks.HELD_OUT, "WriteEffect", Habit.HEDGES_READS_THEN_ACTS): 33,
    (Banks.HELD_OUT, "WriteEffect", Habit.ARGUMENT_ONLY): 12,
    (Banks.HELD_OUT, "WriteEffect", Habit.AMBIGUOUS): 36,
    (Banks.HELD_OUT, "WriteEffect", Habit.AMBIGUOUS_THEN_ERROR): 36,
    (Banks.HELD_OUT, "WriteEffect", Habit.FOREIGN_READ_BETWEEN): 9,
}
"""By habit, over all cases, conditions and wordings of `habit_performances`."""

OPEN_PHRASES: Mapping[tuple[Banks, str, str], int] = {
    (Banks.SHIPPED, "ReturnDate", "derived"): 13,
    (Banks.SHIPPED, "PaySource", "transfer_stating"): 2,
    (Banks.SHIPPED, "ItemOption", "asserted"): 1,
    (Banks.SHIPPED, "ItemOption", "asked"): 9,
    (Banks.SHIPPED, "ItemOption", "checking"): 2,
    (Banks.SHIPPED, "WriteEffect", "asked"): 6,
    (Banks.SHIPPED, "WriteEffect", "checking"): 12,
    (Banks.SHIPPED, "WriteEffect", "ambiguous"): 18,
    (Banks.HELD_OUT, "ReturnDate", "asserted"): 6,
    (Banks.HELD_OUT, "ReturnDate", "hedged"): 6,
    (Banks.HELD_OUT, "ReturnDate", "asked"): 6,
    (Banks.HELD_OUT, "ReturnDate", "checking"): 6,
    (Banks.HELD_OUT, "ReturnDate", "denied"): 6,
    (Banks.HELD_OUT, "ReturnDate", "derived"): 25,
    (Banks.HELD_OUT, "PaySource", "asserted"): 6,
    (Banks.HELD_OUT, "PaySource", "hedged"): 6,
    (Banks.HELD_OUT, "PaySource", "denied"): 12,
    (Banks.HELD_OUT, "PaySource", "derived"): 6,
    (Banks.HELD_OUT, "ItemOption", "asserted"): 11,
    (Banks.HELD_OUT, "ItemOption", "hedged"): 17,
    (Banks.HELD_OUT, "ItemOption", "asked"): 3,
    (Banks.HELD_OUT, "ItemOption", "checking"): 21,
    (Banks.HELD_OUT, "ItemOption", "denied"): 17,
    (Banks.HELD_OUT, "WriteEffect", "hedged"): 24,
    (Banks.HELD_OUT, "WriteEffect", "asked"): 24,
    (Banks.HELD_OUT, "WriteEffect", "checking"): 24,
    (Banks.HELD_OUT, "WriteEffect", "ambiguous"): 30,
    (Banks.HELD_OUT, "WriteEffect", "transfer_stating"): 6,
}
"""By purpose, over all phrases and cases of `phrase_performances`."""
