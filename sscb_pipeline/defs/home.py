"""Where Dagster keeps its state: beside the warehouse, by the settings in dagster.yaml."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from sscb_pipeline.errors import InputError

SETTINGS = "dagster.yaml"
WORKSPACE = "workspace.yaml"


def find_home(cwd: Path) -> Path:
    """The nearest folder from `cwd` upwards that holds dagster.yaml and workspace.yaml. Raises InputError."""
    for folder in (cwd, *cwd.parents):
        if (folder / SETTINGS).is_file() and (folder / WORKSPACE).is_file():
            return folder
    raise InputError(
        subject=str(cwd),
        expected=f"{SETTINGS} and {WORKSPACE} in this folder or one above it",
        found="neither",
        remedy="change into the checkout of sscb_pipeline and try again",
    )


def dagster_environment(home: Path, warehouse: Path) -> Mapping[str, str]:
    """Environment variables that dagster.yaml refers to, and the home itself; all absolute paths."""
    state = warehouse / ".dagster"
    return {
        "DAGSTER_HOME": str(home),
        "SSCB_WAREHOUSE": str(warehouse),
        "SSCB_DAGSTER_STORAGE": str(state / "storage"),
        "SSCB_DAGSTER_LOGS": str(state / "logs"),
        "DAGSTER_DISABLE_TELEMETRY": "yes",
    }
