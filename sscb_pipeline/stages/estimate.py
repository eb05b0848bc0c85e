"""What is left of a study and what it will take: executions, calls, tokens, money.

The figures per execution are averages over what the campaign has on record for the same configuration. Without a
record they are unknown: a small `seeds_per_operator` makes a cheap first sample, and its executions are kept when the
number is raised. A price or a usage that nobody told is unknown and is never counted as 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sscb_pipeline.artifacts.warehouse import JournalName, Warehouse, existing
from sscb_pipeline.completions.spending import Totals
from sscb_pipeline.errors import InputError
from sscb_pipeline.faults.operators.registry import operator_named
from sscb_pipeline.stages.call_totals import recorded_totals
from sscb_pipeline.stages.execution_index import StoredObjects, read_journal
from sscb_pipeline.stages.names import Stage
from sscb_pipeline.stages.study import Study, model_study


@dataclass(frozen=True, slots=True, kw_only=True)
class Amount:
    """An expected amount."""

    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown:
    """Why an amount can not be told."""

    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One configuration: scheduled and finished executions, what was spent, and what the rest should take at most
    (every clean task solved)."""

    configuration: str
    scheduled: int
    finished: int
    spent: Totals
    calls: Amount | Unknown
    tokens: Amount | Unknown
    usd: Amount | Unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyEstimate:
    """All configurations of a study file; `basis` says in a sentence what the figures rest on."""

    campaign: str
    rows: tuple[Row, ...]
    basis: str


def estimate_study(root: Path, config: Path) -> StudyEstimate:
    """The estimate for a study file and the warehouse at `root`, which need not exist. Raises InputError for the
    file."""
    study = model_study(config)
    try:
        warehouse = existing(root)
    except InputError:
        warehouse = Warehouse(root)  # nothing has run; journals that are not there read as empty
    rows = tuple(_row(warehouse, study, name) for name in study.contenders)
    played = sum(row.finished for row in rows)
    basis = (
        f"averages of the {played} executions that campaign {study.campaign} has finished"
        if played
        else "no execution has finished yet: run a few seeds first (seeds_per_operator: 1), then estimate again"
    )
    return StudyEstimate(campaign=study.campaign, rows=rows, basis=basis)


def line_of(row: Row) -> Mapping[str, Any]:
    """A row for people and programs; an unknown amount is the text `unknown: …`."""
    spent = row.spent
    return {
        "configuration": row.configuration,
        "scheduled": row.scheduled,
        "finished": row.finished,
        "calls_so_far": spent.calls,
        "tokens_so_far": spent.tokens,
        "usd_so_far": spent.usd,
        "calls_of_unknown_size": spent.calls_without_usage,
        "calls_of_unknown_cost": spent.calls_without_price,
        "calls_left": _told(row.calls),
        "tokens_left": _told(row.tokens),
        "usd_left": _told(row.usd),
    }


def _told(amount: Amount | Unknown) -> float | str:
    return amount.value if isinstance(amount, Amount) else f"unknown: {amount.why}"


def _row(warehouse: Warehouse, study: Study, name: str) -> Row:
    scheduled = sum(_scheduled(study, operator, name) for operator in study.operators)
    finished = played = 0
    for operator in study.operators:
        partition = study.partition(operator, name)
        journal = warehouse.journal(
            JournalName(campaign=study.campaign, stage=Stage.EXECUTIONS, partition=partition.name)
        )
        own = [
            execution
            for execution in read_journal(journal).values()
            if execution.key.configuration_sha256 == partition.contender.reference.configuration_sha256
        ]
        finished += len(own)
        played += sum(isinstance(execution.objects, StoredObjects) for execution in own)
    spent = recorded_totals(warehouse, study.campaign, name)
    left = max(0, scheduled - finished)
    return Row(
        configuration=name,
        scheduled=scheduled,
        finished=finished,
        spent=spent,
        calls=_rest(spent.calls, spent.calls, played, left, "no execution has finished"),
        tokens=_rest(
            spent.tokens, spent.calls - spent.calls_without_usage, played, left, "no usage is on record", spent
        ),
        usd=_rest(spent.usd, spent.calls - spent.calls_without_price, played, left, "no price is known", spent),
    )


def _scheduled(study: Study, operator: str, name: str) -> int:
    """Executions of a cell where the frame gives all the seeds that are asked for."""
    reference = study.contenders[name].reference
    seeds = min(reference.seeds_per_operator, study.admitted_per_operator)
    return seeds * (1 + reference.repeats + len(operator_named(operator).paired))


def _rest(total: float, told: int, played: int, left: int, why: str, totals: Totals | None = None) -> Amount | Unknown:
    """What the executions left will take: the average of a call that was told, times the calls of an execution."""
    if not left:
        return Amount(value=0.0)
    if not played:
        return Unknown(why="no execution has finished")
    if not told:
        return Unknown(why=why)
    calls = totals.calls if totals is not None else told
    return Amount(value=total / told * calls / played * left)
