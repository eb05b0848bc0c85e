"""Analysis of 100,000 executions with all sensitivities: seconds and peak memory.

Run from the repository: `python bench/analysis.py [EXECUTIONS]`. The rows are the published counts, copied under other
seeds and entities, so that every table and every kind of interval occurs.
"""

from __future__ import annotations

import resource
import sys
import time
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from sscb_pipeline.claims.analysis import analyse
from sscb_pipeline.claims.card import claim_cards
from sscb_pipeline.claims.run_row import RunRow
from sscb_pipeline_tests.claims.published_counts import published_rows


def copied(executions: int) -> list[RunRow]:
    """At least `executions` rows."""
    rows = published_rows()
    return [
        replace(
            row,
            execution_id=f"{row.execution_id[:48]}{copy:016x}",
            seed_id=f"{row.seed_id}-{copy}",
            cluster=f"{row.cluster}-{copy}",
        )
        for copy in range(-(-executions // len(rows)))
        for row in rows
    ]


def main() -> None:
    """Print one line per step."""
    rows = copied(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
    started, cpu = time.perf_counter(), time.process_time()
    analysis = analyse(rows)
    analysed, analysed_cpu = time.perf_counter(), time.process_time()
    cards = claim_cards(analysis, rows)
    carded, carded_cpu = time.perf_counter(), time.process_time()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"rows           {len(rows):>9,}")
    print(
        f"analysis       {analysed - started:>9.1f} s  {analysed_cpu - cpu:.1f} s CPU  ({len(analysis.cells):,} cells)"
    )
    print(f"claim cards    {carded - analysed:>9.1f} s  {carded_cpu - analysed_cpu:.1f} s CPU  ({len(cards):,} cards)")
    print(f"peak memory    {peak:>9.0f} MB")


if __name__ == "__main__":
    main()
