"""Tables and figures as files: complete, typed, harmless in a spreadsheet, and without a rate where there is none."""

from __future__ import annotations

import csv
import io
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import polars as pl
import pyarrow.parquet as pq
import pytest

from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.claims.analysis import Analysis, analyse
from sscb_pipeline.claims.cell import Count
from sscb_pipeline.errors import InputError, RefusalError
from sscb_pipeline.report.export_figures import NoFont, png, standalone
from sscb_pipeline.report.export_tables import Column, DataTable, csv_bytes, data_tables, parquet_bytes
from sscb_pipeline.report.latex import escaped, latex_table
from sscb_pipeline.report.render import sections
from sscb_pipeline.report.view import DataCell, NoLinks, RowView, SectionView, TableView
from sscb_pipeline.stages.exports import copy_exports, exported, exports_folder, run_exports
from sscb_pipeline.stages.report import laid_pages, report_folder, report_index, run_report
from sscb_pipeline.stages.study import Study, reference_study
from sscb_pipeline.statistics.estimate import Estimate, Unobserved
from sscb_pipeline_tests.claims.fixture_warehouse import CAMPAIGN, fixture_warehouse
from sscb_pipeline_tests.claims.published_counts import published_rows
from sscb_pipeline_tests.report.demonstration import context, rows


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    return analyse(rows())


@pytest.fixture(scope="module")
def tables(analysis: Analysis) -> dict[str, DataTable]:
    return {table.name: table for table in data_tables(analysis, context(), rows())}


@pytest.fixture(scope="module")
def shown(analysis: Analysis) -> tuple[SectionView, ...]:
    return sections(analysis, context(), NoLinks())


def test_every_number_of_the_analysis_is_in_a_table(analysis: Analysis, tables: dict[str, DataTable]) -> None:
    for name in {cell.place.table for cell in analysis.cells}:
        cells = analysis.table(name)
        table = tables[name]
        at = [column.name for column in table.columns].index("column")
        assert [row[: at + 1] for row in table.rows] == [(*cell.place.row, cell.place.column) for cell in cells]
    assert {"runs", "frames", "dispositions", "calibration", "disagreements"} < set(tables)
    assert len(tables["runs"].rows) == len(rows())


def test_only_an_estimate_has_a_rate(analysis: Analysis, tables: dict[str, DataTable]) -> None:
    cells = {cell.place.table: analysis.table(cell.place.table) for cell in analysis.cells}
    kinds = {Estimate: "estimate", Unobserved: "unobserved", Count: "count"}
    found = set()
    for name, of_table in cells.items():
        frame = pl.read_parquet(io.BytesIO(parquet_bytes(tables[name])))
        for cell, row in zip(of_table, frame.iter_rows(named=True), strict=True):
            assert row["status"] == kinds[type(cell.value)]
            found.add(row["status"])
            if isinstance(cell.value, Estimate):
                assert (row["numerator"], row["denominator"]) == (cell.value.k, cell.value.n)
                assert row["share"] == cell.value.share
            else:
                assert (row["share"], row["low"], row["high"]) == (None, None, None)
    assert found == {"estimate", "unobserved", "count"}


def test_csv_and_parquet_hold_the_same(tables: dict[str, DataTable]) -> None:
    for table in tables.values():
        written = list(csv.reader(io.StringIO(csv_bytes(table).decode())))
        stored = pq.read_table(io.BytesIO(parquet_bytes(table)))
        assert written[0] == stored.column_names == [column.name for column in table.columns]
        assert len(written) - 1 == stored.num_rows == len(table.rows)
        for line, row in zip(written[1:], stored.to_pylist(), strict=True):
            assert line == ["" if value is None else str(value) for value in row.values()]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"])
def test_a_formula_is_neutralised_in_csv_and_exact_in_parquet(start: str) -> None:
    text = f'{start}HYPERLINK("x";"y"),z'
    columns = (Column(name="name", kind="text"), Column(name="gap", kind="integer"))
    table = DataTable(name="t", columns=columns, rows=((text, -3),))
    (_, line) = csv.reader(io.StringIO(csv_bytes(table).decode(), newline=""))
    assert line == [f"'{text}", "-3"]
    assert pq.read_table(io.BytesIO(parquet_bytes(table))).to_pylist() == [{"name": text, "gap": -3}]


def test_lone_surrogates_and_empty_tables_can_be_written() -> None:
    table = DataTable(name="t", columns=(Column(name="name", kind="text"),), rows=(("\ud800",),))
    assert b"\\ud800" in csv_bytes(table)
    assert pq.read_table(io.BytesIO(parquet_bytes(table))).to_pylist() == [{"name": "\\ud800"}]
    empty = replace(table, rows=())
    assert csv_bytes(empty) == b"name\n"
    assert pq.read_table(io.BytesIO(parquet_bytes(empty))).num_rows == 0


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("50 % & more_than #1", r"50 \% \& more\_than \#1"),
        ("T_F and a_before", r"$T_{\mathrm{F}}$ and $a_{\mathrm{before}}$"),
        ("T_S < T_E", r"$T_{\mathrm{S}}$ \textless{} $T_{\mathrm{E}}$"),
        ("\\input{/etc/passwd}", r"\textbackslash{}input\{/etc/passwd\}"),
        ("−9 to −5, ≥ 10, ∞", r"$-$9 to $-$5, $\ge$ 10, $\infty$"),
        ("two\nlines", "two lines"),
        ("does_not_endorse", r"does\_not\_endorse"),
    ],
)
def test_latex_prints_the_text(text: str, written: str) -> None:
    assert escaped(text) == written


def test_latex_tables_are_whole(shown: tuple[SectionView, ...]) -> None:
    every = [table for section in shown for table in section.tables]
    assert len(every) > 12
    for number, table in enumerate(every):
        source = latex_table(table, f"t{number}")
        bare = re.sub(r"\\[{}]", "", source)
        assert bare.count("{") == bare.count("}")
        assert re.findall(r"\\begin\{(\w+)\}", source) == re.findall(r"\\end\{(\w+)\}", source)[::-1]
        lines = [line for line in source.splitlines() if line.endswith(r"\\") and "caption" not in line]
        columns = len(table.row_columns) + len(table.columns)
        assert {len(re.findall(r"(?<!\\)&", line)) for line in lines} == {columns - 1}
        assert source.isascii() or not re.search("[∞≤≥−\u202f]", source)
    assert any("longtable" in latex_table(table, "t") for table in every)


def test_an_unobserved_claim_has_no_rate_in_latex() -> None:
    row = RowView(headers=("V",), cells=(DataCell(text="0/0/0", note="unobserved"),))
    source = latex_table(TableView(caption="c", row_columns=("x",), columns=("a_before",), rows=(row,)), "t")
    assert r"V & 0/0/0 {\scriptsize unobserved} \\" in source
    assert r"\%" not in source


def test_figures_stand_alone(shown: tuple[SectionView, ...]) -> None:
    figures = [figure for section in shown for figure in section.figures]
    assert len(figures) > 15
    for figure in figures:
        text = standalone(str(figure.svg))
        root = ET.fromstring(text)
        assert int(root.attrib["width"]) == 460
        assert "href" not in text
        assert "<a " not in text


def test_png_shows_what_the_svg_says(shown: tuple[SectionView, ...]) -> None:
    drawing = str(next(figure for section in shown for figure in section.figures).svg)
    made = png(drawing)
    if isinstance(made, NoFont):
        pytest.skip(f"no font on this machine: {made.remedy}")
    height = int(ET.fromstring(standalone(drawing)).attrib["height"])
    assert made[:8] == b"\x89PNG\r\n\x1a\n"
    assert (int.from_bytes(made[16:20], "big"), int.from_bytes(made[20:24], "big")) == (1380, 3 * height)
    without_text = png(re.sub(r"<text.*?</text>", "", drawing))
    assert made != without_text


@pytest.fixture(scope="module")
def study() -> Study:
    """A study of the fixture's campaign; it has no frames."""
    return replace(reference_study(CAMPAIGN), operators={})


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    return fixture_warehouse(tmp_path_factory.mktemp("exports") / "warehouse", published_rows())


def test_the_stage_lays_down_what_its_manifest_names(warehouse: Warehouse, study: Study, tmp_path: Path) -> None:
    published = run_exports(warehouse, study)
    folder = exports_folder(warehouse, CAMPAIGN)
    files = exported(published)
    assert sorted(path.name for path in folder.iterdir()) == sorted(files)
    suffixes = {path.suffix for path in folder.iterdir()}
    assert {".csv", ".parquet", ".tex", ".svg"} <= suffixes
    assert "101,141" in (folder / "claims.csv").read_text()
    copy_exports(warehouse, published, tmp_path / "out" / "deep")
    assert all((tmp_path / "out" / "deep" / name).read_bytes() == (folder / name).read_bytes() for name in files)
    made = (folder / "claims.csv").stat().st_mtime_ns
    assert run_exports(warehouse, study) == published
    assert (folder / "claims.csv").stat().st_mtime_ns == made


def test_a_file_in_the_way_of_the_folder_is_wrong_input(warehouse: Warehouse, study: Study, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")
    with pytest.raises(InputError, match="a folder"):
        copy_exports(warehouse, run_exports(warehouse, study), tmp_path / "out")
    assert (tmp_path / "out").read_text() == "a file"


def test_a_campaign_without_receipt_is_refused(warehouse: Warehouse, study: Study) -> None:
    with pytest.raises(RefusalError):
        run_exports(warehouse, replace(study, campaign="elsewhere"))
    assert not exports_folder(warehouse, "elsewhere").exists()


def test_the_report_stands_until_a_page_is_touched(warehouse: Warehouse, study: Study) -> None:
    published = run_report(warehouse, study)
    folder = report_folder(warehouse, CAMPAIGN)
    pages = [folder / page.name for page in laid_pages(warehouse, published.manifest)]
    assert report_index(warehouse, CAMPAIGN) in pages
    assert len(pages) > 500
    before = {path: path.stat().st_mtime_ns for path in pages}
    assert run_report(warehouse, study) == published
    assert {path: path.stat().st_mtime_ns for path in pages} == before
    page = folder / "lists" / "0007.html"
    whole = page.read_bytes()
    page.chmod(0o644)
    page.write_bytes(whole + b"<!-- changed -->")
    (folder / "lists" / "9999.html").write_bytes(b"left over")
    assert run_report(warehouse, study) == published
    assert page.read_bytes() == whole
    assert not (folder / "lists" / "9999.html").exists()
    assert report_index(warehouse, CAMPAIGN).stat().st_size < 5_000_000
