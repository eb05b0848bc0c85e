"""Contracts planted into recorded real conversations, with labels given by a reader who saw no implementation.

Planting means declaring. v' is the value that the recording really delivered (after `edits`, if any) and v another
value of the same attribute, so that the recorded agent's own words are real uses of v'. Where counter-evidence is
wanted, `edits` rewrite a kept field or another observation to say v; where the edited field is the fault-bearing one
itself, the agent's words say v instead.

Steps count from 0: system text (for τ² results the policy that stands in the header), user messages, agent text
that is not blank, then each call of the turn, each observation. Every label is a pair of value and reason. A label
`undeterminable` means that a careful reader cannot settle it from the visible history, and that an implementation
must not claim to.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field

HERE = Path(__file__).parent

RECORDINGS = {
    "gpt4o": "taubench_gpt4o_airline/gpt-4o-airline.json",
    "grok": "taubench_grok/grok-4-fast-reasoning-airline.json",
    "retail": "taubench_malformed/dev-retail-server-final.json",
    "azure": "tau2_airline/azure-gpt-4o.json",
    "oss": "tau2_airline/gpt-oss-120b.json",
}
"""Recording files, relative to the folder that SSCB_RECORDINGS names."""

TABLES = {
    "ReturnDate": "return_date.yaml",
    "PaySource": "pay_source.yaml",
    "ItemOption": "item_option.yaml",
    "WriteEffect": "write_effect.yaml",
}

TimeLabel = tuple[int | Literal["never", "undeterminable"], str]


class Strict(BaseModel):
    """A frozen record without unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Run(Strict):
    """Which recorded run: its place in the file, and task and trial to make sure that it is the one that was read."""

    file: str
    index: int
    task: str
    trial: int


class Edit(Strict):
    """One change of an observation: set a field, copy a field from an earlier observation, or replace an identifier."""

    step: int
    path: str = ""
    set: Any = None
    copy_from: int = -1
    replace: tuple[str, str] | tuple[()] = ()


class Planted(Strict):
    """One planted contract and the right labels."""

    id: str
    operator: str
    run: Run
    target: dict[str, Any]
    delivered: str
    declared: str
    tools: Literal["none", "airline"] = "none"
    edits: tuple[Edit, ...] = ()
    t_f: tuple[int, str]
    t_e: TimeLabel
    t_s: TimeLabel
    t_u: TimeLabel
    a: tuple[Literal["true", "false", "undeterminable"], str] = Field(description="adoption")
    z: tuple[Literal["before", "after", "absent", "no_use", "undeterminable"], str]
    y: tuple[Literal["endorses", "does_not_endorse", "not_adopted", "undeterminable"], str]


@cache
def planted() -> Sequence[Planted]:
    """All planted contracts, in table order. Raises pydantic.ValidationError where a table is malformed."""
    found = []
    for operator, name in TABLES.items():
        for entry in yaml.safe_load((HERE / name).read_text(encoding="utf-8")):
            found.append(Planted(operator=operator, **entry))
    return tuple(found)


def recordings_folder() -> Path | None:
    """The folder of recordings, if this machine has one."""
    named = os.environ.get("SSCB_RECORDINGS", "")
    return Path(named) if named else None
