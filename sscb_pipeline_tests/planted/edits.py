"""Rewriting observations of a recorded run, and the intervention record that says so."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from sscb_pipeline.trajectories.steps import ToolObservation, Trajectory
from sscb_pipeline_tests.planted.table import Edit


def observation(trajectory: Trajectory, step: int) -> ToolObservation:
    """The observation at a step; an assertion error where the table points at something else."""
    found = trajectory.steps[step]
    assert isinstance(found, ToolObservation), f"step {step} is a {type(found).__name__}"
    return found


def edited(trajectory: Trajectory, edits: Iterable[Edit]) -> Trajectory:
    """The trajectory with the edits applied in order. Copied fields come from the observation as it then is."""
    for edit in edits:
        before = observation(trajectory, edit.step)
        content = _edited_text(trajectory, before.content, edit)
        assert content != before.content, f"the edit of step {edit.step} changes nothing"
        trajectory = with_content(trajectory, edit.step, content)
    return trajectory


def with_content(trajectory: Trajectory, step: int, content: str) -> Trajectory:
    """The trajectory with another text at the observation `step`."""
    steps = list(trajectory.steps)
    steps[step] = replace(observation(trajectory, step), content=content)
    return replace(trajectory, steps=tuple(steps))


def _edited_text(trajectory: Trajectory, content: str, edit: Edit) -> str:
    if edit.replace:
        return content.replace(*edit.replace)
    value = edit.set
    if edit.copy_from >= 0:
        value = at(json.loads(observation(trajectory, edit.copy_from).content), edit.path)
    return with_field(content, edit.path, value)


def at(value: Any, path: str) -> Any:
    """The field at a dotted path; list positions are written as numbers."""
    for part in path.split("."):
        value = value[int(part)] if isinstance(value, list) else value[part]
    return value


def with_field(content: str, path: str, value: Any) -> str:
    """JSON text with the field at a dotted path set."""
    record = json.loads(content)
    head, _, last = path.rpartition(".")
    holder = at(record, head) if head else record
    holder[int(last) if isinstance(holder, list) else last] = value
    return json.dumps(record)


def sha256(text: str) -> str:
    """sha256 of the UTF-8 text, as the intervention record keeps it."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
