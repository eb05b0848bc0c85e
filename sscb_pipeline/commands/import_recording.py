"""`sscb import`: what a recording holds, every call and result accounted for. Nothing is written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from sscb_pipeline.commands.console import (
    Json,
    chosen_warehouse,
    messages,
    output,
    print_json,
    print_line,
    reported,
)

if TYPE_CHECKING:
    from sscb_pipeline.adapters.importers.imported import ImportedRun
    from sscb_pipeline.adapters.importers.summary import ImportSummary


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("import")(import_recording)


def import_recording(
    file: Annotated[
        str, typer.Argument(help="A recording, a warehouse folder, or (format `executions`) an execution id.")
    ],
    format_name: Annotated[
        str, typer.Option("--format", help="Name of the format; detected where it is left out.")
    ] = "",
    as_json: Json = False,
) -> None:
    """Read a recording and count runs, steps, calls, results, and what is odd about them."""
    from sscb_pipeline.adapters.importers.summary import summarise

    with reported():
        name, runs = _chosen(file, format_name)
        summary = summarise(name, runs)
    if summary.text_calls:
        told = f"{summary.text_calls} calls stand in texts only (tool_call blocks, ReAct actions); they stay text"
        print_line(messages, told)
    if as_json:
        print_json(summary.told())
    else:
        output.print(_table(summary))


def _chosen(file: str, format_name: str) -> tuple[str, Iterator[ImportedRun]]:
    """The format's name and the runs; nothing but the beginning of the file was read."""
    from sscb_pipeline.adapters.importers.registry import IMPORTERS, by_name, importer_of, runs_of
    from sscb_pipeline.artifacts.warehouse import existing
    from sscb_pipeline.stages.source_records import FORMAT, execution_run, warehouse_runs

    path = Path(file)
    if path.is_dir() and format_name in ("", FORMAT):
        return FORMAT, warehouse_runs(existing(path))
    if format_name == FORMAT:
        return FORMAT, iter([execution_run(chosen_warehouse(), file)])
    if format_name and format_name not in [importer.name for importer in IMPORTERS]:
        raise _unknown(format_name, [*(importer.name for importer in IMPORTERS), FORMAT])
    importer = by_name(format_name) if format_name else importer_of(path)
    return importer.name, runs_of(path, importer)


def _unknown(format_name: str, known: list[str]) -> Exception:
    from sscb_pipeline.errors import InputError

    return InputError(
        subject=f"format {format_name!r}",
        expected="one of " + ", ".join(known),
        found=repr(format_name),
        remedy="name one of these, or leave --format out to have it detected",
    )


def _table(summary: ImportSummary) -> Table:
    table = Table(show_header=False, box=None)
    for key, value in summary.told().items():
        table.add_row(key.replace("_", " "), str(value))
    return table
