"""Running the measurement job in this process, as the command line does."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sscb_pipeline.artifacts.lease import lease
from sscb_pipeline.artifacts.warehouse import create_or_open
from sscb_pipeline.stages.preflight import preflight
from sscb_pipeline.stages.reporter import Reporter
from sscb_pipeline.stages.study import chosen_study

_LAUNCHED_HERE = {"sscb/launched": "command"}


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyChoice:
    """Which study: its campaign, and how many seeds each configuration meets per operator."""

    campaign: str
    seeds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedStep:
    """A step or check that failed, and why, in a sentence or more."""

    step: str
    reason: str


def run_measurement(root: Path, study: StudyChoice, reporter: Reporter) -> tuple[FailedStep, ...]:
    """Run the whole job over every cell of the grid into the warehouse at `root`.

    `root` is the one that the environment names to Dagster. Returns what failed; nothing failed means that the report
    stands. Raises the errors of `preflight`, and RefusalError while another run started by this command goes on: then
    nothing was written.
    """
    preflight(root, chosen_study(study.campaign, study.seeds))
    warehouse = create_or_open(root)
    with lease(warehouse.lease_path("run"), f"a run in warehouse {root}"):
        return _run(study, reporter)


def _run(study: StudyChoice, reporter: Reporter) -> tuple[FailedStep, ...]:
    import dagster as dg
    from dagster._core.storage.tags import ASSET_PARTITION_RANGE_END_TAG, ASSET_PARTITION_RANGE_START_TAG

    # Partition backfills in one run are marked beta; the pinned version is the one the tests run with.
    warnings.filterwarnings("ignore", category=dg.BetaWarning)
    from sscb_pipeline.definitions import MEASUREMENT_JOB, build
    from sscb_pipeline.defs.grid import GRID
    from sscb_pipeline.defs.resources import StudyResource

    keys = GRID.get_partition_keys()
    job = build(reporter, StudyResource(campaign=study.campaign, seeds=study.seeds)).resolve_job_def(MEASUREMENT_JOB)
    with dg.DagsterInstance.get() as instance:
        _close_killed_runs(instance)
        result = job.execute_in_process(
            instance=instance,
            raise_on_error=False,
            tags={
                ASSET_PARTITION_RANGE_START_TAG: keys[0],
                ASSET_PARTITION_RANGE_END_TAG: keys[-1],
                "sscb/campaign": study.campaign,
                **_LAUNCHED_HERE,
            },
            run_config={"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}},
        )
    return tuple(_failed(result))


def _close_killed_runs(instance: Any) -> None:
    """Mark as failed what a killed run of this command left as running: the lease says that none of them runs."""
    import dagster as dg

    unfinished = [dg.DagsterRunStatus.STARTED, dg.DagsterRunStatus.STARTING, dg.DagsterRunStatus.NOT_STARTED]
    for run in instance.get_runs(filters=dg.RunsFilter(tags=_LAUNCHED_HERE, statuses=unfinished)):
        instance.report_run_failed(run, message="its process was killed; the next run took up its work")


def _failed(result: object) -> Iterator[FailedStep]:
    import dagster as dg

    assert isinstance(result, dg.ExecuteInProcessResult)
    for evaluation in result.get_asset_check_evaluations():
        if not evaluation.passed:
            yield FailedStep(step=evaluation.check_name, reason=evaluation.description or "the check failed")
    for event in result.all_events:
        if event.is_step_failure and event.step_key:
            failure = event.step_failure_data
            told = failure.user_failure_data.description if failure.user_failure_data else ""
            error = failure.error
            reason = told or (error.to_string() if error else "no reason was given")
            yield FailedStep(step=event.step_key, reason=reason)
