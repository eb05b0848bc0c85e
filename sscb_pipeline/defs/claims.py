"""Stage `claims`: what the measured runs support, each number with its population; and the ledger to ask."""

import dagster as dg

from sscb_pipeline.defs.gates import check_result, refusing
from sscb_pipeline.defs.measurements import measurements
from sscb_pipeline.defs.packets import judge_draws, judge_trials
from sscb_pipeline.defs.resources import StudyResource, WarehouseResource
from sscb_pipeline.defs.tables import counts_table, picture
from sscb_pipeline.ledger.build import bring_up_to_date
from sscb_pipeline.report.arrival_picture import arrival_picture
from sscb_pipeline.stages.check_claims import check_claims
from sscb_pipeline.stages.claims import analysis_of, read_analysed, run_claims
from sscb_pipeline.stages.ledger_source import WarehouseSource
from sscb_pipeline.stages.pending import claims_pending

GROUP = "claims"


@dg.asset(group_name=GROUP, deps=[measurements], kinds={"python"}, owners=["team:measurement"])
def claims(warehouse: WarehouseResource, study: StudyResource) -> dg.MaterializeResult[None]:
    """The rows of every measured cell of the campaign, and the numbers they support."""
    with refusing():
        place = warehouse.open()
        published = run_claims(place, study.study())
        drawing = arrival_picture(analysis_of(read_analysed(place, published)))
    return dg.MaterializeResult(
        metadata={"claims": counts_table([published]), "arrival": picture(drawing, "arrival of counter-evidence")}
    )


@dg.asset_check(asset=claims, blocking=True)
def claims_hold(warehouse: WarehouseResource, study: StudyResource) -> dg.AssetCheckResult:
    """Every printed number is what its own query finds; an empty population has no rate."""
    with refusing():
        place, current = warehouse.open(), study.study()
        verdicts = [check_claims(place, current)] if claims_pending(place, current) else []
    return check_result(verdicts)


# After the judge path too, so that the ledger holds its receipts.
@dg.asset(group_name=GROUP, deps=[claims, judge_draws, judge_trials], kinds={"duckdb"}, owners=["team:measurement"])
def ledger(warehouse: WarehouseResource) -> dg.MaterializeResult[None]:
    """The DuckDB ledger, built beside the published one and moved into its place."""
    with refusing():
        path = bring_up_to_date(warehouse.open(), WarehouseSource())
    return dg.MaterializeResult(metadata={"ledger": dg.MetadataValue.path(str(path))})
