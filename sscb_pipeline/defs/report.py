"""Stage `report`: the HTML report."""

import dagster as dg

from sscb_pipeline.defs.claims import ledger
from sscb_pipeline.defs.gates import refusing
from sscb_pipeline.defs.resources import StudyResource, WarehouseResource
from sscb_pipeline.defs.tables import counts_table
from sscb_pipeline.stages.report import report_index, run_report


@dg.asset(group_name="report", deps=[ledger], kinds={"html"}, owners=["team:measurement"])
def report(warehouse: WarehouseResource, study: StudyResource) -> dg.MaterializeResult[None]:
    """Funnel, arrival, adoption, diagnosis, paired conditions and calibration as one page without outside addresses."""
    with refusing():
        place, current = warehouse.open(), study.study()
        published = run_report(place, current)
        page = report_index(place, current.campaign)
    return dg.MaterializeResult(
        metadata={"report": counts_table([published]), "page": dg.MetadataValue.path(str(page))}
    )
