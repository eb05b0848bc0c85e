"""Rows and status as tables in the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from sscb_pipeline.terminal.plain import plain


def rows_view(rows: Sequence[Mapping[str, Any]], width: int) -> RenderableType:
    """One line per row object where `width` characters hold the columns side by side, else one block per row."""
    if not rows:
        return Text("no rows")
    shown = [{plain(name): plain(str(value)) for name, value in row.items()} for row in rows]
    widest = [_widest([name, *(row[name] for row in shown)]) for name in shown[0]]
    if sum(widest) + 3 * len(widest) + 1 <= width:
        return _side_by_side(rows)
    return Group(*(_block(place, row) for place, row in enumerate(shown, start=1)))


def _widest(texts: Sequence[str]) -> int:
    return max(len(line) for text in texts for line in text.split("\n"))


def _block(place: int, row: Mapping[str, str]) -> Table:
    table = Table(show_header=False, box=None, title=f"row {place}", title_justify="left", pad_edge=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in row.items():
        table.add_row(Text(name), Text(value))
    return table


def _side_by_side(rows: Sequence[Mapping[str, Any]]) -> Table:
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
