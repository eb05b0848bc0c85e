"""Integration tests: every fault case under every control, and what the recording stub read."""

from __future__ import annotations

from collections import Counter

import pytest

from sscb_pipeline.judging.trials.case_result import CaseResult, Control
from sscb_pipeline.judging.trials.controls import run_case
from sscb_pipeline.judging.trials.fault_cases import (
    AFTER_LAST_CHECK,
    APART,
    CRLF_BEFORE_STAGING,
    FAULT_CASES,
    FAULT_FREE,
    RESUMED,
    Family,
    FaultCase,
)

PUBLISHED = (Control.P0, Control.P1, Control.P2, Control.P3)
Table = dict[Control, tuple[CaseResult, ...]]


@pytest.fixture(scope="module")
def table() -> Table:
    return {control: tuple(run_case(case, control) for case in FAULT_CASES) for control in Control}


def _stopped(table: Table, control: Control) -> dict[str, Family]:
    return {result.case: result.family for result in table[control] if result.stopped}


def test_the_composition_is_the_published_one() -> None:
    assert Counter(case.family for case in FAULT_CASES) == {
        Family.STEP_OR_CHECK: 11,
        Family.AFTER_STAGING: 3,
        Family.EXTRA_FILE: 1,
        Family.UNMATCHED: 3,
        Family.STALE_SCRIPT: 1,
    }
    assert len({case.name for case in FAULT_CASES}) == 19


def test_the_controls_stop_what_the_paper_says(table: Table) -> None:
    assert [len(_stopped(table, control)) for control in Control] == [0, 11, 15, 18, 19]
    assert set(_stopped(table, Control.P1).values()) == {Family.STEP_OR_CHECK}
    second = _stopped(table, Control.P2).keys() - _stopped(table, Control.P1).keys()
    families = Counter(_stopped(table, Control.P2)[case] for case in second)
    assert families == {Family.AFTER_STAGING: 3, Family.EXTRA_FILE: 1}
    third = _stopped(table, Control.P3).keys() - _stopped(table, Control.P2).keys()
    assert {_stopped(table, Control.P3)[case] for case in third} == {Family.UNMATCHED}
    assert len(third) == 3


def test_without_controls_fourteen_cases_lead_to_a_read_of_changed_bytes(table: Table) -> None:
    read = [result for result in table[Control.P0] if result.changed]
    assert len(read) == 14
    assert all(result.family is not Family.STALE_SCRIPT for result in read)


def test_the_stale_script_is_never_used_and_refused_in_production(table: Table) -> None:
    for control in PUBLISHED:
        (result,) = [one for one in table[control] if one.family is Family.STALE_SCRIPT]
        assert result.completed
    (result,) = [one for one in table[Control.P4] if one.family is Family.STALE_SCRIPT]
    assert result.stopped
    assert "script-99999.json" in result.stopped_by


@pytest.mark.parametrize("case", FAULT_CASES, ids=lambda case: case.name)
def test_in_production_nothing_is_read_in_any_fault_case_although_every_step_is_started_by_hand(
    case: FaultCase, table: Table
) -> None:
    (result,) = [one for one in table[Control.P4] if one.case == case.name]
    assert result.stopped
    assert result.stopped_by
    assert result.changed == 0


@pytest.mark.parametrize("case", FAULT_FREE, ids=lambda case: case.name)
@pytest.mark.parametrize("control", Control)
def test_a_case_without_fault_completes_under_every_control(case: FaultCase, control: Control) -> None:
    result = run_case(case, control)
    assert result.completed
    assert result.reads == result.planned > 0


def test_crlf_before_staging_passes_the_published_controls_and_is_stopped_in_production() -> None:
    assert [run_case(CRLF_BEFORE_STAGING, control).changed for control in PUBLISHED] == [2, 2, 2, 2]
    result = run_case(CRLF_BEFORE_STAGING, Control.P4)
    assert result.stopped
    assert not result.changed


def test_a_change_after_the_last_check_is_refused_at_read_from_p2_on() -> None:
    read = {control: run_case(AFTER_LAST_CHECK, control) for control in Control}
    assert [read[control].changed for control in Control] == [2, 2, 0, 0, 0]
    for control in (Control.P2, Control.P3):
        assert read[control].reads == read[control].planned - 2
    assert read[Control.P4].victim in read[Control.P4].stopped_by


def test_a_resumed_run_reads_no_older_packet() -> None:
    assert run_case(RESUMED, Control.P0).changed == 48
    result = run_case(RESUMED, Control.P4)
    assert result.stopped
    assert "staged" in result.stopped_by


def test_where_a_fault_lies_does_not_depend_on_the_control() -> None:
    for case in (*FAULT_CASES[:3], *APART):
        assert run_case(case, Control.P0).victim == run_case(case, Control.P4).victim
