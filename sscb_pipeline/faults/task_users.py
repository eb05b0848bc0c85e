"""Which user a native task is about: the one user id of the records that the task names."""

from __future__ import annotations

from collections.abc import Iterable

from sscb_pipeline.environments.port import Task


def task_text(task: Task) -> str:
    """All words of a task that an agent or user could be told, on one string."""
    scenario = task.scenario
    return "\n".join((scenario.reason_for_call, scenario.known_info, scenario.unknown_info, scenario.task_instructions))


def user_of(task: Task, user_ids: Iterable[str]) -> str:
    """The user id the task names in its scenario or its reference actions; empty when it names none."""
    haystack = task_text(task) + "\n" + "\n".join(str(dict(action.arguments)) for action in task.actions)
    return next((user_id for user_id in user_ids if user_id in haystack), "")
