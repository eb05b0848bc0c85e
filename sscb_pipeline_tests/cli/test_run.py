"""`sscb run` as a process: a whole small run, a second one that executes nothing, and one that may not begin."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sscb_pipeline.artifacts.lease import lease
from sscb_pipeline.artifacts.warehouse import create_or_open
from sscb_pipeline_tests.stages.small import contents

ROOT = Path(__file__).parents[2]


def run(warehouse: Path, *options: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from sscb_pipeline.cli import main; main()", "run", *options],
        capture_output=True,
        text=True,
        cwd=cwd,
        env={**os.environ, "SSCB_WAREHOUSE": str(warehouse), "PYTHONPATH": str(ROOT)},
        timeout=500,
        check=False,
    )


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, subprocess.CompletedProcess[str]]:
    warehouse = tmp_path_factory.mktemp("run") / "warehouse"
    return warehouse, run(warehouse, "--campaign", "one", "--seeds", "1", "--json")


def test_a_run_prints_its_figures_and_nothing_else(
    finished: tuple[Path, subprocess.CompletedProcess[str]],
) -> None:
    warehouse, done = finished
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["campaign"] == "one"
    assert found["admitted"] == dict.fromkeys(("ReturnDate", "ItemOption", "PaySource", "WriteEffect"), 30)
    fault = found["executions"]["fault"]
    assert fault["scheduled"] == 4 * (3 + 3 + 3 + 1 + 1 + 1)
    assert fault["scheduled"] == sum(fault[kind] for kind in ("completed", "truncated", "missing", "not_run"))
    assert Path(found["report"]).is_relative_to(warehouse) and Path(found["report"]).is_file()
    assert found["ledger"] == str(warehouse / "sscb.duckdb")
    assert f"executions: {found['executions']['clean']['scheduled']}" not in done.stdout
    assert "executions:" in done.stderr


def test_a_second_run_executes_nothing_again(finished: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    warehouse, done = finished
    journals = contents(warehouse / "journals")
    again = run(warehouse, "--campaign", "one", "--seeds", "1", "--json")
    assert again.returncode == 0 and json.loads(again.stdout) == json.loads(done.stdout)
    assert contents(warehouse / "journals") == journals
    assert "executions: nothing left to do" in again.stderr


def test_while_another_run_goes_on_a_run_is_refused(tmp_path: Path) -> None:
    warehouse = create_or_open(tmp_path / "warehouse")
    before = contents(warehouse.root)
    with lease(warehouse.lease_path("run"), "a test"):
        refused = run(warehouse.root, "--json")
    assert refused.returncode == 1 and refused.stdout == "" and refused.stderr
    assert contents(warehouse.root) == before


def test_outside_a_checkout_a_run_says_where_to_go(tmp_path: Path) -> None:
    refused = run(tmp_path / "warehouse", "--json", cwd=tmp_path)
    assert refused.returncode == 2 and refused.stdout == ""
    assert "checkout" in refused.stderr.replace("\n", " ") and list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("seeds", ["0", "31", "many"])
def test_a_number_of_seeds_that_cannot_be_is_refused_before_anything_is_written(tmp_path: Path, seeds: str) -> None:
    refused = run(tmp_path / "warehouse", "--seeds", seeds, "--json")
    assert refused.returncode == 2 and refused.stdout == "" and refused.stderr
    assert list(tmp_path.iterdir()) == []
