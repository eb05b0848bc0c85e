"""Commands about models: choosing a study file, what a run would cost, replaying an execution."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from sscb_pipeline.commands.console import (
    FINDING,
    Json,
    chosen_root,
    chosen_warehouse,
    output,
    print_json,
    print_line,
    reported,
)
from sscb_pipeline.errors import InputError
from sscb_pipeline.stages.names import DEFAULT_CAMPAIGN
from sscb_pipeline.terminal.plain import plain

Config = Annotated[
    Path | None, typer.Option("--config", help="A study file: run its models instead of the reference agents.")
]
RequiredConfig = Annotated[Path, typer.Option("--config", help="The study file.")]


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    app.command()(estimate)
    app.command()(replay)


def choose_study(config: Path | None, campaign: str) -> str:
    """Make this process about the study file, where there is one, and return the campaign.

    Everything that can be checked without a call is checked here, before anything is laid out on disk. Raises
    InputError.
    """
    from sscb_pipeline.stages.study import STUDY_VARIABLE

    if config is None:
        os.environ.pop(STUDY_VARIABLE, None)
        return campaign
    from sscb_pipeline.stages.model_contenders import plan_from_environment

    named = plan_from_environment(config).file.campaign
    if campaign not in (DEFAULT_CAMPAIGN, named):
        raise InputError(
            subject="--campaign",
            expected=f"the campaign of {config}, {named}",
            found=campaign,
            remedy="leave --campaign out, or change `campaign` in the file",
        )
    os.environ[STUDY_VARIABLE] = str(config.absolute())
    return named


def estimate(config: RequiredConfig, as_json: Json = False) -> None:
    """Show what is left to run of a study file, and what it will take, from what ran so far."""
    from sscb_pipeline.stages.estimate import estimate_study, line_of

    with reported():
        found = estimate_study(chosen_root(), config)
    if as_json:
        print_json({"campaign": found.campaign, "configurations": [line_of(row) for row in found.rows]})
        return
    lines = [line_of(row) for row in found.rows]
    table = Table(show_header=True, header_style="bold")
    table.add_column("")
    for line in lines:
        table.add_column(Text(plain(str(line["configuration"]))), overflow="fold", justify="right")
    for field in list(lines[0])[1:]:
        table.add_row(field.replace("_", " "), *(Text(plain(_shown(line[field]))) for line in lines))
    output.print(table)
    print_line(output, found.basis)


def _shown(value: Any) -> str:
    """An expected or summed amount with a precision that money needs too."""
    return (
        f"{value:,.4g}"
        if isinstance(value, float) and value < 1000
        else f"{value:,.0f}"
        if isinstance(value, float)
        else str(value)
    )


def replay(
    execution: Annotated[str, typer.Argument(help="An execution id, or its first digits.")],
    config: RequiredConfig,
    as_json: Json = False,
) -> None:
    """Play a model's execution again from its recorded responses, offline, and compare the trajectory byte by byte."""
    from sscb_pipeline.stages.replay import replay_execution

    with reported():
        found = replay_execution(chosen_warehouse(), config, execution)
    result: Mapping[str, Any] = {
        "execution_id": found.execution_id,
        "recorded": found.recorded,
        "replayed": found.replayed,
        "same": found.same,
    }
    if as_json:
        print_json(result)
    else:
        print_line(output, f"{found.execution_id}: {'same bytes' if found.same else 'other bytes'} ({found.replayed})")
    if not found.same:
        raise typer.Exit(FINDING)


def examine_study(config: Path, *, live: bool, as_json: bool) -> None:
    """What `sscb doctor --config` does: every model of the file, one line of findings each."""
    from sscb_pipeline.artifacts.records import encode
    from sscb_pipeline.stages.doctor_models import Health, Looking, examine_models

    with reported():
        found = examine_models(config, Looking.ONE_CALL_EACH if live else Looking.WITHOUT_A_CALL)
    failed = [finding for finding in found if finding.health is Health.FAILED]
    if as_json:
        print_json({"ok": not failed, "models": [encode(finding) for finding in found]})
    else:
        for finding in found:
            print_line(
                output,
                f"{finding.used_by}: {finding.model} at {finding.reached}; prices {finding.prices}; "
                f"settings sent {dict(finding.sent)}; {finding.health.value}: {finding.detail}",
            )
    if failed:
        raise typer.Exit(FINDING)
