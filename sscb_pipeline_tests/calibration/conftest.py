"""The real τ² domains, loaded once, and the cases that are played."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from sscb_pipeline.adapters.tau2.substrate import load
from sscb_pipeline.environments.port import Substrate
from sscb_pipeline_tests.calibration.sweeps import Cases, chosen_cases


@pytest.fixture(scope="session")
def substrates() -> Mapping[str, Substrate]:
    return {name: load(name) for name in ("airline", "retail")}


@pytest.fixture(scope="session")
def cases(substrates: Mapping[str, Substrate]) -> Cases:
    return chosen_cases(substrates)
