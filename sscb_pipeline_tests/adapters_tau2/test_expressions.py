"""Expressions that would hold the process up are refused; all others reach the tool."""

from __future__ import annotations

import time

import pytest

from sscb_pipeline.adapters.tau2.expressions import refuse_unbounded
from sscb_pipeline.adapters.tau2.substrate import load
from sscb_pipeline.errors import EnvironmentUnavailableError

HOPELESS = [
    "9**9**9",
    "9**9**9**9",
    " 9 ** 99999999",
    "(1+1)**(10**9)",
    "0*9**9**9",
    "1+" * 1500 + "9**9**9",
    "(2)(9**9**9)",
    "-(9**9**9)",
    "2**600000*2**600000",
    "(7//2)**9**9",
]
HARMLESS = [
    "2**10",
    "10**400",
    "1.05**360",
    "1**9**9",
    "0**9**9",
    "(3/2)**100000",
    "9.0**9**9",
    "2**-1",
    "2**500000",
    "99*99*99",
    "x**9**9**9",
    "9**9**",
    "()**2",
    "",
]


@pytest.mark.parametrize("domain", ["airline", "retail"])
@pytest.mark.parametrize("expression", HOPELESS)
def test_hopeless_expressions_are_an_unavailable_environment(domain: str, expression: str) -> None:
    state = load(domain).fresh()
    start = time.process_time()
    with pytest.raises(EnvironmentUnavailableError, match="calculate"):
        state.call("calculate", {"expression": expression})
    assert time.process_time() - start < 2
    assert state.digest() == load(domain).fresh().digest()


@pytest.mark.parametrize("expression", HARMLESS)
def test_everything_else_is_answered_by_the_tool(expression: str) -> None:
    refuse_unbounded(expression)
    state = load("retail").fresh()
    outcome = state.call("calculate", {"expression": expression})
    assert outcome.error == outcome.content.startswith("Error: ")


def test_only_the_calculator_is_looked_at() -> None:
    outcome = load("retail").fresh().call("get_user_details", {"expression": "9**9**9"})
    assert outcome.error
    assert not load("airline").fresh().call("transfer_to_human_agents", {"summary": "9**9**9"}).error
    assert load("retail").fresh().call("calculate", {"expression": 9}).error
