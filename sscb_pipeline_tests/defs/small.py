"""The definitions over a tiny study: one operator, one configuration, one seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import dagster as dg

from sscb_pipeline.definitions import build
from sscb_pipeline.defs.resources import StudyResource, WarehouseResource
from sscb_pipeline.environments.port import Substrate
from sscb_pipeline.faults.operator import Candidate, Operator
from sscb_pipeline.faults.operators.registry import OPERATORS
from sscb_pipeline.reconstruction.deterministic import DETERMINISTIC
from sscb_pipeline.stages.reference_contenders import reference_contenders
from sscb_pipeline.stages.reporter import SilentReporter
from sscb_pipeline.stages.study import ReferenceAgents, Study
from sscb_pipeline_tests.inclusion.doubles import Like

OPERATOR, CONFIGURATION = "PaySource", "R1-reads-first"
CELL = f"{CONFIGURATION}|{OPERATOR}"
CASES = ["candidate_frames", "admitted_seeds"]


class TinyStudy(StudyResource):
    """Supplies the tiny study."""

    def study(self) -> Study:
        return tiny_study(self.campaign, OPERATORS[OPERATOR])


class ForgettingStudy(StudyResource):
    """Supplies a study whose operator finds one candidate less each time it is asked."""

    def study(self) -> Study:
        return tiny_study(self.campaign, Forgetting(OPERATORS[OPERATOR]))


class Forgetting(Like):
    """Finds fewer and fewer candidates."""

    def __init__(self, operator: Operator) -> None:
        super().__init__(operator)

    def candidates(self, substrate: Substrate) -> Sequence[Candidate]:
        ASKED.append(1)
        return self._operator.candidates(substrate)[len(ASKED) :]


ASKED: list[int] = []


def tiny_study(campaign: str, operator: Operator) -> Study:
    return Study(
        campaign=campaign,
        operators={operator.name: operator},
        contenders={
            one.reference.configuration_id: one
            for one in reference_contenders()
            if one.reference.configuration_id == CONFIGURATION
        },
        admitted_per_operator=1,
        stages=DETERMINISTIC,
        players=ReferenceAgents(),
    )


def definitions(study: StudyResource) -> dg.Definitions:
    return build(SilentReporter(), study)


def materialize(
    warehouse: Path, assets: Sequence[str], study: StudyResource | None = None, *, partition: str = ""
) -> dg.ExecuteInProcessResult:
    """Materialise some assets with their checks, on an instance of their own."""
    made = definitions(study or TinyStudy(campaign="tiny"))
    resources: Mapping[str, object] = {
        "warehouse": WarehouseResource(root=str(warehouse)),
        "study": study or TinyStudy(campaign="tiny"),
        "reporter": dg.ResourceDefinition.hardcoded_resource(SilentReporter()),
    }
    with dg.DagsterInstance.ephemeral() as instance:
        return dg.materialize(
            [*(made.assets or ()), *(made.asset_checks or ())],  # type: ignore[list-item]
            selection=dg.AssetSelection.assets(*assets),
            partition_key=partition or None,
            resources=resources,
            raise_on_error=False,
            instance=instance,
        )


def made(result: dg.ExecuteInProcessResult) -> set[str]:
    """Names of the assets that a run materialised."""
    return {event.asset_key.to_user_string() for event in result.get_asset_materialization_events() if event.asset_key}


def failures(result: dg.ExecuteInProcessResult) -> dict[str, dg.DagsterEvent]:
    """Failed steps by name."""
    return {str(event.step_key): event for event in result.all_events if event.is_step_failure}
