"""How well a bank's labels are measured, per operator and sweep: `python -m …calibration.figures blind [--list]`."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable

from sscb_pipeline.adapters.agents.reference.habits import PLANS
from sscb_pipeline.adapters.tau2.substrate import load
from sscb_pipeline.claims.calibration import Outcome
from sscb_pipeline_tests.calibration.banks import Banks
from sscb_pipeline_tests.calibration.measuring import Performance, disagreements
from sscb_pipeline_tests.calibration.sweeps import (
    MEASURED_HABITS,
    PHRASED,
    chosen_cases,
    habit_performances,
    phrase_performances,
)

HEAD = ("operator", "sweep", "labels", *(outcome.value for outcome in Outcome))


def row(operator: str, sweep: str, tally: Counter[Outcome]) -> str:
    """A table row; the figures in the order of `HEAD`."""
    figures = (tally.total(), *(tally[outcome] for outcome in Outcome))
    return f"| {' | '.join((operator, sweep, *map(str, figures)))} |"


def tallied(performances: Iterable[Performance], listing: bool) -> Counter[Outcome]:
    """Labels by outcome; disagreements are printed with their texts where a listing is asked for."""
    tally: Counter[Outcome] = Counter()
    for performance in performances:
        tally.update(pair.outcome for pair in performance.pairs())
        if listing:
            print(*disagreements([performance]), sep="\n\n")
    return tally


def main(banks: Banks, listing: bool) -> None:
    """Print the table of a bank."""
    substrates = {name: load(name) for name in ("airline", "retail")}
    cases = chosen_cases(substrates)
    rows, total = [], Counter[Outcome]()
    for operator in PLANS:
        swept = {
            "habits": [
                habit_performances(banks, operator, habit, substrates, cases)
                for of, habit in MEASURED_HABITS
                if of == operator
            ],
            "phrases": [
                phrase_performances(banks, operator, purpose, substrates, cases)
                for of, purpose in PHRASED
                if of == operator
            ],
        }
        for sweep, played in swept.items():
            tally = sum((tallied(performances, listing) for performances in played), Counter[Outcome]())
            rows.append(row(operator, sweep, tally))
            total += tally
    print(f"| {' | '.join(HEAD)} |", f"|{'---|' * len(HEAD)}", *rows, row("all", "both", total), sep="\n")


if __name__ == "__main__":
    main(Banks(sys.argv[1]), listing="--list" in sys.argv)
