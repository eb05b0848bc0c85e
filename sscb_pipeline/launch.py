"""Running the measurement job in this process, as the command line does."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass

from sscb_pipeline.stages.reporter import Reporter


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedStep:
    """A step or check that failed, and why, in a sentence or more."""

    step: str
    reason: str


def run_measurement(campaign: str, reporter: Reporter) -> tuple[FailedStep, ...]:
    """Run the whole job over every cell of the grid on the Dagster instance of DAGSTER_HOME.

    Returns what failed; nothing failed means that the report stands.
    """
    import dagster as dg
    from dagster._core.storage.tags import ASSET_PARTITION_RANGE_END_TAG, ASSET_PARTITION_RANGE_START_TAG

    # Partition backfills in one run are marked beta; the pinned version is the one the tests run with.
    warnings.filterwarnings("ignore", category=dg.BetaWarning)
    from sscb_pipeline.definitions import MEASUREMENT_JOB, build
    from sscb_pipeline.defs.grid import GRID
    from sscb_pipeline.defs.resources import StudyResource

    keys = GRID.get_partition_keys()
    job = build(reporter, StudyResource(campaign=campaign)).resolve_job_def(MEASUREMENT_JOB)
    with dg.DagsterInstance.get() as instance:
        result = job.execute_in_process(
            instance=instance,
            raise_on_error=False,
            tags={
                ASSET_PARTITION_RANGE_START_TAG: keys[0],
                ASSET_PARTITION_RANGE_END_TAG: keys[-1],
                "sscb/campaign": campaign,
            },
            run_config={"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}},
        )
    return tuple(_failed(result))


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
