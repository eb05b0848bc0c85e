"""The reference configurations as contenders."""

from __future__ import annotations

from collections.abc import Sequence

from sscb_pipeline.adapters.agents.reference.configurations import REFERENCE_CONFIGURATIONS, ReferenceConfiguration
from sscb_pipeline.adapters.agents.reference.staging import ReferenceStage
from sscb_pipeline.adapters.tau2.substrate import load
from sscb_pipeline.episodes.batch import Stage
from sscb_pipeline.faults.operators.registry import operator_named
from sscb_pipeline.inclusion.screening import Seed
from sscb_pipeline.stages.roster import Contender


def reference_contenders() -> tuple[Contender, ...]:
    """Every reference configuration, in its own order. Their agents are of kind `reference`."""
    return tuple(
        Contender(
            reference=configuration.ref(),
            agents="reference",
            content=configuration.canonical(),
            stage_for=_Casting(configuration),
        )
        for configuration in REFERENCE_CONFIGURATIONS
    )


class _Casting:
    def __init__(self, configuration: ReferenceConfiguration) -> None:
        self._configuration = configuration

    def __call__(self, operator: str, seeds: Sequence[Seed]) -> Stage:
        chosen = operator_named(operator)
        return ReferenceStage(
            operators={operator: chosen},
            cases={seed.seed_id: seed.case for seed in seeds},
            substrates={chosen.domain: load(chosen.domain)},
            configurations={self._configuration.configuration_id: self._configuration},
        )
