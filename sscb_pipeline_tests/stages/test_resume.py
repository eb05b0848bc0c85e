"""Stages resume: nothing finished is executed again, and what did not run or is missing stays so."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from sscb_pipeline.artifacts.lease import lease
from sscb_pipeline.artifacts.warehouse import JournalName, Warehouse, create_or_open
from sscb_pipeline.episodes.execution import EndingKind
from sscb_pipeline.errors import IntegrityError, RefusalError
from sscb_pipeline.faults.operators.registry import OPERATORS
from sscb_pipeline.stages.execution_index import NothingStored, read_journal
from sscb_pipeline.stages.executions import Partition, read_index, run_executions, unfinished
from sscb_pipeline.stages.gate import Opened
from sscb_pipeline.stages.inclusion import authorised_seeds
from sscb_pipeline.stages.names import Stage
from sscb_pipeline.stages.pending import pending
from sscb_pipeline_tests.stages.conftest import Finished
from sscb_pipeline_tests.stages.small import CAMPAIGN, CONFIGURATIONS, Runner, contents, small_study


class StoppedError(Exception):
    """What a killed process looks like to the code that ran: it is not heard of again."""


class Stopping:
    """Progress that stops the process after some executions were stored."""

    def __init__(self, after: int) -> None:
        self.left = after

    def __call__(self, stored: int) -> None:
        self.left -= stored
        if self.left <= 0:
            raise StoppedError


def journal(warehouse: Warehouse, cell: Partition) -> Path:
    name = JournalName(campaign=cell.campaign, stage=Stage.EXECUTIONS, partition=cell.name)
    return warehouse.journal(name).path


def test_a_second_run_of_everything_executes_nothing_and_changes_nothing(runner: Runner) -> None:
    before = contents(runner.warehouse.root)
    told: list[int] = []
    for operator in runner.study.operators:
        runner.frames(operator)
        runner.inclusion(operator)
    for cell in runner.study.partitions():
        runner.executions(cell, told.append)
        runner.measurements(cell, told.append)
    runner.claims()
    runner.report()
    assert told == [] and contents(runner.warehouse.root) == before


@pytest.mark.parametrize("operator", ["WriteEffect", "ItemOption"])
def test_a_stopped_partition_goes_on_where_it_stopped(runner: Runner, operator: str) -> None:
    study = small_study("stopped")
    cell = study.partition(operator, CONFIGURATIONS[0])
    whole = unfinished(runner.warehouse, cell, authorised_seeds(runner.warehouse, operator)[0].seeds)
    with pytest.raises(StoppedError):
        asyncio.run(run_executions(runner.warehouse, cell, Stopping(after=1)))
    half = journal(runner.warehouse, cell).read_bytes()
    name = JournalName(campaign=cell.campaign, stage=Stage.EXECUTIONS, partition=cell.name)
    done = read_journal(runner.warehouse.journal(name))
    assert 0 < len(done) <= whole
    told: list[int] = []
    published = asyncio.run(run_executions(runner.warehouse, cell, told.append))
    assert sum(told) == whole - len(done)
    assert journal(runner.warehouse, cell).read_bytes().startswith(half)
    found = {one.execution_id: one for one in read_index(runner.warehouse, published).executions}
    assert len(found) == whole and all(found[key] == one for key, one in done.items())
    again: list[int] = []
    assert asyncio.run(run_executions(runner.warehouse, cell, again.append)) == published
    assert again == []


def test_executions_in_two_halves_are_those_of_one_go(runner: Runner) -> None:
    first = small_study("first").partition("ReturnDate", CONFIGURATIONS[0])
    published = asyncio.run(run_executions(runner.warehouse, first, lambda done: None))
    with pytest.raises(StoppedError):
        asyncio.run(
            run_executions(
                runner.warehouse, small_study("second").partition("ReturnDate", CONFIGURATIONS[0]), Stopping(after=1)
            )
        )
    second = small_study("second").partition("ReturnDate", CONFIGURATIONS[0])
    resumed = asyncio.run(run_executions(runner.warehouse, second, lambda done: None))

    def played(index: object) -> set[object]:
        executions = read_index(runner.warehouse, index).executions  # type: ignore[arg-type]
        return {
            (one.key.seed_id, one.key.condition, one.key.repeat, getattr(one.objects, "trajectory", ""))
            for one in executions
        }

    assert played(published) == played(resumed)


def test_what_did_not_run_because_the_clean_task_failed_stays_so(finished: Finished) -> None:
    stopped = 0
    for operator in OPERATORS:
        published = finished.runner.now(CAMPAIGN, "executions", f"R6-forgetful|{operator}")
        for one in read_index(finished.runner.warehouse, published).executions:
            if one.ending.kind is EndingKind.NOT_RUN:
                stopped += 1
                assert isinstance(one.objects, NothingStored) and one.steps == 0 == one.attempts
    assert stopped


def test_another_process_holding_the_partition_is_a_refusal(runner: Runner) -> None:
    cell = small_study("held").partition("ReturnDate", CONFIGURATIONS[0])
    path = runner.warehouse.lease_path(cell.campaign, Stage.EXECUTIONS, cell.name)
    before = contents(runner.warehouse.root)
    with lease(path, "a test"), pytest.raises(RefusalError):
        asyncio.run(run_executions(runner.warehouse, cell, lambda done: None))
    assert contents(runner.warehouse.root) == before


def test_a_frozen_frame_is_not_replaced(runner: Runner) -> None:
    published = runner.now("cases", "frames", "PaySource")
    frame = runner.warehouse.objects.get(published.manifest.outputs[0].sha256)
    other = frame.replace(b'"seed":"sscb-frame-1"', b'"seed":"sscb-frame-2"')
    assert other != frame
    runner.republish(published, {"frame": other})
    with pytest.raises(IntegrityError, match="candidate frame of PaySource"):
        runner.frames("PaySource")


def test_only_cells_without_a_receipt_are_pending(runner: Runner) -> None:
    assert list(pending(runner.warehouse, runner.study, Stage.EXECUTIONS)) == []
    cell = runner.study.partition("PaySource", CONFIGURATIONS[0])
    runner.repoint(runner.now(CAMPAIGN, "executions", cell.name), {"note": "0" * 64})
    assert [one.name for one in pending(runner.warehouse, runner.study, Stage.EXECUTIONS)] == [cell.name]
    assert isinstance(runner.executions_check(cell), Opened)
    assert list(pending(runner.warehouse, runner.study, Stage.EXECUTIONS)) == []


def test_nothing_runs_in_an_empty_warehouse_but_frames(tmp_path: Path) -> None:
    runner = Runner(create_or_open(tmp_path / "warehouse"), small_study())
    before = contents(tmp_path)
    cell = runner.study.partition("ReturnDate", CONFIGURATIONS[0])
    for stage in (
        lambda: runner.inclusion("ReturnDate"),
        lambda: runner.executions(cell),
        lambda: runner.measurements(cell),
        runner.claims,
        runner.report,
    ):
        with pytest.raises(RefusalError) as refused:
            stage()
        assert "run stage" in refused.value.remedy
    assert contents(tmp_path) == before
