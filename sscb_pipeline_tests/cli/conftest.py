"""The small study with its ledger, and the command run on it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from sscb_pipeline.artifacts.warehouse import create_or_open
from sscb_pipeline.cli import app
from sscb_pipeline.ledger.build import bring_up_to_date
from sscb_pipeline.stages.ledger_source import WarehouseSource
from sscb_pipeline_tests.stages.small import Runner, small_study

Command = Callable[..., Result]


@pytest.fixture(scope="session")
def study(tmp_path_factory: pytest.TempPathFactory) -> Runner:
    """The small study with a published ledger."""
    runner = Runner(create_or_open(tmp_path_factory.mktemp("cli") / "warehouse"), small_study())
    runner.everything()
    bring_up_to_date(runner.warehouse, WarehouseSource())
    return runner


@pytest.fixture
def sscb(study: Runner) -> Command:
    """Runs `sscb` with some arguments on the small study's warehouse, or on another one."""

    def run(*arguments: str, warehouse: Path | None = None) -> Result:
        root = warehouse or study.warehouse.root
        return CliRunner().invoke(app, list(arguments), env={"SSCB_WAREHOUSE": str(root), "COLUMNS": "200"})

    return run
