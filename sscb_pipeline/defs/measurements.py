"""Stage `measurements`: events and verdicts of every execution, reconstructed from what the agent saw."""

import asyncio

import dagster as dg

from sscb_pipeline.defs.gates import check_result, refusing
from sscb_pipeline.defs.grid import GRID, chosen
from sscb_pipeline.defs.resources import StudyResource, WarehouseResource
from sscb_pipeline.defs.runs import executions
from sscb_pipeline.defs.tables import counts_table
from sscb_pipeline.ledger.build import bring_up_to_date
from sscb_pipeline.stages.check_measurements import check_measurements
from sscb_pipeline.stages.ledger_source import WarehouseSource
from sscb_pipeline.stages.measurements import run_measurements, unmeasured
from sscb_pipeline.stages.names import Stage
from sscb_pipeline.stages.pending import pending
from sscb_pipeline.stages.reporter import Reporter

GROUP = "measurements"


@dg.asset(
    group_name=GROUP,
    deps=[executions],
    partitions_def=GRID,
    backfill_policy=dg.BackfillPolicy.single_run(),
    kinds={"python"},
    owners=["team:measurement"],
)
def measurements(
    context: dg.AssetExecutionContext,
    warehouse: WarehouseResource,
    study: StudyResource,
    reporter: dg.ResourceParam[Reporter],
) -> dg.MaterializeResult[None]:
    """T_F, T_E, T_S, T_U, adoption, arrival and final stance of every fault run, each with determinability."""
    with refusing():
        place, current = warehouse.open(), study.study()
        cells = chosen(current, context.partition_keys)
        advance = reporter.begin("measuring", sum(unmeasured(place, cell) for cell in cells))
        published = [
            asyncio.run(run_measurements(place, cell, current.instruments(cell.operator), advance)) for cell in cells
        ]
        bring_up_to_date(place, WarehouseSource())
    return dg.MaterializeResult(metadata={"measurements": counts_table(published)})


@dg.asset_check(asset=measurements, blocking=True)
def measurements_hold(warehouse: WarehouseResource, study: StudyResource) -> dg.AssetCheckResult:
    """Every fault run is measured once, and its events and verdicts agree with each other."""
    with refusing():
        place = warehouse.open()
        verdicts = [check_measurements(place, cell) for cell in pending(place, study.study(), Stage.MEASUREMENTS)]
    return check_result(verdicts)
