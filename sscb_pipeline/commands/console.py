"""What every command shares: the warehouse it is about, how errors end it, and where results and messages go."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from sscb_pipeline.artifacts.warehouse import Warehouse, existing, warehouse_root
from sscb_pipeline.errors import InputError, SscbError
from sscb_pipeline.terminal.plain import plain

FINDING = 1
WRONG_INPUT = 2

messages = Console(stderr=True)
output = Console()

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]


@contextmanager
def reported() -> Iterator[None]:
    """Print our own errors for people and exit with their code."""
    try:
        yield
    except SscbError as error:
        messages.print(Text(plain(str(error)), style="red"), soft_wrap=True)
        raise typer.Exit(WRONG_INPUT if isinstance(error, InputError) else FINDING) from error


def chosen_root() -> Path:
    """The warehouse folder that SSCB_WAREHOUSE or the working folder names."""
    return warehouse_root(os.environ, Path.cwd())


def chosen_warehouse() -> Warehouse:
    """The warehouse there. Raises InputError when there is none."""
    return existing(chosen_root())


def print_json(value: Any) -> None:
    """One JSON document on standard output, whatever characters its texts hold."""
    sys.stdout.write(json.dumps(value, ensure_ascii=True, allow_nan=False, indent=2) + "\n")


def print_line(console: Console, text: str) -> None:
    """Untrusted text as one or more lines, without markup, escapes or highlighting."""
    console.print(Text(plain(text)), soft_wrap=True)
