"""The contenders of a study: agent configurations and how their executions are set up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from sscb_pipeline.episodes.batch import Stage
from sscb_pipeline.episodes.matrix import ConfigurationRef
from sscb_pipeline.inclusion.screening import Seed


class Casting(Protocol):
    """Sets up executions of one operator's seeds under one configuration."""

    def __call__(self, operator: str, seeds: Sequence[Seed]) -> Stage:
        """The stage that `run_batch` asks for every execution."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Contender:
    """A configuration, the kind of its agents (`reference`, `model` or `replay`), its canonical content (whose sha256
    is the configuration's) and its casting."""

    reference: ConfigurationRef
    agents: str
    content: bytes
    stage_for: Casting
