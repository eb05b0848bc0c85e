"""How far a campaign is, asked of the published ledger."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sscb_pipeline.errors import InputError
from sscb_pipeline.ledger.query import query

KINDS = {
    "fault": "condition = 'baseline'",
    "paired": "condition NOT IN ('baseline', 'clean')",
    "clean": "condition = 'clean'",
}
ENDINGS = ("completed", "truncated", "missing", "not_run")
STRATA = ("before", "after", "absent", "undeterminable", "no_use")


def status(ledger: Path, campaign: str) -> dict[str, Any]:
    """Frames, admitted seeds, executions by kind and ending, arrival strata and calibration of a campaign.

    `strata` counts triggered baseline executions of all repeats. Raises InputError where no ledger is published and for
    a campaign without executions.
    """
    known = [row["campaign"] for row in query(ledger, "SELECT DISTINCT campaign FROM runs ORDER BY 1")]
    if campaign not in known:
        raise InputError(
            subject=f"campaign {campaign!r}",
            expected=f"one of {', '.join(known) or 'none yet'}",
            found="no execution of that name in the ledger",
            remedy="correct the name, or run the campaign first: `sscb run --campaign NAME`",
        )
    return {
        "campaign": campaign,
        "frames": _by_name(ledger, "SELECT operator AS name, candidates AS n FROM frames ORDER BY operator"),
        "admitted": _by_name(ledger, "SELECT operator AS name, count(*) AS n FROM seeds GROUP BY operator ORDER BY 1"),
        "executions": {kind: _executions(ledger, campaign, condition) for kind, condition in KINDS.items()},
        "strata": _strata(ledger, campaign),
        "calibration": _calibration(ledger, campaign),
    }


def _by_name(ledger: Path, sql: str) -> Mapping[str, int]:
    return {row["name"]: row["n"] for row in query(ledger, sql)}


def _executions(ledger: Path, campaign: str, condition: str) -> Mapping[str, int]:
    rows = query(
        ledger,
        f"SELECT ending, triggered = 'not_triggered' AS untriggered, count(*) AS n FROM runs "
        f"WHERE campaign = ? AND {condition} GROUP BY ALL",
        [campaign],
    )
    counts = {ending: sum(row["n"] for row in rows if row["ending"] == ending) for ending in ENDINGS}
    return {
        "scheduled": sum(row["n"] for row in rows),
        **counts,
        "not_triggered": sum(row["n"] for row in rows if row["untriggered"]),
    }


def _strata(ledger: Path, campaign: str) -> Mapping[str, int]:
    rows = query(
        ledger,
        "SELECT stratum, count(*) AS n FROM runs "
        "WHERE campaign = ? AND condition = 'baseline' AND triggered = 'triggered' GROUP BY stratum",
        [campaign],
    )
    found = {row["stratum"]: row["n"] for row in rows}
    return {stratum: found.get(stratum, 0) for stratum in STRATA}


def _calibration(ledger: Path, campaign: str) -> Mapping[str, int]:
    row = query(
        ledger,
        "SELECT count(*) AS labels, "
        "count(*) FILTER (WHERE outcome IN ('wrong', 'lost', 'overclaimed')) AS disagreements "
        "FROM calibration JOIN executions USING (execution_id) WHERE campaign = ?",
        [campaign],
    )[0]
    return {"labels": row["labels"], "disagreements": row["disagreements"]}
