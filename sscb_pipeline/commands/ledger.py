"""`sscb ledger …`: the published ledger as a thing that can be made again."""

from __future__ import annotations

import typer

from sscb_pipeline.commands.console import Json, chosen_warehouse, output, print_json, print_line, reported


def add_to(app: typer.Typer) -> None:
    """Register the group."""
    group = typer.Typer(no_args_is_help=True, help="The published ledger.")
    group.command()(rebuild)
    group.callback()(_group)
    app.add_typer(group, name="ledger")


def _group() -> None:
    """The published ledger."""


def rebuild(as_json: Json = False) -> None:
    """Make the ledger again from journals and objects, and publish it; the tables are the same."""
    from sscb_pipeline.ledger.build import build
    from sscb_pipeline.ledger.digest import content_digest
    from sscb_pipeline.stages.ledger_source import WarehouseSource

    with reported():
        path = build(chosen_warehouse(), WarehouseSource())
        digest = content_digest(path)
    if as_json:
        print_json({"ledger": str(path), "content": digest})
    else:
        print_line(output, f"{path}\ncontent {digest}")
