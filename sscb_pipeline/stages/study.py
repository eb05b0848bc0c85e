"""A study: which operators, contenders and campaign one run is about."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from sscb_pipeline.adapters.tau2.substrate import load
from sscb_pipeline.environments.port import Substrate
from sscb_pipeline.errors import InputError
from sscb_pipeline.faults.operator import Operator
from sscb_pipeline.faults.operators.registry import OPERATORS, operator_named
from sscb_pipeline.inclusion.screening import ADMITTED_PER_OPERATOR
from sscb_pipeline.reconstruction.deterministic import DETERMINISTIC
from sscb_pipeline.reconstruction.stages import Stages
from sscb_pipeline.stages.executions import Partition
from sscb_pipeline.stages.measurements import Instruments
from sscb_pipeline.stages.model_contenders import ModelPlan, plan_from_environment
from sscb_pipeline.stages.reference_contenders import reference_contenders
from sscb_pipeline.stages.roster import Contender

STUDY_VARIABLE = "SSCB_STUDY"
"""Names the study file of the models to run; unset or empty means the embedded reference study."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceAgents:
    """The contenders are reference agents, which call nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Models:
    """The contenders are models, within the plan of a study file."""

    plan: ModelPlan


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """What is measured: operators by name, contenders by configuration id, how many seeds each operator admits, the
    implementation of reconstruction, and the campaign. Reference agents and models are never in one study."""

    campaign: str
    operators: Mapping[str, Operator]
    contenders: Mapping[str, Contender]
    admitted_per_operator: int
    stages: Stages
    players: ReferenceAgents | Models

    def partition(self, operator: str, configuration: str) -> Partition:
        """A cell of the grid. Raises InputError for an unknown operator or configuration."""
        operator_named(operator)
        if configuration not in self.contenders:
            raise InputError(
                subject=f"configuration {configuration!r}",
                expected=f"one of {', '.join(self.contenders)}",
                found="an unknown name",
                remedy="correct the name",
            )
        return Partition(campaign=self.campaign, operator=operator, contender=self.contenders[configuration])

    def partitions(self) -> tuple[Partition, ...]:
        """Every cell of the grid, configurations outermost."""
        return tuple(
            self.partition(operator, configuration) for configuration in self.contenders for operator in self.operators
        )

    def substrate(self, operator: str) -> Substrate:
        """The operator's environment, loaded and verified once per process."""
        return load(operator_named(operator).domain)

    def instruments(self, operator: str) -> Instruments:
        """What measuring an operator's executions needs."""
        return Instruments(operator=operator_named(operator), substrate=self.substrate(operator), stages=self.stages)


def reference_study(campaign: str, seeds: int = ADMITTED_PER_OPERATOR) -> Study:
    """The embedded study: SSC's four operators, 30 seeds each, and the reference configurations.

    Each configuration meets the first `seeds` of the admitted seeds of each operator, in order of rank; what is
    admitted does not depend on it. Raises InputError for fewer than one or more than are admitted.
    """
    if not 1 <= seeds <= ADMITTED_PER_OPERATOR:
        raise InputError(
            subject="seeds per operator",
            expected=f"1 to {ADMITTED_PER_OPERATOR}",
            found=str(seeds),
            remedy="correct the number",
        )
    contenders = [_limited(contender, seeds) for contender in reference_contenders()]
    return Study(
        campaign=campaign,
        operators=OPERATORS,
        contenders={contender.reference.configuration_id: contender for contender in contenders},
        admitted_per_operator=ADMITTED_PER_OPERATOR,
        stages=DETERMINISTIC,
        players=ReferenceAgents(),
    )


def model_study(path: Path, seeds: int = ADMITTED_PER_OPERATOR) -> Study:
    """The study of a file over at most `seeds` seeds per operator, checked as far as it can be before any call. Raises
    InputError."""
    plan = plan_from_environment(path)
    chosen = plan.file.operators or tuple(OPERATORS)
    return Study(
        campaign=plan.file.campaign,
        operators={name: OPERATORS[name] for name in chosen},
        contenders={contender.reference.configuration_id: _limited(contender, seeds) for contender in plan.contenders},
        admitted_per_operator=plan.file.admitted_per_operator,
        stages=DETERMINISTIC,
        players=Models(plan=plan),
    )


def chosen_study(campaign: str, seeds: int) -> Study:
    """The study this process is about: that of the file SSCB_STUDY names, else the embedded one. Raises InputError."""
    file = os.environ.get(STUDY_VARIABLE)
    return model_study(Path(file), seeds) if file else reference_study(campaign, seeds)


def _limited(contender: Contender, seeds: int) -> Contender:
    """The contender over fewer seeds. The configuration is the same, so what was executed for it stays valid."""
    reference = contender.reference
    few = replace(reference, seeds_per_operator=min(seeds, reference.seeds_per_operator))
    return replace(contender, reference=few)
