"""The real domains, and a short screening of each operator."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest

from sscb_pipeline.adapters.tau2.substrate import load
from sscb_pipeline.environments.port import Substrate
from sscb_pipeline.faults.operators.registry import OPERATORS
from sscb_pipeline.inclusion.frame import FRAME_SEED, Frame, freeze
from sscb_pipeline.inclusion.screening import Screening, screen
from sscb_pipeline.reconstruction.deterministic import DETERMINISTIC

WANTED = 8
Domains = Mapping[str, Substrate]


@pytest.fixture(scope="session")
def domains() -> Domains:
    return {name: load(name) for name in ("airline", "retail")}


@pytest.fixture(scope="session")
def frozen(domains: Domains) -> Mapping[str, Frame]:
    return {
        name: freeze(
            name,
            operator.candidates(domains[operator.domain]),
            domains[operator.domain].data_sha256,
            FRAME_SEED,
        )
        for name, operator in OPERATORS.items()
    }


@pytest.fixture(scope="session")
def screenings(domains: Domains, frozen: Mapping[str, Frame]) -> Mapping[str, Screening]:
    return {
        name: asyncio.run(
            screen(
                operator,
                frozen[name],
                domains[operator.domain],
                DETERMINISTIC,
                wanted=WANTED,
                progress=lambda admitted: None,
            )
        )
        for name, operator in OPERATORS.items()
    }
