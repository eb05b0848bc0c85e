"""The definitions load, say what they should, and pull in nothing heavy."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import dagster as dg
import pytest
import yaml

from sscb_pipeline.definitions import MEASUREMENT_JOB, defs
from sscb_pipeline.defs.grid import GRID, chosen
from sscb_pipeline.defs.home import dagster_environment, find_home
from sscb_pipeline.errors import InputError
from sscb_pipeline.faults.operators.registry import OPERATORS
from sscb_pipeline.stages.names import grid_partition
from sscb_pipeline.stages.reference_contenders import reference_contenders
from sscb_pipeline.stages.study import reference_study

ROOT = Path(__file__).parents[2]

GRAPH = {
    "candidate_frames": ("cases", set()),
    "admitted_seeds": ("cases", {"candidate_frames"}),
    "executions": ("runs", {"admitted_seeds"}),
    "measurements": ("measurements", {"executions"}),
    "claims": ("claims", {"measurements"}),
    "ledger": ("claims", {"claims", "judge_draws", "judge_trials"}),
    "claim_cards": ("report", {"ledger"}),
    "report": ("report", {"claim_cards"}),
}
CHECKS = {
    "frames_hold": "candidate_frames",
    "witnesses_hold": "admitted_seeds",
    "executions_hold": "executions",
    "measurements_hold": "measurements",
    "claims_hold": "claims",
}


def test_the_definitions_are_loadable() -> None:
    dg.Definitions.validate_loadable(defs)


def test_the_measurement_assets_form_the_chain_of_stages() -> None:
    graph = defs.resolve_asset_graph()
    for name, (group, upstream) in GRAPH.items():
        node = graph.get(dg.AssetKey(name))
        assert node.group_name == group
        assert {key.to_user_string() for key in node.parent_keys} == upstream
        assert node.description and node.owners
        assert (node.partitions_def == GRID) == (name in ("executions", "measurements"))


def test_every_measured_stage_has_a_blocking_check() -> None:
    graph = defs.resolve_asset_graph()
    found = {key.name: (key.asset_key.to_user_string(), graph.get(key).blocking) for key in graph.asset_check_keys}
    for name, asset in CHECKS.items():
        assert found[name] == (asset, True)
    assert all(blocking for _, blocking in found.values())


def test_one_job_takes_everything_the_measurement_needs() -> None:
    job = defs.resolve_job_def(MEASUREMENT_JOB)
    assert set(GRAPH) <= {key.to_user_string() for key in job.asset_layer.executable_asset_keys}


def test_partitions_are_operator_by_configuration() -> None:
    names = [contender.reference.configuration_id for contender in reference_contenders()]
    expected = {grid_partition(operator, configuration) for operator in OPERATORS for configuration in names}
    assert set(GRID.get_partition_keys()) == expected and len(expected) == 24
    study = reference_study("c")
    assert {cell.name for cell in study.partitions()} == expected
    assert [cell.name for cell in chosen(study, sorted(expected))] == sorted(expected)


@pytest.mark.parametrize("key", ["R9-nobody|PaySource", "R1-reads-first|SeatSwap"])
def test_an_unknown_cell_is_refused_with_the_known_names(key: str) -> None:
    with pytest.raises(InputError, match="one of"):
        chosen(reference_study("c"), [key])


LOADING = """
import sys, time
begun = time.process_time()
import sscb_pipeline.definitions
spent = time.process_time() - begun
heavy = sorted(name for name in ("litellm", "tau2", "duckdb.experimental") if name in sys.modules)
print(spent, *heavy)
"""


def test_loading_the_definitions_imports_neither_litellm_nor_tau2_and_is_quick() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADING], capture_output=True, text=True, check=True, cwd=ROOT, timeout=120
    )
    spent, *heavy = done.stdout.split()
    assert heavy == []
    assert float(spent) < 2.5


def test_workspace_settings_and_project_name_the_same_location() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["dg"]["project"]
    (entry,) = yaml.safe_load((ROOT / "workspace.yaml").read_text())["load_from"]
    module = entry["python_module"]
    assert module["location_name"] == project["code_location_name"] == "sscb_pipeline"
    assert module["module_name"] == f"{project['root_module']}.definitions"
    assert project["defs_module"] == "sscb_pipeline.defs"


def test_dagster_yaml_keeps_state_beside_the_warehouse_and_asks_nobody(tmp_path: Path) -> None:
    settings = yaml.safe_load((ROOT / "dagster.yaml").read_text())
    assert settings["telemetry"] == {"enabled": False} and settings["nux"] == {"enabled": False}
    assert settings["run_monitoring"]["enabled"] is True
    environment = dagster_environment(ROOT, tmp_path)
    named = _environment_names(settings)
    assert named and named <= set(environment)
    assert all(Path(environment[name]).is_relative_to(tmp_path) for name in named)
    assert environment["DAGSTER_HOME"] == str(ROOT) and environment["SSCB_WAREHOUSE"] == str(tmp_path)


def _environment_names(value: object) -> set[str]:
    if isinstance(value, dict):
        inner = {name for part in value.values() for name in _environment_names(part)}
        return inner | ({value["env"]} if isinstance(value.get("env"), str) else set())
    return set()


def test_an_instance_of_these_settings_lies_beside_the_warehouse(tmp_path: Path) -> None:
    environment = {**os.environ, **dagster_environment(ROOT, tmp_path / "warehouse")}
    script = (
        "import dagster as dg\n"
        "with dg.DagsterInstance.get() as instance:\n"
        "    print(instance.storage_directory(), instance.telemetry_enabled)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env=environment, timeout=120
    )
    folder, telemetry = done.stdout.split()
    assert Path(folder).is_relative_to(tmp_path / "warehouse") and telemetry == "False"


def test_the_home_is_found_from_below_and_missed_with_a_remedy(tmp_path: Path) -> None:
    assert find_home(ROOT / "sscb_pipeline" / "defs") == ROOT
    with pytest.raises(InputError, match="checkout"):
        find_home(tmp_path)
