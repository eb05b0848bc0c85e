"""Running cells of the grid: reference agents one cell after the other, models all cells together."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.assurance.manifest import PublishedManifest
from sscb_pipeline.stages.executions import Partition, run_executions, unfinished
from sscb_pipeline.stages.inclusion import authorised_seeds
from sscb_pipeline.stages.reporter import Reporter
from sscb_pipeline.stages.study import Models, Study


def run_cells(
    warehouse: Warehouse, study: Study, cells: Sequence[Partition], reporter: Reporter
) -> list[PublishedManifest]:
    """Run whatever is not finished of the cells and publish their indices, in the order given."""
    if isinstance(study.players, Models):
        from sscb_pipeline.stages.model_executions import run_model_cells

        return run_model_cells(warehouse, study.players.plan, cells, reporter)
    left = sum(unfinished(warehouse, cell, authorised_seeds(warehouse, cell.operator)[0].seeds) for cell in cells)
    advance = reporter.begin("executions", left)
    return [asyncio.run(run_executions(warehouse, cell, advance)) for cell in cells]
