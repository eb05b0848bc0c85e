"""The reference agent: a plan carried out behind the agent port."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from sscb_pipeline.adapters.agents.reference.assignment import Assignment
from sscb_pipeline.adapters.agents.reference.bank import Bank, Wording, bank
from sscb_pipeline.adapters.agents.reference.habits import PLANS, Habit
from sscb_pipeline.adapters.agents.reference.item_option import ItemOptionScript
from sscb_pipeline.adapters.agents.reference.marks import Notes
from sscb_pipeline.adapters.agents.reference.pay_source import PaySourceScript
from sscb_pipeline.adapters.agents.reference.return_date import ReturnDateScript
from sscb_pipeline.adapters.agents.reference.script import Script
from sscb_pipeline.adapters.agents.reference.write_effect import WriteEffectScript
from sscb_pipeline.episodes.participants import AgentStops, AgentTurn
from sscb_pipeline.trajectories.steps import Step, ToolDefinition

SCRIPTS: Mapping[str, Callable[[Assignment, Wording], Script]] = {
    "ReturnDate": ReturnDateScript,
    "PaySource": PaySourceScript,
    "ItemOption": ItemOptionScript,
    "WriteEffect": WriteEffectScript,
}


class ReferenceAgent:
    """Plays one habit once. `notes` holds its marks; they are complete when the execution is over."""

    def __init__(self, script: Script, habit: Habit) -> None:
        self._script = script
        self._turns = script.play(PLANS[script.assignment.operator][habit])
        self._seen = 0

    @property
    def notes(self) -> Notes:
        """What the agent noted about its own acts so far."""
        return self._script.notes

    async def turn(self, history: Sequence[Step], tools: Sequence[ToolDefinition]) -> AgentTurn:
        """The next turn of the plan; the plan's end stops the agent."""
        followed, started = history[self._seen :], self._seen > 0
        self._seen = len(history)
        try:
            return self._turns.send(followed) if started else next(self._turns)
        except StopIteration:
            return AgentStops(reason="the plan is carried out")


def reference_agent(
    assignment: Assignment, habit: Habit, *, wording_seed: int, phrases: Bank | None = None
) -> ReferenceAgent:
    """A reference agent for one execution. Raises KeyError for a habit the operator has no plan for.

    `phrases` replaces the operator's own bank; the purposes stay the same.
    """
    chosen = bank(assignment.operator) if phrases is None else phrases
    script = SCRIPTS[assignment.operator](assignment, Wording(chosen, wording_seed))
    return ReferenceAgent(script, habit)
