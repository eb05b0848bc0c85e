"""Whole runs against the loopback provider: faults leave no trace, answers are as planned, everything is on record."""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from sscb_pipeline.artifacts.warehouse import JournalName, Warehouse, existing
from sscb_pipeline.completions.call_log import CALLS, INTENTS, Answered, Failed, read_intents, read_results
from sscb_pipeline.episodes.execution import StopReason
from sscb_pipeline.stages.check_executions import check_executions
from sscb_pipeline.stages.doctor_models import Health, Looking, examine_models
from sscb_pipeline.stages.estimate import Unknown, estimate_study
from sscb_pipeline.stages.execution_index import StoredObjects
from sscb_pipeline.stages.gate import Opened
from sscb_pipeline.stages.replay import replay_execution
from sscb_pipeline.stages.study import reference_study
from sscb_pipeline.stages.verify import verify
from sscb_pipeline.trajectories.codec import decode
from sscb_pipeline.trajectories.steps import ToolCall, ToolObservation
from sscb_pipeline_tests.loopback.cases import admit, write_cases
from sscb_pipeline_tests.loopback.plan import ANSWER, TRANSPORT, Fault, FaultPlan
from sscb_pipeline_tests.loopback.play import MISNAMED
from sscb_pipeline_tests.loopback.process import loopback
from sscb_pipeline_tests.models.study import KEY_VARIABLE, PLANTED, endings, run_study, write_study

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning", "ignore::ResourceWarning")
Fresh = Callable[[str], Warehouse]
CONFIGURATIONS = ("R1-reads-first", "R2-uses-first")
EVERYTHING = FaultPlan(
    salt="all", permille={**dict.fromkeys(TRANSPORT, 8), **dict.fromkeys(ANSWER, 8), Fault.NO_USAGE: 10}
)


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, PLANTED)


def recorded_calls(warehouse: Warehouse) -> tuple[list[Answered], list[Failed], int]:
    """Answers, failures and intents of both configurations."""
    answers: list[Answered] = []
    failures: list[Failed] = []
    intents = 0
    for name in CONFIGURATIONS:
        for result in read_results(warehouse.journal(JournalName(campaign="loop", stage=CALLS, partition=name))):
            (answers if isinstance(result, Answered) else failures).append(result)  # type: ignore[arg-type]
        journal = warehouse.journal(JournalName(campaign="loop", stage=INTENTS, partition=name))
        intents += sum(1 for _ in read_intents(journal))
    return answers, failures, intents


def test_faults_leave_no_trace_answers_are_as_planned_and_all_is_on_record(
    admitted: Path, fresh: Fresh, tmp_path: Path
) -> None:
    with loopback(admitted / "cases", tmp_path, plan=EVERYTHING.answers_only()) as server:
        _, expected = run_study(fresh("expected"), write_study(tmp_path, server.url))
    warehouse = fresh("faulty")
    with loopback(admitted / "cases", tmp_path, plan=EVERYTHING, options=("--echo-key",)) as server:
        path = write_study(tmp_path, server.url)
        study, found = run_study(warehouse, path)
        counted = server.stats()
        again = run_study(warehouse, path)[1]
        assert server.stats() == counted
    assert endings(again) == endings(found) == endings(expected)
    answers, failures, intents = recorded_calls(warehouse)
    assert intents == len(answers) + len(failures) == counted["requests"]
    assert {failed.failure.kind.value for failed in failures} >= {"rate_limit", "server_error"}
    assert all(isinstance(check_executions(warehouse, cell), Opened) for cell in study.partitions())
    assert verify(warehouse.root, reference_study("reference")).ok
    written = b"".join(item.read_bytes() for item in warehouse.root.rglob("*") if item.is_file())
    assert PLANTED.encode() not in written
    assert KEY_VARIABLE.encode() in written
    played = [e for e in found.values() if isinstance(e.objects, StoredObjects)]
    for execution in random.Random(7).sample(played, 4):
        assert replay_execution(warehouse, path, execution.execution_id).same


def test_what_the_agent_sees_of_a_wrong_name_and_of_unreadable_arguments(
    admitted: Path, fresh: Fresh, tmp_path: Path
) -> None:
    plan = FaultPlan(salt="w", permille={Fault.WRONG_TOOL: 100, Fault.BAD_ARGUMENTS: 100})
    warehouse = fresh("answers")
    with loopback(admitted / "cases", tmp_path, plan=plan) as server:
        _, found = run_study(warehouse, write_study(tmp_path, server.url))
    seen: Counter[str] = Counter()
    for execution in found.values():
        if not isinstance(execution.objects, StoredObjects):
            continue
        trajectory = decode(warehouse.objects.get(execution.objects.trajectory), "trajectory")
        for step in trajectory.steps:
            if not isinstance(step, ToolObservation):
                continue
            call = trajectory.call_of(step)
            assert isinstance(call, ToolCall)
            if call.tool.endswith(MISNAMED):
                assert step.content.startswith("Error")
                seen["misnamed"] += 1
            elif step.content.startswith("Error: the arguments are not"):
                assert call.arguments.raw
                seen["unreadable"] += 1
    assert seen["misnamed"] > 0
    assert seen["unreadable"] > 0


def test_a_budget_stops_cleanly_and_a_higher_one_goes_on(admitted: Path, fresh: Fresh, tmp_path: Path) -> None:
    warehouse = fresh("budget")
    with loopback(admitted / "cases", tmp_path) as server:
        study, found = run_study(warehouse, write_study(tmp_path, server.url, budget="calls: 60"))
        assert server.stats()["requests"] <= 60
        reasons = Counter(execution.ending.reason for execution in found.values())
        assert reasons[StopReason.BUDGET] > 0
        assert sum(reasons.values()) == len(found)
        assert all(isinstance(check_executions(warehouse, cell), Opened) for cell in study.partitions())
        assert verify(warehouse.root, reference_study("reference")).ok
        path = write_study(tmp_path, server.url)
        estimate = estimate_study(warehouse.root, path)
        assert all(isinstance(row.usd, Unknown) for row in estimate.rows)
        _, rest = run_study(warehouse, path)
        assert not any(execution.ending.reason is StopReason.BUDGET for execution in rest.values())
        _, whole = run_study(fresh("whole"), path)
    assert endings(rest) == endings(whole)


_RUN = (
    "import sys; from pathlib import Path; from sscb_pipeline.artifacts.warehouse import existing; "
    "from sscb_pipeline_tests.models.study import run_study; run_study(existing(Path(sys.argv[1])), Path(sys.argv[2]))"
)


def _start(warehouse: Warehouse, path: Path, log: Path) -> subprocess.Popen[bytes]:
    with log.open("ab") as out:
        return subprocess.Popen([sys.executable, "-c", _RUN, str(warehouse.root), str(path)], stdout=out, stderr=out)


def _killed_and_resumed(admitted: Path, fresh: Fresh, tmp_path: Path, *, kills: int, seeds: int, repeats: int) -> int:
    """Run under all faults with kills at random; every execution ends once and as without faults. Returns how many."""
    with loopback(admitted / "cases", tmp_path, plan=EVERYTHING.answers_only()) as server:
        path = write_study(tmp_path, server.url, seeds=seeds, repeats=repeats)
        _, expected = run_study(fresh("expected"), path)
    warehouse, chance = fresh("killed"), random.Random(11)
    with loopback(admitted / "cases", tmp_path, plan=EVERYTHING, latency=0.05) as server:
        path = write_study(tmp_path, server.url, seeds=seeds, repeats=repeats)
        for _ in range(kills):
            process = _start(warehouse, path, tmp_path / "killed.log")
            calls = warehouse.root / "journals" / "loop" / INTENTS
            size = sum(file.stat().st_size for file in calls.glob("*")) if calls.is_dir() else 0
            deadline = time.monotonic() + 120
            while process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.05)
                if calls.is_dir() and sum(file.stat().st_size for file in calls.glob("*")) > size:
                    break
            time.sleep(chance.random() * 1.5)
            process.send_signal(signal.SIGKILL)
            process.wait()
        last = _start(warehouse, path, tmp_path / "killed.log")
        assert last.wait(600) == 0, (tmp_path / "killed.log").read_text()[-3000:]
        _, found = run_study(warehouse, path)
    assert endings(found) == endings(expected)
    answered = Counter((a.slot, a.request) for a in recorded_calls(warehouse)[0])
    assert max(answered.values()) == 1
    return len(found)


def test_doctor_calls_each_model_once_and_says_what_failed(admitted: Path, tmp_path: Path) -> None:
    broken = FaultPlan(salt="d", permille={Fault.SERVER_ERROR: 1000})
    with loopback(admitted / "cases", tmp_path, plan=broken, options=("--echo-key",)) as server:
        path = write_study(tmp_path, server.url)
        assert {f.health for f in examine_models(path, Looking.WITHOUT_A_CALL)} == {Health.NOT_CALLED}
        assert server.stats().get("requests", 0) == 0
        found = examine_models(path, Looking.ONE_CALL_EACH)
        assert server.stats()["requests"] == 3
    assert [finding.health for finding in found] == [Health.FAILED] * 3
    assert all("server_error" in finding.detail and PLANTED not in finding.detail for finding in found)


def test_a_killed_run_goes_on_where_it_was(admitted: Path, fresh: Fresh, tmp_path: Path) -> None:
    assert _killed_and_resumed(admitted, fresh, tmp_path, kills=2, seeds=1, repeats=1) > 10


def test_an_interruption_ends_within_five_seconds_and_keeps_what_is_finished(
    admitted: Path, fresh: Fresh, tmp_path: Path
) -> None:
    warehouse = fresh("interrupted")
    plan = FaultPlan(salt="i", permille={Fault.STALL: 100})
    with loopback(admitted / "cases", tmp_path, plan=plan, latency=0.2) as server:
        limits = "{concurrency: 8, call_seconds: 60, tries: 6}"
        path = write_study(tmp_path, server.url, limits=limits)
        process = _start(warehouse, path, tmp_path / "run.log")
        deadline = time.monotonic() + 120
        while server.stats().get("answered", 0) < 30 and time.monotonic() < deadline:
            time.sleep(0.1)
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.wait(30) != 0
        assert time.monotonic() - start < 5.0
    assert "an interruption (SIGINT)" in (tmp_path / "run.log").read_text()
    answers, _, intents = recorded_calls(warehouse)
    assert 0 < len(answers) <= intents


@pytest.mark.soak
def test_twenty_kills_over_a_thousand_executions_lose_and_double_nothing(tmp_path: Path) -> None:
    root = tmp_path / "admitted"
    write_cases(admit(root / "seeds", 30), root / "cases")

    def make(name: str) -> Warehouse:
        shutil.copytree(root / "seeds", tmp_path / name)
        return existing(tmp_path / name)

    assert _killed_and_resumed(root, make, tmp_path, kills=20, seeds=30, repeats=6) >= 1000
