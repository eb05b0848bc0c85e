"""Small studies against the loopback provider."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.stages.execution_index import IndexedExecution
from sscb_pipeline.stages.executions import read_index
from sscb_pipeline.stages.model_executions import run_model_cells
from sscb_pipeline.stages.reporter import SilentReporter
from sscb_pipeline.stages.study import Models, Study, model_study

KEY_VARIABLE = "LOOPBACK_KEY"
PLANTED = "sk-planted-4f1c0a9b7e52"

_STUDY = """
campaign: loop
admitted_per_operator: {seeds}
budget: {{{budget}}}
user: {{model: openai/user, base_url: {url}, key: LOOPBACK_KEY, limits: {limits}}}
configurations:
  - {{id: R1-reads-first, model: openai/R1-reads-first, base_url: {url}, key: LOOPBACK_KEY, repeats: {repeats},
     seeds_per_operator: {seeds}, settings: {{temperature: 0.0, max_tokens: 60000}}, limits: {limits}}}
  - {{id: R2-uses-first, model: openai/R2-uses-first, base_url: {url}, key: LOOPBACK_KEY,
     seeds_per_operator: {seeds}, settings: {{temperature: 0.0, max_tokens: 60000}}, limits: {limits}}}
"""
LIMITS = "{concurrency: 8, call_seconds: 1.5, tries: 8, first_wait_seconds: 0.02}"


def write_study(
    folder: Path, url: str, *, budget: str = "", seeds: int = 2, repeats: int = 2, limits: str = LIMITS
) -> Path:
    """A study file of two configurations."""
    path = folder / "study.yaml"
    path.write_text(_STUDY.format(url=url, budget=budget, seeds=seeds, repeats=repeats, limits=limits))
    return path


def run_study(warehouse: Warehouse, path: Path) -> tuple[Study, dict[str, IndexedExecution]]:
    """Run every cell; returns the study and all executions by id."""
    study = model_study(path)
    assert isinstance(study.players, Models)
    published = run_model_cells(warehouse, study.players.plan, study.partitions(), SilentReporter())
    return study, {
        execution.execution_id: execution
        for manifest in published
        for execution in read_index(warehouse, manifest).executions
    }


def endings(executions: Mapping[str, IndexedExecution]) -> dict[str, tuple[str, str, str]]:
    """Ending, reason and trajectory object of each execution."""
    return {
        name: (e.ending.kind.value, e.ending.reason.value, getattr(e.objects, "trajectory", ""))
        for name, e in executions.items()
    }
