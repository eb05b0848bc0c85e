"""A report over the published counts, as the tests and a reader at the screen see it.

Run as a module with a folder to write the pages there.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from sscb_pipeline.claims.analysis import analyse
from sscb_pipeline.claims.calibration import LabelPair, calibrate
from sscb_pipeline.claims.run_row import RunRow
from sscb_pipeline.report.context import DispositionLine, FrameLine, ReportContext
from sscb_pipeline.report.render import INDEX, render
from sscb_pipeline.report.run_lists import FOLDER, RunLists
from sscb_pipeline.report.view import QueryBook
from sscb_pipeline_tests.claims.published_counts import published_rows, unsolved

NAMES = {"F": "reads-first", "V": "never-reads", "L": "careful", "T": "late-reader", "S": "mixed-and-hedging"}


def rows(agents: str = "reference") -> list[RunRow]:
    """The published rows under longer configuration names, three of them lost to an outage."""
    named = [replace(row, configuration=NAMES[row.configuration], agents=agents) for row in published_rows()]
    lost = {row.execution_id for row in named if row.configuration == "careful" and row.repeat == 2}
    return [_missing(row) if row.execution_id in sorted(lost)[:3] else row for row in named]


def _missing(row: RunRow) -> RunRow:
    blank = unsolved(row.operator, row.configuration, 0)
    return replace(
        blank,
        execution_id=row.execution_id,
        agents=row.agents,
        seed_id=row.seed_id,
        cluster=row.cluster,
        repeat=row.repeat,
        clean="solved",
        ending="missing",
        stop_reason="environment_failure",
    )


def context() -> ReportContext:
    """Frames of the four operators, a few dispositions, and a calibration with one disagreement."""
    pairs = [
        LabelPair(
            execution_id=f"{number:064x}",
            configuration="careful",
            operator="WriteEffect",
            habit="reads before use",
            quantity=quantity,
            realised="undeterminable: ambiguous words" if number == 7 else "located 12",
            measured={7: "undeterminable: no stance", 9: "located 14"}.get(number, "located 12"),
        )
        for quantity in ("T_E", "T_S", "T_U")
        for number in range(20)
    ]
    frames = (("ItemOption", 203, 203), ("PaySource", 120, 32), ("ReturnDate", 106, 67), ("WriteEffect", 114, 83))
    return ReportContext(
        title="Fault adoption and the arrival of counter-evidence",
        substrate="τ²-bench 26.3, retail and airline",
        code_version="0.1.0",
        ledger_sha256="3f" * 32,
        frames=tuple(
            FrameLine(operator=operator, candidates=candidates, clusters=clusters, admitted=30, sha256="ab12" * 16)
            for operator, candidates, clusters in frames
        ),
        dispositions=(
            DispositionLine(operator="ItemOption", disposition="admitted", reason="witness executed", candidates=30),
            DispositionLine(
                operator="ItemOption", disposition="not_task_relevant", reason="option never asked for", candidates=4
            ),
        ),
        calibration=calibrate(pairs),
    )


def pages(shown: list[RunRow]) -> dict[str, str]:
    """The index and every list page, by place; the runs have no pages of their own."""
    analysis = analyse(shown)
    lists = RunLists(analysis, shown, ())
    index = render(analysis, context(), QueryBook(lists=lists.places, runs=lists.run_places))
    return {INDEX: index, **{f"{FOLDER}/{listed.file}": lists.render(listed) for listed in lists.pages()}}


def main() -> None:
    """Write the pages into the folder named on the command line."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, page in pages(rows()).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
