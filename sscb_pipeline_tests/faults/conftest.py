"""The real τ² domains, loaded once, and every case of each operator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from sscb_pipeline.adapters.tau2.substrate import load
from sscb_pipeline.environments.port import Substrate
from sscb_pipeline.faults.operator import Candidate, Case
from sscb_pipeline.faults.operators.registry import OPERATORS

Domains = Mapping[str, Substrate]
Frames = Mapping[str, Sequence[Candidate]]
Cases = Mapping[str, Sequence[Case]]


@pytest.fixture(scope="session")
def domains() -> Domains:
    return {name: load(name) for name in ("airline", "retail")}


@pytest.fixture(scope="session")
def frames(domains: Domains) -> Frames:
    return {name: operator.candidates(domains[operator.domain]) for name, operator in OPERATORS.items()}


@pytest.fixture(scope="session")
def all_cases(domains: Domains, frames: Frames) -> Cases:
    return {
        name: [
            case
            for candidate in frames[name]
            if isinstance(case := operator.case(candidate, domains[operator.domain]), Case)
        ]
        for name, operator in OPERATORS.items()
    }
