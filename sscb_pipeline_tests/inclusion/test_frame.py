"""The frozen order of a frame, and bytes that are not the frozen ones."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping

import pytest

from sscb_pipeline.artifacts.digest import sha256_hex
from sscb_pipeline.errors import IntegrityError
from sscb_pipeline.faults.operator import Candidate
from sscb_pipeline.faults.operators.registry import OPERATORS
from sscb_pipeline.inclusion.frame import FRAME_SEED, Frame, freeze, read_frame
from sscb_pipeline_tests.inclusion.conftest import Domains


def candidate(name: str, cluster: str) -> Candidate:
    return Candidate(candidate_id=name, operator="Op", domain="airline", cluster=cluster, key={})


MADE_UP = [candidate(f"c{number}", f"cluster {number % 4 if number < 9 else 0}") for number in range(12)]


def ids(frame: Frame) -> list[str]:
    return [ranked.candidate.candidate_id for ranked in frame.candidates]


def by_rank(frame: Frame) -> list[str]:
    return [r.candidate.candidate_id for r in sorted(frame.candidates, key=lambda ranked: ranked.rank)]


def test_ranks_follow_the_seeded_hash_of_the_ids() -> None:
    frame = freeze("Op", MADE_UP, {}, "seed")
    hashes = [hashlib.sha256(f"seed\x00{name}".encode()).hexdigest() for name in by_rank(frame)]
    assert hashes == sorted(hashes)
    assert [ranked.screening_rank for ranked in frame.candidates] == list(range(len(MADE_UP)))


def test_the_natural_order_has_no_influence() -> None:
    shuffled = list(MADE_UP)
    random.Random(7).shuffle(shuffled)
    assert shuffled != MADE_UP
    assert freeze("Op", shuffled, {}, "seed").to_bytes() == freeze("Op", MADE_UP, {}, "seed").to_bytes()


def test_another_seed_is_another_order() -> None:
    assert ids(freeze("Op", MADE_UP, {}, "seed")) != ids(freeze("Op", MADE_UP, {}, "another seed"))


@pytest.mark.parametrize("cluster", ["cluster 0", "a cluster of its own"])
def test_a_candidate_more_does_not_reorder_the_others(cluster: str) -> None:
    before = freeze("Op", MADE_UP, {}, "seed")
    after = freeze("Op", [*MADE_UP, candidate("newcomer", cluster)], {}, "seed")
    assert [name for name in by_rank(after) if name != "newcomer"] == by_rank(before)
    others = [ranked.candidate for ranked in after.candidates if ranked.candidate.candidate_id != "newcomer"]
    if cluster == "a cluster of its own":
        assert [other.candidate_id for other in others] == ids(before)


def test_every_clusters_first_comes_before_any_clusters_second() -> None:
    for frame in (freeze("Op", MADE_UP, {}, "seed"), freeze("Op", MADE_UP, {}, "another")):
        seen: dict[str, int] = {}
        cycles = []
        for ranked in frame.candidates:
            seen[ranked.candidate.cluster] = seen.get(ranked.candidate.cluster, 0) + 1
            cycles.append(seen[ranked.candidate.cluster])
        assert cycles == sorted(cycles) and cycles[0] == 1 and cycles[-1] > 1
        for cycle in set(cycles):
            ranks = [ranked.rank for ranked, at in zip(frame.candidates, cycles, strict=True) if at == cycle]
            assert ranks == sorted(ranks)


@pytest.mark.parametrize("name", OPERATORS)
def test_real_frames_cycle_over_their_clusters_and_name_their_data(
    frozen: Mapping[str, Frame], domains: Domains, name: str
) -> None:
    frame = frozen[name]
    clusters = {ranked.candidate.cluster for ranked in frame.candidates}
    first = [ranked.candidate.cluster for ranked in frame.candidates[: len(clusters)]]
    assert len(set(first)) == len(clusters)
    assert frame.seed == FRAME_SEED and frame.data_sha256 == dict(domains[OPERATORS[name].domain].data_sha256)


def test_a_frame_comes_back_from_its_bytes(frozen: Mapping[str, Frame]) -> None:
    for frame in frozen.values():
        data = frame.to_bytes()
        assert read_frame(data, sha256_hex(data), "here") == frame


def test_changed_bytes_are_refused_with_both_hashes(frozen: Mapping[str, Frame]) -> None:
    data = frozen["PaySource"].to_bytes()
    changed = data.replace(b'"screening_rank":0', b'"screening_rank":1', 1)
    assert changed != data
    with pytest.raises(IntegrityError) as refused:
        read_frame(changed, sha256_hex(data), "warehouse/objects/x")
    assert "warehouse/objects/x" in refused.value.subject
    assert refused.value.expected == f"sha256 {sha256_hex(data)}" and refused.value.found == sha256_hex(changed)
