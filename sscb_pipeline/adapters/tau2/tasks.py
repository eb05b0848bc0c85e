"""Native tasks of a τ² domain, from its verified task and split files."""

from __future__ import annotations

import json
from typing import Any

from sscb_pipeline.environments.port import ReferenceAction, Scenario, Task, TaskOrigin

SPLIT = "base"
"""The split τ² itself takes when none is named: the whole task set (50 airline, 114 retail)."""


def native_tasks(tasks_json: bytes, splits_json: bytes, domain: str) -> tuple[Task, ...]:
    """The tasks of split `base` in file order."""
    wanted = set(json.loads(splits_json)[SPLIT])
    return tuple(_task(raw, domain) for raw in json.loads(tasks_json) if raw["id"] in wanted)


def _task(raw: dict[str, Any], domain: str) -> Task:
    told = raw["user_scenario"]["instructions"]
    criteria = raw["evaluation_criteria"]
    return Task(
        task_id=raw["id"],
        domain=domain,
        origin=TaskOrigin.NATIVE,
        scenario=Scenario(
            reason_for_call=told["reason_for_call"],
            known_info=told["known_info"] or "",
            unknown_info=told["unknown_info"] or "",
            task_instructions=told["task_instructions"],
        ),
        actions=tuple(
            ReferenceAction(tool=action["name"], arguments=action["arguments"]) for action in criteria["actions"]
        ),
        communicate=tuple(criteria["communicate_info"]),
    )
