"""A population is data: one tuple of conditions filters the rows here and renders the SQL a reader can run.

Because both come from the same object, the query printed beside a number lists exactly the executions in it. Conditions
speak of RunRow columns, which are the columns of the ledger view `runs`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

import numpy as np

from sscb_pipeline.claims.run_table import COLUMNS, Mask, RunTable
from sscb_pipeline.errors import InputError


class Comparison(StrEnum):
    """How a column is held against values."""

    EQUALS = "="
    DIFFERS = "!="
    IN = "in"


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueCondition:
    """A column against one value (`=`, `!=`) or several (`in`)."""

    column: str
    comparison: Comparison
    values: tuple[str | int, ...]

    def __post_init__(self) -> None:
        _require_column(self.column)
        if self.comparison is not Comparison.IN and len(self.values) != 1:
            raise InputError(
                subject=f"condition on {self.column}",
                expected=f"one value for {self.comparison}",
                found=str(len(self.values)),
                remedy="use `in` for several values",
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """Step column `left` lies before step column `right`. Both times must be located by other conditions."""

    left: str
    right: str

    def __post_init__(self) -> None:
        _require_column(self.left)
        _require_column(self.right)


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """`later - earlier`, in steps, lies within low..high, both included."""

    later: str
    earlier: str
    low: int
    high: int

    def __post_init__(self) -> None:
        _require_column(self.later)
        _require_column(self.earlier)


class Having(StrEnum):
    """What must hold of the rows that share the key."""

    SOME = "some"
    NONE = "none"
    SEVERAL = "several"
    SEVERAL_STRATA = "several_strata"


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """A statement about the rows of `runs` that agree with this row in every `key` column and meet `where`."""

    key: tuple[str, ...]
    where: tuple[ValueCondition, ...]
    having: Having

    def __post_init__(self) -> None:
        for column in self.key:
            _require_column(column)


Condition = ValueCondition | Earlier | Gap | Related
Conditions = tuple[Condition, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Population:
    """Executions that meet every condition, and the sentence that says so to a reader."""

    sentence: str
    conditions: Conditions

    def and_(self, sentence: str, *conditions: Condition) -> Population:
        """A narrower population; its sentence continues this one's."""
        return Population(sentence=f"{self.sentence}; {sentence}", conditions=self.conditions + conditions)


def equals(column: str, value: str | int) -> ValueCondition:
    """column = value."""
    return ValueCondition(column=column, comparison=Comparison.EQUALS, values=(value,))


def differs(column: str, value: str | int) -> ValueCondition:
    """column != value."""
    return ValueCondition(column=column, comparison=Comparison.DIFFERS, values=(value,))


def among(column: str, *values: str | int) -> ValueCondition:
    """column in (values)."""
    return ValueCondition(column=column, comparison=Comparison.IN, values=values)


class Filter:
    """Evaluates conditions on one table; each condition is evaluated once and kept."""

    def __init__(self, table: RunTable) -> None:
        self.table = table
        self._kept: dict[Condition, Mask] = {}

    def mask(self, conditions: Conditions) -> Mask:
        """Rows that meet every condition, shape (rows,)."""
        met = np.ones(self.table.rows, dtype=np.bool_)
        for condition in conditions:
            met &= self._one(condition)
        return met

    def _one(self, condition: Condition) -> Mask:
        if condition not in self._kept:
            self._kept[condition] = self._evaluate(condition)
        return self._kept[condition]

    def _evaluate(self, condition: Condition) -> Mask:
        match condition:
            case ValueCondition():
                met = self.table.equal_to(condition.column, condition.values)
                return ~met if condition.comparison is Comparison.DIFFERS else met
            case Earlier():
                return np.asarray(self.table.integers(condition.left) < self.table.integers(condition.right))
            case Gap():
                gap = self.table.integers(condition.later) - self.table.integers(condition.earlier)
                return np.asarray((gap >= condition.low) & (gap <= condition.high))
            case Related():
                return self._related(condition)
            case _:
                assert_never(condition)

    def _related(self, condition: Related) -> Mask:
        groups = self.table.groups(condition.key)
        where = self.mask(condition.where)
        members = np.bincount(groups[where], minlength=int(groups.max(initial=-1)) + 1)
        match condition.having:
            case Having.SOME:
                return np.asarray(members[groups] > 0)
            case Having.NONE:
                return np.asarray(members[groups] == 0)
            case Having.SEVERAL:
                return np.asarray(members[groups] > 1)
            case Having.SEVERAL_STRATA:
                strata = self.table.groups(("stratum",))
                width = int(strata.max(initial=0)) + 1
                pairs = np.unique(groups[where] * width + strata[where])
                distinct = np.bincount(pairs // width, minlength=len(members))
                return np.asarray(distinct[groups] > 1)
            case _:
                assert_never(condition.having)


def sql_listing(population: Conditions, numerator: Conditions) -> str:
    """One query over the view `runs`: every execution of the population, and whether it is in the numerator."""
    return f"SELECT execution_id, {_inline(numerator)} AS in_numerator\n{_from(population)}"


def sql_rest(population: Conditions, evaluable: Conditions) -> str:
    """One query over the view `runs`: the executions of the population that are not evaluable."""
    return f"SELECT execution_id\n{_from(population)}\n  AND NOT {_inline(evaluable)}"


def _from(conditions: Conditions) -> str:
    return "FROM runs\nWHERE " + "\n  AND ".join(_sql(condition) for condition in conditions)


def _inline(conditions: Conditions) -> str:
    return "(" + " AND ".join(_sql(condition) for condition in conditions) + ")" if conditions else "TRUE"


def _sql(condition: Condition) -> str:
    match condition:
        case ValueCondition():
            if condition.comparison is Comparison.IN:
                return f"{condition.column} IN ({', '.join(_literal(value) for value in condition.values)})"
            return f"{condition.column} {condition.comparison} {_literal(condition.values[0])}"
        case Earlier():
            return f"{condition.left} < {condition.right}"
        case Gap():
            return f"{condition.later} - {condition.earlier} BETWEEN {condition.low} AND {condition.high}"
        case Related():
            return _related_sql(condition)
        case _:
            assert_never(condition)


def _related_sql(condition: Related) -> str:
    key = ", ".join(condition.key)
    where = " AND ".join(_sql(part) for part in condition.where)
    tail = {
        Having.SOME: "",
        Having.NONE: "",
        Having.SEVERAL: f" GROUP BY {key} HAVING count(*) > 1",
        Having.SEVERAL_STRATA: f" GROUP BY {key} HAVING count(DISTINCT stratum) > 1",
    }[condition.having]
    membership = "NOT IN" if condition.having is Having.NONE else "IN"
    return f"({key}) {membership} (SELECT {key} FROM runs WHERE {where}{tail})"


def _literal(value: str | int) -> str:
    return str(value) if isinstance(value, int) else "'" + value.replace("'", "''") + "'"


def _require_column(column: str) -> None:
    if column not in COLUMNS:
        raise InputError(
            subject=f"condition on {column}",
            expected="a column of RunRow",
            found=column,
            remedy="see claims/run_row.py",
        )
