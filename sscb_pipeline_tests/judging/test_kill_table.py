"""Mutants against both pairs of checkers, and legal inputs that look wrong."""

from __future__ import annotations

from collections import Counter

import pytest

from sscb_pipeline.judging.trials.checker_pairs import Pair
from sscb_pipeline.judging.trials.kill_table import KillTable, Reaction, all_mutants, kill_table
from sscb_pipeline.judging.trials.legal import LEGAL, LegalCase, false_alarms
from sscb_pipeline.judging.trials.mutation import Level, Mutator, Position
from sscb_pipeline.packets.requirement import Checker, Requirement


@pytest.fixture(scope="module")
def production() -> KillTable:
    return kill_table(Pair.PRODUCTION, all_mutants())


@pytest.fixture(scope="module")
def published() -> KillTable:
    return kill_table(Pair.AS_PUBLISHED, all_mutants())


def test_the_suite_is_at_least_as_large_as_the_published_one(production: KillTable) -> None:
    names = [mutant.name for mutant in all_mutants()]
    assert len(names) == len(set(names)) == len(production.mutants) >= 38
    assert production.shared >= 34
    assert {mutant.mutator for mutant in all_mutants()} == set(Mutator)
    assert {mutant.level for mutant in all_mutants()} == set(Level)
    for position in Position:
        assert any(name.endswith(position.value) for name in names)


def test_every_requirement_has_a_failing_case_for_each_of_its_checkers() -> None:
    covered = Counter(
        (mutant.expected, checker) for mutant in all_mutants() for checker in Checker if mutant.assigned_to(checker)
    )
    for requirement in Requirement:
        assert any(covered[requirement, checker] for checker in Checker), requirement


def test_every_mutant_is_rejected_by_every_checker_it_is_assigned_to_naming_the_requirement(
    production: KillTable,
) -> None:
    missed = [kill for kill in production.kills if kill.assigned and kill.reaction is not Reaction.NAMED]
    assert missed == []
    assert production.named == len(production.mutants)
    assert not [kill for kill in production.kills if kill.reaction is Reaction.CRASHED]


def test_a_checker_accepts_only_what_it_cannot_see(production: KillTable) -> None:
    accepted = [kill for kill in production.kills if kill.reaction is Reaction.ACCEPTED]
    assert production.unassigned_accepts == len(accepted) > 0
    assert {kill.level for kill in accepted} == {Level.SAVED_FILE, Level.EARLIER_ARCHIVE}


def test_the_published_pair_misses_what_the_paper_says_it_missed(published: KillTable) -> None:
    by_requirement = {(kill.requirement, kill.checker): kill.reaction for kill in published.kills if kill.assigned}
    accepted = {
        mutant
        for mutant in published.mutants
        if all(kill.reaction is Reaction.ACCEPTED for kill in published.kills if kill.mutant == mutant)
    }
    assert "source: duplicate result, first" in accepted
    assert "source: duplicate result, user" in accepted
    assert any(name.startswith("file: edit staged packet") for name in accepted)
    assert by_requirement[Requirement.STAGED_SET, Checker.DISK] is Reaction.ACCEPTED
    assert by_requirement[Requirement.MANIFEST_ENTRIES, Checker.DISK] is Reaction.ACCEPTED
    assert not [kill for kill in published.kills if kill.reaction is Reaction.CRASHED]


def test_reverse_matching_alone_finds_the_orphans(published: KillTable) -> None:
    orphans = [mutant for mutant in all_mutants() if mutant.expected is Requirement.RESULT_HAS_CALL]
    assert len(orphans) >= 10
    assert kill_table(Pair.REVERSE_MATCHING, orphans).named == len(orphans)
    assert kill_table(Pair.AS_PUBLISHED, orphans).named == 0


def test_every_requirement_has_an_unusual_legal_case() -> None:
    assert {case.requirement for case in LEGAL} == set(Requirement)


@pytest.mark.parametrize("case", LEGAL, ids=lambda case: case.requirement.value)
def test_a_legal_input_that_looks_wrong_raises_no_alarm(case: LegalCase) -> None:
    assert false_alarms(case) == []
