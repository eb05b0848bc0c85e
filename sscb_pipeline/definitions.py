"""The one Definitions object: assets, checks, the job and the resources."""

from __future__ import annotations

import dagster as dg

from sscb_pipeline.defs import cases, claims, measurements, packets, report, runs
from sscb_pipeline.defs.resources import StudyResource, WarehouseResource
from sscb_pipeline.stages.reporter import Reporter, SilentReporter

MEASUREMENT_JOB = "measurement"


def build(reporter: Reporter, study: StudyResource) -> dg.Definitions:
    """The definitions with a given way of showing progress and a given study."""
    modules = [cases, runs, measurements, packets, claims, report]
    return dg.Definitions(
        assets=dg.load_assets_from_modules(modules),
        asset_checks=dg.load_asset_checks_from_modules(modules),
        jobs=[dg.define_asset_job(MEASUREMENT_JOB, selection=dg.AssetSelection.all())],
        resources={
            "warehouse": WarehouseResource(),
            "study": study,
            "reporter": dg.ResourceDefinition.hardcoded_resource(reporter),
        },
        # Steps follow one another, so a process for each would only cost its start, and be one more to be orphaned.
        executor=dg.in_process_executor,
    )


defs = build(SilentReporter(), StudyResource())
