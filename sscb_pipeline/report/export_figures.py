"""The report's figures as files of their own: SVG that stands alone, and PNG."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from sscb_pipeline.report import svg

ZOOM = 3.0
"""Pixels of a PNG per unit of its SVG: 1,380 wide, enough for print at 8.6 cm and 400 dots per inch."""
_PROBE = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20" viewBox="0 0 40 20">'
    '<text x="2" y="15" font-family="sans-serif" font-size="14">{}</text></svg>'
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A named figure: SVG text as it stands in a page."""

    name: str
    drawing: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NoFont:
    """No PNG can be made here: texts would be missing from it. `remedy` says what helps."""

    remedy: str


def standalone(drawing: str) -> str:
    """The SVG with its size and a white ground, so that any viewer shows it as the report does."""
    size = re.search(r'viewBox="0 0 (\d+) (\d+)"', drawing)
    assert size is not None, "every drawing of the report says its size"
    sized = drawing.replace("<svg ", f'<svg width="{size[1]}" height="{size[2]}" ', 1)
    ground = f'<rect width="{svg.WIDTH}" height="{size[2]}" fill="#ffffff"/>'
    return re.sub(r"(<svg [^>]*>)", lambda match: match[1] + ground, sized, count=1) + "\n"


def png(drawing: str) -> bytes | NoFont:
    """The figure as PNG, or NoFont on a machine without a sans-serif font."""
    if not _has_font():
        return NoFont(remedy="install a font, say the package fonts-dejavu-core, and export again")
    return _rendered(standalone(drawing))


def _rendered(text: str) -> bytes:
    from resvg_py import svg_to_bytes

    return bytes(svg_to_bytes(svg_string=text, zoom=ZOOM, background="#ffffff", sans_serif_family=_family()))


def _family() -> str | None:
    return next((family for family in _FAMILIES if _shows(family)), None)


_FAMILIES = ("DejaVu Sans", "Liberation Sans", "Noto Sans", "Arial", "Helvetica", "Segoe UI")


@cache
def _shows(family: str) -> bool:
    """Whether text in that family leaves a mark: without the font, the renderer leaves it out without a word."""
    from resvg_py import svg_to_bytes

    with_text, without = (svg_to_bytes(svg_string=_PROBE.format(text), sans_serif_family=family) for text in ("Mg", ""))
    return bytes(with_text) != bytes(without)


def _has_font() -> bool:
    return _family() is not None
