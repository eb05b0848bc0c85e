"""The `sscb` command as a user starts it: in a process of its own, from the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]
COMMAND = (sys.executable, "-c", "from sscb_pipeline.cli import main; main()")
SMALL = ("run", "--seeds", "2")
"""A run over two seeds per operator: 100 fault executions instead of 1,320."""


def environment(warehouse: Path, **more: str) -> Mapping[str, str]:
    """The environment of a command about `warehouse`."""
    inherited = {
        name: value for name, value in os.environ.items() if not name.startswith(("COV_", "SSCB_", "DAGSTER_"))
    }
    paths = f"{CHECKOUT}{os.pathsep}{os.environ.get('PYTHONPATH', '')}".rstrip(os.pathsep)
    return {**inherited, "PYTHONPATH": paths, "SSCB_WAREHOUSE": str(warehouse), "COLUMNS": "200", **more}


def sscb(warehouse: Path, *arguments: str, seconds: float = 600, **more: str) -> subprocess.CompletedProcess[str]:
    """Run one command to its end."""
    return subprocess.run(
        [*COMMAND, *arguments],
        cwd=CHECKOUT,
        env=environment(warehouse, **more),
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )


def start(warehouse: Path, *arguments: str) -> subprocess.Popen[bytes]:
    """Start a command in a process group of its own, its output thrown away."""
    return subprocess.Popen(
        [*COMMAND, *arguments],
        cwd=CHECKOUT,
        env=environment(warehouse),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )
