"""From an analysis to self-contained HTML pages.

No page refers to anything outside itself: styles are inline and allowed by their hash, there is no script, and the
content-security policy forbids everything else. Every text passes through autoescaping.
"""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from sscb_pipeline.claims.analysis import Analysis
from sscb_pipeline.report.context import ReportContext
from sscb_pipeline.report.diagnosis_sections import (
    afterwards_section,
    calibration_section,
    diagnosis_section,
    paired_section,
    sensitivity_section,
)
from sscb_pipeline.report.sections import (
    adoption_section,
    arrival_section,
    claims_section,
    frames_section,
    funnel_section,
)
from sscb_pipeline.report.view import QueryBook, SectionView

INDEX = "index.html"

_BANNERS = {
    "reference": "Reference runs. Deterministic agents with known habits, made to check the measurement. "
    "Nothing on this page "
    "is a result about a language model.",
    "replay": "Replayed runs. Recorded trajectories, measured again. Nothing on this page was run anew.",
    "model": "",
}


def render(analysis: Analysis, context: ReportContext) -> dict[str, str]:
    """The pages of the report, by file name. They can be opened from disk without network."""
    style = files("sscb_pipeline.report").joinpath("templates/style.css").read_text(encoding="utf-8")
    template = _environment().get_template("index.html.j2")
    page = template.render(
        context=context,
        scope=analysis.scope,
        banner=_BANNERS.get(analysis.scope.agents, f"{analysis.scope.agents} runs."),
        sections=_sections(analysis, context),
        zip=zip,
        style=Markup(style),
        style_hash=base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
    )
    return {INDEX: page}


def _sections(analysis: Analysis, context: ReportContext) -> tuple[SectionView, ...]:
    book = QueryBook()
    return (
        claims_section(analysis, book),
        arrival_section(analysis, book),
        adoption_section(analysis, book),
        diagnosis_section(analysis, book),
        afterwards_section(analysis, book),
        paired_section(analysis, book),
        sensitivity_section(analysis, book),
        funnel_section(analysis, book),
        frames_section(context),
        calibration_section(context.calibration),
    )


def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("sscb_pipeline.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
