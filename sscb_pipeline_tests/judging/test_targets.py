"""Targets by the rules of JIA §II-A, cohorts with seed, exclusions and hash, and the generated cohort."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from sscb_pipeline.adapters.importers.labelled import labelled_records
from sscb_pipeline.assurance.requirement import Kept
from sscb_pipeline.errors import InputError, IntegrityError
from sscb_pipeline.judging.cohort import (
    LabelledRecord,
    cohort_bytes,
    draw_cohort,
    eligible_number,
    read_cohort,
    sources_of,
)
from sscb_pipeline.judging.generated_cohort import REQUESTS, TRAJECTORIES, generated_records
from sscb_pipeline.judging.targets import NoTargets, TargetPair, choose_targets
from sscb_pipeline.packets.build import build
from sscb_pipeline.packets.check_inline import InlineCheck
from sscb_pipeline.packets.input_contract import STUDY
from sscb_pipeline.packets.target import Target, target_turn
from sscb_pipeline.trajectories.source_record import Actor, SourceRecord, SourceTurn
from sscb_pipeline_tests.importers.recordings import recording
from sscb_pipeline_tests.trajectories.recorded import call, recorded, result, said


def steps(*kinds: str) -> SourceRecord:
    """A record whose agent turns call (`c`) or only speak (`s`)."""
    messages = [said("user", "Hi")]
    for kind in kinds:
        if kind == "c":
            messages += [said("assistant", None, call("a", "f")), result("a", "1")]
        else:
            messages.append(said("assistant", "So."))
    return recorded(*messages)


def labelled(record: SourceRecord, labels: list[int | None]) -> dict[int, int]:
    places = [
        index
        for index, message in enumerate(record.messages)
        if isinstance(message, SourceTurn) and message.actor is Actor.AGENT
    ]
    return {place: label for place, label in zip(places, labels, strict=True) if label is not None}


@pytest.mark.parametrize(
    ("kinds", "labels", "error", "comparison"),
    [
        ("cc", [1, -1], 1, 0),
        ("ccc", [1, 1, -1], 2, 1),
        ("cccc", [1, 0, -1, -1], 2, 0),
        ("csc", [1, 1, -1], 2, 0),
        ("csccc", [1, -1, -1, 0, -1], 4, 0),
        ("cccc", [1, -1, 1, -1], 1, 0),
        ("ccc", [1, None, -1], 2, 0),
    ],
)
def test_targets(kinds: str, labels: list[int | None], error: int, comparison: int) -> None:
    record = steps(*kinds)
    places = list(labelled(record, [0] * len(kinds)))
    assert choose_targets("r", record, labelled(record, labels)) == TargetPair(
        error=Target(record_id="r", message=places[error]),
        comparison=Target(record_id="r", message=places[comparison]),
    )


@pytest.mark.parametrize(
    ("kinds", "labels", "reason"),
    [
        ("cc", [-1, 1], "no tool-call step labelled +1 comes before the error target"),
        ("sc", [-1, -1], "no tool-call step begins a run of -1 labels"),
        ("cc", [1, 1], "no tool-call step begins a run of -1 labels"),
        ("sc", [1, -1], "no tool-call step labelled +1 comes before the error target"),
    ],
)
def test_trajectories_without_targets(kinds: str, labels: list[int | None], reason: str) -> None:
    record = steps(*kinds)
    assert choose_targets("r", record, labelled(record, labels)) == NoTargets(reason=reason)


@pytest.mark.parametrize("labels", [{0: 1}, {2: 1}, {99: 1}, {1: 2}])
def test_a_label_of_no_agent_turn_or_of_another_value_is_refused(labels: dict[int, int]) -> None:
    with pytest.raises(InputError):
        choose_targets("r", steps("c"), labels)


def test_the_generated_cohort_has_the_stated_shape() -> None:
    candidates = list(generated_records())
    cohort = draw_cohort(candidates, seed="s", size=TRAJECTORIES, excluded=frozenset())
    assert (len(cohort.members), len({member.request for member in cohort.members})) == (30, REQUESTS)
    assert sum(member.error_blank for member in cohort.members) == 26
    assert sum(member.comparison_blank for member in cohort.members) == 27
    by_id = {candidate.record_id: candidate for candidate in candidates}
    parallel = user = 0
    for member in cohort.members:
        record = by_id[member.record_id].record
        for target in member.targets:
            parallel += len(target_turn(record, target).calls) > 1
        user += any(
            isinstance(turn, SourceTurn) and turn.actor is Actor.USER and turn.calls for turn in record.messages
        )
    assert (parallel, user) == (13, 16)
    built = list(build(sources_of(cohort, candidates), STUDY))
    kinds = Counter((packet.key.kind.scope, packet.key.kind.rendering) for one in built for packet in one.packets)
    assert sum(kinds.values()) == 240
    assert set(kinds.values()) == {60}
    assert list(generated_records()) == candidates
    assert list(generated_records("other")) != candidates


def test_no_label_and_no_kind_of_target_reaches_a_packet_or_its_name() -> None:
    """The packets of a record are the same whatever its labels are, as long as the same steps are chosen."""
    candidates = list(generated_records())
    cohort = draw_cohort(candidates, seed="s", size=5, excluded=frozenset())
    swapped = replace(
        cohort,
        members=tuple(replace(one, error=one.comparison, comparison=one.error) for one in cohort.members),
    )
    assert list(build(sources_of(cohort, candidates), STUDY)) == list(build(sources_of(swapped, candidates), STUDY))


def test_the_draw_rests_on_seed_and_ids_only() -> None:
    candidates = list(generated_records())
    one = draw_cohort(candidates, seed="s", size=8, excluded=frozenset())
    assert draw_cohort(reversed(candidates), seed="s", size=8, excluded=frozenset()) == one
    assert draw_cohort(candidates, seed="t", size=8, excluded=frozenset()).members != one.members
    gone = frozenset({one.members[0].record_id})
    other = draw_cohort(candidates, seed="s", size=8, excluded=gone)
    assert {member.record_id for member in one.members} - {member.record_id for member in other.members} == gone
    assert eligible_number(candidates, gone) == other.eligible == 29
    assert other.excluded == tuple(gone)


@pytest.mark.parametrize(
    ("size", "excluded", "found"),
    [(31, frozenset(), "31"), (0, frozenset(), "0"), (3, frozenset({"nobody:1"}), "nobody:1")],
)
def test_a_draw_that_cannot_be_made_is_refused(size: int, excluded: frozenset[str], found: str) -> None:
    with pytest.raises(InputError, match=found):
        draw_cohort(generated_records(), seed="s", size=size, excluded=excluded)


def test_an_id_that_comes_twice_is_refused() -> None:
    with pytest.raises(InputError, match="position:0"):
        draw_cohort([*generated_records(), *generated_records()], seed="s", size=3, excluded=frozenset())


def test_a_cohort_file_says_its_own_hash() -> None:
    cohort = draw_cohort(generated_records(), seed="s", size=4, excluded=frozenset())
    data = cohort_bytes(cohort)
    assert read_cohort(data, "c") == cohort
    for changed in (data.replace(b'"s"', b'"t"'), data[:-1], data + b"\n", b"", data.replace(b"\n", b"\r\n", 1)):
        with pytest.raises(IntegrityError):
            read_cohort(changed, "c")


def test_a_changed_or_missing_record_is_refused() -> None:
    candidates = list(generated_records())
    cohort = draw_cohort(candidates, seed="s", size=30, excluded=frozenset())
    first = candidates[0]
    changed = LabelledRecord(
        record_id=first.record_id,
        record=replace(first.record, messages=first.record.messages[:-1]),
        request=first.request,
        labels=first.labels,
    )
    with pytest.raises(IntegrityError, match="as it was drawn"):
        list(sources_of(cohort, [changed, *candidates[1:]]))
    with pytest.raises(IntegrityError, match="position:0"):
        list(sources_of(cohort, candidates[1:]))


def test_the_same_path_takes_a_labelled_recording() -> None:
    path = recording("agentprocessbench/hotpotqa-126-250.jsonl")
    cohort = draw_cohort(
        labelled_records(path),
        seed="s",
        size=eligible_number(labelled_records(path), frozenset()),
        excluded=frozenset(),
    )
    assert (cohort.candidates, cohort.eligible) == (125, 7)
    check = InlineCheck(STUDY, {})
    packets = 0
    for built in build(sources_of(cohort, labelled_records(path)), STUDY):
        check.examine(built.source, built.targets, built.packets)
        packets += len(built.packets)
    assert packets == 7 * 8
    assert {type(outcome) for outcome in check.outcomes().values()} == {Kept}


def test_a_recording_without_labels_is_refused() -> None:
    with pytest.raises(InputError, match="step labels"):
        list(labelled_records(recording("bfcl_multiturn/deepseek-v3.1_base_result.jsonl")))
