"""Stage `cases`: candidate frames and the seeds that executed witnesses admit."""

import asyncio

import dagster as dg

from sscb_pipeline.defs.gates import check_result, refusing
from sscb_pipeline.defs.resources import StudyResource, WarehouseResource
from sscb_pipeline.defs.tables import counts_table
from sscb_pipeline.stages.check_frames import check_frame
from sscb_pipeline.stages.check_inclusion import check_inclusion
from sscb_pipeline.stages.frames import run_frames
from sscb_pipeline.stages.inclusion import run_inclusion, unscreened
from sscb_pipeline.stages.reporter import Reporter

GROUP = "cases"


@dg.asset(group_name=GROUP, kinds={"python"}, owners=["team:measurement"])
def candidate_frames(warehouse: WarehouseResource, study: StudyResource) -> dg.MaterializeResult[None]:
    """The candidate frame of each operator: built from records before any agent runs, in an order frozen by hash."""
    with refusing():
        place, chosen = warehouse.open(), study.study()
        published = [run_frames(place, operator, chosen.substrate(name)) for name, operator in chosen.operators.items()]
    return dg.MaterializeResult(metadata={"frames": counts_table(published)})


@dg.asset_check(asset=candidate_frames, blocking=True)
def frames_hold(warehouse: WarehouseResource, study: StudyResource) -> dg.AssetCheckResult:
    """The records still give these candidates, in the frozen order."""
    with refusing():
        place, chosen = warehouse.open(), study.study()
        verdicts = [check_frame(place, operator, chosen.substrate(name)) for name, operator in chosen.operators.items()]
    return check_result(verdicts)


@dg.asset(group_name=GROUP, deps=[candidate_frames], kinds={"python"}, owners=["team:measurement"])
def admitted_seeds(
    warehouse: WarehouseResource, study: StudyResource, reporter: dg.ResourceParam[Reporter]
) -> dg.MaterializeResult[None]:
    """Seeds admitted with an executed witness: counter-evidence can arrive before first use (SSC Def. 3.5)."""
    with refusing():
        place, chosen = warehouse.open(), study.study()
        published = []
        for name, operator in chosen.operators.items():
            left = unscreened(place, name, chosen.admitted_per_operator)
            advance = reporter.begin(f"screening {name}", left)
            run = run_inclusion(
                place,
                operator,
                chosen.substrate(name),
                chosen.stages,
                wanted=chosen.admitted_per_operator,
                progress=advance,
            )
            published.append(asyncio.run(run))
    return dg.MaterializeResult(metadata={"admitted": counts_table(published)})


@dg.asset_check(asset=admitted_seeds, blocking=True)
def witnesses_hold(warehouse: WarehouseResource, study: StudyResource) -> dg.AssetCheckResult:
    """Every seed's witness is borne out by its stored bytes, with arguments that were visible."""
    with refusing():
        place, chosen = warehouse.open(), study.study()
        verdicts = [check_inclusion(place, operator, chosen.stages) for operator in chosen.operators.values()]
    return check_result(verdicts)
