"""Stage: the trials of the judge path, so that a report can show what its checks and gates would have caught.

They depend on the code alone, so they are kept among the cases and run once per version.
"""

from __future__ import annotations

from enum import StrEnum

from sscb_pipeline.artifacts.records import from_bytes, to_bytes
from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.assurance.manifest import PublishedManifest, authorised, current, publish_stage, stage_manifest
from sscb_pipeline.assurance.requirement import Outcome
from sscb_pipeline.judging.trials.results import TrialResults, run_trials, trial_units, violations
from sscb_pipeline.stages.code_version import code_version
from sscb_pipeline.stages.frames import output
from sscb_pipeline.stages.gate import Closed, Opened, conclude, kept_or_broken
from sscb_pipeline.stages.names import CASES_CAMPAIGN, WHOLE, Stage
from sscb_pipeline.stages.reporter import Reporter
from sscb_pipeline.stages.standing import standing

RESULTS = "results"


class TrialRequirement(StrEnum):
    """What the trials must show of the production path."""

    MUTANTS_NAMED = "mutants_named"
    """Every mutant is rejected by every checker it is assigned to, naming the violated requirement."""
    NO_CHECKER_CRASHES = "no_checker_crashes"
    """No checker ends in an exception."""
    NO_FALSE_ALARM = "no_false_alarm"
    """Legal inputs that look wrong are accepted."""
    FAULTS_STOPPED = "faults_stopped"
    """P4 refuses in every fault case."""
    NO_CHANGED_BYTE_READ = "no_changed_byte_read"
    """Under P4 the stub never reads bytes that a sound build would not have made."""
    FAULT_FREE_COMPLETE = "fault_free_complete"
    """Cases without fault complete under every control."""


def run_judge_trials(warehouse: Warehouse, reporter: Reporter) -> PublishedManifest:
    """Run the trials, unless this version of the code has."""
    before = standing(warehouse, campaign=CASES_CAMPAIGN, stage=Stage.JUDGE_TRIALS, partition=WHOLE, inputs={})
    if isinstance(before, PublishedManifest):
        return before
    results = run_trials(reporter.begin("trials of the judge path", trial_units()))
    return publish_stage(
        warehouse,
        stage_manifest(
            campaign=CASES_CAMPAIGN,
            stage=Stage.JUDGE_TRIALS,
            partition=WHOLE,
            code_version=code_version(),
            inputs={},
            outputs={RESULTS: warehouse.objects.put(to_bytes(results))},
            counts={
                "mutants": len(results.production.mutants),
                "named": results.production.named,
                "cases": len(results.cases),
            },
        ),
    )


def check_judge_trials(warehouse: Warehouse) -> Opened | Closed:
    """What the trials must show, they show."""
    published = current(warehouse, campaign=CASES_CAMPAIGN, stage=Stage.JUDGE_TRIALS, partition=WHOLE)
    found = violations(_results(warehouse, published))
    outcomes: dict[StrEnum, Outcome] = {
        requirement: kept_or_broken(found[requirement.value]) for requirement in TrialRequirement
    }
    return conclude(warehouse, published, TrialRequirement, outcomes)


def authorised_trials(warehouse: Warehouse) -> tuple[TrialResults, PublishedManifest]:
    """The results whose check passed. Raises RefusalError without a receipt."""
    published = authorised(
        warehouse, campaign=CASES_CAMPAIGN, stage=Stage.JUDGE_TRIALS, partition=WHOLE, code_version=code_version()
    )
    return _results(warehouse, published), published


def _results(warehouse: Warehouse, published: PublishedManifest) -> TrialResults:
    sha256 = output(published, RESULTS)
    return from_bytes(TrialResults, warehouse.objects.get(sha256), f"trial results {sha256}")
