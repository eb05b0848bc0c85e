"""Packets of real recordings: what O hides and R and C show, and no false alarm of either checker."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from sscb_pipeline.adapters.importers.registry import importer_of, runs_of
from sscb_pipeline.packets.build import render
from sscb_pipeline.packets.excerpt import shown_messages
from sscb_pipeline.packets.fields import fields_of
from sscb_pipeline.packets.input_contract import (
    QUESTION,
    InputContract,
    MalformedCalls,
    PacketKind,
    Rendering,
    Scope,
    TrailingCalls,
)
from sscb_pipeline.packets.parse_complete import parse_complete
from sscb_pipeline.packets.requirement import Requirement
from sscb_pipeline.packets.target import Target
from sscb_pipeline.trajectories.source_record import Actor, SourceRecord, SourceTurn
from sscb_pipeline_tests.importers.recordings import recording
from sscb_pipeline_tests.packets.bench_of_checks import all_kept, broken, world

CALL_STEPS = {
    "taubench_gpt4o_airline/gpt-4o-airline.json": (1164, 1074),
    "taubench_grok/grok-4-fast-reasoning-airline.json": (310, 298),
    "taubench_malformed/assertions-agent-retail.json": (472, 472),
    "taubench_malformed/dev-retail-server-final.json": (77, 77),
    "tau2_airline/azure-gpt-4o.json": (201, 165),
    "tau2_airline/gpt-oss-120b.json": (680, 680),
    "tau2_telecom_usercalls/gpt-4o-telecom.json": (182, 163),
    "agentprocessbench/hotpotqa-126-250.jsonl": (241, 154),
    "bfcl_multiturn/claude-sonnet-4-5_base_result.jsonl": (20, 20),
    "bfcl_multiturn/deepseek-v3.1_base_result.jsonl": (25, 25),
}
TEXT_ONLY = (
    "taubench_grok/react-grok-4-fast-reasoning-airline.json",
    "taubench_malformed/qwen2.5-7b-airline-text-calls.json",
    "who_and_when/algorithm_generated.jsonl",
)
TOLERANT = InputContract(
    scopes=tuple(Scope),
    renderings=tuple(Rendering),
    malformed_calls=MalformedCalls.PRESERVE,
    trailing_calls=TrailingCalls.REFUSED,
)


def records(path: Path) -> Iterator[SourceRecord]:
    return (run.record for run in runs_of(path, importer_of(path)))


def agent_turns(record: SourceRecord) -> list[int]:
    return [
        index
        for index, message in enumerate(record.messages)
        if isinstance(message, SourceTurn) and message.actor is Actor.AGENT
    ]


@pytest.mark.parametrize("name", CALL_STEPS)
def test_what_is_blank_under_each_rendering(name: str) -> None:
    steps = 0
    blank: Counter[Rendering] = Counter()
    for record in records(recording(name)):
        turns = agent_turns(record)
        calls = {
            index for index, message in enumerate(record.messages) if isinstance(message, SourceTurn) and message.calls
        }
        if not turns:
            continue
        steps += len(calls)
        target = Target(record_id="r", message=turns[-1])
        for rendering in Rendering:
            data = render(record, target, PacketKind(scope=Scope.FULL, rendering=rendering), QUESTION)
            shown = list(shown_messages(data, name))
            assert len(shown) == len(record.messages)
            blank[rendering] += sum(message.blank for message in shown if message.index in calls)
    assert (steps, blank[Rendering.ORIGINAL]) == CALL_STEPS[name]
    assert (blank[Rendering.RESTORED], blank[Rendering.COMPLETE]) == (0, 0)


@pytest.mark.parametrize("name", [*CALL_STEPS, *TEXT_ONLY])
def test_neither_checker_raises_a_false_alarm_and_c_gives_every_field_back(name: str) -> None:
    examined = 0
    for record in records(recording(name)):
        turns = agent_turns(record)
        if not turns or examined >= 12:
            continue
        chosen = sorted({turns[len(turns) // 2], turns[-1]})
        made = world(record, *chosen, contract=TOLERANT)
        for outcomes in (made.inline(), made.disk()):
            assert all_kept(outcomes), broken(outcomes)
        for message in chosen:
            target = Target(record_id="r", message=message)
            data = render(record, target, PacketKind(scope=Scope.FULL, rendering=Rendering.COMPLETE), QUESTION)
            assert parse_complete(data, name) == fields_of(record, target, Scope.FULL, QUESTION)
        examined += 1
    assert examined


def test_a_matcher_of_the_agents_calls_only_would_report_125_orphans_and_ours_none() -> None:
    orphans = 0
    for record in records(recording("tau2_telecom_usercalls/gpt-4o-telecom.json")):
        turns = agent_turns(record)
        made = world(record, turns[-1], contract=TOLERANT)
        assert Requirement.RESULT_HAS_CALL not in broken(made.inline()) | broken(made.disk())
        orphans += sum(
            len(message.calls)
            for message in record.messages
            if isinstance(message, SourceTurn) and message.actor is Actor.USER
        )
    assert orphans == 125
