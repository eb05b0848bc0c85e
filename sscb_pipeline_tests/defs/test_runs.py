"""Runs through Dagster: checks stop the same run, receipts stop every later one."""

from __future__ import annotations

from pathlib import Path

import dagster as dg
import pytest

from sscb_pipeline.artifacts.warehouse import existing
from sscb_pipeline.defs.cases import candidate_frames
from sscb_pipeline.defs.resources import WarehouseResource
from sscb_pipeline_tests.defs.small import (
    CASES,
    CELL,
    ForgettingStudy,
    TinyStudy,
    failures,
    made,
    materialize,
)


@pytest.fixture
def warehouse(tmp_path: Path) -> Path:
    return tmp_path / "warehouse"


def test_a_single_cell_runs_from_frames_to_report(warehouse: Path) -> None:
    cases = materialize(warehouse, CASES)
    cell = materialize(warehouse, ["executions", "measurements"], partition=CELL)
    rest = materialize(warehouse, ["claims", "ledger", "claim_cards", "report"])
    assert cases.success and cell.success and rest.success
    checked = [one for result in (cases, cell, rest) for one in result.get_asset_check_evaluations()]
    assert {one.check_name for one in checked} == {
        "frames_hold",
        "witnesses_hold",
        "executions_hold",
        "measurements_hold",
        "claims_hold",
    }
    assert all(one.passed for one in checked)
    assert existing(warehouse).ledger.is_file()
    event = next(one for one in cell.get_asset_materialization_events() if one.asset_key == dg.AssetKey("executions"))
    assert event.partition == CELL
    table = event.materialization.metadata["executions"]
    assert isinstance(table, dg.TableMetadataValue)
    assert table.records[0].data["partition"] == CELL and table.records[0].data["executions"] == 4


def test_a_failed_check_stops_the_same_run_and_says_what_is_broken(warehouse: Path) -> None:
    result = materialize(warehouse, CASES, ForgettingStudy(campaign="tiny"))
    (evaluation,) = result.get_asset_check_evaluations()
    assert not result.success and not evaluation.passed
    assert evaluation.severity is dg.AssetCheckSeverity.ERROR
    assert "requirement candidates_from_records kept" in (evaluation.description or "")
    assert "candidates_from_records: candidate PaySource/" in str(evaluation.metadata["broken"].value)
    assert evaluation.metadata["remedy"].value
    assert made(result) == {"candidate_frames"}
    assert existing(warehouse).receipts.read().entries == ()


def test_a_later_run_of_what_comes_after_refuses_too(warehouse: Path) -> None:
    materialize(warehouse, CASES, ForgettingStudy(campaign="tiny"))
    later = materialize(warehouse, ["admitted_seeds"])
    assert not later.success and made(later) == set()
    data = failures(later)["admitted_seeds"].step_failure_data
    assert data.user_failure_data is not None
    assert "stage frames/PaySource" in (data.user_failure_data.description or "")
    assert set(data.user_failure_data.metadata) == {"subject", "expected", "found", "remedy"}


def test_a_run_without_the_check_opens_nothing(warehouse: Path) -> None:
    first = materialize_without_checks(warehouse)
    assert first.success and first.get_asset_check_evaluations() == []
    later = materialize(warehouse, ["admitted_seeds"])
    assert not later.success and "admitted_seeds" in failures(later)
    assert materialize(warehouse, CASES).success


def materialize_without_checks(warehouse: Path) -> dg.ExecuteInProcessResult:
    with dg.DagsterInstance.ephemeral() as instance:
        return dg.materialize(
            [candidate_frames],
            resources={"warehouse": WarehouseResource(root=str(warehouse)), "study": TinyStudy(campaign="tiny")},
            instance=instance,
        )


@pytest.mark.parametrize("asset", ["executions", "measurements"])
def test_a_cell_asked_for_too_early_is_refused_and_not_retried(warehouse: Path, asset: str) -> None:
    result = materialize(warehouse, [asset], partition=CELL)
    failed = failures(result)
    assert not result.success and set(failed) == {asset}
    assert not any(event.is_step_up_for_retry for event in result.all_events)


def test_a_grid_stage_needs_a_cell(warehouse: Path) -> None:
    assert materialize(warehouse, CASES).success
    result = materialize(warehouse, ["executions"])
    assert not result.success and "executions" in failures(result)
