"""Admitted seeds, a provider on loopback, and running a small study against it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from sscb_pipeline.artifacts.warehouse import Warehouse, existing
from sscb_pipeline_tests.loopback.cases import admit, write_cases


@pytest.fixture(scope="session")
def admitted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a warehouse of admitted seeds, `seeds`, and the provider's `cases`."""
    root = tmp_path_factory.mktemp("admitted")
    write_cases(admit(root / "seeds", 2), root / "cases")
    return root


@pytest.fixture
def fresh(admitted: Path, tmp_path: Path) -> Callable[[str], Warehouse]:
    """Makes warehouses that hold the admitted seeds and nothing else."""

    def make(name: str) -> Warehouse:
        shutil.copytree(admitted / "seeds", tmp_path / name)
        return existing(tmp_path / name)

    return make
