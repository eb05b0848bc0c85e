"""Consensus flags, evaluable trajectories, G and its change, against counts made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pytest

from sscb_pipeline.judging.cell import Cell, JudgedTarget, TargetKind, cells, consensus
from sscb_pipeline.judging.contrast import MeanPerTrajectory, NothingEvaluable, judge_result, own_contrast
from sscb_pipeline.judging.verdict import Answer, Answered, Invalid, ProviderError, ReplyForm, Verdict
from sscb_pipeline.packets.input_contract import Rendering, Scope

O_AND_R = (Rendering.ORIGINAL, Rendering.RESTORED)


def _says(answer: Answer) -> Verdict:
    return Answered(answer=answer, form=ReplyForm.OBJECT)


YES, NO, ABSTAINS = (_says(answer) for answer in Answer)
FLAG, NO_FLAG = (YES, YES), (YES, NO)


def _trajectory(name: str, request: str, flags: Sequence[Cell], *, blank: bool = True) -> JudgedTarget:
    """A trajectory whose cells in `flags` are consensus flags and all others are not."""
    draws = {cell: FLAG if cell in flags else NO_FLAG for cell in cells(O_AND_R)}
    return JudgedTarget(
        trajectory=name,
        request=request,
        blank={TargetKind.ERROR: blank, TargetKind.COMPARISON: False},
        draws=draws,
    )


def _cell(target: TargetKind, scope: Scope, rendering: Rendering) -> Cell:
    return Cell(target=target, scope=scope, rendering=rendering)


FULL_ERROR_O = _cell(TargetKind.ERROR, Scope.FULL, Rendering.ORIGINAL)
PREFIX_ERROR_R = _cell(TargetKind.ERROR, Scope.PREFIX, Rendering.RESTORED)
FULL_ERROR_R = _cell(TargetKind.ERROR, Scope.FULL, Rendering.RESTORED)
FULL_COMPARISON_O = _cell(TargetKind.COMPARISON, Scope.FULL, Rendering.ORIGINAL)


def test_there_are_eight_cells() -> None:
    assert len(cells(O_AND_R)) == 8


@pytest.mark.parametrize("first", [YES, NO, ABSTAINS, Invalid(reason="x"), ProviderError(reason="x")])
@pytest.mark.parametrize("second", [YES, NO, ABSTAINS, Invalid(reason="x"), ProviderError(reason="x")])
def test_a_flag_needs_yes_twice(first: Verdict, second: Verdict) -> None:
    assert consensus((first, second)) == (first == second == YES)


@pytest.mark.parametrize("flags", list(product([False, True], repeat=4)))
def test_a_trajectorys_own_contrast_is_the_formula(flags: tuple[bool, ...]) -> None:
    order = cells([Rendering.ORIGINAL])
    one = _trajectory("t", "r", [cell for cell, flag in zip(order, flags, strict=True) if flag])
    of = {(cell.target, cell.scope): flag for cell, flag in zip(order, flags, strict=True)}
    error = of[TargetKind.ERROR, Scope.FULL] - of[TargetKind.ERROR, Scope.PREFIX]
    comparison = of[TargetKind.COMPARISON, Scope.FULL] - of[TargetKind.COMPARISON, Scope.PREFIX]
    assert own_contrast(one, Rendering.ORIGINAL) == error - comparison


def _thirty() -> list[JudgedTarget]:
    """G is 15 − 2 = 13 under O and 2 under R, over 30 trajectories of 22 requests."""
    judged = []
    for number in range(30):
        flags = [FULL_ERROR_O] if number < 15 else []
        flags += [FULL_COMPARISON_O] if number in (20, 21) else []
        flags += [PREFIX_ERROR_R, FULL_ERROR_R] if number < 20 else []
        flags += [FULL_ERROR_R] if number in (20, 21) else []
        judged.append(_trajectory(f"t{number}", f"r{number % 22}", flags))
    return judged


def test_the_published_arithmetic() -> None:
    result = judge_result("j0", _thirty(), O_AND_R)
    original, restored, change = result.contrasts["O"], result.contrasts["R"], result.change
    assert isinstance(original, MeanPerTrajectory)
    assert isinstance(restored, MeanPerTrajectory)
    assert isinstance(change, MeanPerTrajectory)
    assert (original.total, restored.total, change.total) == (13, 2, -11)
    assert change.mean == pytest.approx(-0.3667, abs=1e-4)
    assert (change.trajectories, change.clusters) == (30, 22)
    assert -1 < change.low < change.mean < change.high < 0
    assert restored.low <= restored.mean <= restored.high


def test_intervals_come_from_clusters_and_not_from_order() -> None:
    forwards = judge_result("j0", _thirty(), O_AND_R)
    assert judge_result("j0", _thirty()[::-1], O_AND_R).change == forwards.change
    alone = [
        JudgedTarget(trajectory=one.trajectory, request=one.trajectory, blank=one.blank, draws=one.draws)
        for one in _thirty()
    ]
    assert judge_result("j0", alone, O_AND_R).change != forwards.change


@pytest.mark.parametrize("broken", [(YES,), (YES, Invalid(reason="x")), (ProviderError(reason="x"), YES), ()])
def test_a_cell_without_its_valid_draws_takes_the_trajectory_out_of_that_rendering_only(
    broken: tuple[Verdict, ...],
) -> None:
    first, *rest = _thirty()
    damaged = JudgedTarget(
        trajectory=first.trajectory,
        request=first.request,
        blank=first.blank,
        draws={**first.draws, PREFIX_ERROR_R: broken},
    )
    result = judge_result("j0", [damaged, *rest], O_AND_R)
    counted = [result.contrasts["O"], result.contrasts["R"], result.change]
    assert [one.trajectories for one in counted if isinstance(one, MeanPerTrajectory)] == [30, 29, 29]


def test_nothing_evaluable_is_no_number() -> None:
    result = judge_result("j0", [], O_AND_R)
    assert isinstance(result.change, NothingEvaluable)


def test_abstentions_are_counted_apart_from_no_and_by_blank_targets() -> None:
    base = _trajectory("a", "r", [], blank=True)
    blank = JudgedTarget(
        trajectory="a", request="r", blank=base.blank, draws={**base.draws, FULL_ERROR_O: (ABSTAINS, YES)}
    )
    other = _trajectory("b", "r", [FULL_ERROR_O], blank=False)
    result = judge_result("j0", [blank, other], O_AND_R)
    (count,) = [one for one in result.counts if one.cell == FULL_ERROR_O]
    assert (count.flags, count.blank_targets, count.abstentions_blank, count.abstentions_other) == (1, 1, 1, 0)
    assert (count.kinds["cannot_decide"], count.kinds["yes"], count.kinds["no"]) == (1, 3, 0)
