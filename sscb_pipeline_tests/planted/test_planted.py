"""Real words, planted contracts: a measurement may leave a label open, but may not claim one a reader denies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from sscb_pipeline.faults.operators.registry import operator_named
from sscb_pipeline.measured import Located, Never, Time, Undeterminable
from sscb_pipeline.reconstruction.deterministic import DETERMINISTIC
from sscb_pipeline.reconstruction.measurement import Measurement
from sscb_pipeline.reconstruction.reconstruct import reconstruct
from sscb_pipeline_tests.planted.known_defects import RECONSTRUCTION, marked
from sscb_pipeline_tests.planted.planting import plant
from sscb_pipeline_tests.planted.table import TABLES, Planted, planted, recordings_folder

OPEN = "undeterminable"

FLOOR = 0.6
"""Least share, per operator, of the labels a reader determined that the measurement must determine alike."""


@pytest.fixture(name="folder")
def _folder() -> Iterator[Path]:
    folder = recordings_folder()
    if folder is None:
        pytest.skip("SSCB_RECORDINGS names no folder of recordings")
    yield folder


def _time(value: Time) -> int | str:
    match value:
        case Located(step=step):
            return step
        case Never():
            return "never"
        case Undeterminable():
            return OPEN


@cache
def _measured_by_id(case_id: str, folder: Path) -> Measurement:
    case = next(case for case in planted() if case.id == case_id)
    planting = plant(case, folder)
    operator = operator_named(case.operator)
    return reconstruct(operator, planting.contract, planting.trajectory, planting.record, DETERMINISTIC)


def _measured(case: Planted, folder: Path) -> Measurement:
    return _measured_by_id(case.id, folder)


def _labels(measurement: Measurement) -> dict[str, int | str]:
    adoption, stratum, stance = measurement.adoption, measurement.stratum, measurement.final_stance
    return {
        "T_F": _time(measurement.t_f),
        "T_E": _time(measurement.t_e),
        "T_S": _time(measurement.t_s),
        "T_U": _time(measurement.t_u),
        "A": OPEN if isinstance(adoption, Undeterminable) else str(adoption).lower(),
        "Z_S": OPEN if isinstance(stratum, Undeterminable) else stratum.value,
        "Y_end": OPEN if isinstance(stance, Undeterminable) else stance.value,
    }


def _right(case: Planted) -> dict[str, int | str]:
    pairs = (case.t_f, case.t_e, case.t_s, case.t_u, case.a, case.z, case.y)
    return dict(zip(("T_F", "T_E", "T_S", "T_U", "A", "Z_S", "Y_end"), (pair[0] for pair in pairs), strict=True))


@pytest.mark.parametrize("case", marked(planted(), RECONSTRUCTION))
def test_no_determinate_label_is_wrong(case: Planted, folder: Path) -> None:
    found, right = _labels(_measured(case, folder)), _right(case)
    claimed = {name: value for name, value in found.items() if value != OPEN}
    assert claimed == {name: right[name] for name in claimed}


@pytest.mark.parametrize("operator", TABLES)
def test_enough_of_what_a_reader_determines_is_determined(operator: str, folder: Path) -> None:
    determined: Counter[str] = Counter()
    recovered: Counter[str] = Counter()
    for case in planted():
        if case.operator != operator:
            continue
        found = _labels(_measured(case, folder))
        for name, value in _right(case).items():
            if value != OPEN:
                determined[name] += 1
                recovered[name] += found[name] == value
    for name, of in determined.items():
        print(f"{operator} {name}: {recovered[name]} of {of} determinate labels recovered")
    share = recovered.total() / determined.total()
    print(f"{operator}: {recovered.total()} of {determined.total()} ({share:.1%})")
    assert share >= FLOOR


def test_at_least_forty_runs_are_free_of_known_defects() -> None:
    runs = {(case.run.file, case.run.index) for case in planted()}
    faulty = {(case.run.file, case.run.index) for case in planted() if case.id in RECONSTRUCTION}
    assert len(runs - faulty) >= 40
