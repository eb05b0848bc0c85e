"""One row per run, events as marks: before, after and absent as a picture.

Runs with a located first use are aligned at it, so that counter-evidence before use lies left of one line and
counter-evidence after it right; the others are aligned at their start, in panels of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from markupsafe import Markup, escape

from sscb_pipeline.claims.run_row import RunRow, TimeStatus
from sscb_pipeline.report import svg

EVENT_COLOURS = {"T_F": "#b00020", "T_E": "#00724f", "T_S": "#1c1c1c", "T_U": "#8a2a66"}
PANELS = ("before", "after", "absent", "undeterminable", "no_use", "not_measured")
_HEADINGS = {
    "before": "counter-evidence before the first use",
    "after": "counter-evidence after the first use",
    "absent": "counter-evidence absent",
    "undeterminable": "arrival undeterminable",
    "no_use": "no dependent use",
    "not_measured": "not measured: clean, not triggered, missing or not run",
}
_LEFT, _ROW, _HEAD = 36.0, 12, 24
_EVENTS = (("T_F", "f", "t_f"), ("T_E", "e", "t_e"), ("T_U", "u", "t_u"), ("T_S", "s", "t_s"))
"""Event, its shape and its columns, in the order of drawing: the bar of the first use stays visible on the others."""
_SHAPES = {
    "T_F": '<rect id="f" x="-3" y="-3" width="6" height="6" fill="{}"/>',
    "T_E": '<circle id="e" r="3.8" fill="{}"/>',
    "T_S": '<rect id="s" x="-1" y="-5" width="2" height="10" fill="{}"/>',
    "T_U": '<path id="u" d="M-4.6 0 0-4.6 4.6 0 0 4.6Z" fill="none" stroke="{}" stroke-width="1.4"/>',
}


def picture_order(row: RunRow) -> tuple[int, int, str, str, str]:
    """Sorting key: arrival condition, then how long before the first use the counter-evidence came."""
    panel = PANELS.index(row.stratum) if row.stratum in PANELS else len(PANELS)
    lead = row.t_e_step - row.t_s_step if row.t_e_status == TimeStatus.LOCATED else 0
    return panel, lead, row.configuration, row.seed_id, row.execution_id


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scale:
    """Steps to units: `first` lies at the left edge."""

    first: int
    last: int

    def x(self, step: int) -> float:
        span = max(self.last - self.first, 1)
        return _LEFT + (svg.WIDTH - _LEFT - 10) * (step - self.first) / span


def timelines(rows: Sequence[RunRow], addresses: Sequence[str]) -> Markup:
    """The picture of `rows`, which are in order; a row leads to its address unless that is ''."""
    if not rows:
        return Markup("")
    scale = _scale(rows)
    marks = [_definitions(), *_legend()]
    y = 24.0
    numbered = list(zip(range(1, len(rows) + 1), rows, addresses, strict=True))
    for stratum, group in groupby(numbered, key=lambda item: item[1].stratum):
        members = list(group)
        marks.append(svg.text(_heading(stratum, len(members)), x=0, y=y + 15, size=12, weight="600"))
        y += _HEAD
        top = y
        for number, row, address in members:
            marks.append(_row(number, row, address, scale, y + _ROW / 2))
            y += _ROW
        if any(row.t_s_status == TimeStatus.LOCATED for _, row, _ in members):
            marks.append(svg.line(x1=scale.x(0), y1=top - 3, x2=scale.x(0), y2=y + 1, stroke="#9a9a9a", width=0.7))
        y += 4
    description = f"{len(rows)} runs, one per line, in steps from the first dependent use"
    return svg.drawing(y + 6, description, marks)


def _heading(stratum: str, runs: int) -> str:
    return f"{_HEADINGS.get(stratum, stratum)}: {runs}"


def _origin(row: RunRow) -> int:
    """The step a row is aligned at."""
    return row.t_s_step if row.t_s_status == TimeStatus.LOCATED else 0


def _scale(rows: Sequence[RunRow]) -> _Scale:
    return _Scale(
        first=min(-_origin(row) for row in rows), last=max(max(row.steps - 1, 0) - _origin(row) for row in rows)
    )


def _definitions() -> Markup:
    shapes = Markup("").join(Markup(shape).format(EVENT_COLOURS[event]) for event, shape in _SHAPES.items())
    return svg.element("defs", {}, (shapes,))


def _legend() -> Iterator[Markup]:
    names = {"T_F": "fault", "T_E": "counter-evidence", "T_S": "first use", "T_U": "first error"}
    x = 6.0
    for event, shape in zip(names, "fesu", strict=True):
        yield _mark(shape, x, 9)
        label = f"{event} {names[event]}"
        yield svg.text(label, x=x + 9, y=13, size=11)
        x += 24 + 5.9 * len(label)


def _mark(shape: str, x: float, y: float) -> Markup:
    return Markup(f'<use href="#{shape}" x="{x:.1f}" y="{y:.1f}"/>')


def _row(number: int, row: RunRow, address: str, scale: _Scale, y: float) -> Markup:
    """One run. Only numbers and fixed names are put into the markup; the address is escaped."""
    origin = _origin(row)
    shade = "#f4f4f4" if number % 2 else "#ffffff"
    parts = [
        f'<rect y="{y - _ROW / 2:.1f}" width="{svg.WIDTH}" height="{_ROW}" fill="{shade}"/>',
        f'<text x="28" y="{y + 3.8:.1f}">{number}</text>',
    ]
    if row.steps:
        left = scale.x(-origin)
        right = max(scale.x(row.steps - 1 - origin), left + 1)
        parts.append(f'<path d="M{left:.1f} {y:.1f}H{right:.1f}" stroke="#c4c4c4"/>')
    told = []
    for event, shape, which in _EVENTS:
        if getattr(row, f"{which}_status") == TimeStatus.LOCATED:
            step = int(getattr(row, f"{which}_step"))
            parts.append(_mark(shape, scale.x(step - origin), y))
            told.append(f"{event} {step}")
    inner = "".join(parts)
    if not address:
        return Markup(f'<g font-size="10.5" text-anchor="end">{inner}</g>')
    label = f"run {number}: {', '.join(told) or 'no event'}"
    return Markup(f'<a href="{escape(address)}" aria-label="{label}" font-size="10.5" text-anchor="end">{inner}</a>')
