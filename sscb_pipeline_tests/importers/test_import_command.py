"""`sscb import`: exactly the keys others rely on, for every format, and refusals that leave nothing behind."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sscb_pipeline.cli import app
from sscb_pipeline_tests.importers.recordings import recording
from sscb_pipeline_tests.importers.test_importers import V1
from sscb_pipeline_tests.importers.test_line_formats import CHAT, lines

KEYS = [
    "format",
    "runs",
    "steps",
    "calls",
    "results",
    "call_steps",
    "blank_call_steps",
    "calls_without_result",
    "results_without_call",
    "reused_ids",
    "unparsable_arguments",
    "user_calls",
    "empty_runs",
]
GIVEN = {
    "taubench_gpt4o_airline/gpt-4o-airline.json": {
        "format": "taubench_v1",
        "runs": 200,
        "calls": 1164,
        "results": 1164,
        "call_steps": 1164,
        "blank_call_steps": 1074,
        "reused_ids": 73,
    },
    "taubench_malformed/assertions-agent-retail.json": {"calls": 472, "unparsable_arguments": 465, "empty_runs": 34},
    "taubench_malformed/qwen2.5-7b-airline-text-calls.json": {"calls": 0, "results": 0, "runs": 50, "empty_runs": 2},
    "tau2_airline/azure-gpt-4o.json": {"calls": 277, "call_steps": 201, "blank_call_steps": 165},
    "tau2_airline/gpt-oss-120b.json": {
        "format": "tau2_results",
        "calls": 847,
        "call_steps": 680,
        "blank_call_steps": 680,
    },
    "tau2_telecom_usercalls/gpt-4o-telecom.json": {"calls": 215, "user_calls": 125, "results": 215},
    "agentprocessbench/hotpotqa-126-250.jsonl": {
        "format": "agentprocessbench",
        "runs": 125,
        "calls": 243,
        "results": 243,
    },
    "bfcl_multiturn/claude-sonnet-4-5_base_result.jsonl": {
        "format": "bfcl_multiturn",
        "runs": 2,
        "calls": 22,
        "results": 22,
    },
    "bfcl_multiturn/deepseek-v3.1_base_result.jsonl": {"runs": 2, "calls": 25, "results": 25},
    "who_and_when/algorithm_generated.jsonl": {"format": "who_and_when", "runs": 126, "calls": 0, "results": 0},
}


@pytest.mark.parametrize("name", GIVEN)
def test_every_recording_is_accounted_for_both_ways(name: str) -> None:
    done = CliRunner().invoke(app, ["import", str(recording(name)), "--json"])
    assert done.exit_code == 0
    told = json.loads(done.stdout)
    assert list(told) == KEYS
    assert {key: told[key] for key in GIVEN[name]} == GIVEN[name]
    assert (told["calls_without_result"], told["results_without_call"]) == (0, 0)


def test_text_calls_are_told_and_stay_text() -> None:
    done = CliRunner().invoke(
        app, ["import", str(recording("taubench_malformed/qwen2.5-7b-airline-text-calls.json")), "--json"]
    )
    assert "804 calls stand in texts only" in done.stderr
    assert json.loads(done.stdout)["calls"] == 0


def test_counts_of_a_small_file(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_bytes(lines(CHAT))
    told = json.loads(CliRunner().invoke(app, ["import", str(path), "--json"]).stdout)
    assert list(told.values()) == ["openai_chat", 1, 5, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0]
    people = CliRunner().invoke(app, ["import", str(path), "--format", "openai_chat"])
    assert people.exit_code == 0
    assert "blank call steps" in people.stdout


@pytest.mark.parametrize(
    ("content", "arguments", "expected"),
    [
        (V1[:-20], [], "bad.json"),
        (b'{"a": 1}\n', [], "agentprocessbench"),
        (V1, ["--format", "csv"], "who_and_when, executions"),
        (lines(CHAT) + b"{", [], "bad.json, line 2"),
        (V1, ["--format", "executions"], "warehouse"),
    ],
)
def test_bad_input_ends_with_code_2_and_a_word(
    content: bytes, arguments: list[str], expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSCB_WAREHOUSE", str(tmp_path / "none"))
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    done = CliRunner().invoke(app, ["import", str(path), "--json", *arguments])
    assert done.exit_code == 2
    assert done.stdout == ""
    assert expected in done.stderr.replace("\n", " ")
    assert [entry.name for entry in tmp_path.iterdir()] == ["bad.json"]
