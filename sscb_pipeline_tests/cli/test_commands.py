"""The `sscb` command: exit codes, one JSON document on standard output, marks, and text that is no command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sscb_pipeline.artifacts.records import from_bytes, to_bytes
from sscb_pipeline.artifacts.warehouse import create_or_open
from sscb_pipeline.episodes.execution import EndingKind
from sscb_pipeline.measured import Located
from sscb_pipeline.stages.execution_index import ExecutionIndex, StoredObjects
from sscb_pipeline.stages.executions import INDEX, read_index
from sscb_pipeline.stages.measurements import read_measured
from sscb_pipeline.terminal.plain import plain
from sscb_pipeline.trajectories.codec import decode, encode
from sscb_pipeline.trajectories.steps import UserMessage
from sscb_pipeline_tests.cli.conftest import Command
from sscb_pipeline_tests.stages.small import CAMPAIGN, Runner, contents

ROOT = Path(__file__).parents[2]
CELL = "R1-reads-first|ReturnDate"


def triggered(study: Runner) -> str:
    """Id of an execution with T_F, T_E and T_S located."""
    measured = read_measured(study.warehouse, study.now(CAMPAIGN, "measurements", CELL))
    return next(
        entry.execution.execution_id
        for entry in measured.executions
        if all(
            isinstance(time, Located)
            for time in (
                entry.execution.measurement.t_f,
                entry.execution.measurement.t_e,
                entry.execution.measurement.t_s,
            )
        )
    )


def test_status_prints_exactly_the_agreed_keys(sscb: Command) -> None:
    result = sscb("status", "--campaign", CAMPAIGN, "--json")
    assert result.exit_code == 0 and result.stderr == ""
    found = json.loads(result.stdout)
    kinds = {"scheduled", "completed", "truncated", "missing", "not_run", "not_triggered"}
    assert {"frames", "admitted", "executions", "strata", "calibration"} <= set(found)
    assert found["frames"] == {"ReturnDate": 106, "ItemOption": 203, "PaySource": 120, "WriteEffect": 114}
    assert found["admitted"] == dict.fromkeys(found["frames"], 3)
    assert set(found["executions"]) == {"fault", "paired", "clean"}
    for counts in found["executions"].values():
        assert set(counts) == kinds
        assert counts["scheduled"] == sum(counts[kind] for kind in ("completed", "truncated", "missing", "not_run"))
    assert set(found["strata"]) == {"before", "after", "absent", "undeterminable", "no_use"}
    assert set(found["calibration"]) == {"labels", "disagreements"}
    assert found["calibration"]["labels"] > 0 == found["calibration"]["disagreements"]


def test_fault_counts_are_baseline_executions_only(sscb: Command) -> None:
    found = json.loads(sscb("status", "--campaign", CAMPAIGN, "--json").stdout)["executions"]
    seeds = 4 * 3
    assert found["fault"]["scheduled"] == seeds * 3 + seeds * 1
    assert found["clean"]["scheduled"] == seeds * 2
    assert found["paired"]["scheduled"] == 2 * (3 * 1 + 3 * 2)


def test_status_for_people_holds_the_same_figures(sscb: Command) -> None:
    result = sscb("status", "--campaign", CAMPAIGN)
    assert result.exit_code == 0
    assert "frames · ReturnDate" in result.stdout and "106" in result.stdout


def test_show_marks_the_events_of_the_execution_a_prefix_names(study: Runner, sscb: Command) -> None:
    execution = triggered(study)
    result = sscb("show", execution[:12])
    assert result.exit_code == 0 and execution in result.stdout
    document = json.loads(sscb("show", execution[:12], "--json").stdout)
    for mark, name in (("T_F", "t_f"), ("T_E", "t_e"), ("T_S", "t_s")):
        step = document["measurement"][name]["step"]
        (line,) = [line for line in result.stdout.splitlines() if line.strip("│┃ ").split(" ")[0] == str(step)]
        assert mark in line
    assert [step["index"] for step in document["steps"]] == list(range(len(document["steps"])))
    assert document["execution"]["key"]["campaign"] == CAMPAIGN


@pytest.mark.parametrize(("name", "found"), [("", "0 characters"), ("abc", "3 characters"), ("zzzz", "0 executions")])
def test_show_refuses_a_name_that_names_none_or_too_many(sscb: Command, name: str, found: str) -> None:
    result = sscb("show", name, "--json")
    assert result.exit_code == 2 and result.stdout == ""
    assert found in result.stderr and "sscb query" in result.stderr


def test_show_refuses_an_execution_that_was_not_played(study: Runner, sscb: Command) -> None:
    names = [
        one.execution_id
        for operator in study.study.operators
        for one in read_index(study.warehouse, study.now(CAMPAIGN, "executions", f"R6-forgetful|{operator}")).executions
        if one.ending.kind is EndingKind.NOT_RUN
    ]
    result = sscb("show", names[0])
    assert result.exit_code == 2 and "was played" in result.stderr.replace("\n", " ")


def test_query_prints_a_list_of_row_objects(sscb: Command) -> None:
    result = sscb("query", "SELECT operator, count(*) AS n FROM seeds GROUP BY 1 ORDER BY 1", "--json")
    assert result.exit_code == 0 and result.stderr == ""
    rows = json.loads(result.stdout)
    assert rows[0] == {"operator": "ItemOption", "n": 3} and len(rows) == 4
    assert json.loads(sscb("query", "SELECT 1 AS one WHERE false", "--json").stdout) == []


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM runs",
        "DROP TABLE runs",
        "CREATE TABLE t (a INT)",
        "COPY runs TO '{target}'",
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM read_text('{target}')",
        "ATTACH '{target}' AS other",
        "INSTALL httpfs",
        "SET enable_external_access = true",
        "SELECT 1; SELECT 2",
        "SELECT FROM nowhere WHERE",
        "",
    ],
)
def test_query_only_reads_the_ledger(study: Runner, sscb: Command, tmp_path: Path, sql: str) -> None:
    before = contents(study.warehouse.root)
    result = sscb("query", sql.format(target=tmp_path / "out"), "--json")
    assert result.exit_code == 2 and result.stdout == "" and result.stderr
    assert "Traceback" not in result.stderr
    assert list(tmp_path.iterdir()) == [] and contents(study.warehouse.root) == before


HOSTILE = "\x1b[31mred\x1b[0m \x07 \u202eevil\u202c [bold]x[/bold] [link=http://x]y[/link] \x9b2J"


def test_query_shows_hostile_text_as_text(sscb: Command) -> None:
    literal = "||".join(f"chr({ord(character)})" for character in HOSTILE)
    result = sscb("query", f'SELECT {literal} AS "[bold]name"')
    assert result.exit_code == 0
    shown = "".join(result.stdout.split())
    assert "\\u001b[31mred\\u001b[0m" in shown and "\\u202eevil" in shown and "\\u0007" in shown
    assert "[bold]x[/bold]" in shown and "[bold]name" in shown and "\\u009b2J" in shown
    assert not set(HOSTILE) & set("\x1b\x07\u202e\x9b") & set(result.stdout)


def test_show_shows_hostile_text_as_text(study: Runner, sscb: Command, tmp_path: Path) -> None:
    published = study.now(CAMPAIGN, "executions", CELL)
    execution = next(
        one for one in read_index(study.warehouse, published).executions if isinstance(one.objects, StoredObjects)
    )
    assert isinstance(execution.objects, StoredObjects)
    trajectory = decode(study.warehouse.objects.get(execution.objects.trajectory), "trajectory")
    steps = tuple(
        type(step)(index=step.index, text=HOSTILE) if isinstance(step, UserMessage) else step
        for step in trajectory.steps
    )
    other = Runner(create_or_open(tmp_path / "warehouse"), study.study)
    for item in published.manifest.outputs:
        other.warehouse.objects.put(study.warehouse.objects.get(item.sha256))
    stored = other.warehouse.objects.put(
        encode(type(trajectory)(tools=trajectory.tools, steps=steps, extent=trajectory.extent))
    )
    hostile = type(execution)(
        key=execution.key,
        agents=execution.agents,
        ending=execution.ending,
        solved=execution.solved,
        attempts=execution.attempts,
        steps=execution.steps,
        objects=StoredObjects(trajectory=stored, intervention=stored, evaluator=stored, labels=stored),
    )
    index = from_bytes(ExecutionIndex, to_bytes(ExecutionIndex(executions=(hostile,))), "index")
    other.republish(published, {INDEX: to_bytes(index)})
    result = sscb("show", execution.execution_id, warehouse=other.warehouse.root)
    assert result.exit_code == 0
    assert "\\u001b[31mred" in result.stdout and "[bold]x[/bold]" in result.stdout
    assert not set("\x1b\x07\u202e\x9b") & set(result.stdout)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\tb\nc", "a\tb\nc"),
        ("São Paulo – 東京 🙂", "São Paulo – 東京 🙂"),
        ("\x00\x1b\x7f\x85", "\\u0000\\u001b\\u007f\\u0085"),
        ("\u202e\u2066\u200b\ufeff", "\\u202e\\u2066\\u200b\\ufeff"),
        ("\u2028\u2029", "\\u2028\\u2029"),
        ("\ud800", "\\ud800"),
        ("\r\n", "\\u000d\n"),
        ("\U000e0041", "\\U000e0041"),
    ],
)
def test_plain_writes_control_and_format_characters_out(text: str, shown: str) -> None:
    assert plain(text) == shown
    assert plain(text).encode("utf-8")


@pytest.mark.parametrize(
    "arguments",
    [["status", "--json"], ["show", "abcd"], ["report"], ["query", "SELECT 1"]],
    ids=lambda arguments: arguments[0],
)
def test_without_a_warehouse_the_user_is_told_what_to_run(sscb: Command, tmp_path: Path, arguments: list[str]) -> None:
    result = sscb(*arguments, warehouse=tmp_path / "nothing")
    assert result.exit_code == 2 and result.stdout == ""
    assert "sscb run" in result.stderr.replace("\n", " ")
    assert not (tmp_path / "nothing").exists()


def test_a_refusal_is_exit_code_one(study: Runner, sscb: Command) -> None:
    result = sscb("report", "--campaign", "never-run", "--json")
    assert result.exit_code == 1 and result.stdout == ""
    assert "run stage claims" in result.stderr.replace("\n", " ")


@pytest.mark.parametrize("arguments", [["status", "--nonsense"], ["frobnicate"], ["show"], ["query"]])
def test_wrong_usage_is_exit_code_two(sscb: Command, arguments: list[str]) -> None:
    result = sscb(*arguments)
    assert result.exit_code == 2 and result.stdout == "" and result.stderr


def test_the_command_as_a_process_keeps_its_streams_apart(study: Runner) -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "from sscb_pipeline.cli import main; main()",
            "status",
            "--campaign",
            CAMPAIGN,
            "--json",
        ],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "SSCB_WAREHOUSE": str(study.warehouse.root)},
        timeout=120,
        check=False,
    )
    assert done.returncode == 0 and json.loads(done.stdout)["campaign"] == CAMPAIGN
    assert done.stderr == ""
