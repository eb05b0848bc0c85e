"""Plays a case with a habit in the words of a bank, measures it, and sets measured beside realised labels."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from sscb_pipeline.adapters.agents.reference.bank import Bank
from sscb_pipeline.adapters.agents.reference.habits import Habit
from sscb_pipeline.adapters.agents.reference.labels import QUANTITIES, RealisedLabels, line, read_labels
from sscb_pipeline.adapters.agents.reference.staging import stage_case
from sscb_pipeline.claims.calibration import LabelPair, calibrate
from sscb_pipeline.environments.port import Substrate
from sscb_pipeline.episodes.turn_loop import Played, play
from sscb_pipeline.faults.intervention import Condition
from sscb_pipeline.faults.operator import Case
from sscb_pipeline.faults.operators.registry import OPERATORS
from sscb_pipeline.measured import Never
from sscb_pipeline.reconstruction.deterministic import DETERMINISTIC
from sscb_pipeline.reconstruction.measurement import Measurement
from sscb_pipeline.reconstruction.reconstruct import reconstruct
from sscb_pipeline.trajectories.steps import AgentMessage, ToolCall

Domains = Mapping[str, Substrate]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """What is played: a case under a condition with a habit and the seed of the wording."""

    case: Case
    habit: Habit
    condition: Condition
    seed: int

    @property
    def name(self) -> str:
        """All that tells it apart, on one line."""
        candidate = self.case.candidate.candidate_id
        return f"{self.case.contract.operator} {self.habit} {self.condition} {candidate} wording {self.seed}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Performance:
    """A scenario as it went, with the labels it realised and the measurement of it."""

    scenario: Scenario
    played: Played
    labels: RealisedLabels
    measured: Measurement

    def pairs(self) -> Iterator[LabelPair]:
        """One pair per quantity; T_F alone where both sides agree that no fault was delivered, as in the stages."""
        untriggered = isinstance(self.labels.t_f, Never) and isinstance(self.measured.t_f, Never)
        for quantity in ("t_f",) if untriggered else QUANTITIES:
            yield LabelPair(
                execution_id=self.scenario.name,
                configuration="",
                operator=self.scenario.case.contract.operator,
                habit=self.labels.habit,
                quantity=quantity,
                realised=line(getattr(self.labels, quantity)),
                measured=line(getattr(self.measured, quantity)),
            )

    def told(self) -> str:
        """The agent's own words and calls with their steps."""
        return "\n".join(
            f"    [{step.index}] {step.text!r}"
            if isinstance(step, AgentMessage)
            else f"    [{step.index}] {step.tool} {step.arguments.raw}"
            for step in self.played.trajectory.steps
            if isinstance(step, AgentMessage | ToolCall) and step.turn > 0
        )


def perform(scenario: Scenario, phrases: Bank, substrates: Domains) -> Performance:
    """Play a scenario in the words of a bank, and measure what came of it."""
    case = scenario.case
    operator = OPERATORS[case.contract.operator]
    staging = stage_case(
        operator,
        case,
        substrates[operator.domain],
        condition=scenario.condition,
        habit=scenario.habit,
        seed=scenario.seed,
        phrases=phrases,
    )
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
    return Performance(
        scenario=scenario,
        played=played,
        labels=read_labels(staging.realised(played), scenario.name),
        measured=reconstruct(operator, case.contract, played.trajectory, played.record, DETERMINISTIC),
    )


def disagreements(performances: Iterable[Performance]) -> list[str]:
    """Every disagreement with the texts it happened on, one entry per performance."""
    listed = []
    for performance in performances:
        found = calibrate(performance.pairs()).disagreements
        if found:
            rows = [f"  {pair.outcome}: {pair.quantity} is {pair.realised}, measured {pair.measured}" for pair in found]
            listed.append("\n".join((performance.scenario.name, *rows, performance.told())))
    return listed
