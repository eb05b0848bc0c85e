"""Model configurations of a study file as contenders: checked before any call, staged over a live or recorded port."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sscb_pipeline.adapters.agents.model.agent import ModelAgent
from sscb_pipeline.adapters.agents.model.configuration import (
    BudgetSection,
    ConfigurationSection,
    ModelSection,
    StudyFile,
    read_study_file,
)
from sscb_pipeline.adapters.completions.provider import (
    Address,
    KeyVariable,
    NoKey,
    ProvidersOwn,
    ServerAt,
    Transmission,
    check_model,
    listed_prices,
    transmission,
)
from sscb_pipeline.adapters.tau2.substrate import load
from sscb_pipeline.adapters.users.simulated import SimulatedUser, simulator_prompt
from sscb_pipeline.artifacts.digest import canonical_json, sha256_hex
from sscb_pipeline.completions.client import Completions, Patience
from sscb_pipeline.completions.pace import Allowance, Rate, Unbounded
from sscb_pipeline.completions.secrets import Secrets
from sscb_pipeline.completions.spending import Budget, Limit, NoLimit, Prices, PricesUnknown
from sscb_pipeline.environments.port import Substrate
from sscb_pipeline.episodes.batch import Stage, Staging
from sscb_pipeline.episodes.execution import ExecutionKey
from sscb_pipeline.episodes.interception import Interception
from sscb_pipeline.episodes.matrix import ConfigurationRef
from sscb_pipeline.episodes.turn_loop import Limits, Played
from sscb_pipeline.errors import InputError, RefusalError
from sscb_pipeline.faults.operator import Case, Operator
from sscb_pipeline.faults.operators.registry import operator_named
from sscb_pipeline.inclusion.screening import Seed
from sscb_pipeline.stages.names import CASES_CAMPAIGN, DEFAULT_CAMPAIGN
from sscb_pipeline.stages.roster import Casting, Contender

MODEL_AGENTS = "model"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSetup:
    """One model as the file describes it and the client understands it."""

    section: ModelSection
    address: Address
    transmission: Transmission
    prices: Prices | PricesUnknown

    @property
    def requests(self) -> Rate:
        """Requests per minute."""
        return _rate(self.section.limits.requests_per_minute)

    @property
    def tokens(self) -> Rate:
        """Tokens per minute."""
        return _rate(self.section.limits.tokens_per_minute)

    @property
    def patience(self) -> Patience:
        """Deadline and retries of one call."""
        limits = self.section.limits
        return Patience(call_seconds=limits.call_seconds, tries=limits.tries, first_wait=limits.first_wait_seconds)

    def identity(self) -> Mapping[str, Any]:
        """What decides its answers. The address of a server of one's own is not part of it: it says where, not what."""
        return {
            "model": self.address.model,
            "server": "own" if isinstance(self.address.server, ServerAt) else "provider",
            "requested": dict(self.section.settings),
            "sent": dict(self.transmission.sent),
            "dropped": list(self.transmission.dropped),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelContender(Contender):
    """A model configuration: agent and user as set up. Its `stage_for` refuses; `casting` needs the two ports."""

    section: ConfigurationSection
    agent: ModelSetup
    user: ModelSetup

    def casting(self, agent: Completions, user: Completions) -> Casting:
        """Sets executions up over these ports."""
        return lambda operator, seeds: _ModelStage(self, agent, user, operator, seeds)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPlan:
    """What a study file asks for, checked."""

    path: Path
    file: StudyFile
    contenders: tuple[ModelContender, ...]
    user: ModelSetup
    budget: Budget
    secrets: Secrets


def read_model_plan(path: Path, environ: Mapping[str, str]) -> ModelPlan:
    """The plan of a study file. Raises InputError before any call for whatever could not work: the file, its campaign,
    missing keys, models nobody knows, settings that would be dropped, a limit in money without prices."""
    file = read_study_file(path)
    if file.campaign in (DEFAULT_CAMPAIGN, CASES_CAMPAIGN):
        raise InputError(
            subject=f"{path}: campaign",
            expected="a name of its own",
            found=f"{file.campaign!r}, which reference runs and cases keep for themselves",
            remedy="name the wave, for example models-2026-12",
        )
    for operator in file.operators or ():
        operator_named(operator)
    user = _setup(file.user, f"{path}: user", environ)
    contenders = tuple(
        _contender(section, user, f"{path}: configurations[{number}] ({section.id})", environ)
        for number, section in enumerate(file.configurations)
    )
    setups = [user, *(contender.agent for contender in contenders)]
    if file.budget.usd is not None:
        for setup in setups:
            if isinstance(setup.prices, PricesUnknown):
                raise InputError(
                    subject=f"{path}: budget.usd",
                    expected="known prices for every model, to count money",
                    found=f"none for {setup.address.model}",
                    remedy="give its `prices`, or limit tokens or calls instead",
                )
    keys = {s.address.key.name: environ[s.address.key.name] for s in setups if isinstance(s.address.key, KeyVariable)}
    return ModelPlan(
        path=path, file=file, contenders=contenders, user=user, budget=_budget(file.budget), secrets=Secrets(keys)
    )


def _contender(
    section: ConfigurationSection, user: ModelSetup, subject: str, environ: Mapping[str, str]
) -> ModelContender:
    agent = _setup(section, subject, environ)
    content = canonical_json(
        {
            "kind": MODEL_AGENTS,
            "id": section.id,
            "agent": agent.identity(),
            "reasoning": section.reasoning.value,
            "user": user.identity(),
            "limits": {"tries": section.limits.tries, "episode_seconds": section.limits.episode_seconds},
        }
    )
    return ModelContender(
        reference=ConfigurationRef(
            configuration_id=section.id,
            configuration_sha256=sha256_hex(content),
            repeats=section.repeats,
            seeds_per_operator=section.seeds_per_operator,
        ),
        agents=MODEL_AGENTS,
        content=content,
        stage_for=_no_ports,
        section=section,
        agent=agent,
        user=user,
    )


def _no_ports(operator: str, seeds: Sequence[Seed]) -> Stage:
    raise RefusalError(
        subject=f"executions of {operator} with a model",
        expected="completions ports to call it through",
        found="none",
        remedy="run them through `run_cells`",
    )


def _setup(section: ModelSection, subject: str, environ: Mapping[str, str]) -> ModelSetup:
    if section.key is not None and not environ.get(section.key):
        raise InputError(
            subject=f"{subject}.key",
            expected=f"the key in the environment variable {section.key}",
            found="no such variable, or an empty one",
            remedy=f"export {section.key}=… in the shell that runs the command",
        )
    server = ServerAt(url=section.base_url) if section.base_url is not None else ProvidersOwn()
    key = KeyVariable(name=section.key) if section.key is not None else NoKey()
    check_model(section.model, server, subject=f"{subject}.model")
    sent = transmission(section.model, section.settings)
    if sent.dropped and section.unsupported_settings == "refuse":
        raise InputError(
            subject=f"{subject}.settings",
            expected="settings that reach the model",
            found=f"{', '.join(sent.dropped)}: not sent to {section.model}",
            remedy="leave them out, or set `unsupported_settings: drop` to go on without them",
        )
    given = section.prices
    return ModelSetup(
        section=section,
        address=Address(model=section.model, key=key, server=server),
        transmission=sent,
        prices=listed_prices(section.model)
        if given is None
        else Prices(input_usd=given.input_usd_per_million, output_usd=given.output_usd_per_million),
    )


def _rate(per_minute: float | None) -> Rate:
    return Unbounded() if per_minute is None else Allowance(per_minute=per_minute)


def _budget(section: BudgetSection) -> Budget:
    def limit(most: float | None) -> Limit | NoLimit:
        return NoLimit() if most is None else Limit(most=most)

    return Budget(usd=limit(section.usd), tokens=limit(section.tokens), calls=limit(section.calls))


class _ModelStage:
    """Stages executions of one operator's seeds under one model configuration."""

    def __init__(
        self, contender: ModelContender, agent: Completions, user: Completions, operator: str, seeds: Sequence[Seed]
    ) -> None:
        self._contender = contender
        self._agent = agent
        self._user = user
        self._operator: Operator = operator_named(operator)
        self._substrate: Substrate = load(self._operator.domain)
        self._cases = {seed.seed_id: seed.case for seed in seeds}

    def __call__(self, key: ExecutionKey) -> Staging:
        """The staging of one execution. Raises KeyError for a seed it was not given."""
        case, section = self._cases[key.seed_id], self._contender.section
        contract, substrate = case.contract, self._substrate
        return Staging(
            substrate=substrate,
            state=substrate.fresh(),
            interception=Interception(
                intervention=self._operator.intervention(contract, key.condition),
                contract_id=contract.contract_id,
                condition=key.condition,
            ),
            agent=ModelAgent(
                self._agent,
                unit=key.execution_id,
                model=section.model,
                settings=section.settings,
                reasoning=section.reasoning,
            ),
            user=self._simulated_user(key, case),
            tools=self._operator.interface(contract, key.condition, substrate.tools()),
            limits=Limits(step_cap=contract.step_cap, deadline_seconds=section.limits.episode_seconds),
            task=case.task,
            target=self._operator.stored_in(contract),
            realised=_nothing_known,
        )

    def _simulated_user(self, key: ExecutionKey, case: Case) -> SimulatedUser:
        user = self._contender.user.section
        return SimulatedUser(
            self._user,
            unit=key.execution_id,
            model=user.model,
            settings=user.settings,
            prompt=simulator_prompt(self._substrate.user_guidelines(), case.task.scenario, case.task.domain),
        )


def _nothing_known(played: Played) -> Mapping[str, Any]:
    """A model knows no labels of its own run."""
    return {}


def plan_from_environment(path: Path) -> ModelPlan:
    """`read_model_plan` with this process's environment."""
    return read_model_plan(path, os.environ)
