"""Points with 95 % intervals on a common scale from 0 to 100 %."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from markupsafe import Markup

from sscb_pipeline.report import svg
from sscb_pipeline.report.bars import shortened
from sscb_pipeline.report.wording import percent
from sscb_pipeline.statistics.estimate import Estimate, Unobserved


class Shape(StrEnum):
    """How a point is drawn."""

    DOT = "dot"
    DIAMOND = "diamond"
    HOLLOW_DIAMOND = "hollow_diamond"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """One line of a group: a value, how it is drawn, its name for readers who do not see it, counts, where it leads."""

    value: Estimate | Unobserved
    shape: Shape
    colour: str
    name: str
    counts: str
    href: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Marks under one label (a configuration)."""

    label: str
    marks: tuple[Mark, ...]


_LABEL, _RIGHT, _LINE, _GAP = 140, 146, 17, 7


def forest(description: str, groups: Sequence[Group], right_title: str, legend: Sequence[tuple[str, str]]) -> Markup:
    """Groups from top to bottom. An unobserved value has no point: only `0/0/0` on the right."""
    marks, top = svg.legend(legend, y=12) if legend else ([], 12.0)
    marks.append(svg.text(right_title, x=svg.WIDTH, y=top + 2, anchor="end", size=11, fill=svg.QUIET))
    top += 10
    bottom = top + sum(_LINE * len(group.marks) + _GAP for group in groups)
    for tick in (0.0, 0.5, 1.0):
        marks.append(svg.line(x1=_x(tick), y1=top - 2, x2=_x(tick), y2=bottom))
        marks.append(svg.text(percent(tick), x=_x(tick), y=bottom + 14, anchor="middle", size=11, fill=svg.QUIET))
    y = top + 10
    for group in groups:
        marks.append(svg.text(shortened(group.label), x=_LABEL - 14, y=y + 4, anchor="end"))
        for mark in group.marks:
            marks.append(_mark(mark, y, group.label))
            y += _LINE
        y += _GAP
    return svg.drawing(bottom + 20, description, marks)


def _x(share: float) -> float:
    return _LABEL + share * (svg.WIDTH - _LABEL - _RIGHT)


def _mark(mark: Mark, y: float, group: str) -> Markup:
    match mark.value:
        case Unobserved():
            label = "0/0/0"
            shown = [svg.text(label, x=svg.WIDTH, y=y + 4, anchor="end", fill=svg.QUIET)]
        case Estimate() as value:
            label = f"{percent(value.share)} {mark.counts}"
            low, high = _x(value.interval.low), _x(value.interval.high)
            shown = [
                svg.line(x1=low, y1=y, x2=high, y2=y, stroke=mark.colour, width=2),
                _point(mark, _x(value.share), y),
                svg.text(f"{percent(value.share)} ", x=svg.WIDTH - 90, y=y + 4, anchor="end"),
                svg.text(mark.counts, x=svg.WIDTH, y=y + 4, anchor="end"),
            ]
    return svg.link(mark.href, f"{group}, {mark.name}: {label}", *shown)


def _point(mark: Mark, x: float, y: float) -> Markup:
    match mark.shape:
        case Shape.DOT:
            return svg.circle(x=x, y=y, radius=4.5, fill=mark.colour)
        case Shape.DIAMOND:
            return svg.diamond(x=x, y=y, half=6, fill=mark.colour, stroke=mark.colour)
        case Shape.HOLLOW_DIAMOND:
            return svg.diamond(x=x, y=y, half=6, fill="#ffffff", stroke=mark.colour)
