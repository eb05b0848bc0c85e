"""Rows made from core records: measurements and analyses, loaded into a real ledger and asked again."""

from pathlib import Path

import pytest

from sscb_pipeline.artifacts.digest import sha256_hex
from sscb_pipeline.artifacts.warehouse import create_or_open
from sscb_pipeline.claims.analysis import analyse
from sscb_pipeline.claims.run_row import RunRow
from sscb_pipeline.faults.operator import EvidenceStep
from sscb_pipeline.ledger.build import build
from sscb_pipeline.ledger.claim_rows import claim_rows
from sscb_pipeline.ledger.measurement_rows import StoredMeasurement, measurement_rows
from sscb_pipeline.ledger.query import query
from sscb_pipeline.ledger.rows import Rows, record_rows
from sscb_pipeline.measured import Located, Never, Undeterminable
from sscb_pipeline.reconstruction.measurement import ArrivalStratum, Measurement, NotAdopted, Stance, UseEvent
from sscb_pipeline_tests.claims.published_counts import published_rows
from sscb_pipeline_tests.ledger.sample import BLOB, SampleSource

MEASUREMENT = Measurement(
    t_f=Located(step=4),
    t_e=Never(),
    t_s=Located(step=7),
    t_u=Undeterminable(reason="an earlier use is unsettled"),
    adoption=True,
    stratum=ArrivalStratum.ABSENT,
    final_stance=Undeterminable(reason="no stance"),
    evidence=(EvidenceStep(step=2, part="binding"),),
    uses=(
        UseEvent(
            step=7,
            dependent=True,
            erroneous=Undeterminable(reason="a list"),
            stance=Stance.ENDORSES,
            rule="stated",
            quote="it is \ud800 red",
        ),
        UseEvent(
            step=9, dependent=False, erroneous=False, stance=Undeterminable(reason="none"), rule="retrieval", quote=""
        ),
    ),
)


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    warehouse = create_or_open(tmp_path_factory.mktemp("records") / "w")
    warehouse.objects.put(BLOB)
    stored = StoredMeasurement(
        execution_id="e1", label_version="v1", measurement_object=sha256_hex(BLOB), measurement=MEASUREMENT
    )
    rows = published_rows()
    replaced: dict[str, list[Rows]] = {"runs": [record_rows("runs", RunRow, rows)]}
    for part in (*measurement_rows([stored]), *claim_rows(analyse(rows), rows)):
        replaced[part.table] = [part]
    return build(warehouse, SampleSource(executions=1, replaced=replaced))


def test_a_measurement_is_status_step_and_reason(ledger: Path) -> None:
    (row,) = query(ledger, "FROM measurements")
    assert (row["t_f_status"], row["t_f_step"], row["t_f_reason"]) == ("located", 4, "")
    assert (row["t_e_status"], row["t_e_step"], row["t_e_reason"]) == ("never", 0, "")
    assert (row["t_u_status"], row["t_u_step"]) == ("undeterminable", 0)
    assert row["t_u_reason"] == "an earlier use is unsettled"
    assert (row["adoption"], row["stratum"], row["final_stance"]) == ("true", "absent", "undeterminable")
    assert row["final_stance_reason"] == "no stance"


def test_not_adopted_has_its_own_value() -> None:
    changed = Measurement(
        **{name: getattr(MEASUREMENT, name) for name in Measurement.__dataclass_fields__}
        | {"final_stance": NotAdopted.NOT_ADOPTED, "adoption": False}
    )
    stored = StoredMeasurement(execution_id="e", label_version="v", measurement_object="o", measurement=changed)
    measurements, _, _ = measurement_rows([stored])
    row = dict(zip(measurements.columns, measurements.rows[0], strict=True))
    assert (row["final_stance"], row["adoption"]) == ("not_adopted", "false")


def test_every_use_and_every_piece_of_evidence_is_a_row(ledger: Path) -> None:
    uses = query(
        ledger, "SELECT step, dependent, erroneous, erroneous_reason, stance, quote FROM uses ORDER BY position"
    )
    assert [tuple(use.values()) for use in uses] == [
        (7, "true", "undeterminable", "a list", "endorses", "it is \\ud800 red"),
        (9, "false", "false", "", "undeterminable", ""),
    ]
    assert query(ledger, "SELECT step, part FROM evidence") == [{"step": 2, "part": "binding"}]


def test_every_cell_has_its_members(ledger: Path) -> None:
    cells = query(ledger, "SELECT count(*) AS n FROM claim_cells")[0]["n"]
    assert cells == len(analyse(published_rows()).cells)
    wrong = query(
        ledger,
        "SELECT cell_id FROM claim_cells AS cell"
        " WHERE unit = ['execution_id'] AND (k, n, undeterminable) IS DISTINCT FROM"
        " (SELECT (count(*) FILTER (role = 'numerator'), count(*) FILTER (role != 'undeterminable'),"
        " count(*) FILTER (role = 'undeterminable')) FROM claim_members AS member WHERE member.cell_id = cell.cell_id)",
    )
    assert wrong == []


def test_the_query_of_a_cell_lists_its_members_in_the_ledger(ledger: Path) -> None:
    cells = query(ledger, "SELECT cell_id, trace_sql FROM claim_cells WHERE n > 0 ORDER BY position")
    for cell in cells[::40]:
        listed = query(ledger, cell["trace_sql"])
        members = query(
            ledger,
            "SELECT execution_id, role = 'numerator' AS in_numerator FROM claim_members"
            " WHERE cell_id = ? AND role != 'undeterminable'",
            [cell["cell_id"]],
        )
        assert sorted(map(str, listed)) == sorted(map(str, members))


def test_every_table_of_the_analysis_has_its_view(ledger: Path) -> None:
    tables = [row["table_name"] for row in query(ledger, "SELECT DISTINCT table_name FROM claim_cells")]
    assert len(tables) > 10
    for table in tables:
        expected = query(ledger, "SELECT count(*) AS n FROM claim_cells WHERE table_name = ?", [table])
        assert query(ledger, f"SELECT count(*) AS n FROM report_{table}") == expected


def test_published_figures_can_be_read_off_the_views(ledger: Path) -> None:
    (row,) = query(
        ledger,
        "SELECT k, n, printed FROM report_adoption"
        " WHERE row_label = 'PaySource / all configurations' AND column_name = 'A_P'",
    )
    assert (row["k"], row["n"]) == (89, 150)
    assert row["printed"].startswith("89/150 (59.3 %, ")
