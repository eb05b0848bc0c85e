"""Dispatching a prepared run to a judge, by configuration; draws are journalled and resumed."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import assert_never

from sscb_pipeline.artifacts.journal import Journal
from sscb_pipeline.artifacts.warehouse import JournalName, Warehouse
from sscb_pipeline.assurance.judge_run import RunName
from sscb_pipeline.assurance.packet_dispatch import Dispatch, open_dispatch
from sscb_pipeline.errors import InputError
from sscb_pipeline.judging.configuration import STUB, DeliveryForm, JudgeConfiguration, load_configuration
from sscb_pipeline.judging.draws import DrawRecord, left, read_draws, run_draws
from sscb_pipeline.judging.judge import Judge, PromptJudge, RecordingStub
from sscb_pipeline.stages.reporter import Reporter

STUB_NAME = "stub"
DRAWS_STAGE = "judge_draws"


def judge_configuration(judge: str) -> JudgeConfiguration:
    """The stub's configuration, or that of a YAML file. Raises InputError."""
    return STUB if judge == STUB_NAME else load_configuration(Path(judge))


def judge_of(configuration: JudgeConfiguration, base_url: str) -> Judge:
    """The judge at work. Raises InputError, before anything is sent, for a configuration that has no client here."""
    if configuration.client == STUB_NAME:
        return RecordingStub()
    from sscb_pipeline.adapters.judges.litellm_completions import LitellmCompletions, demand_provider_prefix

    match configuration.delivery:
        case DeliveryForm.PROMPT:
            demand_provider_prefix(configuration.model)
            return PromptJudge(configuration=configuration, completions=LitellmCompletions(base_url=base_url))
        case DeliveryForm.FILE:
            raise InputError(
                subject=f"judge configuration {configuration.name}",
                expected="delivery prompt",
                found="delivery file, which needs a session that this command has none of",
                remedy="set delivery: prompt, or run the judge from Python with judging.judge.FileJudge",
            )
        case _:
            assert_never(configuration.delivery)


def draw_journal(warehouse: Warehouse, name: RunName) -> Journal:
    """Where the draws of a run are recorded."""
    return warehouse.journal(JournalName(campaign=name.campaign, stage=DRAWS_STAGE, partition=name.run))


def dispatch_run(
    warehouse: Warehouse,
    name: RunName,
    configuration: JudgeConfiguration,
    judge: Judge,
    reporter: Reporter,
) -> tuple[Dispatch, dict[int, DrawRecord]]:
    """Enter dispatch and make every draw that is left. Raises RefusalError or IntegrityError; see `open_dispatch`."""
    dispatch = open_dispatch(warehouse, name)
    journal = draw_journal(warehouse, name)
    waiting = left(dispatch.jobs, read_draws(journal, name.run, configuration.sha256))
    draws = asyncio.run(
        run_draws(
            dispatch,
            judge,
            journal,
            warehouse.objects,
            configuration=configuration.sha256,
            concurrency=configuration.concurrency,
            progress=reporter.begin("draws", len(waiting)),
        )
    )
    return dispatch, draws
