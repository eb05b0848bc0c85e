"""Modules and functions stay small, and no text of the repository names a place on somebody's machine."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "sscb_pipeline"
MODULE_LINES, FUNCTION_LINES = 400, 50
LONGER = {("records.py", "_class_codec"), ("diagnosis_sections.py", "paired_section")}
"""Functions over the limit by a few lines; a name leaves the list when its function is shortened."""
MACHINE_PATH = re.compile(r"(?<![\w.}/])/(?:home|root|Users|work|mnt|tmp/w|tmp/wt)/[\w.-]+")


def functions(path: Path) -> list[tuple[str, int]]:
    """Names and lengths, in lines, of the functions of a module."""
    return [
        (node.name, (node.end_lineno or node.lineno) - node.lineno + 1)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def tracked() -> list[Path]:
    """Files of the repository; those of the folder where it is no checkout."""
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    names = done.stdout.split("\0")[:-1] if done.returncode == 0 else []
    found = [ROOT / name for name in names] or [path for path in PACKAGE.rglob("*") if path.is_file()]
    return [path for path in found if path.is_file()]


def test_no_module_of_the_package_is_longer_than_its_limit() -> None:
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in PACKAGE.rglob("*.py")}
    assert lengths and {path.name for path, lines in lengths.items() if lines > MODULE_LINES} == set()


def test_no_function_of_the_package_is_longer_than_its_limit() -> None:
    longer = {
        (path.name, name) for path in PACKAGE.rglob("*.py") for name, lines in functions(path) if lines > FUNCTION_LINES
    }
    assert longer == LONGER


def test_no_module_has_a_name_that_says_nothing() -> None:
    empty = {"utils", "helpers", "manager", "common", "misc", "util", "helper"}
    assert not {path.stem for path in PACKAGE.rglob("*.py")} & empty
    assert not {path.name for path in PACKAGE.rglob("*") if path.is_dir()} & empty


def test_no_text_names_a_place_on_a_machine() -> None:
    found = {
        f"{path.relative_to(ROOT)}: {match.group()}"
        for path in tracked()
        if path.suffix in (".py", ".md", ".toml", ".yaml", ".yml", ".sql", ".j2", ".css", ".lock", "")
        for match in MACHINE_PATH.finditer(path.read_text(encoding="utf-8", errors="replace"))
    }
    assert found == set()


def test_the_pattern_of_machine_paths_finds_one() -> None:
    assert MACHINE_PATH.search("see /" + "home/someone/data") and MACHINE_PATH.search('("/' + 'work/main")')
    assert not MACHINE_PATH.search("assets/home/page and https://example.org/root/x")
