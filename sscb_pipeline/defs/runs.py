"""Stage `runs`: clean, fault and paired executions on the grid operator × configuration."""

import dagster as dg

from sscb_pipeline.defs.cases import admitted_seeds
from sscb_pipeline.defs.gates import check_result, refusing
from sscb_pipeline.defs.grid import GRID, chosen
from sscb_pipeline.defs.resources import StudyResource, WarehouseResource
from sscb_pipeline.defs.tables import counts_table
from sscb_pipeline.ledger.build import bring_up_to_date
from sscb_pipeline.stages.cells import run_cells
from sscb_pipeline.stages.check_executions import check_executions
from sscb_pipeline.stages.ledger_source import WarehouseSource
from sscb_pipeline.stages.names import Stage
from sscb_pipeline.stages.pending import pending
from sscb_pipeline.stages.reporter import Reporter

GROUP = "runs"


@dg.asset(
    group_name=GROUP,
    deps=[admitted_seeds],
    partitions_def=GRID,
    backfill_policy=dg.BackfillPolicy.single_run(),
    kinds={"python"},
    owners=["team:measurement"],
)
def executions(
    context: dg.AssetExecutionContext,
    warehouse: WarehouseResource,
    study: StudyResource,
    reporter: dg.ResourceParam[Reporter],
) -> dg.MaterializeResult[None]:
    """Executions of each cell: clean first, then fault runs and paired conditions; finished ones are never repeated."""
    with refusing():
        place, current = warehouse.open(), study.study()
        published = run_cells(place, current, chosen(current, context.partition_keys), reporter)
        bring_up_to_date(place, WarehouseSource())
    return dg.MaterializeResult(metadata={"executions": counts_table(published)})


@dg.asset_check(asset=executions, blocking=True)
def executions_hold(warehouse: WarehouseResource, study: StudyResource) -> dg.AssetCheckResult:
    """Every scheduled execution ended once, its bytes are whole, and delivery of every fault is proven."""
    with refusing():
        place = warehouse.open()
        verdicts = [check_executions(place, cell) for cell in pending(place, study.study(), Stage.EXECUTIONS)]
    return check_result(verdicts)
