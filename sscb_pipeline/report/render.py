"""From an analysis to the report's index page."""

from __future__ import annotations

from sscb_pipeline.claims.analysis import Analysis
from sscb_pipeline.report.context import ReportContext
from sscb_pipeline.report.diagnosis_sections import (
    afterwards_section,
    diagnosis_section,
    paired_section,
)
from sscb_pipeline.report.judge_section import judge_section
from sscb_pipeline.report.sections import (
    adoption_section,
    arrival_section,
    claims_section,
    frames_section,
    funnel_section,
)
from sscb_pipeline.report.sensitivity_sections import calibration_section, sensitivity_section
from sscb_pipeline.report.shell import page
from sscb_pipeline.report.view import QueryBook, SectionView

INDEX = "index.html"


def render(analysis: Analysis, context: ReportContext, book: QueryBook) -> str:
    """The index page; `book` knows where its numbers lead."""
    return page(
        "index.html.j2",
        "style.css",
        agents=analysis.scope.agents,
        context=context,
        scope=analysis.scope,
        sections=sections(analysis, context, book),
    )


def sections(analysis: Analysis, context: ReportContext, book: QueryBook) -> tuple[SectionView, ...]:
    """What the report says, section by section, in printing order."""
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
        calibration_section(context.calibration, book),
        judge_section(context.judging),
    )
