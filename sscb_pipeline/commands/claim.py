"""`sscb claim`: the claims of a campaign as cards, and whether they still hold."""

from __future__ import annotations

from typing import Annotated, assert_never

import typer
from rich.table import Table
from rich.text import Text

from sscb_pipeline.claims.card import ClaimCard, Support
from sscb_pipeline.claims.recheck import Recheck, evidence_line
from sscb_pipeline.commands.console import (
    FINDING,
    Json,
    chosen_warehouse,
    messages,
    output,
    print_json,
    print_line,
    reported,
)
from sscb_pipeline.stages.names import DEFAULT_CAMPAIGN
from sscb_pipeline.statistics.estimate import Estimate, Unobserved
from sscb_pipeline.terminal.plain import plain

claims = typer.Typer(no_args_is_help=True, help="Claim cards: what a number supports, and whether it still holds.")

Campaign = Annotated[str, typer.Option(help="Name of the wave of executions.")]
CardName = Annotated[str, typer.Argument(help="A card's name or its first digits, its cell, or a file that holds it.")]


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    app.add_typer(claims, name="claim")


@claims.command("list")
def list_cards(
    campaign: Campaign = DEFAULT_CAMPAIGN,
    table: Annotated[str, typer.Option(help="Only claims of this table of the report, say `claims`.")] = "",
    support: Annotated[list[Support] | None, typer.Option(help="Only claims with this support.")] = None,
    as_json: Json = False,
) -> None:
    """List the claims with their support and evidence."""
    from sscb_pipeline.stages.claim_cards import read_cards

    with reported():
        chosen = [
            stored
            for stored in read_cards(chosen_warehouse(), campaign)
            if (not table or stored.card.cell_id.startswith(f"{table}/"))
            and (not support or stored.card.support in support)
        ]
    if as_json:
        print_json([{"object": stored.sha256, **_brief(stored.card)} for stored in chosen])
        return
    listing = Table(show_header=True, header_style="bold")
    for heading in ("card", "support", "k/n/entities", "claim"):
        listing.add_column(heading, overflow="fold")
    for stored in chosen:
        brief = _brief(stored.card)
        listing.add_row(*(Text(plain(brief[key])) for key in ("name", "support", "counts", "cell")))
    output.print(listing)


def _brief(card: ClaimCard) -> dict[str, str]:
    return {"name": card.name, "support": card.support.value, "counts": counts(card), "cell": card.cell_id}


def counts(card: ClaimCard) -> str:
    """Numerator, denominator and entities; 0/0/0 where the claim is unobserved."""
    match card.evidence:
        case Unobserved():
            return "0/0/0"
        case Estimate() as found:
            return f"{found.k}/{found.n}/{found.clusters}"
        case _:
            assert_never(card.evidence)


@claims.command("show")
def show_card(card: CardName, campaign: Campaign = DEFAULT_CAMPAIGN, as_json: Json = False) -> None:
    """Show one card: sentence, population, evidence, support, and the queries that list its executions."""
    from sscb_pipeline.artifacts.records import encode
    from sscb_pipeline.stages.claim_cards import find_card

    with reported():
        stored = find_card(chosen_warehouse(), campaign, card)
    if as_json:
        print_json({"object": stored.sha256, **encode(stored.card)})
        return
    found = stored.card
    for heading, text in (
        ("claim", found.sentence),
        ("population", found.population),
        ("numerator", found.numerator),
        ("support", found.support.value),
        ("evidence", evidence_line(found.evidence)),
        ("rows", found.rows_sha256),
        ("object", stored.sha256),
        ("query", found.sql),
        ("not evaluable", found.undeterminable_sql),
    ):
        if text:
            print_line(output, f"{heading:>14}  " + text.replace("\n", "\n" + " " * 16))


@claims.command("check")
def check(card: CardName, campaign: Campaign = DEFAULT_CAMPAIGN, as_json: Json = False) -> None:
    """Count a claim again on the published ledger and say whether it still holds; exit 1 if it does not."""
    from sscb_pipeline.artifacts.records import encode
    from sscb_pipeline.stages.claim_cards import check_card, find_card

    with reported():
        warehouse = chosen_warehouse()
        result = check_card(warehouse, find_card(warehouse, campaign, card).card)
    if as_json:
        print_json({"holds": result.good, **encode(result)})
    else:
        _print(result)
    if not result.good:
        raise typer.Exit(FINDING)


def _print(result: Recheck) -> None:
    print_line(output, f"{result.name}  {result.standing.value.replace('_', ' ')}  {result.cell_id}")
    for difference in result.differences:
        print_line(messages, f"{difference.what}\n  card  {difference.card}\n  now   {difference.now}")
