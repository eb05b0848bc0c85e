"""What an agent is shown is pinned to the protocol version: changed texts with an old version would pass off finished
executions of another interface as done."""

from __future__ import annotations

import pytest

from sscb_pipeline.adapters.tau2.substrate import load
from sscb_pipeline.artifacts.digest import canonical_json, sha256_hex
from sscb_pipeline.episodes.execution import PROTOCOL_VERSION
from sscb_pipeline.faults.intervention import Condition
from sscb_pipeline.faults.operator import Case
from sscb_pipeline.faults.operators.registry import OPERATORS

SHOWN = {
    "1": {
        "ReturnDate": "b38a0b6936c09f5c9562ab119cb5a9f12a059494604ef03e99af8087cb6e8454",
        "ItemOption": "66515bbbb5665b19c69f1d54b42bd514065e93b647d749bfcd7557f3236f297b",
        "PaySource": "b38a0b6936c09f5c9562ab119cb5a9f12a059494604ef03e99af8087cb6e8454",
        "WriteEffect": "61efdd86f7ad8ef44308f10c7dd46ff1367d7e072e5b486101336ce17fefc685",
    },
}
"""sha256 over system prompt, greeting, user guidelines and tool definitions under every condition, by protocol version.
When a text changes on purpose, raise PROTOCOL_VERSION in episodes/execution.py and add its line here."""


def shown(name: str) -> str:
    operator = OPERATORS[name]
    substrate = load(operator.domain)
    cases = (operator.case(candidate, substrate) for candidate in operator.candidates(substrate))
    contract = next(case for case in cases if isinstance(case, Case)).contract
    texts = [substrate.system_prompt(), substrate.greeting(), substrate.user_guidelines()]
    tools = [
        [tool.name, tool.description, dict(tool.parameters)]
        for condition in Condition
        for tool in operator.interface(contract, condition, substrate.tools())
    ]
    return sha256_hex(canonical_json([texts, tools]))


@pytest.mark.parametrize("name", list(OPERATORS))
def test_texts_an_agent_is_shown_are_those_of_the_protocol_version(name: str) -> None:
    assert shown(name) == SHOWN[PROTOCOL_VERSION][name]
