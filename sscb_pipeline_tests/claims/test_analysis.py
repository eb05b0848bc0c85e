"""What an analysis refuses, and that one row moves only the cells that depend on it."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from sscb_pipeline.claims.analysis import analyse
from sscb_pipeline.claims.population import Comparison, Earlier, Filter, Gap, ValueCondition, among, equals
from sscb_pipeline.claims.run_table import RunTable
from sscb_pipeline.errors import InputError
from sscb_pipeline_tests.claims.published_counts import published_rows

ROWS = published_rows()


def test_kinds_of_agents_are_never_mixed() -> None:
    with pytest.raises(InputError, match="one agents value, found model, reference"):
        analyse([*ROWS, replace(ROWS[0], execution_id="r", agents="reference")])


def test_campaigns_are_never_mixed() -> None:
    with pytest.raises(InputError, match="one campaign value"):
        analyse([*ROWS, replace(ROWS[0], execution_id="r", campaign="other")])


def test_an_execution_is_counted_once() -> None:
    with pytest.raises(InputError, match="one row per execution"):
        analyse([*ROWS, ROWS[0]])


def test_nothing_to_analyse() -> None:
    with pytest.raises(InputError, match="sscb run"):
        analyse([])


def test_an_unknown_cell_is_an_error() -> None:
    with pytest.raises(InputError, match="a cell of this analysis"):
        analyse(ROWS[:40]).cell("adoption", ("Nowhere",), "A_P")


def test_one_changed_row_moves_exactly_the_cells_that_hold_it() -> None:
    at = next(
        i
        for i, row in enumerate(ROWS)
        if (row.operator, row.configuration, row.condition, row.adoption) == ("PaySource", "T", "baseline", "true")
    )
    changed = [*ROWS[:at], replace(ROWS[at], final_stance="does_not_endorse"), *ROWS[at + 1 :]]
    before, after = analyse(ROWS), analyse(changed)
    moved = {one.cell_id for one, other in zip(before.cells, after.cells, strict=True) if one.value != other.value}
    stance = {
        f"final_stance/PaySource/{line}/before/{column}"
        for line in ("T", "all configurations")
        for column in ("endorses", "does_not_endorse")
    }
    assert moved == stance | {f"recovery/PaySource/{line}/correction" for line in ("T", "all configurations")}


def test_order_of_rows_is_irrelevant() -> None:
    forwards, backwards = analyse(ROWS), analyse(ROWS[::-1])
    assert [cell.value for cell in forwards.cells] == [cell.value for cell in backwards.cells]


def test_common_seeds_exclude_a_seed_that_one_configuration_left_unsolved() -> None:
    analysis = analyse(ROWS)
    solved_by_all = {
        seed
        for seed in {row.seed_id for row in ROWS if row.operator == "ItemOption"}
        if all(row.clean == "solved" for row in ROWS if row.seed_id == seed)
    }
    expected = [
        row
        for row in ROWS
        if row.seed_id in solved_by_all
        and (row.condition, row.repeat, row.t_s_status) == ("baseline", 0, "located")
        and row.stratum != "undeterminable"
    ]
    value = analysis.cell("sensitivity", ("ItemOption", "common clean-solved seeds"), "before").value
    assert 0 < len(expected) < 91
    assert value.n == len(expected)


def test_conditions_name_real_columns_and_fitting_values() -> None:
    with pytest.raises(InputError, match="a column of RunRow"):
        equals("colour", "red")
    with pytest.raises(InputError, match="a column of RunRow"):
        Earlier(left="t_e_step", right="tomorrow")
    with pytest.raises(InputError, match="a column of RunRow"):
        Gap(later="tomorrow", earlier="t_e_step", low=0, high=1)
    with pytest.raises(InputError, match="one value"):
        ValueCondition(column="repeat", comparison=Comparison.EQUALS, values=(0, 1))
    with pytest.raises(InputError, match="an integer column"):
        RunTable(ROWS[:3]).integers("operator")
    with pytest.raises(InputError, match="a text column"):
        RunTable(ROWS[:3]).values("repeat")


def test_a_value_that_never_occurs_matches_nothing() -> None:
    kept = Filter(RunTable(ROWS))
    assert kept.mask((equals("operator", "Nothing"),)).sum() == 0
    assert kept.mask((among("repeat", 0, 7),)).sum() == sum(row.repeat == 0 for row in ROWS)


@pytest.mark.soak
def test_a_hundred_thousand_rows_take_less_than_thirty_seconds() -> None:
    copies = 100_000 // len(ROWS) + 1
    rows = [
        replace(
            row,
            execution_id=f"{row.execution_id}-{copy}",
            seed_id=f"{row.seed_id}-{copy}",
            cluster=f"{row.cluster}-{copy}",
        )
        for copy in range(copies)
        for row in ROWS
    ]
    started = time.process_time()
    analyse(rows)
    assert time.process_time() - started < 30
