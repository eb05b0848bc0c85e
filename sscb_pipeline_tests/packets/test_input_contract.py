"""The input contract: contents per packet kind, and assignments that cannot work are configuration errors."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sscb_pipeline.errors import InputError
from sscb_pipeline.packets.input_contract import (
    CONTRACTS,
    PRODUCTION,
    STUDY,
    Content,
    PacketKind,
    Rendering,
    Scope,
    excluded,
    required,
)
from sscb_pipeline.packets.requirement import (
    ASSIGNED,
    EXISTS_FROM,
    READS,
    RUNS_AT,
    AssignedRequirement,
    Assignment,
    CheckedObject,
    Checker,
    Requirement,
    Stage,
)

KINDS = [PacketKind(scope=scope, rendering=shown) for scope in Scope for shown in Rendering]


def assigned(requirement: Requirement, *assignments: tuple[Checker, CheckedObject]) -> tuple[AssignedRequirement, ...]:
    """The production requirements, one of them assigned otherwise."""
    chosen = tuple(Assignment(checker=checker, examined=examined) for checker, examined in assignments)
    return tuple(replace(item, assignments=chosen) if item.requirement is requirement else item for item in ASSIGNED)


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_both_required_and_excluded(kind: PacketKind) -> None:
    assert not required(kind) & excluded(kind)
    assert {Content.LABELS, Content.REASONING, Content.EVALUATION, Content.ERROR_MARKS} <= excluded(kind)
    assert (Content.TARGET_RESULT in excluded(kind)) == (kind.scope is Scope.PREFIX)
    assert (Content.CALLS in required(kind)) == (kind.rendering is not Rendering.ORIGINAL)


def test_every_requirement_is_assigned_once_and_there_are_ten_or_more() -> None:
    assert sorted(item.requirement for item in ASSIGNED) == sorted(Requirement)
    assert len(Requirement) >= 10
    for contract in CONTRACTS.values():
        for checker in Checker:
            assert len(contract.assigned_to(checker)) >= 10
    assert [kind.rendering.value for kind in STUDY.kinds] == ["O", "R", "O", "R"]
    assert [kind.rendering.value for kind in PRODUCTION.kinds] == ["C", "C"]


@pytest.mark.parametrize("checker", Checker)
@pytest.mark.parametrize("examined", CheckedObject)
def test_an_assignment_is_possible_exactly_where_the_checker_reads_an_object_that_exists(
    checker: Checker, examined: CheckedObject
) -> None:
    possible = examined in READS[checker] and EXISTS_FROM[examined].not_after(RUNS_AT[checker])
    requirements = assigned(Requirement.STAGED_BYTES, (checker, examined))
    if possible:
        assert replace(STUDY, requirements=requirements).assigned_to(checker)
        return
    with pytest.raises(InputError) as caught:
        replace(STUDY, requirements=requirements)
    assert caught.value.subject == "requirement staged_bytes"
    assert checker.value in caught.value.found


def test_a_checker_that_runs_too_early_and_one_that_reads_the_wrong_file_are_told_apart() -> None:
    """JIA §III-B: the staged copies were assigned to checkers that could not see them."""
    early = assigned(Requirement.STAGED_BYTES, (Checker.INLINE, CheckedObject.STAGED_PACKET))
    with pytest.raises(InputError, match="stage stage or later"):
        replace(STUDY, requirements=early)
    wrong = assigned(Requirement.MESSAGE_TEXT, (Checker.DISK, CheckedObject.MEMORY_PACKET))
    with pytest.raises(InputError, match="a checker that reads the memory packet"):
        replace(STUDY, requirements=wrong)


@pytest.mark.parametrize("requirements", [(), ASSIGNED[1:], (*ASSIGNED, ASSIGNED[0]), assigned(Requirement.QUESTION)])
def test_a_missing_doubled_or_unassigned_requirement_is_refused(requirements: tuple[AssignedRequirement, ...]) -> None:
    with pytest.raises(InputError):
        replace(STUDY, requirements=requirements)


@pytest.mark.parametrize("change", [{"scopes": ()}, {"renderings": ()}, {"scopes": (Scope.FULL, Scope.FULL)}])
def test_a_contract_without_packets_is_refused(change: dict[str, tuple[Scope, ...]]) -> None:
    with pytest.raises(InputError):
        replace(STUDY, **change)  # type: ignore[arg-type]


def test_a_requirement_can_be_checked_from_the_stage_of_its_first_object_on() -> None:
    stages = {item.requirement: item.stage for item in ASSIGNED}
    assert stages[Requirement.RESULT_HAS_CALL] is Stage.IMPORT
    assert stages[Requirement.MESSAGE_TEXT] is Stage.BUILD
    assert stages[Requirement.STAGED_BYTES] is Stage.STAGE
