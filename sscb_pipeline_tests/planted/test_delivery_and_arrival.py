"""The planted contracts are what they say, and the operators' evidence relations read them as a person does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sscb_pipeline.faults.operator import EvidenceArrived
from sscb_pipeline.faults.operators.registry import operator_named
from sscb_pipeline.measured import Never
from sscb_pipeline_tests.planted.known_defects import ARRIVAL, DELIVERY, marked
from sscb_pipeline_tests.planted.planting import plant
from sscb_pipeline_tests.planted.table import Planted, planted, recordings_folder


@pytest.fixture(name="folder")
def _folder() -> Iterator[Path]:
    folder = recordings_folder()
    if folder is None:
        pytest.skip("SSCB_RECORDINGS names no folder of recordings")
    yield folder


@pytest.mark.parametrize("case", marked(planted(), DELIVERY))
def test_the_labelled_step_is_the_first_that_bears_the_fault(case: Planted, folder: Path) -> None:
    planting = plant(case, folder)
    operator = operator_named(case.operator)
    assert planting.record.rewrites[0].step == case.t_f[0]
    for rewrite in planting.record.rewrites:
        step = planting.trajectory.steps[rewrite.step]
        assert operator.carries_fault(planting.contract, rewrite.tool, getattr(step, "content", ""))


@pytest.mark.parametrize("case", marked(planted(), ARRIVAL))
def test_evidence_arrives_where_a_reader_saw_it(case: Planted, folder: Path) -> None:
    planting = plant(case, folder)
    found = operator_named(case.operator).evidence(planting.contract, planting.trajectory)
    match found:
        case EvidenceArrived():
            assert max(step.step for step in found.steps) == case.t_e[0]
        case Never():
            assert case.t_e[0] == "never"
        case _:
            assert case.t_e[0] == "undeterminable"
