"""The `sscb` command. Exit 0 success, 1 a finding or refusal, 2 wrong usage or input.

`--json` prints one JSON document on standard output and nothing else; progress and messages go to standard error.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from sscb_pipeline.commands import claim, export, import_recording, inspection, judge, ledger, models
from sscb_pipeline.commands.console import (
    FINDING,
    Json,
    chosen_root,
    chosen_warehouse,
    messages,
    output,
    print_json,
    reported,
)
from sscb_pipeline.commands.models import Config, choose_study
from sscb_pipeline.defs.home import WORKSPACE, dagster_environment, find_home
from sscb_pipeline.inclusion.screening import ADMITTED_PER_OPERATOR
from sscb_pipeline.stages.names import DEFAULT_CAMPAIGN
from sscb_pipeline.terminal.plain import plain

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Fault-injection measurement with evidence, and judge-input assurance.",
)
Campaign = Annotated[str, typer.Option(help="Name of the wave of executions.")]
Seeds = Annotated[
    int,
    typer.Option(
        help="How many admitted seeds of each operator every configuration meets; fewer make a smaller study."
    ),
]

for group in (claim, export, import_recording, inspection, judge, ledger, models):
    group.add_to(app)


def main() -> None:
    """Entry point of the command."""
    app()


@app.command()
def run(
    campaign: Campaign = DEFAULT_CAMPAIGN,
    seeds: Seeds = ADMITTED_PER_OPERATOR,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Run the whole measurement: frames, witnesses, executions, events, claims, ledger, report."""
    from sscb_pipeline.launch import StudyChoice, run_measurement
    from sscb_pipeline.stages.report import report_index
    from sscb_pipeline.stages.status import status as status_of
    from sscb_pipeline.terminal.progress import BarReporter
    from sscb_pipeline.terminal.tables import status_table

    with reported():
        campaign = choose_study(config, campaign)
        os.environ.update(dagster_environment(find_home(Path.cwd()), chosen_root()))
        with BarReporter(messages) as reporter:
            failed = run_measurement(chosen_root(), StudyChoice(campaign=campaign, seeds=seeds), reporter)
        for step in failed:
            messages.print(Text(plain(f"{step.step}: {step.reason}"), style="red"), soft_wrap=True)
        if failed:
            raise typer.Exit(FINDING)
        warehouse = chosen_warehouse()
        found = status_of(warehouse.ledger, campaign)
        page = report_index(warehouse, campaign)
        if as_json:
            print_json({**found, "report": str(page), "ledger": str(warehouse.ledger)})
            return
        output.print(status_table(found))
        output.print(Text(plain(f"report  {page}\nledger  {warehouse.ledger}")))


@app.command()
def status(campaign: Campaign = DEFAULT_CAMPAIGN, as_json: Json = False) -> None:
    """Show how many candidates, seeds, executions and strata there are, and how the calibration stands."""
    from sscb_pipeline.stages.status import status as status_of
    from sscb_pipeline.terminal.tables import status_table

    with reported():
        found = status_of(chosen_warehouse().ledger, campaign)
    if as_json:
        print_json(found)
    else:
        output.print(status_table(found))


@app.command()
def show(
    execution: Annotated[str, typer.Argument(help="An execution id, or its first digits.")], as_json: Json = False
) -> None:
    """Show one execution step by step, with T_F, T_E, T_S and T_U marked."""
    from sscb_pipeline.artifacts.records import encode
    from sscb_pipeline.stages.shown import find_execution
    from sscb_pipeline.terminal.timeline import timeline

    with reported():
        shown = find_execution(chosen_warehouse(), execution)
    if as_json:
        measured = encode(shown.measurement) if shown.measurement is not None else {"type": "NotMeasured"}
        steps = [encode(step) for step in shown.trajectory.steps]
        print_json({"execution": encode(shown.execution), "measurement": measured, "steps": steps})
    else:
        output.print(timeline(shown))


@app.command()
def query(
    sql: Annotated[str, typer.Argument(help="One SELECT over the published ledger.")], as_json: Json = False
) -> None:
    """Ask the ledger. The question can read only: it neither writes nor reaches files or the network."""
    from sscb_pipeline.ledger.query import query as ask
    from sscb_pipeline.terminal.tables import rows_view

    with reported():
        rows = ask(chosen_root() / "sscb.duckdb", sql)
    if as_json:
        print_json(rows)
    else:
        output.print(rows_view(rows, output.width))


@app.command()
def report(campaign: Campaign = DEFAULT_CAMPAIGN, as_json: Json = False) -> None:
    """Render the report of a campaign from its checked claims and say where it lies."""
    from sscb_pipeline.stages.report import report_index, run_report
    from sscb_pipeline.stages.study import reference_study

    with reported():
        warehouse = chosen_warehouse()
        published = run_report(warehouse, reference_study(campaign))
        page = report_index(warehouse, campaign)
    if as_json:
        print_json({"report": str(page), "manifest": published.sha256})
    else:
        output.print(Text(plain(str(page))))


@app.command()
def ui(
    port: Annotated[int, typer.Option(help="Port on the loopback address.")] = 3000,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
) -> None:
    """Start the Dagster UI and daemon with the right home, until interrupted."""
    with reported():
        home = find_home(Path.cwd())
        environment = {**os.environ, **dagster_environment(home, chosen_root())}
    workspace = str(home / WORKSPACE)
    commands = (
        [sys.executable, "-m", "dagster_webserver", "-w", workspace, "-h", host, "-p", str(port)],
        [sys.executable, "-m", "dagster._daemon", "run", "-w", workspace],
    )
    messages.print(f"http://{host}:{port} (Ctrl-C ends it)", markup=False)
    children = [subprocess.Popen(command, env=environment, cwd=home) for command in commands]
    try:
        children[0].wait()
    except KeyboardInterrupt:
        messages.print("ending", markup=False)
    finally:
        for child in children:
            child.send_signal(signal.SIGINT)
        for child in children:
            child.wait()
