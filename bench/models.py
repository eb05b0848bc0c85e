"""Model executions against the loopback provider: makespan against a perfect list schedule, CPU per call and episode.

    python bench/models.py --cases FOLDER --warehouse FOLDER --concurrency 64 --latency 0.5 --seeds 30

The provider runs in a process of its own. A perfect list schedule gives each execution, in the order in which they
were begun, to the first free of N workers, every call taking exactly the latency; executions that the clean run gates
are scheduled like all others, which no real run can do.
"""

from __future__ import annotations

import argparse
import heapq
import json
import os
import resource
import tempfile
import time
from collections import Counter
from pathlib import Path

from sscb_pipeline.artifacts.warehouse import JournalName, Warehouse
from sscb_pipeline.completions.call_log import CALLS, read_results
from sscb_pipeline.stages.model_executions import run_model_cells
from sscb_pipeline.stages.reporter import SilentReporter
from sscb_pipeline.stages.study import Models, model_study
from sscb_pipeline_tests.loopback.cases import admit, write_cases
from sscb_pipeline_tests.loopback.process import loopback

STUDY = """
campaign: bench
admitted_per_operator: {seeds}
user: {{model: openai/user, base_url: {url}, limits: {{concurrency: 1024}}}}
configurations:
  - id: {configuration}
    model: openai/{configuration}
    base_url: {url}
    seeds_per_operator: {seeds}
    repeats: {repeats}
    settings: {{temperature: 0.0}}
    limits: {{concurrency: {concurrency}}}
"""


def perfect(calls: list[int], workers: int, latency: float) -> float:
    """Seconds of a perfect list schedule."""
    free = [0.0] * workers
    for number in calls:
        heapq.heapreplace(free, free[0] + number * latency)
    return max(free)


def main() -> None:
    """Run and print one JSON line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--warehouse", type=Path, required=True)
    parser.add_argument("--concurrency", type=int, default=64)
    parser.add_argument("--latency", type=float, default=0.5)
    parser.add_argument("--seeds", type=int, default=30)
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--configuration", default="R1-reads-first")
    given = parser.parse_args()
    warehouse = admit(given.warehouse, given.seeds)
    cases = given.warehouse.with_name(given.warehouse.name + "-cases")
    write_cases(warehouse, cases)
    with tempfile.TemporaryDirectory() as scratch, loopback(cases, Path(scratch), latency=given.latency) as server:
        path = Path(scratch) / "study.yaml"
        path.write_text(STUDY.format(url=server.url, **vars(given)))
        print(json.dumps(measured(warehouse, path, given, server.stats)))


def measured(warehouse: Warehouse, path: Path, given: argparse.Namespace, stats: object) -> dict[str, object]:
    """What one run over all cells took."""
    study = model_study(path)
    assert isinstance(study.players, Models)
    cells = study.partitions()
    for operator in study.operators:
        study.substrate(operator)
    cpu, wall = time.process_time(), time.monotonic()
    run_model_cells(warehouse, study.players.plan, cells, SilentReporter())
    cpu, wall = time.process_time() - cpu, time.monotonic() - wall
    name = JournalName(campaign="bench", stage=CALLS, partition=given.configuration)
    results = list(read_results(warehouse.journal(name)))
    per_unit = Counter(result.slot.unit for result in results)
    best = perfect(list(per_unit.values()), given.concurrency, given.latency)
    found: dict[str, int] = stats()  # type: ignore[operator]
    return {
        "executions": len(per_unit),
        "calls": len(results),
        "provider_counted": found["requests"],
        "most_open": found["most_open"],
        "wall_seconds": round(wall, 2),
        "perfect_seconds": round(best, 2),
        "of_schedule": round(best / wall, 3),
        "cpu_ms_per_call": round(cpu / len(results) * 1000, 2),
        "cpu_ms_per_7_calls": round(cpu / len(results) * 7000, 1),
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "load": os.getloadavg()[0],
    }


if __name__ == "__main__":
    main()
