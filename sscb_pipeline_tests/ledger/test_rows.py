from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import polars as pl
import pyarrow as pa
import pytest

from sscb_pipeline.errors import InputError
from sscb_pipeline.ledger.rows import ArrowRows, TableRows, record_rows, to_arrow
from sscb_pipeline.ledger.schema_files import Column

DECLARED = (
    Column(name="name", kind="VARCHAR"),
    Column(name="number", kind="INTEGER"),
    Column(name="share", kind="DOUBLE"),
    Column(name="labels", kind="VARCHAR[]"),
)


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True, slots=True, kw_only=True)
class Flat:
    share: float
    name: str
    labels: tuple[str, ...]
    number: int


def _given(**changed: Any) -> TableRows:
    values = {"name": "n", "number": 1, "share": 0.5, "labels": ("a",), **changed}
    return TableRows(table="t", columns=tuple(values), rows=[tuple(values.values())])


def test_columns_are_matched_by_name_and_come_in_declared_order() -> None:
    rows = record_rows("t", Flat, [Flat(share=0.5, name=Colour.RED, labels=("a", "b"), number=3)])
    table = to_arrow(rows, DECLARED)
    assert table.column_names == ["name", "number", "share", "labels"]
    assert table.to_pylist() == [{"name": "red", "number": 3, "share": 0.5, "labels": ["a", "b"]}]


def test_no_rows_are_an_empty_table_with_its_types() -> None:
    table = to_arrow(record_rows("t", Flat, []), DECLARED)
    assert table.num_rows == 0
    assert table.schema.field("number").type == pa.int32()


@pytest.mark.parametrize(
    ("changed", "place"),
    [
        ({"name": None}, r"t\.name"),
        ({"name": 3}, r"t\.name"),
        ({"name": b"x"}, r"t\.name"),
        ({"number": 1.5}, r"t\.number"),
        ({"number": 1.0}, r"t\.number"),
        ({"number": True}, r"t\.number"),
        ({"number": "1"}, r"t\.number"),
        ({"number": 2**31}, r"t\.number"),
        ({"share": float("nan")}, r"t\.share"),
        ({"share": float("inf")}, r"t\.share"),
        ({"share": True}, r"t\.share"),
        ({"labels": "a"}, r"t\.labels"),
        ({"labels": (1,)}, r"t\.labels"),
        ({"extra": 1}, "columns name, number, share, labels"),
    ],
)
def test_what_does_not_fit_is_refused_with_table_and_column(changed: dict[str, Any], place: str) -> None:
    with pytest.raises(InputError, match=place):
        to_arrow(_given(**changed), DECLARED)


def test_missing_columns_and_uneven_rows_are_refused() -> None:
    with pytest.raises(InputError, match="columns name"):
        to_arrow(TableRows(table="t", columns=("name",), rows=[("n",)]), DECLARED)
    uneven = TableRows(table="t", columns=("name", "number", "share", "labels"), rows=[("n", 1, 0.5)])
    with pytest.raises(InputError, match="row 0"):
        to_arrow(uneven, DECLARED)


def test_lone_surrogates_become_escapes_and_other_text_stays() -> None:
    table = to_arrow(_given(name="\ud800 é \x00", labels=("\udfff", "ok")), DECLARED)
    assert table.to_pylist()[0]["name"] == "\\ud800 é \x00"
    assert table.to_pylist()[0]["labels"] == ["\\udfff", "ok"]


def test_frames_of_polars_are_taken() -> None:
    frame = pl.DataFrame({"number": [1, 2], "name": ["a", "b"], "share": [0.1, 0.2], "labels": [["x"], []]})
    table = to_arrow(ArrowRows(table="t", data=frame.to_arrow()), DECLARED)
    assert table.column("name").to_pylist() == ["a", "b"]
    assert table.schema.field("number").type == pa.int32()


@pytest.mark.parametrize(
    ("column", "values"),
    [
        ("number", pa.array([1.5])),
        ("number", pa.array(["1"])),
        ("number", pa.array([2**40])),
        ("number", pa.array([None], pa.int32())),
        ("name", pa.array([1])),
        ("share", pa.array([float("nan")])),
    ],
)
def test_arrow_columns_are_held_to_the_declaration_too(column: str, values: pa.Array) -> None:
    good = to_arrow(_given(), DECLARED)
    place = good.column_names.index(column)
    with pytest.raises(InputError, match=rf"t\.{column}"):
        to_arrow(ArrowRows(table="t", data=good.set_column(place, column, values)), DECLARED)
