"""The gates of the judge path in a real Dagster instance: with their checks, without them, and after a change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import dagster as dg
import pytest

from sscb_pipeline.artifacts.warehouse import Warehouse, existing
from sscb_pipeline.assurance.packet_staging import staging_folder
from sscb_pipeline.defs import packets
from sscb_pipeline.defs.resources import StudyResource, WarehouseResource
from sscb_pipeline.stages.gate import Closed
from sscb_pipeline.stages.judge_packets import check_judge_packets, check_judge_staging, run_judge_packets
from sscb_pipeline.stages.judge_sample import read_sample, sample_name
from sscb_pipeline.stages.reporter import SilentReporter
from sscb_pipeline.stages.study import Study
from sscb_pipeline_tests.stages.small import CAMPAIGN, Runner, small_study

ASSETS: Sequence[dg.AssetsDefinition] = (packets.staged_packets, packets.judge_jobs, packets.judge_draws)
CHECKS = (packets.disk_check_kept, packets.jobs_hold, packets.draws_hold)


class SmallStudy(StudyResource):
    """The small study of the stage tests."""

    campaign: str = CAMPAIGN

    def study(self) -> Study:
        """Its operators and contenders."""
        return small_study()


@pytest.fixture(scope="module")
def instance() -> Iterator[dg.DagsterInstance]:
    with dg.DagsterInstance.ephemeral() as made:
        yield made


@pytest.fixture
def warehouse(runner: Runner) -> Warehouse:
    """The finished small study, with the packets of its sample built and the inline check passed."""
    run_judge_packets(runner.warehouse, small_study())
    check_judge_packets(runner.warehouse, CAMPAIGN)
    return existing(runner.warehouse.root)


def _run(
    warehouse: Warehouse, instance: dg.DagsterInstance, selected: Sequence[object], everything: Sequence[object]
) -> dg.ExecuteInProcessResult:
    assets = [one for one in everything if not isinstance(one, dg.AssetChecksDefinition)]
    checks = [one for one in everything if isinstance(one, dg.AssetChecksDefinition)]
    definitions = dg.Definitions(
        assets=assets,
        asset_checks=checks,
        jobs=[dg.define_asset_job("path", selection=dg.AssetSelection.assets(*selected))],
        resources={
            "warehouse": WarehouseResource(root=str(warehouse.root)),
            "study": SmallStudy(),
            "reporter": dg.ResourceDefinition.hardcoded_resource(SilentReporter()),
        },
    )
    return definitions.resolve_job_def("path").execute_in_process(instance=instance, raise_on_error=False)


def _refusal(result: dg.ExecuteInProcessResult) -> str:
    (failure,) = [event.step_failure_data for event in result.all_events if event.is_step_failure]
    assert failure.user_failure_data is not None
    return failure.user_failure_data.description or ""


def test_with_its_checks_the_path_leads_to_the_draws(warehouse: Warehouse, instance: dg.DagsterInstance) -> None:
    result = _run(warehouse, instance, ASSETS, [*ASSETS, *CHECKS])
    assert result.success
    assert [one.passed for one in result.get_asset_check_evaluations()] == [True] * len(CHECKS)


def test_with_the_checks_removed_the_next_asset_refuses_and_nothing_is_drawn(
    warehouse: Warehouse, instance: dg.DagsterInstance
) -> None:
    result = _run(warehouse, instance, ASSETS, ASSETS)
    assert not result.success
    assert "judge_stage" in _refusal(result)
    assert not list(warehouse.journals.glob("*/judge_draws/*"))
    alone = _run(warehouse, instance, [packets.judge_draws], ASSETS)
    assert "judge_stage" in _refusal(alone)


def test_a_packet_changed_after_staging_fails_the_check_and_stops_this_run_and_the_next(
    warehouse: Warehouse, instance: dg.DagsterInstance
) -> None:
    assert _run(warehouse, instance, [packets.staged_packets], [packets.staged_packets]).success
    name = sample_name(CAMPAIGN, read_sample(warehouse, CAMPAIGN))
    victim = sorted(staging_folder(warehouse, name).iterdir())[0]
    victim.chmod(0o644)
    victim.write_bytes(victim.read_bytes().replace(b"\n", b"\r\n"))
    verdict = check_judge_staging(warehouse, CAMPAIGN)
    assert isinstance(verdict, Closed)
    assert "staged_bytes" in verdict.reason.expected
    assert "CRLF" in verdict.reason.found
    checked = _run(
        warehouse,
        instance,
        [packets.judge_jobs, packets.judge_draws],
        [*ASSETS, packets.jobs_hold, packets.draws_hold],
    )
    assert "judge_stage" in _refusal(checked)
    later = _run(warehouse, instance, [packets.judge_draws], ASSETS)
    assert not later.success
    assert not list(warehouse.journals.glob("*/judge_draws/*"))


def test_a_change_between_check_and_dispatch_is_refused_by_dispatch(
    warehouse: Warehouse, instance: dg.DagsterInstance
) -> None:
    before = [packets.staged_packets, packets.judge_jobs]
    assert _run(warehouse, instance, before, [*before, *CHECKS[:2]]).success
    name = sample_name(CAMPAIGN, read_sample(warehouse, CAMPAIGN))
    _overwrite_first(staging_folder(warehouse, name))
    result = _run(warehouse, instance, [packets.judge_draws], [*ASSETS, *CHECKS])
    assert not result.success
    assert "staged" in _refusal(result)
    assert not list(warehouse.journals.glob("*/judge_draws/*"))


def _overwrite_first(folder: Path) -> None:
    victim = sorted(folder.iterdir())[0]
    victim.chmod(0o644)
    victim.write_bytes(b"[JUDGE PACKET]\n")
