"""The conformance suite on the test substrate, bare and behind planned outages that never come."""

from __future__ import annotations

import pytest

from sscb_pipeline.environments.outage import Outage, WithOutages
from sscb_pipeline.environments.port import Substrate
from sscb_pipeline_tests.environments.conformance import Sample, SubstrateConformance
from sscb_pipeline_tests.environments.library import Library


class TestLibrary(SubstrateConformance):
    @pytest.fixture(params=["bare", "behind outages"])
    def sample(self, request: pytest.FixtureRequest) -> Sample:
        substrate: Substrate = Library()
        if request.param == "behind outages":
            substrate = WithOutages(substrate, [Outage(tool="lend", occurrence=1000, attempts=1)])
        return Sample(
            substrate=substrate,
            read=("find_title", {"book": "b1"}),
            write=("lend", {"book": "b2", "holder": "ada"}),
            other_write=("relabel", {"book": "b3", "title": "Kitchen", "shelf": "K"}),
            failing=("lend", {"book": "b9", "holder": "ada"}),
            record=("books", "b2"),
            task=substrate.tasks()[0],
        )
