"""Stage: the claim cards of a campaign, from exactly the rows whose check passed; and checking a card again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sscb_pipeline.artifacts.digest import sha256_hex
from sscb_pipeline.artifacts.records import from_bytes, to_bytes
from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.assurance.manifest import PublishedManifest, current, publish_stage, stage_manifest
from sscb_pipeline.claims.analysis import analyse
from sscb_pipeline.claims.card import ClaimCard, Members, Part, Support, claim_cards
from sscb_pipeline.claims.recheck import Recheck, recheck
from sscb_pipeline.errors import InputError, RefusalError
from sscb_pipeline.ledger.query import query
from sscb_pipeline.ledger.run_rows import read_run_rows
from sscb_pipeline.stages.claims import authorised_analysis
from sscb_pipeline.stages.code_version import code_version
from sscb_pipeline.stages.names import WHOLE, Stage
from sscb_pipeline.stages.page_files import files_stand, lay_down
from sscb_pipeline.stages.standing import Outdated, standing

FOLDER = "claims"
SHORTEST_PREFIX = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredCard:
    """A card and the object that holds it."""

    sha256: str
    card: ClaimCard


def run_claim_cards(warehouse: Warehouse, campaign: str) -> PublishedManifest:
    """Store every card as an object, and as a file under `reports/<campaign>/claims/`. Refuses without the claims'
    receipt. Cards of the same claims by the same code stand as they are."""
    analysed, analysis, _, claims = authorised_analysis(warehouse, campaign)
    inputs = {"claims": claims.sha256}
    folder = cards_folder(warehouse, campaign)
    made = standing(warehouse, campaign=campaign, stage=Stage.CLAIM_CARDS, partition=WHOLE, inputs=inputs)
    if not isinstance(made, Outdated) and files_stand(folder, _files(made)):
        return made
    cards = claim_cards(analysis, analysed.rows)
    contents = {f"{card.name}.json": to_bytes(card) for card in cards}
    outputs = dict(zip(contents, warehouse.objects.put_all(contents.values()), strict=True))
    published = publish_stage(
        warehouse,
        stage_manifest(
            campaign=campaign,
            stage=Stage.CLAIM_CARDS,
            partition=WHOLE,
            code_version=code_version(),
            inputs=inputs,
            outputs=outputs,
            counts={
                "cards": len(cards),
                **{support.value: sum(card.support is support for card in cards) for support in Support},
            },
        ),
    )
    # Last, so that a file is never there without the line that explains it.
    lay_down(folder, contents.items())
    return published


def cards_folder(warehouse: Warehouse, campaign: str) -> Path:
    """Where the cards of a campaign lie as files."""
    return warehouse.report_path(campaign) / FOLDER


def _files(published: PublishedManifest) -> dict[str, str]:
    return {item.name: item.sha256 for item in published.manifest.outputs}


def read_cards(warehouse: Warehouse, campaign: str) -> tuple[StoredCard, ...]:
    """The current cards of a campaign, sorted by cell. Raises RefusalError where none were made."""
    published = current(warehouse, campaign=campaign, stage=Stage.CLAIM_CARDS, partition=WHOLE)
    cards = [
        StoredCard(
            sha256=item.sha256,
            card=from_bytes(ClaimCard, warehouse.objects.get(item.sha256), f"claim card {item.name}"),
        )
        for item in published.manifest.outputs
    ]
    return tuple(sorted(cards, key=lambda stored: stored.card.cell_id))


def find_card(warehouse: Warehouse, campaign: str, wanted: str) -> StoredCard:
    """The one card that `wanted` names: a file that holds a card, the whole cell id, or the first digits of a name.

    Raises InputError where it names none or several, or the file holds no card.
    """
    path = Path(wanted)
    if path.suffix == ".json" or path.is_file():
        return _card_in(path)
    cards = read_cards(warehouse, campaign)
    found = [stored for stored in cards if stored.card.cell_id == wanted]
    if not found and len(wanted) >= SHORTEST_PREFIX:
        found = [stored for stored in cards if stored.card.name.startswith(wanted)]
    if len(found) != 1:
        raise InputError(
            subject=f"claim card {wanted!r}",
            expected=f"a card's file, its cell, or the first {SHORTEST_PREFIX} or more digits of its name",
            found=f"{len(found)} cards",
            remedy="take the name from `sscb claim list`",
        )
    return found[0]


def _card_in(path: Path) -> StoredCard:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(
            subject=str(path),
            expected="a file that holds a claim card",
            found=error.strerror or str(error),
            remedy="name a file of the report's claims folder",
        ) from error
    return StoredCard(sha256=sha256_hex(data), card=from_bytes(ClaimCard, data, str(path)))


def check_card(warehouse: Warehouse, card: ClaimCard) -> Recheck:
    """Count a card's claim again on the published ledger, and ask its own queries there.

    Raises InputError where no ledger is published or the card's queries cannot be asked, RefusalError where the
    ledger holds no run of the card's campaign.
    """
    rows = read_run_rows(warehouse.ledger, agents=card.agents, campaign=card.campaign)
    if not rows:
        raise RefusalError(
            subject=f"claim card {card.name}",
            expected=f"runs of {card.agents} agents in campaign {card.campaign} in the ledger",
            found="none",
            remedy="name the warehouse that the card came from in SSCB_WAREHOUSE",
        )
    return recheck(card, analyse(rows), rows, _listed(warehouse.ledger, card))


def _listed(ledger: Path, card: ClaimCard) -> Members:
    found: dict[Part, list[str]] = {part: [] for part in Part}
    for row in query(ledger, card.sql):
        found[Part.NUMERATOR if row["in_numerator"] else Part.DENOMINATOR_ONLY].append(row["execution_id"])
    if card.undeterminable_sql:
        found[Part.UNDETERMINABLE] += [row["execution_id"] for row in query(ledger, card.undeterminable_sql)]
    return found
