"""The validation sample: across cells in turn, whatever the order of the executions."""

from __future__ import annotations

import random
from collections import Counter

from sscb_pipeline.episodes.execution import Ending, ExecutionKey, StopReason
from sscb_pipeline.faults.intervention import Condition
from sscb_pipeline.stages.execution_index import IndexedExecution, NothingStored
from sscb_pipeline.stages.judge_sample import SampledExecution, drawn


def _candidate(operator: str, stratum: str, number: int) -> SampledExecution:
    key = ExecutionKey(
        campaign="c",
        operator=operator,
        seed_id=f"{operator}{number}",
        seed_sha256=f"{operator}{stratum}{number}",
        configuration_id="k",
        configuration_sha256="k",
        condition=Condition.BASELINE,
        repeat=0,
    )
    execution = IndexedExecution(
        key=key,
        agents="reference",
        ending=Ending(reason=StopReason.USER_STOP, detail=""),
        solved="solved",
        attempts=0,
        steps=1,
        objects=NothingStored(),
    )
    return SampledExecution(execution=execution, stratum=stratum)


def _candidates() -> list[SampledExecution]:
    sizes = {("A", "before"): 50, ("A", "after"): 3, ("B", "before"): 20, ("B", "absent"): 1}
    return [_candidate(operator, stratum, at) for (operator, stratum), size in sizes.items() for at in range(size)]


def test_small_cells_are_taken_whole_and_large_ones_share_the_rest() -> None:
    chosen = drawn(_candidates(), 20)
    counted = Counter((one.execution.key.operator, one.stratum) for one in chosen)
    assert counted == {("A", "before"): 8, ("A", "after"): 3, ("B", "before"): 8, ("B", "absent"): 1}


def test_the_sample_does_not_depend_on_order() -> None:
    mixed = _candidates()
    random.Random(1).shuffle(mixed)
    assert drawn(mixed, 20) == drawn(_candidates(), 20)


def test_fewer_than_asked_for_are_all_taken() -> None:
    assert len(drawn(_candidates(), 500)) == 74
