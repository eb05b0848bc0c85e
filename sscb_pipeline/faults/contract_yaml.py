"""Fault contracts as files that people read, write and review: YAML, or JSON.

A contract is data (SPEC 3), so that a reader must not turn one thing into another: dates stay text, a key that stands
twice is refused, and so are aliases, which could make a small file stand for a huge one.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

from sscb_pipeline.artifacts.digest import strict_json
from sscb_pipeline.artifacts.records import decode, encode
from sscb_pipeline.errors import InputError
from sscb_pipeline.faults.contract import CounterEvidence, FaultContract, MetCondition
from sscb_pipeline.faults.operators.registry import operator_named

_WIDTH = 120
_OTHER_LINE_ENDS = "\r\x85\u2028\u2029"


def dump_contract(contract: FaultContract) -> str:
    """The contract as YAML, fields in the order they are declared; `load_contract` gives an equal contract back."""
    return yaml.dump(encode(contract), Dumper=_Plain, sort_keys=False, allow_unicode=True, width=_WIDTH)


def load_contract(text: str, place: str) -> FaultContract:
    """The contract in YAML text, or in JSON text where `place`, the name of the file, ends with `.json`.

    Raises InputError, naming the file and the place in it, for text that is no YAML, a field that is missing, unknown
    or of another type, a relation with an empty condition, an unknown operator and a contract that asserts the truth.
    """
    value = strict_json(text.encode("utf-8", "surrogatepass"), place) if place.endswith(".json") else _yaml(text, place)
    contract = decode(FaultContract, value, f"fault contract {place}")
    _demand_relation(contract.counter_evidence, place)
    _demand_sense(contract, place)
    return contract


def _yaml(text: str, place: str) -> Any:
    try:
        return yaml.load(text, Loader=_Strict)
    except yaml.YAMLError as error:
        raise InputError(
            subject=f"fault contract {place}{_position(error)}",
            expected="YAML without repeated keys and without aliases",
            found=str(getattr(error, "problem", None) or error),
            remedy="correct the text at that place",
        ) from error
    except (ValueError, RecursionError) as error:
        raise InputError(
            subject=f"fault contract {place}",
            expected="YAML whose values can be read",
            found=str(error),
            remedy="write the value as quoted text",
        ) from error


def _demand_relation(relation: CounterEvidence, place: str) -> None:
    conditions: dict[str, MetCondition] = {
        "authority": relation.authority,
        "entity": relation.entity,
        "scope": relation.scope,
        "independence": relation.independence,
        "sufficiency": relation.sufficiency,
    }
    for name, condition in conditions.items():
        for part, told in (("statement", condition.statement), ("basis", condition.basis)):
            if not told.strip():
                raise InputError(
                    subject=f"fault contract {place}, counter_evidence.{name}.{part}",
                    expected="how the condition is met and the visible text it rests on (SSC Def. 3.4)",
                    found="empty text",
                    remedy="state it; a contract without its whole relation can label nothing",
                )


def _demand_sense(contract: FaultContract, place: str) -> None:
    operator = operator_named(contract.operator, place=f"fault contract {place}, operator")
    for field, expected, found in (
        ("domain", operator.domain, contract.domain),
        ("acquisition", operator.acquisition.value, contract.acquisition.value),
    ):
        if found != expected:
            raise InputError(
                subject=f"fault contract {place}, {field}",
                expected=f"{expected}, as operator {operator.name} has it",
                found=found,
                remedy="correct the field or name another operator",
            )
    if contract.injected.canonical == contract.authoritative.canonical:
        raise InputError(
            subject=f"fault contract {place}, injected.canonical",
            expected=f"a value other than the authoritative {contract.authoritative.canonical!r}",
            found="the same value, which is no fault",
            remedy="name the value that is to be injected",
        )
    if contract.step_cap < 1:
        raise InputError(
            subject=f"fault contract {place}, step_cap",
            expected="a positive number of steps",
            found=str(contract.step_cap),
            remedy="name the cap of the operator",
        )


def _position(error: yaml.YAMLError) -> str:
    mark = getattr(error, "problem_mark", None)
    return f" line {mark.line + 1} column {mark.column + 1}" if mark is not None else ""


class _Plain(yaml.SafeDumper):
    """Writes each value out where it stands."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    """Text that holds a character YAML takes for a line end is written with escapes."""
    quoted = '"' if any(character in text for character in _OTHER_LINE_ENDS) else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=quoted)


_Plain.add_representer(str, _text)


class _Strict(yaml.SafeLoader):
    """Reads JSON's kinds of values in YAML's clothes: no dates, no sixty-based numbers, no `yes` for true."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            event = self.peek_event()  # type: ignore[no-untyped-call]
            raise yaml.MarkedYAMLError(problem="an alias", problem_mark=event.start_mark)
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise yaml.MarkedYAMLError(problem="a key that is no text", problem_mark=key.start_mark)
            if key.value in seen:
                raise yaml.MarkedYAMLError(problem=f"the key {key.value!r} twice", problem_mark=key.start_mark)
            seen.add(key.value)
        return super().construct_mapping(node, deep=True)


_Strict.yaml_implicit_resolvers = {}
for _kind, _pattern, _first in (
    ("null", r"null|~|", ["n", "~", ""]),
    ("bool", r"true|false", ["t", "f"]),
    ("int", r"-?(?:0|[1-9][0-9]*)", list("-0123456789")),
    ("float", r"-?(?:0|[1-9][0-9]*)\.[0-9]+(?:[eE][-+][0-9]+)?", list("-0123456789")),
):
    _Strict.add_implicit_resolver(f"tag:yaml.org,2002:{_kind}", re.compile(rf"^(?:{_pattern})$"), _first)
