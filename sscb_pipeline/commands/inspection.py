"""`sscb verify` and `sscb doctor`: is on disk what was recorded, and is the installation whole?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sscb_pipeline.commands.console import (
    FINDING,
    Json,
    chosen_root,
    messages,
    output,
    print_json,
    print_line,
    reported,
)
from sscb_pipeline.commands.models import Config, examine_study
from sscb_pipeline.stages.names import DEFAULT_CAMPAIGN

MOST_LEFTOVERS = 10


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    app.command()(verify)
    app.command()(doctor)


def verify(as_json: Json = False) -> None:
    """Read everything in the warehouse again and name what is missing, extra or changed. Writes nothing."""
    from sscb_pipeline.stages.study import reference_study
    from sscb_pipeline.stages.verify import verify as verify_warehouse
    from sscb_pipeline.stages.verify_findings import Fault

    with reported():
        found = verify_warehouse(chosen_root(), reference_study(DEFAULT_CAMPAIGN))
    for line in found.leftovers[:MOST_LEFTOVERS]:
        print_line(messages, f"left by unfinished work: {line}")
    if len(found.leftovers) > MOST_LEFTOVERS:
        print_line(messages, f"left by unfinished work: {len(found.leftovers) - MOST_LEFTOVERS} more")
    if as_json:
        print_json(found.as_json())
    else:
        for fault in Fault:
            for line in found.of(fault):
                print_line(output, f"{fault.value:8}{line}")
        print_line(output, "everything is as it was recorded" if found.ok else f"{len(found.findings)} findings")
    if not found.ok:
        raise typer.Exit(FINDING)


def doctor(
    config: Config = None,
    live: Annotated[bool, typer.Option("--live", help="With --config: make one small real call per model.")] = False,
    as_json: Json = False,
) -> None:
    """Say what is wrong with this installation and its warehouse, or with a study file's models. Writes nothing."""
    if config is not None:
        examine_study(config, live=live, as_json=as_json)
        return
    from sscb_pipeline.stages.doctor import examine

    found = examine(chosen_root(), Path.cwd())
    if as_json:
        print_json({"ok": not found, "findings": [finding.as_json() for finding in found]})
    else:
        for finding in found:
            print_line(output, str(finding))
        print_line(output, f"{len(found)} findings" if found else "nothing wrong was found")
    if found:
        raise typer.Exit(FINDING)
