"""CPU time of clean reference episodes on the real τ² domains, flight searches and scoring included.

Run from the repository: `python bench/reference_episode.py`. Prints milliseconds of CPU per episode and operator.
"""

from __future__ import annotations

import asyncio
import time

from sscb_pipeline.adapters.agents.reference.habits import Habit
from sscb_pipeline.adapters.agents.reference.staging import stage_case
from sscb_pipeline.adapters.tau2.substrate import load
from sscb_pipeline.episodes.batch import run_one
from sscb_pipeline.episodes.execution import ExecutionKey
from sscb_pipeline.faults.intervention import Condition
from sscb_pipeline.faults.operator import Case
from sscb_pipeline.faults.operators.registry import OPERATORS


def main() -> None:
    """Play the solver once on every valid candidate of each operator."""
    for name, operator in OPERATORS.items():
        substrate = load(operator.domain)
        drawn = (operator.case(candidate, substrate) for candidate in operator.candidates(substrate))
        cases = [case for case in drawn if isinstance(case, Case)]
        started = time.process_time()
        for number, case in enumerate(cases):
            key = ExecutionKey(
                campaign="bench",
                operator=name,
                seed_id=case.candidate.candidate_id,
                seed_sha256="",
                configuration_id="solver",
                configuration_sha256="",
                condition=Condition.CLEAN,
                repeat=0,
            )
            staging = stage_case(operator, case, substrate, condition=Condition.CLEAN, habit=Habit.SOLVER, seed=number)
            asyncio.run(run_one(key, staging))
        spent = 1000 * (time.process_time() - started) / len(cases)
        print(f"{name}: {spent:.2f} ms CPU per clean episode, mean of {len(cases)}")


if __name__ == "__main__":
    main()
