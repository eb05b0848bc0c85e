"""Stages executions of reference configurations: state, interceptor, interface, agent and scripted user."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sscb_pipeline.adapters.agents.reference.agent import ReferenceAgent, reference_agent
from sscb_pipeline.adapters.agents.reference.assignment import assignment_of
from sscb_pipeline.adapters.agents.reference.bank import Bank, seed_of
from sscb_pipeline.adapters.agents.reference.configurations import ReferenceConfiguration
from sscb_pipeline.adapters.agents.reference.habits import Habit
from sscb_pipeline.adapters.agents.reference.labels import labels_as_text, labels_of
from sscb_pipeline.adapters.agents.reference.volunteered import named_by_chance, told_truth
from sscb_pipeline.adapters.users.scripted import ScriptedUser
from sscb_pipeline.environments.outage import WithOutages
from sscb_pipeline.environments.port import Substrate
from sscb_pipeline.episodes.batch import Staging
from sscb_pipeline.episodes.execution import ExecutionKey
from sscb_pipeline.episodes.interception import Interception
from sscb_pipeline.episodes.turn_loop import Limits, Played
from sscb_pipeline.faults.contract import FaultContract
from sscb_pipeline.faults.intervention import Condition
from sscb_pipeline.faults.operator import Case, Operator


class ReferenceStage:
    """Stages any execution of the matrix for reference configurations.

    `cases` holds the admitted cases by seed id, `substrates` the domains by name.
    """

    def __init__(
        self,
        *,
        operators: Mapping[str, Operator],
        cases: Mapping[str, Case],
        substrates: Mapping[str, Substrate],
        configurations: Mapping[str, ReferenceConfiguration],
    ) -> None:
        self._operators = operators
        self._cases = cases
        self._substrates = substrates
        self._configurations = configurations

    def __call__(self, key: ExecutionKey) -> Staging:
        """The staging of one execution. Raises KeyError for a seed, operator or configuration it was not given."""
        case = self._cases[key.seed_id]
        configuration = self._configurations[key.configuration_id]
        habit = configuration.habit(
            operator=key.operator, seed_id=key.seed_id, condition=key.condition, repeat=key.repeat
        )
        substrate = self._substrates[case.contract.domain]
        outages = configuration.outages_of(
            seed_id=key.seed_id, condition=key.condition, repeat=key.repeat, tool=case.contract.injection.tool
        )
        return stage_case(
            self._operators[key.operator],
            case,
            WithOutages(substrate, outages) if outages else substrate,
            condition=key.condition,
            habit=habit,
            seed=seed_of(key.configuration_id, key.seed_id, key.repeat),
        )


def stage_case(
    operator: Operator,
    case: Case,
    substrate: Substrate,
    *,
    condition: Condition,
    habit: Habit,
    seed: int,
    phrases: Bank | None = None,
) -> Staging:
    """The staging of a case under a condition with one habit. `seed` feeds the wording of agent and user; `phrases`
    replaces the operator's own bank."""
    contract = case.contract
    agent = reference_agent(assignment_of(case), habit, wording_seed=seed, phrases=phrases)
    return Staging(
        substrate=substrate,
        state=substrate.fresh(),
        interception=Interception(
            intervention=operator.intervention(contract, condition),
            contract_id=contract.contract_id,
            condition=condition,
        ),
        agent=agent,
        user=ScriptedUser(case.task.scenario, seed=seed_of("user", seed), knows=_volunteered(contract, habit)),
        tools=operator.interface(contract, condition, substrate.tools()),
        limits=Limits(step_cap=contract.step_cap),
        task=case.task,
        target=operator.stored_in(contract),
        realised=_realised(agent, case, condition, habit),
    )


def _volunteered(contract: FaultContract, habit: Habit) -> str:
    match habit:
        case Habit.USER_STATES_TRUTH:
            return told_truth(contract)
        case Habit.AMBIGUOUS | Habit.AMBIGUOUS_THEN_ERROR:
            return named_by_chance(contract)
        case _:
            return ""


def _realised(
    agent: ReferenceAgent, case: Case, condition: Condition, habit: Habit
) -> Callable[[Played], Mapping[str, Any]]:
    def realised(played: Played) -> Mapping[str, Any]:
        return labels_as_text(labels_of(agent.notes, habit, case.contract, condition, played.trajectory))

    return realised
