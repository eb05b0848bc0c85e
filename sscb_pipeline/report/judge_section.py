"""The section on judge inputs: obligations and what shows them, kill table, control table, a packet before and after
its calls are restored (JIA Tables I and II, Figure 1)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from sscb_pipeline.judging.trials.case_result import CaseResult, Control
from sscb_pipeline.judging.trials.fault_cases import Family
from sscb_pipeline.judging.trials.kill_table import KillTable, Reaction
from sscb_pipeline.judging.trials.results import FAULTS, TrialResults
from sscb_pipeline.packets.requirement import ASSIGNED, Checker
from sscb_pipeline.report.view import DataCell, ExcerptView, RowView, SectionView, TableView


@dataclass(frozen=True, slots=True, kw_only=True)
class NoTrials:
    """The trials of the judge path were not run, for the reason `why`."""

    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeInputs:
    """Trial results, the campaign's own judge run, and one packet as O and as R from the target's context on.

    `unauthorised` counts draws in which the judge was given other bytes than those authorised.
    """

    results: TrialResults
    packets: int
    draws: int
    unauthorised: int
    original: str
    restored: str


def judge_section(inputs: JudgeInputs | NoTrials) -> SectionView:
    """Judge inputs: what is required of a packet, and what happens when it is broken."""
    title, ident = "What judges are given", "judge-inputs"
    if isinstance(inputs, NoTrials):
        return SectionView(ident=ident, title=title, lead=f"Not tried in this campaign: {inputs.why}.")
    results = inputs.results
    return SectionView(
        ident=ident,
        title=title,
        lead="A judge reads bytes rendered from a recording. Four obligations hold for them: required content "
        "survives, each checker covers what it is assigned, a failed check stops all later use, and what is read is "
        "what was last checked. Mutants and fault cases are constructed; they show what would be caught, not how "
        "often such faults occur.",
        points=_points(inputs),
        tables=(_obligations(inputs), _kills(results), _controls(results)),
        excerpts=(
            ExcerptView(caption="Rendering O: the target's call is not shown", text=inputs.original),
            ExcerptView(caption="Rendering R: the same packet with every call restored", text=inputs.restored),
        ),
    )


def _points(inputs: JudgeInputs) -> tuple[str, ...]:
    results = inputs.results
    faults = results.of(Control.P4, *FAULTS)
    drawn = (
        f"{inputs.packets} packets of this campaign's executions were built, checked and staged; the recording stub "
        f"was given {inputs.draws} draws, {inputs.unauthorised} of them of bytes that no receipt authorises."
    )
    mutants = (
        f"Of {len(results.production.mutants)} mutants the production checkers name the violated requirement in "
        f"{results.production.named}, the published pair in {results.published.named}."
    )
    stopped = f"Of {len(faults)} fault cases production refuses {sum(one.stopped for one in faults)} before any read."
    return drawn, mutants, stopped


def _obligations(inputs: JudgeInputs) -> TableView:
    results = inputs.results
    both = sum(len(item.assignments) > 1 for item in ASSIGNED)
    legal = len(results.legal)
    alarms = sum(bool(one.alarms) for one in results.legal)
    last = [one for one in results.cases if one.case == "a change after the last check"]
    changed = ", ".join(f"{one.control.value} {one.changed}" for one in last)
    stopped = ", ".join(f"{c.value} {sum(one.stopped for one in results.of(c, *FAULTS))}" for c in Control)
    content = (
        f"{inputs.packets} packets kept {len(ASSIGNED)} requirements; {alarms} false alarms on {legal} unusual legal "
        "inputs"
    )
    covered = (
        f"{results.production.named} of {len(results.production.mutants)} mutants named by every assigned checker; "
        f"{both} requirements have two checkers"
    )
    rows = (
        ("1 required content survives", "packets compared with their source record, both ways", content),
        ("2 checkers cover their requirements", "each requirement violated at different positions", covered),
        ("3 a failed check stops all use", "later steps started by hand after a failure", f"stopped: {stopped}"),
        ("4 what is read was checked", "a packet changed after the last check", f"draws of changed bytes: {changed}"),
    )
    return TableView(
        caption="Obligations, their tests, and what they show",
        row_columns=("obligation",),
        columns=("test", "shown"),
        rows=tuple(
            RowView(headers=(name,), cells=(DataCell(text=test), DataCell(text=shown))) for name, test, shown in rows
        ),
    )


def _kills(results: TrialResults) -> TableView:
    lines = [
        (table.pair.value, checker, assigned)
        for table in (results.published, results.production)
        for checker in Checker
        for assigned in (True, False)
    ]
    tables = {table.pair.value: table for table in (results.published, results.production)}
    return TableView(
        caption="Mutants before each checker",
        row_columns=("pair", "checker"),
        columns=tuple(reaction.value for reaction in Reaction),
        rows=tuple(
            RowView(
                headers=(pair, checker.value if assigned else f"{checker.value}, not assigned"),
                cells=tuple(_kill_cell(tables[pair], checker, reaction, assigned) for reaction in Reaction),
            )
            for pair, checker, assigned in lines
        ),
        note=f"{results.production.shared} of the mutants reach inputs that both checkers read. A checker that a "
        "requirement is not assigned to cannot see its violation. The published pair is a model of the paper's.",
    )


def _kill_cell(table: KillTable, checker: Checker, reaction: Reaction, assigned: bool) -> DataCell:
    kills = [kill for kill in table.kills if kill.checker is checker and kill.assigned is assigned]
    return DataCell(text=str(sum(kill.reaction is reaction for kill in kills)))


def _controls(results: TrialResults) -> TableView:
    rows = [
        RowView(
            headers=(family.value, case),
            cells=tuple(_case_cell(one) for one in sorted(found, key=lambda one: one.control)),
        )
        for family in Family
        for case, found in groupby((one for one in results.cases if one.family is family), key=lambda one: one.case)
    ]
    return TableView(
        caption="Fault cases under cumulative controls, with what the recording stub read",
        row_columns=("kind", "case"),
        columns=tuple(control.value for control in Control),
        rows=tuple(rows),
        note="P0 goes on after failures; P1 stops at a failed step or check; P2 also checks files before use; P3 also "
        "matches results to calls; P4 is production. P0 to P3 exist in the trials only.",
    )


def _case_cell(result: CaseResult) -> DataCell:
    if result.changed:
        return DataCell(text="read changed bytes", note=f"{result.changed} of {result.reads} reads")
    if result.stopped:
        return DataCell(text="stopped", note="nothing read")
    if result.completed:
        return DataCell(text="completed", note=f"{result.reads} reads")
    return DataCell(text="refused in part", note=f"{result.reads} of {result.planned} read, none changed")
