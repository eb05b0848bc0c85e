"""What later context adds: G = (F_E − P_E) − (F_C − P_C), for O and R, and how it changes (JIA §II-A, §V).

F and P count consensus flags in full and prefix packets, E and C stand for error and comparison targets. A trajectory
is evaluable in a rendering with as many valid draws as asked for in all four of its cells. Intervals are percentile
cluster bootstraps over user requests, the recorded verdicts held fixed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sscb_pipeline.judging.cell import Cell, JudgedTarget, TargetKind, abstains, cells, consensus, valid
from sscb_pipeline.judging.verdict import KINDS, kind_of
from sscb_pipeline.packets.input_contract import Rendering, Scope
from sscb_pipeline.statistics.cluster_bootstrap import cluster_bootstrap, seed_of

DRAWS = 2
ORIGINAL_RANGE = 2
"""A trajectory's own G lies in −2…2; the change of it in −4…4."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CellCount:
    """One cell over all its targets. `flags` are consensus flags, `abstentions` targets with at least one
    cannot_decide, split by blank and other targets; `kinds` counts single draws by each of the five verdicts."""

    cell: Cell
    targets: int
    flags: int
    blank_targets: int
    blank_flags: int
    abstentions_blank: int
    abstentions_other: int
    kinds: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanPerTrajectory:
    """A total over trajectories, its mean, and the mean's 95 % interval over clusters of user requests."""

    total: int
    trajectories: int
    clusters: int
    mean: float
    low: float
    high: float
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NothingEvaluable:
    """No trajectory has the valid draws that the contrast needs."""

    why: str


Contrast = MeanPerTrajectory | NothingEvaluable


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeResult:
    """What one judge configuration gives: comparisons between configurations are made at this level only (JIA §V)."""

    configuration: str
    counts: tuple[CellCount, ...]
    contrasts: Mapping[str, Contrast]
    change: Contrast


def judge_result(
    configuration: str, judged: Sequence[JudgedTarget], renderings: Sequence[Rendering], *, draws: int = DRAWS
) -> JudgeResult:
    """Cells, the contrast of each rendering, and the change of G from O to R where both were judged."""
    contrasts = {
        rendering.value: _contrast(
            f"G {rendering.value}", configuration, _own(judged, rendering, draws), ORIGINAL_RANGE
        )
        for rendering in renderings
    }
    return JudgeResult(
        configuration=configuration,
        counts=tuple(
            _count(cell, judged) for cell in cells(renderings, TargetKind) if any(cell in one.draws for one in judged)
        ),
        contrasts=contrasts,
        change=_contrast("change of G", configuration, _changes(judged, draws), 2 * ORIGINAL_RANGE),
    )


def own_contrast(one: JudgedTarget, rendering: Rendering) -> int:
    """A trajectory's own part of G, in −2…2."""

    def gain(target: TargetKind) -> int:
        full = consensus(one.draws[Cell(target=target, scope=Scope.FULL, rendering=rendering)])
        prefix = consensus(one.draws[Cell(target=target, scope=Scope.PREFIX, rendering=rendering)])
        return int(full) - int(prefix)

    return gain(TargetKind.ERROR) - gain(TargetKind.COMPARISON)


def evaluable(one: JudgedTarget, rendering: Rendering, draws: int = DRAWS) -> bool:
    """Whether all four cells of the rendering have their valid draws."""
    return all(valid(one.draws.get(cell, ()), draws) for cell in cells([rendering]))


def _own(judged: Sequence[JudgedTarget], rendering: Rendering, draws: int) -> list[tuple[str, int]]:
    return [(one.request, own_contrast(one, rendering)) for one in judged if evaluable(one, rendering, draws)]


def _changes(judged: Sequence[JudgedTarget], draws: int) -> list[tuple[str, int]]:
    both = (Rendering.ORIGINAL, Rendering.RESTORED)
    return [
        (one.request, own_contrast(one, Rendering.RESTORED) - own_contrast(one, Rendering.ORIGINAL))
        for one in judged
        if all(evaluable(one, rendering, draws) for rendering in both)
    ]


def _contrast(name: str, configuration: str, values: Sequence[tuple[str, int]], reach: int) -> Contrast:
    """Sum and mean of values in −reach…reach by cluster.

    The bootstrap takes shares, so each value is moved to 0…2·reach of 2·reach and its limits are moved back: the
    mean is the same linear function of the share in every resample.
    """
    if not values:
        return NothingEvaluable(why=f"no trajectory has its valid draws in every cell that {name} needs")
    clusters: dict[str, list[int]] = defaultdict(list)
    for cluster, value in values:
        clusters[cluster].append(value)
    groups = [clusters[cluster] for cluster in sorted(clusters)]
    seed = seed_of(f"judging {configuration} {name}")
    drawn = cluster_bootstrap(
        np.array([sum(value + reach for value in group) for group in groups], dtype=np.int64),
        np.array([2 * reach * len(group) for group in groups], dtype=np.int64),
        seed=seed,
    )
    total = sum(value for _, value in values)
    return MeanPerTrajectory(
        total=total,
        trajectories=len(values),
        clusters=len(groups),
        mean=total / len(values),
        low=2 * reach * drawn.interval.low - reach,
        high=2 * reach * drawn.interval.high - reach,
        seed=seed,
    )


def _count(cell: Cell, judged: Sequence[JudgedTarget]) -> CellCount:
    there = [one for one in judged if cell in one.draws]
    blank = [one for one in there if one.blank[cell.target]]
    kinds = dict.fromkeys(KINDS, 0)
    for one in there:
        for verdict in one.draws[cell]:
            kinds[kind_of(verdict)] += 1
    abstaining = [one for one in there if abstains(one.draws[cell])]
    return CellCount(
        cell=cell,
        targets=len(there),
        flags=sum(consensus(one.draws[cell]) for one in there),
        blank_targets=len(blank),
        blank_flags=sum(consensus(one.draws[cell]) for one in blank),
        abstentions_blank=sum(one.blank[cell.target] for one in abstaining),
        abstentions_other=sum(not one.blank[cell.target] for one in abstaining),
        kinds=kinds,
    )
