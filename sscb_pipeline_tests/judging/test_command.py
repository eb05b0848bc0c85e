"""`sscb judge` as a command: the whole path, step by step in processes of their own, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from sscb_pipeline.cli import app
from sscb_pipeline_tests.importers.recordings import recording


@pytest.fixture
def environment(tmp_path: Path) -> Mapping[str, str]:
    return {"SSCB_WAREHOUSE": str(tmp_path / "w")}


def _judge(environment: Mapping[str, str], *arguments: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, ["judge", *arguments], env=environment)
    assert result.exit_code == code, result.output
    return result.stdout if code == 0 else " ".join(result.stderr.split())


def _json(environment: Mapping[str, str], *arguments: str) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(_judge(environment, *arguments, "--json"))
    return value


def test_the_generated_cohort_goes_all_the_way_to_the_stub(environment: Mapping[str, str]) -> None:
    found = _json(environment, "run", "--source", "generated", "--judge", "stub")
    assert found["packets"] == 240
    assert found["draws"] == {
        "planned": 480,
        "made": 480,
        "yes": 0,
        "no": 0,
        "cannot_decide": 480,
        "invalid": 0,
        "provider_error": 0,
    }
    assert (found["read"]["draws"], found["read"]["unauthorised"]) == (480, 0)
    assert len(found["read"]["packets"]) == 240
    assert len(found["cells"]) == 8
    assert all(cell["targets"] == 30 for cell in found["cells"])
    blank = {(cell["target"], cell["blank_targets"]) for cell in found["cells"]}
    assert blank == {("error", 26), ("comparison", 27)}
    assert _json(environment, "run", "--source", "generated") == found


def test_each_step_can_be_started_alone_and_refuses_before_its_turn(environment: Mapping[str, str]) -> None:
    run = _json(environment, "build", "--source", "generated")["run"]
    assert "run stage judge_stage" in _judge(environment, "check", run, code=1)
    assert "judge_stage" in _judge(environment, "emit", run, code=1)
    _judge(environment, "stage", run)
    assert "found none" in _judge(environment, "emit", run, code=1)
    _judge(environment, "check", run)
    assert "judge_emit" in _judge(environment, "dispatch", run, code=1)
    _judge(environment, "emit", run)
    assert _json(environment, "dispatch", run[:8])["draws"]["made"] == 480


def test_a_file_judge_is_refused_before_anything_is_built(environment: Mapping[str, str], tmp_path: Path) -> None:
    chosen = tmp_path / "judge.yaml"
    chosen.write_text("name: j0\nmodel: openai/judge\ndelivery: file\n")
    told = _judge(environment, "run", "--source", "generated", "--judge", str(chosen), code=2)
    assert "delivery prompt" in told
    assert not (tmp_path / "w").exists()


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("name: j0\n", "model"),
        ("name: j0\nmodel: openai/x\ntemperature: hot\n", "temperature"),
        ("name: j0\nmodel: openai/x\nkey: sk-1234\n", "key"),
        ("name: j0\nmodel: anthropic/x\n", "openai/NAME"),
        ("[", "readable YAML"),
    ],
)
def test_a_judge_configuration_is_refused_with_field_and_remedy(
    environment: Mapping[str, str], tmp_path: Path, text: str, named: str
) -> None:
    chosen = tmp_path / "judge.yaml"
    chosen.write_text(text)
    told = _judge(environment, "run", "--source", "generated", "--judge", str(chosen), code=2)
    assert named in told
    assert "sk-1234" not in told
    assert not (tmp_path / "w").exists()


def test_a_run_that_is_not_there_is_named(environment: Mapping[str, str]) -> None:
    _json(environment, "build", "--source", "generated")
    assert "0 runs" in _judge(environment, "stage", "abcdef", code=2)


def test_labelled_and_unlabelled_recordings(environment: Mapping[str, str]) -> None:
    labelled = recording("agentprocessbench/hotpotqa-126-250.jsonl")
    found = _json(environment, "run", "--source", str(labelled))
    assert {(cell["target"], cell["rendering"]) for cell in found["cells"]} == {
        (target, rendering) for target in ("error", "comparison") for rendering in ("O", "R")
    }
    assert found["read"]["unauthorised"] == 0
    plain = recording("taubench_gpt4o_airline/gpt-4o-airline.json")
    found = _json(environment, "run", "--source", str(plain))
    assert {(cell["target"], cell["rendering"], cell["targets"]) for cell in found["cells"]} == {
        ("unlabelled", "C", 200)
    }


def test_the_trials_print_their_summary(environment: Mapping[str, str]) -> None:
    found = _json(environment, "trials")
    assert found["mutants"]["named"] == found["mutants"]["total"] >= 38
    assert found["mutants"]["shared"] >= 34
    stopped = [found["controls"][control]["stopped"] for control in ("P0", "P1", "P2", "P3", "P4")]
    assert stopped == [0, 11, 15, 18, 19]
    assert (found["fault_cases"], found["fault_free_completed"]) == (19, 2)
