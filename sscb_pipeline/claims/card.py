"""Claim cards: a printed share together with all that is needed to judge it, and to find out later if it still holds.

A card says what is claimed of which executions, from how many of them, by which query, and on which rows. Its
evidence is an `Estimate` or `Unobserved`; the latter has no numerator, denominator or limits, so that a claim on an
empty stratum cannot become a rate (SPEC 8).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

import numpy as np

from sscb_pipeline.artifacts.digest import canonical_json, sha256_hex
from sscb_pipeline.claims.analysis import Analysis
from sscb_pipeline.claims.cell import Cell, Count
from sscb_pipeline.claims.population import Filter
from sscb_pipeline.claims.run_row import RunRow
from sscb_pipeline.claims.run_table import COLUMNS, RunTable
from sscb_pipeline.errors import InputError
from sscb_pipeline.statistics.estimate import Boundary, Estimate, Unobserved

SMALL_RUNS = 10
SMALL_CLUSTERS = 5
"""[ours] Fewer evaluable runs, or fewer contributing entities, make a population small: SSC warns of a share of 100 %
that rests on one adopted run and of strata with 2 of 25."""
NAME_DIGITS = 12


class Support(StrEnum):
    """How far a claim's own population was observed. It says nothing about the size of the share."""

    SUPPORTED = "supported"
    SMALL = "small"
    UNOBSERVED = "unobserved"


def support_of(value: Estimate | Unobserved) -> Support:
    """Unobserved without an evaluable run; small below SMALL_RUNS runs or SMALL_CLUSTERS entities."""
    match value:
        case Unobserved():
            return Support.UNOBSERVED
        case Estimate():
            small = value.n < SMALL_RUNS or value.clusters < SMALL_CLUSTERS
            return Support.SMALL if small else Support.SUPPORTED
        case _:
            assert_never(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimCard:
    """One claim. `name` is short and stable over reruns; `rows_sha256` names the rows of the whole analysis it was
    computed on (see `rows_sha256`), `members_sha256` the executions behind it with their roles."""

    name: str
    agents: str
    campaign: str
    cell_id: str
    sentence: str
    population: str
    numerator: str
    support: Support
    evidence: Estimate | Unobserved
    sql: str
    undeterminable_sql: str
    members_sha256: str
    rows_sha256: str

    def __post_init__(self) -> None:
        if self.support is not support_of(self.evidence):
            raise InputError(
                subject=f"claim card {self.name}",
                expected=f"support {support_of(self.evidence)}, which follows from its evidence",
                found=str(self.support),
                remedy="take the card from its warehouse again (sscb claim show)",
            )


class Part(StrEnum):
    """In which part of a claim's population an execution lies."""

    NUMERATOR = "numerator"
    DENOMINATOR_ONLY = "denominator_only"
    UNDETERMINABLE = "undeterminable"


Members = Mapping[Part, Sequence[str]]
"""The execution ids of each part of a population."""


def members_sha256(members: Members) -> str:
    """sha256 over the execution ids of every part, sorted within it."""
    digest = hashlib.sha256()
    for part in Part:
        digest.update(f"{part.value}\n".encode())
        digest.update("".join(f"{name}\n" for name in sorted(members.get(part, ()))).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def rows_sha256(rows: Iterable[RunRow]) -> str:
    """sha256 over the content of rows: column names, then one canonical JSON line per row, sorted by execution id.

    It is a hash of what a ledger holds, not of its file, so equal content gives it in any ledger. Lone surrogates
    count as the escapes that the ledger shows for them.
    """
    digest = hashlib.sha256(canonical_json(list(COLUMNS)))
    for row in sorted(rows, key=lambda row: row.execution_id):
        values = [getattr(row, column) for column in COLUMNS]
        digest.update(b"\n" + canonical_json([_shown(value) if isinstance(value, str) else value for value in values]))
    return digest.hexdigest()


def _shown(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def claim_cards(analysis: Analysis, rows: Sequence[RunRow]) -> tuple[ClaimCard, ...]:
    """A card for every share of an analysis over `rows`, in printing order. Counts claim no rate and have no card."""
    # In the order of their ids, so that the sorting of members below finds nothing left to do.
    ordered = sorted(rows, key=lambda row: row.execution_id)
    kept, of_rows = Filter(RunTable(ordered)), rows_sha256(ordered)
    return tuple(
        _card(analysis, cell, cell.value, kept, of_rows) for cell in analysis.cells if not isinstance(cell.value, Count)
    )


def _card(analysis: Analysis, cell: Cell, value: Estimate | Unobserved, kept: Filter, of_rows: str) -> ClaimCard:
    return ClaimCard(
        name=card_name(analysis.scope.agents, analysis.scope.campaign, cell.cell_id),
        agents=analysis.scope.agents,
        campaign=analysis.scope.campaign,
        cell_id=cell.cell_id,
        sentence=sentence(cell, value),
        population=cell.share.population.sentence,
        numerator=cell.share.numerator_sentence,
        support=support_of(value),
        evidence=value,
        sql=cell.sql,
        undeterminable_sql=cell.undeterminable_sql,
        members_sha256=members_sha256(members(cell, kept)),
        rows_sha256=of_rows,
    )


def card_name(agents: str, campaign: str, cell_id: str) -> str:
    """A short name of the claim at a place: the same in every run of the campaign."""
    return sha256_hex(canonical_json([agents, campaign, cell_id]))[:NAME_DIGITS]


def members(cell: Cell, kept: Filter) -> Members:
    """The executions of each part of a cell's population, in row order."""
    population = kept.mask(cell.share.population.conditions)
    evaluable = population & kept.mask(cell.share.evaluable)
    numerator = evaluable & kept.mask(cell.share.numerator)
    parts = {
        Part.NUMERATOR: numerator,
        Part.DENOMINATOR_ONLY: np.asarray(evaluable & ~numerator),
        Part.UNDETERMINABLE: np.asarray(population & ~evaluable),
    }
    return {part: kept.table.texts("execution_id", mask) for part, mask in parts.items()}


def sentence(cell: Cell, value: Estimate | Unobserved) -> str:
    """The claim in words. An unobserved claim has no figure in it."""
    claim = f"{cell.share.numerator_sentence} — in: {cell.share.population.sentence}"
    match value:
        case Unobserved():
            return f"Unobserved: {claim}. {value.why[:1].upper()}{value.why[1:]}."
        case Estimate():
            unsettled = f"; {value.undeterminable} more could not be evaluated" if value.undeterminable else ""
            limits = f"{100 * value.interval.low:.1f} to {100 * value.interval.high:.1f} %"
            bounds = "" if value.boundary is Boundary.INSIDE else ", which describes the observed clusters only"
            return (
                f"{value.k} of {value.n} evaluable runs ({100 * value.share:.1f} %, 95 % interval {limits}{bounds}) "
                f"from {value.clusters} entities: {claim}{unsettled}."
            )
        case _:
            assert_never(value)
