"""Rows and status as tables in the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from sscb_pipeline.terminal.plain import plain


def rows_table(rows: Sequence[Mapping[str, Any]]) -> Table:
    """One line per row object."""
    table = Table(show_header=True, header_style="bold")
    for name in rows[0] if rows else ():
        table.add_column(Text(plain(name)), overflow="fold")
    for row in rows:
        table.add_row(*(Text(plain(str(value))) for value in row.values()))
    return table


def status_table(status: Mapping[str, Any]) -> Table:
    """One line per figure of `sscb status`."""
    table = Table(show_header=False, title=f"campaign {plain(status['campaign'])}", title_justify="left")
    table.add_column(style="bold")
    table.add_column()
    for name, figures in status.items():
        if name == "campaign":
            continue
        for kind, value in figures.items():
            shown = ", ".join(f"{key} {n}" for key, n in value.items()) if isinstance(value, Mapping) else str(value)
            table.add_row(Text(plain(f"{name} · {kind}")), Text(plain(shown)))
    return table
