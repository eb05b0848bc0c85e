"""Stage `report`: claim cards, the pages for people, and the files for other programs."""

import dagster as dg

from sscb_pipeline.defs.claims import ledger
from sscb_pipeline.defs.gates import refusing
from sscb_pipeline.defs.resources import StudyResource, WarehouseResource
from sscb_pipeline.defs.tables import counts_table
from sscb_pipeline.stages.claim_cards import cards_folder, run_claim_cards
from sscb_pipeline.stages.exports import exports_folder, run_exports
from sscb_pipeline.stages.report import report_index, run_report

GROUP = "report"


@dg.asset(group_name=GROUP, deps=[ledger], kinds={"json"}, owners=["team:measurement"])
def claim_cards(warehouse: WarehouseResource, study: StudyResource) -> dg.MaterializeResult[None]:
    """One card per claim: sentence, population, evidence, support, queries, and the rows it was computed on."""
    with refusing():
        place, campaign = warehouse.open(), study.study().campaign
        published = run_claim_cards(place, campaign)
    return dg.MaterializeResult(
        metadata={
            "cards": counts_table([published]),
            "folder": dg.MetadataValue.path(str(cards_folder(place, campaign))),
        }
    )


@dg.asset(group_name=GROUP, deps=[claim_cards], kinds={"html"}, owners=["team:measurement"])
def report(warehouse: WarehouseResource, study: StudyResource) -> dg.MaterializeResult[None]:
    """Funnel, arrival, adoption, diagnosis, paired conditions and calibration as one page without outside addresses."""
    with refusing():
        place, current = warehouse.open(), study.study()
        published = run_report(place, current)
        page = report_index(place, current.campaign)
    return dg.MaterializeResult(
        metadata={"report": counts_table([published]), "page": dg.MetadataValue.path(str(page))}
    )


@dg.asset(group_name=GROUP, deps=[ledger], kinds={"csv", "parquet"}, owners=["team:measurement"])
def exports(warehouse: WarehouseResource, study: StudyResource) -> dg.MaterializeResult[None]:
    """Every table as CSV, Parquet and LaTeX, every figure as SVG and PNG."""
    with refusing():
        place, current = warehouse.open(), study.study()
        published = run_exports(place, current)
    return dg.MaterializeResult(
        metadata={
            "files": counts_table([published]),
            "folder": dg.MetadataValue.path(str(exports_folder(place, current.campaign))),
        }
    )
