"""Stacked horizontal bars: arrival shares by configuration, and the signed gap by bin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from sscb_pipeline.report import svg

_LABEL, _RIGHT, _ROW, _BAR = 136, 76, 26, 18


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A piece of a bar: its count, colour, name, and where it leads ('' for nowhere)."""

    name: str
    count: int
    colour: str
    href: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One bar: label on the left, parts, text on the right. `whole` is the count that the full width stands for."""

    label: str
    parts: tuple[Part, ...]
    whole: int
    right: str


def stacked_bars(description: str, legend: Sequence[tuple[str, str]], bars: Sequence[Bar], right_title: str) -> Markup:
    """Bars from top to bottom under a legend. A bar without runs shows its right text only."""
    marks, top = svg.legend(legend, y=12)
    marks.append(svg.text(right_title, x=svg.WIDTH, y=top + 2, anchor="end", size=11, fill=svg.QUIET))
    span = svg.WIDTH - _LABEL - _RIGHT
    y = top + 8
    for bar in bars:
        middle = y + _BAR / 2 + 4
        marks.append(svg.text(shortened(bar.label), x=_LABEL - 8, y=middle, anchor="end"))
        marks.append(svg.text(bar.right, x=svg.WIDTH, y=middle, anchor="end"))
        x = float(_LABEL)
        for part in bar.parts:
            width = span * part.count / bar.whole if bar.whole else 0.0
            if part.count:
                marks.append(_part(part, x=x, y=y, width=width, bar=bar.label))
            x += width
        y += _ROW
    return svg.drawing(y, description, marks)


def shortened(label: str) -> str:
    """A label that fits left of a bar."""
    return label if len(label) <= 22 else label[:21] + "…"


def _part(part: Part, *, x: float, y: float, width: float, bar: str) -> Markup:
    shown = [svg.rectangle(x=x, y=y, width=max(width - 1, 1), height=_BAR, fill=part.colour)]
    if width >= 8 * len(str(part.count)) + 6:
        shown.append(
            svg.text(str(part.count), x=x + (width - 1) / 2, y=y + 13.5, anchor="middle", size=12, fill="#ffffff")
        )
    return svg.link(part.href, f"{bar}, {part.name}: {part.count}", *shown)
