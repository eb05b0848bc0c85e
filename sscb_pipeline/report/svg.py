"""A small writer of inline SVG. All text is escaped; colours and sizes are presentation attributes, so that the page's
content-security policy needs no exception for styles inside figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from markupsafe import Markup, escape

INK = "#1c1c1c"
QUIET = "#5a5a5a"
RULE = "#d5d5d5"
BEFORE, AFTER, ABSENT = "#005a9c", "#b35900", "#6b6b6b"
SERIES = ("#005a9c", "#b35900", "#00724f", "#a3357a", "#6b5b00", "#4a4a9f", "#8c2d04", "#5b5b5b")
"""Colours of configurations, each with at least 4.5:1 against white; they repeat after the last."""

WIDTH = 460
"""Width of every figure in its own units; at 400 px wide its text is still legible."""


def element(name: str, attributes: Mapping[str, str | float], children: Iterable[Markup | str] = ()) -> Markup:
    """One element with escaped attributes; children that are not Markup are escaped."""
    written = Markup("").join(Markup(' {}="{}"').format(key, _number(value)) for key, value in attributes.items())
    inner = Markup("").join(escape(child) for child in children)
    return Markup("<{0}{1}>{2}</{0}>").format(Markup(name), written, inner)


def text(
    content: str,
    *,
    x: float,
    y: float,
    anchor: str = "start",
    size: float = 12,
    fill: str = INK,
    weight: str = "normal",
) -> Markup:
    """A line of text whose baseline is at y."""
    return element(
        "text",
        {"x": x, "y": y, "text-anchor": anchor, "font-size": size, "fill": fill, "font-weight": weight},
        (content,),
    )


def link(href: str, title: str, *children: Markup) -> Markup:
    """Children that lead to `href`; a plain group where that is ''."""
    if not href:
        return element("g", {}, children)
    return element("a", {"href": href, "aria-label": title}, children)


def rectangle(*, x: float, y: float, width: float, height: float, fill: str) -> Markup:
    """A filled rectangle."""
    return element("rect", {"x": x, "y": y, "width": max(width, 0), "height": height, "fill": fill})


def line(*, x1: float, y1: float, x2: float, y2: float, stroke: str = RULE, width: float = 1) -> Markup:
    """A straight line."""
    return element("line", {"x1": x1, "y1": y1, "x2": x2, "y2": y2, "stroke": stroke, "stroke-width": width})


def diamond(*, x: float, y: float, half: float, fill: str, stroke: str) -> Markup:
    """A diamond centred at (x, y)."""
    points = f"{x - half:.1f},{y:.1f} {x:.1f},{y - half:.1f} {x + half:.1f},{y:.1f} {x:.1f},{y + half:.1f}"
    return element("polygon", {"points": points, "fill": fill, "stroke": stroke, "stroke-width": 1.5})


def circle(*, x: float, y: float, radius: float, fill: str) -> Markup:
    """A dot."""
    return element("circle", {"cx": x, "cy": y, "r": radius, "fill": fill})


def drawing(height: float, description: str, children: Iterable[Markup]) -> Markup:
    """The outermost element, WIDTH wide, with a description for readers who do not see it."""
    return element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {WIDTH} {height:.0f}",
            "role": "group",
            "aria-label": description,
            "font-family": "system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif",
        },
        children,
    )


def legend(entries: Iterable[tuple[str, str]], *, y: float) -> tuple[list[Markup], float]:
    """Coloured squares with names, broken into lines; returns the marks and the y below them."""
    marks: list[Markup] = []
    x = 0.0
    for name, colour in entries:
        width = 26 + 6.6 * len(name)
        if x and x + width > WIDTH:
            x, y = 0.0, y + 18
        marks += [rectangle(x=x, y=y - 9, width=10, height=10, fill=colour), text(name, x=x + 15, y=y, size=12)]
        x += width
    return marks, y + 18


def _number(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:.2f}".rstrip("0").rstrip(".")
