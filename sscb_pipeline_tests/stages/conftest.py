"""The small study, run once to the report, and copies of its warehouse to tamper with."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from sscb_pipeline.artifacts.warehouse import create_or_open, existing
from sscb_pipeline.stages.gate import Closed, Opened
from sscb_pipeline_tests.stages.small import Runner, small_study


class Finished:
    """The warehouse of the finished study and the verdicts on the way."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.runner = Runner(create_or_open(root), small_study())
        self.verdicts: list[Opened | Closed] = self.runner.everything()


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    return Finished(tmp_path_factory.mktemp("small") / "warehouse")


@pytest.fixture
def runner(finished: Finished, tmp_path: Path) -> Runner:
    """A runner on a copy of the finished warehouse; objects, which nothing writes into, are linked."""
    shutil.copytree(finished.root, tmp_path / "warehouse", copy_function=_link_or_copy)
    return Runner(existing(tmp_path / "warehouse"), small_study())


def _link_or_copy(source: str, target: str) -> None:
    if "/objects/" in source:
        os.link(source, target)
    else:
        shutil.copyfile(source, target)
