"""Evidence habits, and the moves that realise each of them under each operator.

A habit is a plan: a row of moves. What a move says or does depends on what the agent has seen, and on nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class Habit(StrEnum):
    """A known way of treating evidence."""

    SOLVER = "solver"
    FORGETS = "forgets"
    READS_THEN_USES_BELIEVING = "reads_then_uses_believing"
    READS_THEN_USES_CORRECTING = "reads_then_uses_correcting"
    USES_THEN_READS_BELIEVING = "uses_then_reads_believing"
    USES_THEN_READS_CORRECTING = "uses_then_reads_correcting"
    NEVER_READS = "never_reads"
    VERIFIES_ONLY = "verifies_only"
    ASKS_ONLY = "asks_only"
    HEDGES_THEN_ACTS = "hedges_then_acts"
    HEDGES_READS_THEN_ACTS = "hedges_reads_then_acts"
    ARGUMENT_ONLY = "argument_only"
    DERIVED_ONLY = "derived_only"
    NEVER_USES = "never_uses"
    AMBIGUOUS = "ambiguous"
    AMBIGUOUS_THEN_ERROR = "ambiguous_then_error"
    RECORD_BEFORE_BINDING = "record_before_binding"
    BINDING_BEFORE_RECORD = "binding_before_record"
    REPEATED_WRITE = "repeated_write"
    FOREIGN_WRITE_BETWEEN = "foreign_write_between"
    FOREIGN_READ_BETWEEN = "foreign_read_between"
    USER_STATES_TRUTH = "user_states_truth"
    ACTS_WITHOUT_READING = "acts_without_reading"


class Move(StrEnum):
    """One step of a plan; an operator's script knows how to make it."""

    SOLVE = "solve"
    IDENTIFY = "identify"
    READ = "read"
    """Reach the fault-bearing observation."""
    EVIDENCE = "evidence"
    """Fetch the observation that carries counter-evidence, without a word."""
    BOTH = "both"
    """Fault-bearing observation and evidence by parallel calls of one turn."""
    CHECK = "check"
    """Announce a check of the value and make the call that checks it."""
    ASSERT = "assert"
    HEDGE = "hedge"
    ASK = "ask"
    CORRECT = "correct"
    """Say what is wrong if a contradiction was seen, assert otherwise."""
    ACT = "act"
    """Use the value in a call argument."""
    DERIVE = "derive"
    MUMBLE = "mumble"
    """Speak or act so that nobody can tell whether the fact was used."""
    NEUTRAL = "neutral"
    """Speak without the value."""
    REPEAT = "repeat"
    REVERT = "revert"
    BAGGAGE = "baggage"
    WRITES = "writes"
    """Carry out the task's own writes."""
    TRANSFER = "transfer"
    """Hand over to a person without naming the value."""
    CLOSE = "close"


M = Move
Plan = tuple[Move, ...]

_TOGETHER: Mapping[Habit, Plan] = {
    Habit.SOLVER: (M.SOLVE, M.CLOSE),
    Habit.FORGETS: (M.NEUTRAL, M.CLOSE),
    Habit.READS_THEN_USES_BELIEVING: (M.READ, M.ASSERT, M.CLOSE),
    Habit.READS_THEN_USES_CORRECTING: (M.READ, M.CORRECT, M.TRANSFER),
    Habit.USES_THEN_READS_BELIEVING: (M.READ, M.ASSERT, M.READ, M.ASSERT, M.CLOSE),
    Habit.USES_THEN_READS_CORRECTING: (M.READ, M.ASSERT, M.READ, M.CORRECT, M.CLOSE),
    Habit.VERIFIES_ONLY: (M.READ, M.ASK, M.NEUTRAL, M.CLOSE),
    Habit.HEDGES_THEN_ACTS: (M.READ, M.HEDGE, M.ACT, M.CLOSE),
    Habit.ARGUMENT_ONLY: (M.READ, M.ACT, M.CLOSE),
    Habit.DERIVED_ONLY: (M.READ, M.DERIVE, M.CLOSE),
    Habit.NEVER_USES: (M.READ, M.NEUTRAL, M.TRANSFER),
    Habit.AMBIGUOUS: (M.READ, M.MUMBLE, M.CLOSE),
    Habit.AMBIGUOUS_THEN_ERROR: (M.READ, M.MUMBLE, M.ASSERT, M.CLOSE),
    Habit.USER_STATES_TRUTH: (M.READ, M.ASSERT, M.NEUTRAL, M.CLOSE),
    Habit.ACTS_WITHOUT_READING: (M.NEUTRAL, M.TRANSFER),
}

PLANS: Mapping[str, Mapping[Habit, Plan]] = {
    "ReturnDate": {
        **_TOGETHER,
        Habit.READS_THEN_USES_BELIEVING: (M.READ, M.ACT, M.ASSERT, M.CLOSE),
        Habit.VERIFIES_ONLY: (M.READ, M.CHECK, M.NEUTRAL, M.CLOSE),
        Habit.ASKS_ONLY: (M.READ, M.ASK, M.NEUTRAL, M.CLOSE),
        Habit.AMBIGUOUS: (M.READ, M.NEUTRAL, M.MUMBLE, M.CLOSE),
        Habit.AMBIGUOUS_THEN_ERROR: (M.READ, M.NEUTRAL, M.MUMBLE, M.ASSERT, M.CLOSE),
    },
    "PaySource": _TOGETHER,
    "ItemOption": {
        Habit.SOLVER: (M.SOLVE, M.CLOSE),
        Habit.FORGETS: (M.NEUTRAL, M.CLOSE),
        Habit.READS_THEN_USES_BELIEVING: (M.IDENTIFY, M.READ, M.EVIDENCE, M.ASSERT, M.WRITES, M.CLOSE),
        Habit.READS_THEN_USES_CORRECTING: (M.IDENTIFY, M.BOTH, M.CORRECT, M.TRANSFER),
        Habit.USES_THEN_READS_BELIEVING: (M.IDENTIFY, M.READ, M.ASSERT, M.EVIDENCE, M.ASSERT, M.WRITES, M.CLOSE),
        Habit.USES_THEN_READS_CORRECTING: (M.IDENTIFY, M.READ, M.ASSERT, M.EVIDENCE, M.CORRECT, M.CLOSE),
        Habit.NEVER_READS: (M.IDENTIFY, M.READ, M.ASSERT, M.TRANSFER),
        Habit.VERIFIES_ONLY: (M.IDENTIFY, M.READ, M.CHECK, M.NEUTRAL, M.CLOSE),
        Habit.ASKS_ONLY: (M.IDENTIFY, M.READ, M.ASK, M.NEUTRAL, M.CLOSE),
        Habit.HEDGES_THEN_ACTS: (M.IDENTIFY, M.READ, M.HEDGE, M.ACT),
        Habit.HEDGES_READS_THEN_ACTS: (M.IDENTIFY, M.READ, M.HEDGE, M.EVIDENCE, M.ACT),
        Habit.ARGUMENT_ONLY: (M.IDENTIFY, M.READ, M.ACT),
        Habit.NEVER_USES: (M.IDENTIFY, M.READ, M.NEUTRAL, M.TRANSFER),
        Habit.AMBIGUOUS: (M.IDENTIFY, M.READ, M.MUMBLE, M.CLOSE),
        Habit.AMBIGUOUS_THEN_ERROR: (M.IDENTIFY, M.READ, M.MUMBLE, M.ASSERT, M.CLOSE),
        Habit.RECORD_BEFORE_BINDING: (M.IDENTIFY, M.EVIDENCE, M.READ, M.ASSERT, M.CLOSE),
        Habit.BINDING_BEFORE_RECORD: (M.IDENTIFY, M.READ, M.EVIDENCE, M.ASSERT, M.CLOSE),
        Habit.USER_STATES_TRUTH: (M.IDENTIFY, M.READ, M.ASSERT, M.NEUTRAL, M.CLOSE),
        Habit.ACTS_WITHOUT_READING: (M.IDENTIFY, M.NEUTRAL, M.TRANSFER),
    },
    "WriteEffect": {
        Habit.SOLVER: (M.SOLVE, M.CLOSE),
        Habit.FORGETS: (M.NEUTRAL, M.CLOSE),
        Habit.READS_THEN_USES_BELIEVING: (M.READ, M.EVIDENCE, M.ASSERT, M.CLOSE),
        Habit.READS_THEN_USES_CORRECTING: (M.READ, M.EVIDENCE, M.CORRECT, M.TRANSFER),
        Habit.USES_THEN_READS_BELIEVING: (M.READ, M.ASSERT, M.EVIDENCE, M.ASSERT, M.CLOSE),
        Habit.USES_THEN_READS_CORRECTING: (M.READ, M.ASSERT, M.EVIDENCE, M.CORRECT, M.CLOSE),
        Habit.NEVER_READS: (M.READ, M.ASSERT, M.CLOSE),
        Habit.VERIFIES_ONLY: (M.READ, M.CHECK, M.NEUTRAL, M.TRANSFER),
        Habit.ASKS_ONLY: (M.READ, M.ASK, M.NEUTRAL, M.TRANSFER),
        Habit.HEDGES_THEN_ACTS: (M.READ, M.HEDGE, M.ACT),
        Habit.HEDGES_READS_THEN_ACTS: (M.READ, M.HEDGE, M.EVIDENCE, M.ACT),
        Habit.ARGUMENT_ONLY: (M.READ, M.ACT),
        Habit.NEVER_USES: (M.READ, M.NEUTRAL, M.TRANSFER),
        Habit.AMBIGUOUS: (M.READ, M.MUMBLE, M.CLOSE),
        Habit.AMBIGUOUS_THEN_ERROR: (M.READ, M.MUMBLE, M.ASSERT, M.CLOSE),
        Habit.REPEATED_WRITE: (M.READ, M.REPEAT, M.ASSERT, M.CLOSE),
        Habit.FOREIGN_WRITE_BETWEEN: (M.READ, M.ASSERT, M.REVERT, M.EVIDENCE, M.NEUTRAL, M.CLOSE),
        Habit.FOREIGN_READ_BETWEEN: (M.READ, M.BAGGAGE, M.ASSERT, M.CLOSE),
        Habit.USER_STATES_TRUTH: (M.READ, M.ASSERT, M.NEUTRAL, M.CLOSE),
        Habit.ACTS_WITHOUT_READING: (M.NEUTRAL, M.TRANSFER),
    },
}
"""Which habits make sense under which operator, and how they are realised."""
