"""Who may see what, read off the import statements."""

from __future__ import annotations

import ast
from pathlib import Path

import sscb_pipeline
from sscb_pipeline.reconstruction import references

ROOT = Path(sscb_pipeline.__file__).parent
PACKAGE = Path(references.__file__).parent


def _imports(module: str) -> set[str]:
    path = ROOT.parent / (module.replace(".", "/") + ".py")
    if not path.exists():
        path = ROOT.parent / module.replace(".", "/") / "__init__.py"
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("sscb_pipeline"):
            found.add(node.module)
            for name in node.names:
                if (ROOT.parent / node.module.replace(".", "/") / f"{name.name}.py").exists():
                    found.add(f"{node.module}.{name.name}")
    return found


def _reached(module: str) -> set[str]:
    reached: set[str] = set()
    waiting = [module]
    while waiting:
        for imported in _imports(waiting.pop()) - reached:
            reached.add(imported)
            waiting.append(imported)
    return reached


def test_extraction_reaches_no_contract() -> None:
    reached = _reached("sscb_pipeline.reconstruction.references")
    assert "sscb_pipeline.reconstruction.mentions_date" in reached
    assert [name for name in reached if name.startswith("sscb_pipeline.faults")] == []


def test_only_delivery_reads_the_intervention_record() -> None:
    readers = {
        path.stem
        for path in PACKAGE.glob("*.py")
        if "sscb_pipeline.faults.intervention" in _imports(f"sscb_pipeline.reconstruction.{path.stem}")
    }
    assert readers == {"delivery"}


def test_no_module_knows_agents_or_operators() -> None:
    for path in PACKAGE.glob("*.py"):
        imported = _imports(f"sscb_pipeline.reconstruction.{path.stem}")
        assert not [name for name in imported if "adapters" in name or "operators" in name], path.name
