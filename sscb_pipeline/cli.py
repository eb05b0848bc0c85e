"""The `sscb` command. Exit 0 success, 1 a finding or refusal, 2 wrong usage or input.

`--json` prints one JSON document on standard output and nothing else; progress and messages go to standard error.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from sscb_pipeline.artifacts.warehouse import Warehouse, existing, warehouse_root
from sscb_pipeline.commands import claim, import_recording
from sscb_pipeline.defs.home import WORKSPACE, dagster_environment, find_home
from sscb_pipeline.errors import InputError, SscbError
from sscb_pipeline.stages.names import DEFAULT_CAMPAIGN
from sscb_pipeline.terminal.plain import plain

FINDING = 1
WRONG_INPUT = 2

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Fault-injection measurement with evidence, and judge-input assurance.",
)
claim.add_to(app)
import_recording.add_to(app)
messages = Console(stderr=True)
output = Console()

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
Campaign = Annotated[str, typer.Option(help="Name of the wave of executions.")]


def main() -> None:
    """Entry point of the command."""
    app()


@contextmanager
def _reported() -> Iterator[None]:
    """Print our own errors for people and exit with their code."""
    try:
        yield
    except SscbError as error:
        messages.print(Text(plain(str(error)), style="red"))
        raise typer.Exit(WRONG_INPUT if isinstance(error, InputError) else FINDING) from error


def _warehouse() -> Warehouse:
    return existing(_root())


def _root() -> Path:
    return warehouse_root(os.environ, Path.cwd())


def _print_json(value: Any) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=True, allow_nan=False, indent=2) + "\n")


@app.command()
def run(campaign: Campaign = DEFAULT_CAMPAIGN, as_json: Json = False) -> None:
    """Run the whole measurement: frames, witnesses, executions, events, claims, ledger, report."""
    from sscb_pipeline.launch import run_measurement
    from sscb_pipeline.stages.report import report_index
    from sscb_pipeline.stages.status import status as status_of
    from sscb_pipeline.terminal.progress import BarReporter
    from sscb_pipeline.terminal.tables import status_table

    with _reported():
        os.environ.update(dagster_environment(find_home(Path.cwd()), _root()))
        with BarReporter(messages) as reporter:
            failed = run_measurement(campaign, reporter)
        for step in failed:
            messages.print(Text(plain(f"{step.step}: {step.reason}"), style="red"))
        if failed:
            raise typer.Exit(FINDING)
        warehouse = _warehouse()
        found = status_of(warehouse.ledger, campaign)
        page = report_index(warehouse, campaign)
        if as_json:
            _print_json({**found, "report": str(page), "ledger": str(warehouse.ledger)})
            return
        output.print(status_table(found))
        output.print(Text(plain(f"report  {page}\nledger  {warehouse.ledger}")))


@app.command()
def status(campaign: Campaign = DEFAULT_CAMPAIGN, as_json: Json = False) -> None:
    """Show how many candidates, seeds, executions and strata there are, and how the calibration stands."""
    from sscb_pipeline.stages.status import status as status_of
    from sscb_pipeline.terminal.tables import status_table

    with _reported():
        found = status_of(_warehouse().ledger, campaign)
    if as_json:
        _print_json(found)
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

    with _reported():
        shown = find_execution(_warehouse(), execution)
    if as_json:
        measured = encode(shown.measurement) if shown.measurement is not None else {"type": "NotMeasured"}
        steps = [encode(step) for step in shown.trajectory.steps]
        _print_json({"execution": encode(shown.execution), "measurement": measured, "steps": steps})
    else:
        output.print(timeline(shown))


@app.command()
def query(
    sql: Annotated[str, typer.Argument(help="One SELECT over the published ledger.")], as_json: Json = False
) -> None:
    """Ask the ledger. The question can read only: it neither writes nor reaches files or the network."""
    from sscb_pipeline.ledger.query import query as ask
    from sscb_pipeline.terminal.tables import rows_table

    with _reported():
        rows = ask(_root() / "sscb.duckdb", sql)
    if as_json:
        _print_json(rows)
    else:
        output.print(rows_table(rows))


@app.command()
def report(campaign: Campaign = DEFAULT_CAMPAIGN, as_json: Json = False) -> None:
    """Render the report of a campaign from its checked claims and say where it lies."""
    from sscb_pipeline.stages.report import report_index, run_report
    from sscb_pipeline.stages.study import reference_study

    with _reported():
        warehouse = _warehouse()
        published = run_report(warehouse, reference_study(campaign))
        page = report_index(warehouse, campaign)
    if as_json:
        _print_json({"report": str(page), "manifest": published.sha256})
    else:
        output.print(Text(plain(str(page))))


@app.command()
def ui(
    port: Annotated[int, typer.Option(help="Port on the loopback address.")] = 3000,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
) -> None:
    """Start the Dagster UI and daemon with the right home, until interrupted."""
    with _reported():
        home = find_home(Path.cwd())
        environment = {**os.environ, **dagster_environment(home, _root())}
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
