"""The checkers are kept apart by the import contract; a planted import is seen to break it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import sscb_pipeline

HOME = Path(sscb_pipeline.__file__).parents[1]
CONTRACTS = ("inline-checker-apart", "disk-checker-apart")


def _lint(folder: Path) -> str:
    arguments = [f"--contract={contract}" for contract in CONTRACTS]
    code = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    done = subprocess.run(
        [sys.executable, "-c", code, "--no-cache", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    return f"{done.returncode}\n{done.stdout}{done.stderr}"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("copy")
    shutil.copytree(HOME / "sscb_pipeline", folder / "sscb_pipeline", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(HOME / "pyproject.toml", folder / "pyproject.toml")
    return folder


@pytest.mark.parametrize(
    ("module", "imported"),
    [
        ("check_inline", "check_disk"),
        ("check_inline", "renderings.original"),
        ("disk_source", "build"),
    ],
)
def test_a_planted_import_breaks_the_contract(copy: Path, module: str, imported: str) -> None:
    path = copy / "sscb_pipeline" / "packets" / f"{module}.py"
    text = path.read_text()
    path.write_text(f"{text}\nimport sscb_pipeline.packets.{imported}  # planted\n")
    try:
        told = _lint(copy)
    finally:
        path.write_text(text)
    assert told.startswith("1\n"), told
    assert "1 broken" in told or "2 broken" in told


def test_without_a_planted_import_the_contract_is_kept(copy: Path) -> None:
    assert _lint(copy).startswith("0\n")
