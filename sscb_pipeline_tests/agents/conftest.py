"""The real τ² domains, loaded once, and a few cases of each operator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from sscb_pipeline.adapters.tau2.substrate import load
from sscb_pipeline.environments.port import Substrate
from sscb_pipeline.faults.operator import Case
from sscb_pipeline.faults.operators.registry import OPERATORS

CASES_EACH = 4


@pytest.fixture(scope="session")
def substrates() -> Mapping[str, Substrate]:
    return {name: load(name) for name in ("airline", "retail")}


@pytest.fixture(scope="session")
def cases(substrates: Mapping[str, Substrate]) -> Mapping[str, Sequence[Case]]:
    """A few cases per operator, spread over its frame."""
    chosen: dict[str, Sequence[Case]] = {}
    for name, operator in OPERATORS.items():
        substrate = substrates[operator.domain]
        candidates = operator.candidates(substrate)
        found = [case for candidate in candidates[::7] if isinstance(case := operator.case(candidate, substrate), Case)]
        chosen[name] = found[:: max(1, len(found) // CASES_EACH)][:CASES_EACH]
    return chosen
