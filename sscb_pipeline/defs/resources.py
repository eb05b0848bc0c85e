"""Dagster resources: the warehouse, the study and how progress is shown."""

import os
from pathlib import Path

import dagster as dg

from sscb_pipeline.artifacts.warehouse import Warehouse, create_or_open, warehouse_root
from sscb_pipeline.defs.orphans import end_with_parent
from sscb_pipeline.inclusion.screening import ADMITTED_PER_OPERATOR
from sscb_pipeline.stages.names import DEFAULT_CAMPAIGN
from sscb_pipeline.stages.study import Study, chosen_study


class WarehouseResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """The warehouse folder; empty means the one SSCB_WAREHOUSE names, or `warehouse` in the working folder."""

    root: str = ""

    def setup_for_execution(self, context: dg.InitResourceContext) -> None:
        """Called in the process that runs a step, before the step."""
        end_with_parent()

    def open(self) -> Warehouse:
        """The warehouse, laid out first where there is none."""
        return create_or_open(Path(self.root) if self.root else warehouse_root(os.environ, Path.cwd()))


class StudyResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """The study that is run, over its first `seeds` seeds per operator: the one of the file that SSCB_STUDY names, else
    a campaign of the embedded study."""

    campaign: str = DEFAULT_CAMPAIGN
    seeds: int = ADMITTED_PER_OPERATOR

    def study(self) -> Study:
        """Operators, contenders and campaign."""
        return chosen_study(self.campaign, self.seeds)
