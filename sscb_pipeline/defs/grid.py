"""The partition grid operator × configuration, and which of its cells a run is about."""

from __future__ import annotations

from collections.abc import Sequence

import dagster as dg

from sscb_pipeline.faults.operators.registry import OPERATORS
from sscb_pipeline.stages.executions import Partition
from sscb_pipeline.stages.reference_contenders import reference_contenders
from sscb_pipeline.stages.study import Study

GRID = dg.MultiPartitionsDefinition(
    {
        "configuration": dg.StaticPartitionsDefinition(
            [contender.reference.configuration_id for contender in reference_contenders()]
        ),
        "operator": dg.StaticPartitionsDefinition(list(OPERATORS)),
    }
)


def chosen(study: Study, keys: Sequence[str]) -> tuple[Partition, ...]:
    """The cells of some partition keys (`configuration|operator`), in the order given."""
    parts = [key.split("|") for key in keys]
    return tuple(study.partition(operator, configuration) for configuration, operator in parts)
