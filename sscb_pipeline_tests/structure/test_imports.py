"""The import contracts are kept, and each is seen to fail on a planted violation."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONTRACTS = {
    contract["id"]: contract["name"]
    for contract in tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
}
LINT = "from importlinter.cli import lint_imports_command; lint_imports_command()"


PLANTED = {
    "floors": ("errors.py", "import sscb_pipeline.measured"),
    "core-without-frameworks": ("faults/contract.py", "import duckdb"),
    "blind-extraction": ("reconstruction/references.py", "import sscb_pipeline.faults.contract"),
    "arrival-without-hidden-state": ("reconstruction/arrival.py", "import sscb_pipeline.faults.intervention"),
    "agents-apart-from-measurement": (
        "adapters/agents/reference/agent.py",
        "import sscb_pipeline.reconstruction.references",
    ),
    "litellm-in-one-module": ("statistics/wilson.py", "import litellm"),
    "inline-checker-apart": ("packets/check_inline.py", "import sscb_pipeline.packets.check_disk"),
    "disk-checker-apart": ("packets/check_disk.py", "import sscb_pipeline.packets.renderings"),
}
"""Of each contract: the module that a forbidden import is appended to, and the import."""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the package with the project file that holds the contracts."""
    shutil.copytree(ROOT / "sscb_pipeline", tmp_path / "sscb_pipeline", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def linted(root: Path, *options: str) -> tuple[int, str]:
    """Exit code and output of import-linter on the package in `root`."""
    done = subprocess.run(
        [sys.executable, "-c", LINT, "--no-cache", *options],
        cwd=root,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return done.returncode, re.sub(r"\s+", " ", done.stdout)


def test_every_contract_has_a_planted_violation() -> None:
    assert set(PLANTED) == set(CONTRACTS)


def test_the_package_keeps_every_contract() -> None:
    code, said = linted(ROOT)
    assert code == 0, said
    assert all(f"{name} KEPT" in said for name in CONTRACTS.values())


def test_each_planted_violation_breaks_its_contract(copy: Path) -> None:
    for module, statement in PLANTED.values():
        path = copy / "sscb_pipeline" / module
        path.write_text(f"{path.read_text()}\n{statement}\n")
    code, said = linted(copy)
    assert code == 1
    for name, (module, statement) in PLANTED.items():
        assert f"{CONTRACTS[name]} BROKEN" in said, name
        importer = "sscb_pipeline." + module.removesuffix(".py").replace("/", ".")
        imported = statement.removeprefix("import ")
        assert f"{importer} -> {imported}" in said, name


def test_a_package_that_stands_on_no_floor_breaks_the_floors(copy: Path) -> None:
    newcomer = copy / "sscb_pipeline" / "newcomer"
    newcomer.mkdir()
    (newcomer / "__init__.py").write_text('"""Placed nowhere."""\n')
    code, said = linted(copy, "--contract", "floors")
    assert code == 1 and "newcomer" in said
