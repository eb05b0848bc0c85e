"""Dagster resources: the warehouse, the study and how progress is shown."""

import os
from pathlib import Path

import dagster as dg

from sscb_pipeline.artifacts.warehouse import Warehouse, create_or_open, warehouse_root
from sscb_pipeline.stages.names import DEFAULT_CAMPAIGN
from sscb_pipeline.stages.study import Study, reference_study


class WarehouseResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """The warehouse folder; empty means the one SSCB_WAREHOUSE names, or `warehouse` in the working folder."""

    root: str = ""

    def open(self) -> Warehouse:
        """The warehouse, laid out first where there is none."""
        return create_or_open(Path(self.root) if self.root else warehouse_root(os.environ, Path.cwd()))


class StudyResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """The study that is run: a campaign of the embedded reference study."""

    campaign: str = DEFAULT_CAMPAIGN

    def study(self) -> Study:
        """Operators, contenders and campaign."""
        return reference_study(self.campaign)
