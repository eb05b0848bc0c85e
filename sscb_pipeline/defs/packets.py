"""Stage `packets`: packets for judges of a sample of the campaign's executions, and the trials of that path.

The checks write the receipts that the next asset demands, so a run that leaves a check out goes no further.
"""

import dagster as dg

from sscb_pipeline.assurance.manifest import PublishedManifest
from sscb_pipeline.defs.gates import check_result, refusing
from sscb_pipeline.defs.measurements import measurements
from sscb_pipeline.defs.resources import StudyResource, WarehouseResource
from sscb_pipeline.defs.tables import counts_table
from sscb_pipeline.judging.trials.results import summary
from sscb_pipeline.stages import judge_packets as stages
from sscb_pipeline.stages.judge_trials import authorised_trials, check_judge_trials, run_judge_trials
from sscb_pipeline.stages.reporter import Reporter

GROUP = "packets"
OWNERS = ["team:assurance"]


def _made(*published: PublishedManifest) -> dg.MaterializeResult[None]:
    return dg.MaterializeResult(metadata={"packets": counts_table(published)})


@dg.asset(group_name=GROUP, deps=[measurements], kinds={"python"}, owners=OWNERS)
def judge_packets(warehouse: WarehouseResource, study: StudyResource) -> dg.MaterializeResult[None]:
    """Packets (rendering C, prefix and full) of 120 fault and 40 clean executions, archived by exact-byte hash."""
    with refusing():
        return _made(stages.run_judge_packets(warehouse.open(), study.study()).published)


@dg.asset_check(asset=judge_packets, blocking=True)
def inline_check_kept(warehouse: WarehouseResource, study: StudyResource) -> dg.AssetCheckResult:
    """Source record and packet in memory: required content survives, excluded content is absent."""
    with refusing():
        return check_result([stages.check_judge_packets(warehouse.open(), study.campaign)])


@dg.asset(group_name=GROUP, deps=[judge_packets], kinds={"python"}, owners=OWNERS)
def staged_packets(warehouse: WarehouseResource, study: StudyResource) -> dg.MaterializeResult[None]:
    """Copies of the archived packets in the folder that judges are given."""
    with refusing():
        return _made(stages.run_judge_staging(warehouse.open(), study.campaign))


@dg.asset_check(asset=staged_packets, blocking=True)
def disk_check_kept(warehouse: WarehouseResource, study: StudyResource) -> dg.AssetCheckResult:
    """Sources, archived packets, staged copies and the written manifest, all read again."""
    with refusing():
        return check_result([stages.check_judge_staging(warehouse.open(), study.campaign)])


@dg.asset(group_name=GROUP, deps=[staged_packets], kinds={"python"}, owners=OWNERS)
def judge_jobs(warehouse: WarehouseResource, study: StudyResource) -> dg.MaterializeResult[None]:
    """Job list and scripts: two draws of each packet, in an order shuffled by a seed."""
    with refusing():
        return _made(stages.run_judge_jobs(warehouse.open(), study.campaign).published)


@dg.asset_check(asset=judge_jobs, blocking=True)
def jobs_hold(warehouse: WarehouseResource, study: StudyResource) -> dg.AssetCheckResult:
    """The scripts are the closed set of this run and draw each authorised packet as often as planned."""
    with refusing():
        return check_result([stages.check_judge_jobs(warehouse.open(), study.campaign)])


@dg.asset(group_name=GROUP, deps=[judge_jobs], kinds={"python"}, owners=OWNERS)
def judge_draws(
    warehouse: WarehouseResource, study: StudyResource, reporter: dg.ResourceParam[Reporter]
) -> dg.MaterializeResult[None]:
    """Every draw by the recording stub, from bytes verified as they are handed over."""
    with refusing():
        return _made(stages.run_judge_draws(warehouse.open(), study.campaign, reporter))


@dg.asset_check(asset=judge_draws, blocking=True)
def draws_hold(warehouse: WarehouseResource, study: StudyResource) -> dg.AssetCheckResult:
    """Every job was drawn once, and what was read is what was authorised."""
    with refusing():
        return check_result([stages.check_judge_draws(warehouse.open(), study.campaign)])


@dg.asset(group_name=GROUP, kinds={"python"}, owners=OWNERS)
def judge_trials(warehouse: WarehouseResource, reporter: dg.ResourceParam[Reporter]) -> dg.MaterializeResult[None]:
    """Mutants against both checkers, legal inputs, and the fault cases under the controls P0 to P4."""
    with refusing():
        return _made(run_judge_trials(warehouse.open(), reporter))


@dg.asset_check(asset=judge_trials, blocking=True)
def trials_hold(warehouse: WarehouseResource) -> dg.AssetCheckResult:
    """Mutants are named, legal inputs pass, production stops every fault and completes without one."""
    with refusing():
        return check_result([check_judge_trials(warehouse.open())])


@dg.asset(group_name=GROUP, deps=[judge_trials], kinds={"json"}, owners=OWNERS)
def judge_trial_tables(warehouse: WarehouseResource) -> dg.MaterializeResult[None]:
    """The kill table's totals and the control table, for the Dagster UI."""
    with refusing():
        results, published = authorised_trials(warehouse.open())
    told = summary(results)
    controls = [
        dg.TableRecord({"control": control, **counts, "fault cases": told["fault_cases"]})
        for control, counts in told["controls"].items()
    ]
    return dg.MaterializeResult(
        metadata={
            "mutants": dg.MetadataValue.json(told["mutants"]),
            "controls": dg.MetadataValue.table(records=controls),
            "fault-free cases completed": dg.MetadataValue.int(told["fault_free_completed"]),
            "manifest": dg.MetadataValue.text(published.sha256),
        }
    )
