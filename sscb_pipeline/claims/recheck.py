"""Whether a claim card still holds: its share counted again on the rows that a ledger holds now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sscb_pipeline.claims.analysis import Analysis
from sscb_pipeline.claims.card import ClaimCard, Members, claim_cards, members_sha256
from sscb_pipeline.claims.run_row import RunRow
from sscb_pipeline.statistics.estimate import Estimate, Unobserved


class Standing(StrEnum):
    """What became of a claim."""

    HOLDS = "holds"
    """Counted again on the very rows of the card, with the same result."""
    HOLDS_ON_CHANGED_ROWS = "holds_on_changed_rows"
    """The ledger holds other rows than then, and they give the same result from the same executions."""
    NO_LONGER = "no_longer"
    """The rows that are there now give another result, or the same one from other executions."""
    CARD_ALTERED = "card_altered"
    """The rows are those of the card, and they do not give what it says."""
    WITHOUT_CELL = "without_cell"
    """The analysis of the rows that are there now has no such claim."""


GOOD = frozenset({Standing.HOLDS, Standing.HOLDS_ON_CHANGED_ROWS})


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One statement of the card, as it stands on the card and as it was found now."""

    what: str
    card: str
    now: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Recheck:
    """The standing of a card and every statement of it that was found otherwise."""

    name: str
    cell_id: str
    standing: Standing
    rows_sha256: str
    differences: tuple[Difference, ...]

    @property
    def good(self) -> bool:
        """Whether the claim still holds."""
        return self.standing in GOOD


def recheck(
    card: ClaimCard,
    analysis: Analysis,
    rows: Sequence[RunRow],
    listed: Members,
) -> Recheck:
    """Compare a card with the cards of `analysis` over `rows` and with what its own queries list in the ledger.

    `listed` are the executions that the card's SQL finds, so that counting and querying are two engines.
    """
    now = {other.cell_id: other for other in claim_cards(analysis, rows)}
    found = now.get(card.cell_id)
    current = next(iter(now.values())).rows_sha256
    if found is None:
        return _result(card, Standing.WITHOUT_CELL, current, ())
    differences = (*_differences(card, found), *_queried(card, members_sha256(listed)))
    same_rows = card.rows_sha256 == current
    if differences:
        standing = Standing.CARD_ALTERED if same_rows else Standing.NO_LONGER
    else:
        standing = Standing.HOLDS if same_rows else Standing.HOLDS_ON_CHANGED_ROWS
    return _result(card, standing, current, differences)


def _result(card: ClaimCard, standing: Standing, rows: str, differences: tuple[Difference, ...]) -> Recheck:
    return Recheck(name=card.name, cell_id=card.cell_id, standing=standing, rows_sha256=rows, differences=differences)


def _differences(card: ClaimCard, now: ClaimCard) -> Iterator[Difference]:
    for what in ("name", "population", "numerator", "support", "sentence", "sql", "undeterminable_sql"):
        yield from _different(what, getattr(card, what), getattr(now, what))
    yield from _different("evidence", evidence_line(card.evidence), evidence_line(now.evidence))
    yield from _different("executions", card.members_sha256, now.members_sha256)


def _queried(card: ClaimCard, listed: str) -> Iterator[Difference]:
    yield from _different("executions that its query lists", card.members_sha256, listed)


def _different(what: str, card: str, now: str) -> Iterator[Difference]:
    if card != now:
        yield Difference(what=what, card=str(card), now=str(now))


def evidence_line(evidence: Estimate | Unobserved) -> str:
    """Everything an evidence states, in one line. Unobserved has no figures of a rate."""
    if isinstance(evidence, Unobserved):
        return f"unobserved: {evidence.why}"
    return (
        f"{evidence.k} of {evidence.n} from {evidence.clusters} entities, {evidence.undeterminable} undeterminable, "
        f"{evidence.interval.low!r} to {evidence.interval.high!r} by {evidence.method} "
        f"(seed {evidence.seed}, {evidence.undefined_resamples} undefined resamples), boundary {evidence.boundary}"
    )
