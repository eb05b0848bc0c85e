"""Contracts as bytes, as YAML and as JSON, and back; what a contract file may not hold."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sscb_pipeline.artifacts.records import encode, from_bytes, to_bytes
from sscb_pipeline.errors import InputError
from sscb_pipeline.faults.contract import (
    Acquisition,
    AffectedFact,
    Assertion,
    CounterEvidence,
    FaultContract,
    Injection,
    MetCondition,
    Persistence,
    TargetEntity,
)
from sscb_pipeline.faults.contract_yaml import dump_contract, load_contract
from sscb_pipeline.faults.operators.registry import OPERATORS
from sscb_pipeline_tests.faults.conftest import Cases

MET = MetCondition(statement="it holds", basis="the tool schema")
CONTRACT = FaultContract(
    contract_id="ReturnDate/0/R1",
    operator="ReturnDate",
    domain="airline",
    target=TargetEntity(kind="reservation", identifier="R1", owner="u", locator={"outbound_dates": ["2024-05-20"]}),
    fact=AffectedFact(attribute="return date", scope="as booked"),
    injected=Assertion(canonical="2024-05-19", data={"dates": ["2024-05-19"]}),
    authoritative=Assertion(canonical="2024-05-27", data={"dates": ["2024-05-27"]}),
    injection=Injection(tool="get_reservation_details", persistence=Persistence.EVERY_RETURN, match={}),
    preserved=("everything else",),
    counter_evidence=CounterEvidence(authority=MET, entity=MET, scope=MET, independence=MET, sufficiency=MET),
    acquisition=Acquisition.DELIVERED_TOGETHER,
    step_cap=60,
    cluster="R1",
    parameters={},
)
TEXT = dump_contract(CONTRACT)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.parametrize("operator", OPERATORS)
def test_every_contract_comes_back_from_its_bytes_its_yaml_and_its_json(all_cases: Cases, operator: str) -> None:
    for case in all_cases[operator][::6]:
        contract = case.contract
        assert from_bytes(FaultContract, to_bytes(contract), "bytes") == contract
        assert load_contract(dump_contract(contract), "contract.yaml") == contract
        assert load_contract(json.dumps(encode(contract), indent=2), "contract.json") == contract


@settings(deadline=None, max_examples=60)
@given(text=st.text(min_size=1), value=json_values)
def test_no_text_and_no_value_is_changed_by_writing_and_reading(text: str, value: object) -> None:
    contract = replace(
        CONTRACT,
        contract_id=text,
        injected=Assertion(canonical=f"v{text}", data={"value": value, text: text}),
        preserved=(text, "2024-05-01", "yes", "012", "10:30", "null", "1e3"),
    )
    assert load_contract(dump_contract(contract), "f.yaml") == contract
    assert load_contract(json.dumps(encode(contract)), "f.json") == contract


def test_yaml_is_written_for_people() -> None:
    lines = TEXT.splitlines()
    assert lines[0] == "type: FaultContract" and "operator: ReturnDate" in lines
    assert "injected:" in lines and "  canonical: '2024-05-19'" in lines
    assert max(len(line) for line in lines) <= 120


def test_unquoted_dates_stay_text() -> None:
    assert load_contract(TEXT.replace("'2024-05-19'", "2024-05-19"), "f.yaml") == CONTRACT


BROKEN = {
    "no YAML": (TEXT.replace("fact:\n", "fact: [\n"), "f.yaml line "),
    "a repeated key": (TEXT + "cluster: R2\n", "f.yaml line "),
    "an alias": (TEXT.replace("operator: ReturnDate", "operator: &o ReturnDate") + "more: *o\n", "f.yaml line "),
    "a tag that builds objects": (TEXT.replace("cluster: R1", "cluster: !!python/name:os.system"), "f.yaml line "),
    "an unknown field": (TEXT + "severity: high\n", "severity"),
    "a missing field": (TEXT.replace("cluster: R1\n", ""), "cluster"),
    "a number for text": (TEXT.replace("cluster: R1", "cluster: 7"), ".cluster"),
    "text for a number": (TEXT.replace("step_cap: 60", "step_cap: sixty"), ".step_cap"),
    "no steps": (TEXT.replace("step_cap: 60", "step_cap: 0"), "step_cap"),
    "an unknown persistence": (TEXT.replace("every_return", "sometimes"), ".injection.persistence"),
    "an unknown operator": (TEXT.replace("operator: ReturnDate", "operator: SeatSwap"), "operator"),
    "another domain": (TEXT.replace("domain: airline", "domain: retail"), "domain"),
    "another acquisition": (TEXT.replace("delivered_together", "cross_record"), "acquisition"),
    "the truth as a fault": (TEXT.replace("'2024-05-19'", "'2024-05-27'"), "injected.canonical"),
    "no relation": (TEXT[: TEXT.index("counter_evidence:")] + TEXT[TEXT.index("acquisition:") :], "counter_evidence"),
    "a list at the top": ("- 1\n", "f.yaml"),
    "nothing": ("", "f.yaml"),
    "a list as a key": (TEXT + "? [1]\n: 2\n", "f.yaml line "),
}


@pytest.mark.parametrize(("text", "place"), BROKEN.values(), ids=BROKEN)
def test_a_malformed_contract_is_refused_with_file_place_and_remedy(text: str, place: str) -> None:
    with pytest.raises(InputError) as refused:
        load_contract(text, "f.yaml")
    assert "f.yaml" in refused.value.subject
    assert place in f"{refused.value.subject} {refused.value.expected} {refused.value.found}"
    assert refused.value.remedy


@pytest.mark.parametrize("condition", ["authority", "entity", "scope", "independence", "sufficiency"])
@pytest.mark.parametrize("part", ["statement", "basis"])
def test_a_relation_with_an_empty_condition_is_refused(condition: str, part: str) -> None:
    relation = replace(CONTRACT.counter_evidence, **{condition: replace(MET, **{part: "  "})})
    with pytest.raises(InputError, match=f"counter_evidence.{condition}.{part}"):
        load_contract(dump_contract(replace(CONTRACT, counter_evidence=relation)), "f.yaml")


def test_malformed_json_is_refused_with_its_file() -> None:
    with pytest.raises(InputError, match=r"f\.json"):
        load_contract('{"type": "FaultContract",', "f.json")
