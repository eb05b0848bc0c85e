"""The trials together: kill tables, control table, legal inputs; as one record and as the summary a command prints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sscb_pipeline.judging.trials.case_result import CaseResult, Control
from sscb_pipeline.judging.trials.checker_pairs import Pair
from sscb_pipeline.judging.trials.controls import run_case
from sscb_pipeline.judging.trials.fault_cases import APART, FAULT_CASES, FAULT_FREE, Family
from sscb_pipeline.judging.trials.kill_table import KillTable, all_mutants, kill_table
from sscb_pipeline.judging.trials.legal import LEGAL, false_alarms


@dataclass(frozen=True, slots=True, kw_only=True)
class LegalResult:
    """A legal input and what the production pair found wrong with it: nothing, if all is well."""

    requirement: str
    unusual: str
    alarms: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialResults:
    """Everything the trials found."""

    production: KillTable
    published: KillTable
    legal: tuple[LegalResult, ...]
    cases: tuple[CaseResult, ...]

    def of(self, control: Control, *families: Family) -> tuple[CaseResult, ...]:
        """The cases of some families under one control, in order."""
        return tuple(one for one in self.cases if one.control is control and one.family in families)


FAULTS = tuple(family for family in Family if family not in (Family.FAULT_FREE, Family.APART))
"""The families of the nineteen."""


def run_trials(progress: Callable[[int], None]) -> TrialResults:
    """Every trial. `progress` is told of finished units; there are `trial_units()`."""
    mutants = all_mutants()
    tables = []
    for pair in (Pair.PRODUCTION, Pair.AS_PUBLISHED):
        tables.append(kill_table(pair, mutants))
        progress(len(mutants))
    legal = tuple(
        LegalResult(
            requirement=case.requirement.value,
            unusual=case.unusual,
            alarms=tuple(f"{alarm.checker}: {alarm.found}" for alarm in false_alarms(case)),
        )
        for case in LEGAL
    )
    cases: list[CaseResult] = []
    for case in (*FAULT_CASES, *FAULT_FREE, *APART):
        cases += [run_case(case, control) for control in Control]
        progress(len(Control))
    return TrialResults(production=tables[0], published=tables[1], legal=legal, cases=tuple(cases))


def trial_units() -> int:
    """How many units `run_trials` reports."""
    return 2 * len(all_mutants()) + len(Control) * len((*FAULT_CASES, *FAULT_FREE, *APART))


def summary(results: TrialResults) -> dict[str, Any]:
    """What `sscb judge trials --json` prints. `stopped` and `read_changed` count the fault cases in which nothing was
    read, and those in which changed or stale bytes were; `fault_free_completed` counts fault-free cases that completed
    under every control."""
    table = results.production
    return {
        "mutants": {
            "total": len(table.mutants),
            "shared": table.shared,
            "unassigned_accepts": table.unassigned_accepts,
            "named": table.named,
        },
        "controls": {control.value: _counts(results.of(control, *FAULTS)) for control in Control},
        "fault_cases": len(FAULT_CASES),
        "fault_free_completed": sum(_completes(results, case.name) for case in FAULT_FREE),
    }


def _counts(cases: Sequence[CaseResult]) -> dict[str, int]:
    return {
        "stopped": sum(one.stopped for one in cases),
        "read_changed": sum(one.changed > 0 for one in cases),
    }


def _completes(results: TrialResults, name: str) -> bool:
    return all(one.completed for one in results.cases if one.case == name)


def violations(results: TrialResults) -> dict[str, tuple[str, ...]]:
    """What must hold of the production path and does not, by what must hold; every list is empty if all is well."""
    table = results.production
    missed = [f"{k.mutant}: {k.checker.value} {k.reaction.value}" for k in table.kills if k.assigned and not k.named]
    crashed = [f"{k.mutant}: {k.checker.value}" for k in table.kills if k.crashed]
    alarms = [f"{one.unusual}: {alarm}" for one in results.legal for alarm in one.alarms]
    production = [one for one in results.cases if one.control is Control.P4]
    faulty = [one for one in production if one.family is not Family.FAULT_FREE]
    unstopped = [f"{one.case}: {one.reads} reads" for one in faulty if not one.stopped_by]
    changed = [f"{one.case}: {one.changed} reads of other bytes" for one in production if one.changed]
    unfinished = [f"{case.name}" for case in FAULT_FREE if not _completes(results, case.name)]
    return {
        "mutants_named": tuple(missed),
        "no_checker_crashes": tuple(crashed),
        "no_false_alarm": tuple(alarms),
        "faults_stopped": tuple(unstopped),
        "no_changed_byte_read": tuple(changed),
        "fault_free_complete": tuple(unfinished),
    }
