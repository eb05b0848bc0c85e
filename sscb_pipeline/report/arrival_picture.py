"""One picture of a whole campaign: arrival strata of each operator, all configurations together."""

from __future__ import annotations

from sscb_pipeline.claims.analysis import Analysis
from sscb_pipeline.claims.scope import POOLED, STRATA
from sscb_pipeline.report.bars import Bar, Part, stacked_bars
from sscb_pipeline.report.sections import STRATUM_COLOURS
from sscb_pipeline.statistics.estimate import Unobserved


def arrival_picture(analysis: Analysis) -> str:
    """SVG text with one bar per operator: how many analysed runs met counter-evidence before, after or not at all."""
    bars = tuple(_bar(analysis, operator) for operator in analysis.scope.operators)
    return str(stacked_bars("Arrival of counter-evidence", tuple(STRATUM_COLOURS.items()), bars, "runs"))


def _bar(analysis: Analysis, operator: str) -> Bar:
    parts = []
    for stratum in STRATA:
        value = analysis.cell("arrival", (operator, POOLED), stratum.value).value
        count = 0 if isinstance(value, Unobserved) else value.k
        parts.append(Part(name=stratum.value, count=count, colour=STRATUM_COLOURS[stratum.value], href=""))
    whole = sum(part.count for part in parts)
    return Bar(label=operator, parts=tuple(parts), whole=whole, right=str(whole))
