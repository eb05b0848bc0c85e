"""The partition grid operator × configuration, and which of its cells a run is about."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import dagster as dg

from sscb_pipeline.adapters.agents.model.configuration import read_study_file
from sscb_pipeline.faults.operators.registry import OPERATORS
from sscb_pipeline.stages.executions import Partition
from sscb_pipeline.stages.reference_contenders import reference_contenders
from sscb_pipeline.stages.study import STUDY_VARIABLE, Study


def _axes() -> tuple[list[str], list[str]]:
    """Configurations and operators of the study this process is about."""
    file = os.environ.get(STUDY_VARIABLE)
    if not file:
        return [contender.reference.configuration_id for contender in reference_contenders()], list(OPERATORS)
    found = read_study_file(Path(file))
    return [section.id for section in found.configurations], list(found.operators or OPERATORS)


_CONFIGURATIONS, _OPERATORS = _axes()
GRID = dg.MultiPartitionsDefinition(
    {
        "configuration": dg.StaticPartitionsDefinition(_CONFIGURATIONS),
        "operator": dg.StaticPartitionsDefinition(_OPERATORS),
    }
)


def chosen(study: Study, keys: Sequence[str]) -> tuple[Partition, ...]:
    """The cells of some partition keys (`configuration|operator`), in the order given."""
    parts = [key.split("|") for key in keys]
    return tuple(study.partition(operator, configuration) for configuration, operator in parts)
