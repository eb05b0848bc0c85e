"""What a reference agent is given: the job and the keys of the records it is about.

An assignment never holds v, v', another value of the attribute, the condition, or an answer of a derived task. Values
reach a reference agent as they reach any agent: through the observations it asks for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sscb_pipeline.environments.port import ReferenceAction, TaskOrigin
from sscb_pipeline.faults.operator import Case

KEYS: Mapping[str, tuple[str, ...]] = {
    "ReturnDate": ("reservation_id", "user_id"),
    "PaySource": ("payment_id", "user_id"),
    "ItemOption": ("order_id", "item_id", "product_id", "product", "option", "user_id"),
    "WriteEffect": ("reservation_id", "user_id"),
}
"""The record keys of each operator's target that an agent may know; everything else of a locator stays hidden."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """Operator name, record keys, the calls of the reference solution that need no answer of the task, and for native
    tasks the information to communicate."""

    operator: str
    keys: Mapping[str, str]
    actions: tuple[ReferenceAction, ...]
    communicate: tuple[str, ...]


def assignment_of(case: Case) -> Assignment:
    """The assignment of a case. Arguments of a derived task's later actions can hold its answer and are left out,
    except a requested write, which the user states."""
    contract, task = case.contract, case.task
    known = {**contract.target.locator, "user_id": contract.target.owner}
    native = task.origin is TaskOrigin.NATIVE
    shown = tuple(action for action in task.actions if native or action.tool != "search_direct_flight")
    return Assignment(
        operator=contract.operator,
        keys={name: str(known[name]) for name in KEYS[contract.operator]},
        actions=shown,
        communicate=task.communicate if native else (),
    )
