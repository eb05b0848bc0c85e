"""The published counts, loaded by the ordinary loader, come out of DuckDB as SSC's figures."""

from __future__ import annotations

import pytest

from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.claims.analysis import Analysis, analyse
from sscb_pipeline.claims.card import rows_sha256
from sscb_pipeline.ledger.query import query
from sscb_pipeline.ledger.run_rows import read_run_rows
from sscb_pipeline.statistics.estimate import Unobserved
from sscb_pipeline_tests.claims.fixture_warehouse import CAMPAIGN, fixture_warehouse
from sscb_pipeline_tests.claims.published_counts import published_rows
from sscb_pipeline_tests.claims.test_published_counts import PUBLISHED


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    return fixture_warehouse(tmp_path_factory.mktemp("ledger") / "warehouse", published_rows())


@pytest.fixture(scope="module")
def loaded(warehouse: Warehouse) -> Analysis:
    return analyse(read_run_rows(warehouse.ledger, agents="model", campaign=CAMPAIGN))


def test_rows_come_out_of_the_ledger_as_they_went_in(warehouse: Warehouse) -> None:
    found = read_run_rows(warehouse.ledger, agents="model", campaign=CAMPAIGN)
    assert sorted(found, key=lambda row: row.execution_id) == sorted(published_rows(), key=lambda row: row.execution_id)
    assert rows_sha256(found) == rows_sha256(published_rows())


@pytest.mark.parametrize(("table", "row", "column", "k", "n"), PUBLISHED)
def test_the_ledger_prints_the_published_figure(
    warehouse: Warehouse, loaded: Analysis, table: str, row: tuple[str, ...], column: str, k: int, n: int
) -> None:
    value = loaded.cell(table, row, column).value
    assert not isinstance(value, Unobserved)
    assert (value.k, value.n) == (k, n)
    (printed,) = query(
        warehouse.ledger,
        "SELECT k, n, printed FROM printed_cells WHERE table_name = ? AND row_label = ? AND column_name = ?",
        [table, " / ".join(row), column],
    )
    assert (printed["k"], printed["n"]) == (k, n)
    assert printed["printed"].startswith((f"{k}/{n} (", f"{k} of {n}"))


def test_every_published_figure_is_listed_by_its_own_query(warehouse: Warehouse, loaded: Analysis) -> None:
    for table, row, column, k, n in PUBLISHED:
        if table == "repeats":
            continue
        listed = query(warehouse.ledger, loaded.cell(table, row, column).sql)
        assert (sum(entry["in_numerator"] for entry in listed), len(listed)) == (k, n)
