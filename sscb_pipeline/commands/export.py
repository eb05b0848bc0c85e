"""`sscb export`: tables and figures as files for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sscb_pipeline.commands.console import (
    Json,
    chosen_warehouse,
    messages,
    output,
    print_json,
    print_line,
    reported,
)
from sscb_pipeline.commands.models import Config, choose_study
from sscb_pipeline.inclusion.screening import ADMITTED_PER_OPERATOR
from sscb_pipeline.stages.names import DEFAULT_CAMPAIGN


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command()(export)


def export(
    out: Annotated[Path | None, typer.Option(help="Also copy the files into this folder.")] = None,
    config: Config = None,
    campaign: Annotated[str, typer.Option(help="Name of the wave of executions.")] = DEFAULT_CAMPAIGN,
    as_json: Json = False,
) -> None:
    """Write every table as CSV, Parquet and LaTeX, and every figure as SVG and PNG."""
    from sscb_pipeline.stages.exports import copy_exports, exported, exports_folder, run_exports
    from sscb_pipeline.stages.study import chosen_study

    with reported():
        warehouse = chosen_warehouse()
        study = chosen_study(choose_study(config, campaign), ADMITTED_PER_OPERATOR)
        published = run_exports(warehouse, study)
        folder = exports_folder(warehouse, study.campaign)
        if out is not None:
            copy_exports(warehouse, published, out)
            folder = out
    files = sorted(exported(published))
    if not any(name.endswith(".png") for name in files):
        print_line(messages, "no PNG: this machine has no font for them; install one, say fonts-dejavu-core")
    if as_json:
        print_json({"folder": str(folder), "files": files})
    else:
        print_line(output, f"{len(files)} files in {folder}")
