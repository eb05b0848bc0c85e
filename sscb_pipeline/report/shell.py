"""What every page shares: the template engine, and a style whose hash is the only thing the page's policy allows.

No page refers to anything outside the report's folder and none has a script; every text passes through autoescaping.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from sscb_pipeline.report.shown_text import shown

BANNERS = {
    "reference": "Reference runs. Deterministic agents with known habits, made to check the measurement. "
    "Nothing on this page is a result about a language model.",
    "replay": "Replayed runs. Recorded trajectories, measured again. Nothing on this page was run anew.",
    "model": "",
}


def page(template: str, style: str, *, agents: str, **values: Any) -> str:
    """One page from a template and a style file of the package, about runs of one kind of agents."""
    sheet, digest = _style(style)
    return (
        _environment()
        .get_template(template)
        .render(style=sheet, style_hash=digest, banner=BANNERS.get(agents, f"{agents} runs."), **values)
    )


@cache
def _style(name: str) -> tuple[Markup, str]:
    text = files("sscb_pipeline.report").joinpath("templates", name).read_text(encoding="utf-8")
    return Markup(text), base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("sscb_pipeline.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["shown"] = shown
    environment.globals["zip"] = zip
    return environment
