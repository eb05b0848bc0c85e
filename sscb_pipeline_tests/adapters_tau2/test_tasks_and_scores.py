"""Native tasks as the package has them, and success by its reward definition."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sscb_pipeline.adapters.tau2.package import tau2_module
from sscb_pipeline.adapters.tau2.substrate import load
from sscb_pipeline.environments.port import ReferenceAction, TaskOrigin

COUNTS = {"airline": 50, "retail": 114}


@pytest.mark.parametrize("domain", ["airline", "retail"])
def test_tasks_are_the_packages_own(domain: str) -> None:
    ours = load(domain).tasks()
    theirs = tau2_module(f"tau2.domains.{domain}.environment").get_tasks("base")
    assert len(ours) == len(theirs) == COUNTS[domain]
    for mine, their in zip(ours, theirs, strict=True):
        told, criteria = their.user_scenario.instructions, their.evaluation_criteria
        assert (mine.task_id, mine.domain, mine.origin) == (their.id, domain, TaskOrigin.NATIVE)
        assert mine.scenario.reason_for_call == told.reason_for_call
        assert mine.scenario.known_info == (told.known_info or "")
        assert mine.scenario.unknown_info == (told.unknown_info or "")
        assert mine.scenario.task_instructions == told.task_instructions
        assert [(a.tool, a.arguments) for a in mine.actions] == [(a.name, a.arguments) for a in criteria.actions]
        assert list(mine.communicate) == criteria.communicate_info


@pytest.mark.parametrize("domain", ["airline", "retail"])
def test_tasks_hold_nothing_the_port_would_lose(domain: str) -> None:
    """No persona, no initial state, no other requestor, no other basis of reward than database and communication."""
    for task in tau2_module(f"tau2.domains.{domain}.environment").get_tasks("base"):
        assert task.user_scenario.persona is None
        assert task.initial_state is None
        assert {action.requestor for action in task.evaluation_criteria.actions} <= {"assistant"}
        assert not task.evaluation_criteria.env_assertions
        assert [basis.value for basis in task.evaluation_criteria.reward_basis] == ["DB", "COMMUNICATE"]


@pytest.mark.parametrize("domain", ["airline", "retail"])
def test_every_reference_solution_is_scored_as_solved(domain: str) -> None:
    substrate = load(domain)
    for task in substrate.tasks():
        state = substrate.fresh()
        for action in task.actions:
            state.call(action.tool, action.arguments)
        assert substrate.score(task, state, list(task.communicate)).solved, task.task_id
        if task.communicate:
            assert not substrate.score(task, state, ["Done."]).communicated, task.task_id


@pytest.mark.parametrize(
    ("required", "said", "met"),
    [
        ("1628", ["The total is $1,628."], True),
        ("1,628", ["The total is $1,628."], False),
        ("Gift Card", ["it is a gift card"], True),
        ("16 28", ["16", "28"], False),
        ("10", ["I see 2,310 points"], True),
        ("10", [], False),
        ("", ["  "], False),
        ("", ["x"], True),
    ],
)
def test_communication_is_tested_as_the_package_does(required: str, said: list[str], met: bool) -> None:
    substrate = load("airline")
    task = replace(substrate.tasks()[0], actions=(), communicate=(required,))
    assert substrate.score(task, substrate.fresh(), said).communicated is met


def test_reference_states_are_kept_by_content_and_not_by_name() -> None:
    substrate = load("airline")
    certificate = ReferenceAction(tool="send_certificate", arguments={"user_id": "mia_li_3668", "amount": 5})
    idle = replace(substrate.tasks()[0], actions=(), communicate=())
    generous = replace(idle, actions=(certificate,))
    assert idle.task_id == generous.task_id
    state = substrate.fresh()
    assert substrate.score(idle, state, []).solved
    assert not substrate.score(generous, state, []).solved
    state.call(certificate.tool, certificate.arguments)
    assert substrate.score(generous, state, []).solved
    assert not substrate.score(idle, state, []).solved


def test_records_are_plain_and_complete() -> None:
    sizes: dict[str, Any] = {}
    for domain, kinds in {
        "airline": ("flights", "users", "reservations"),
        "retail": ("products", "users", "orders"),
    }.items():
        for kind in kinds:
            records = load(domain).records(kind)
            assert records is load(domain).records(kind)
            assert all(type(record) is dict for record in records.values())
            sizes[domain, kind] = len(records)
        with pytest.raises(KeyError):
            load(domain).records("telephones")
    assert sizes == {
        ("airline", "flights"): 300,
        ("airline", "users"): 500,
        ("airline", "reservations"): 2000,
        ("retail", "products"): 50,
        ("retail", "users"): 500,
        ("retail", "orders"): 1000,
    }


@pytest.mark.soak
@pytest.mark.parametrize("domain", ["airline", "retail"])
def test_scores_agree_with_the_packages_evaluators(domain: str) -> None:
    """Runs that do the reference, less, or more, judged by both; in a process of their own, as litellm is loaded."""
    environment = dict(os.environ) | {"PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    done = subprocess.run(
        [sys.executable, "-m", "sscb_pipeline_tests.adapters_tau2.evaluators", domain],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    judged, solved = map(int, done.stdout.split())
    assert judged >= 45
    assert judged // 5 < solved < judged
