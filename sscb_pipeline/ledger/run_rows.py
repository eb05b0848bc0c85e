"""The analysed rows as a published ledger holds them: what is counted again comes out of the ledger, not beside it."""

from __future__ import annotations

from pathlib import Path

from sscb_pipeline.claims.run_row import RunRow
from sscb_pipeline.claims.run_table import COLUMNS
from sscb_pipeline.ledger.query import query


def read_run_rows(ledger: Path, *, agents: str, campaign: str) -> tuple[RunRow, ...]:
    """The rows of one analysis, sorted by execution id; none where the ledger holds no such campaign.

    Raises InputError where no ledger is published and IntegrityError where it is damaged.
    """
    found = query(
        ledger,
        f"SELECT {', '.join(COLUMNS)} FROM runs WHERE agents = ? AND campaign = ? ORDER BY execution_id",
        [agents, campaign],
    )
    return tuple(RunRow(**row) for row in found)
