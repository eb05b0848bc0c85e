"""Plays one case with one habit."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from sscb_pipeline.adapters.agents.reference.agent import ReferenceAgent
from sscb_pipeline.adapters.agents.reference.habits import Habit
from sscb_pipeline.adapters.agents.reference.labels import RealisedLabels, read_labels
from sscb_pipeline.adapters.agents.reference.staging import stage_case
from sscb_pipeline.environments.port import Substrate
from sscb_pipeline.episodes.turn_loop import Played, play
from sscb_pipeline.faults.intervention import Condition
from sscb_pipeline.faults.operator import Case
from sscb_pipeline.faults.operators.registry import OPERATORS


def played_with(
    case: Case, habit: Habit, condition: Condition, substrates: Mapping[str, Substrate], seed: int = 0
) -> tuple[Played, RealisedLabels, ReferenceAgent]:
    operator = OPERATORS[case.contract.operator]
    staging = stage_case(operator, case, substrates[operator.domain], condition=condition, habit=habit, seed=seed)
    played = asyncio.run(
        play(
            substrate=staging.substrate,
            state=staging.state,
            interception=staging.interception,
            agent=staging.agent,
            user=staging.user,
            tools=staging.tools,
            limits=staging.limits,
        )
    )
    assert isinstance(staging.agent, ReferenceAgent)
    return played, read_labels(staging.realised(played), "test"), staging.agent
