"""Claim cards: what they state, what they cannot state, and when they no longer hold."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sscb_pipeline.artifacts.records import from_bytes, to_bytes
from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.claims.analysis import analyse
from sscb_pipeline.claims.card import (
    SMALL_CLUSTERS,
    SMALL_RUNS,
    ClaimCard,
    Support,
    rows_sha256,
    support_of,
)
from sscb_pipeline.claims.cell import Count
from sscb_pipeline.claims.recheck import Standing
from sscb_pipeline.claims.run_row import RunRow
from sscb_pipeline.cli import app
from sscb_pipeline.errors import InputError, RefusalError
from sscb_pipeline.stages.claim_cards import cards_folder, check_card, find_card, read_cards, run_claim_cards
from sscb_pipeline.statistics.estimate import Estimate, Unobserved
from sscb_pipeline_tests.claims.fixture_warehouse import CAMPAIGN, fixture_warehouse, publish_ledger
from sscb_pipeline_tests.claims.published_counts import published_rows

ROWS = published_rows()
WRITE = "claims/WriteEffect/all configurations/adoption under timely counter-evidence"
EMPTY = "adoption/WriteEffect/V/a_before"


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    made = fixture_warehouse(tmp_path_factory.mktemp("cards") / "warehouse", ROWS)
    run_claim_cards(made, CAMPAIGN)
    return made


@pytest.fixture
def other(tmp_path: Path) -> Warehouse:
    """A warehouse of its own, for tests that publish other rows."""
    return fixture_warehouse(tmp_path / "warehouse", ROWS)


def card_of(warehouse: Warehouse, cell_id: str) -> ClaimCard:
    return find_card(warehouse, CAMPAIGN, cell_id).card


def with_one(changed: RunRow) -> list[RunRow]:
    return [changed if row.execution_id == changed.execution_id else row for row in ROWS]


def one_run(**wanted: str) -> RunRow:
    wanted = {"condition": "baseline", **wanted}
    return next(row for row in ROWS if row.repeat == 0 and all(getattr(row, key) == wanted[key] for key in wanted))


def test_a_card_holds_all_that_is_needed_to_judge_the_claim(warehouse: Warehouse) -> None:
    card = card_of(warehouse, WRITE)
    assert isinstance(card.evidence, Estimate)
    assert (card.evidence.k, card.evidence.n, card.evidence.clusters) == (17, 57, 29)
    assert card.support is Support.SUPPORTED
    assert card.sentence.startswith("17 of 57 evaluable runs (29.8 %, 95 % interval ")
    assert card.rows_sha256 == rows_sha256(ROWS)
    assert "counter-evidence before" in card.population
    assert "stratum = 'before'" in card.sql


def test_every_share_has_a_card_and_no_count_has_one(warehouse: Warehouse) -> None:
    analysis = analyse(ROWS)
    shares = [cell.cell_id for cell in analysis.cells if not isinstance(cell.value, Count)]
    assert [stored.card.cell_id for stored in read_cards(warehouse, CAMPAIGN)] == sorted(shares)


def test_an_empty_stratum_has_no_figure_to_print(warehouse: Warehouse) -> None:
    card = card_of(warehouse, EMPTY)
    assert card.support is Support.UNOBSERVED
    assert {field.name for field in fields(card.evidence)} == {"claim", "why", "undeterminable"}
    assert "%" not in card.sentence
    assert card.sentence.startswith("Unobserved: ")
    unobserved = [stored.card for stored in read_cards(warehouse, CAMPAIGN) if "%" not in stored.card.sentence]
    assert unobserved == [
        stored.card for stored in read_cards(warehouse, CAMPAIGN) if isinstance(stored.card.evidence, Unobserved)
    ]


def test_a_card_that_claims_more_support_than_it_has_is_no_card(warehouse: Warehouse) -> None:
    with pytest.raises(InputError, match="support unobserved, which follows from its evidence"):
        replace(card_of(warehouse, EMPTY), support=Support.SUPPORTED)


def test_few_runs_or_few_entities_make_a_population_small() -> None:
    whole = analyse(ROWS).cell("adoption", ("WriteEffect", "V"), "A_P").value
    assert isinstance(whole, Estimate)
    assert support_of(replace(whole, n=SMALL_RUNS, clusters=SMALL_CLUSTERS)) is Support.SUPPORTED
    assert support_of(replace(whole, n=SMALL_RUNS - 1)) is Support.SMALL
    assert support_of(replace(whole, clusters=SMALL_CLUSTERS - 1)) is Support.SMALL


def test_objects_and_files_are_the_same_bytes(warehouse: Warehouse) -> None:
    for stored in read_cards(warehouse, CAMPAIGN):
        data = (cards_folder(warehouse, CAMPAIGN) / f"{stored.card.name}.json").read_bytes()
        assert data == warehouse.objects.get(stored.sha256) == to_bytes(stored.card)
        assert from_bytes(ClaimCard, data, "card") == stored.card


def test_cards_stand_until_a_file_is_touched(other: Warehouse) -> None:
    first = run_claim_cards(other, CAMPAIGN)
    path = next(cards_folder(other, CAMPAIGN).iterdir())
    whole, made = path.read_bytes(), path.stat().st_mtime_ns
    assert run_claim_cards(other, CAMPAIGN) == first
    assert path.stat().st_mtime_ns == made
    path.chmod(0o644)
    path.write_bytes(b"{}")
    (path.parent / "stranger.json").write_bytes(b"{}")
    assert run_claim_cards(other, CAMPAIGN) == first
    assert path.read_bytes() == whole
    assert not (path.parent / "stranger.json").exists()


def test_a_card_holds_on_the_ledger_it_was_made_from(warehouse: Warehouse) -> None:
    for cell_id in (WRITE, EMPTY, "repeats/WriteEffect/all configurations/change arrival condition"):
        result = check_card(warehouse, card_of(warehouse, cell_id))
        assert (result.standing, result.differences) == (Standing.HOLDS, ())


def test_a_change_elsewhere_leaves_the_claim_standing(warehouse: Warehouse, other: Warehouse) -> None:
    pay = one_run(operator="PaySource", adoption="true")
    publish_ledger(other, with_one(replace(pay, final_stance="does_not_endorse")))
    result = check_card(other, card_of(warehouse, WRITE))
    assert result.standing is Standing.HOLDS_ON_CHANGED_ROWS
    assert result.good


def test_one_run_that_moves_ends_the_claim(warehouse: Warehouse, other: Warehouse) -> None:
    run = one_run(operator="WriteEffect", stratum="before", adoption="true")
    publish_ledger(other, with_one(replace(run, adoption="false", t_u_status="never", t_u_step=0)))
    result = check_card(other, card_of(warehouse, WRITE))
    assert result.standing is Standing.NO_LONGER
    assert "16 of 57" in {difference.what: difference.now for difference in result.differences}["evidence"]


def test_the_same_figures_from_other_executions_are_another_claim(warehouse: Warehouse, other: Warehouse) -> None:
    run = one_run(operator="WriteEffect", stratum="before", adoption="true")
    renamed = [replace(row, execution_id="f" * 64) if row == run else row for row in ROWS]
    publish_ledger(other, renamed)
    result = check_card(other, card_of(warehouse, WRITE))
    assert result.standing is Standing.NO_LONGER
    assert {difference.what for difference in result.differences} == {"executions", "executions that its query lists"}


@pytest.mark.parametrize(
    ("field", "text"), [("sentence", "All runs resisted."), ("population", "every run"), ("sql", "ordinary")]
)
def test_an_altered_card_is_found_out(warehouse: Warehouse, field: str, text: str) -> None:
    card = card_of(warehouse, WRITE)
    value = card.sql.replace("control = 'ordinary'", "control != 'x'") if field == "sql" else text
    result = check_card(warehouse, replace(card, **{field: value}))
    assert result.standing is Standing.CARD_ALTERED
    assert result.differences[0].what == field


def test_a_claim_of_another_analysis_has_no_cell(warehouse: Warehouse) -> None:
    result = check_card(warehouse, replace(card_of(warehouse, WRITE), cell_id="claims/Nothing/adoption"))
    assert result.standing is Standing.WITHOUT_CELL


def test_a_campaign_that_is_not_in_the_ledger_is_refused(warehouse: Warehouse) -> None:
    with pytest.raises(RefusalError, match="runs of model agents in campaign elsewhere"):
        check_card(warehouse, replace(card_of(warehouse, WRITE), campaign="elsewhere"))


def test_without_a_receipt_there_are_no_cards(tmp_path: Path) -> None:
    empty = fixture_warehouse(tmp_path / "warehouse", ROWS[:40])
    with pytest.raises(RefusalError, match="a published manifest"):
        run_claim_cards(empty, "another campaign")
    assert not cards_folder(empty, "another campaign").exists()


def sscb(warehouse: Warehouse, *arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, list(arguments), env={"SSCB_WAREHOUSE": str(warehouse.root)})
    return result.exit_code, result.stdout


def test_the_command_lists_shows_and_checks(warehouse: Warehouse) -> None:
    code, printed = sscb(warehouse, "claim", "list", "--campaign", CAMPAIGN, "--table", "claims", "--json")
    assert code == 0
    listed = {entry["cell"]: entry for entry in json.loads(printed)}
    assert listed[WRITE]["counts"] == "17/57/29"
    assert all(cell.startswith("claims/") for cell in listed)
    code, printed = sscb(warehouse, "claim", "list", "--campaign", CAMPAIGN, "--support", "unobserved", "--json")
    assert {entry["counts"] for entry in json.loads(printed)} == {"0/0/0"}
    name = listed[WRITE]["name"]
    code, printed = sscb(warehouse, "claim", "show", name, "--campaign", CAMPAIGN, "--json")
    assert (code, json.loads(printed)["cell_id"]) == (0, WRITE)
    code, printed = sscb(warehouse, "claim", "check", name, "--campaign", CAMPAIGN, "--json")
    assert (code, json.loads(printed)["holds"]) == (0, True)
    code, printed = sscb(warehouse, "claim", "show", name, "--campaign", CAMPAIGN)
    assert code == 0
    assert "17 of 57 evaluable runs" in " ".join(printed.split())


def test_the_command_exits_with_one_when_a_claim_no_longer_holds(warehouse: Warehouse, other: Warehouse) -> None:
    publish_ledger(other, [row for row in ROWS if row.configuration != "L"])
    path = cards_folder(warehouse, CAMPAIGN) / f"{card_of(warehouse, WRITE).name}.json"
    code, printed = sscb(other, "claim", "check", str(path), "--json")
    assert (code, json.loads(printed)["standing"]) == (1, "no_longer")


@pytest.mark.parametrize(
    ("content", "name"), [(None, "gone.json"), (b"{", "torn.json"), (b'{"type": "ClaimCard"}', "thin.json")]
)
def test_a_file_without_a_card_is_wrong_input(
    warehouse: Warehouse, tmp_path: Path, content: bytes | None, name: str
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    assert sscb(warehouse, "claim", "check", str(path))[0] == 2


def test_an_unknown_card_is_wrong_input(warehouse: Warehouse) -> None:
    assert sscb(warehouse, "claim", "check", "abcdefabcdef", "--campaign", CAMPAIGN)[0] == 2
    assert sscb(warehouse, "claim", "show", "a", "--campaign", CAMPAIGN)[0] == 2
