"""A warehouse whose claims stage holds the published rows and whose ledger was made by the ordinary loader."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sscb_pipeline.artifacts.records import to_bytes
from sscb_pipeline.artifacts.warehouse import Warehouse, create_or_open
from sscb_pipeline.assurance.manifest import publish_stage, stage_manifest
from sscb_pipeline.assurance.requirement import Kept
from sscb_pipeline.claims.analysis import analyse
from sscb_pipeline.claims.run_row import RunRow
from sscb_pipeline.ledger.build import build
from sscb_pipeline.ledger.claim_rows import claim_rows
from sscb_pipeline.ledger.rows import Rows, record_rows
from sscb_pipeline.stages.check_claims import ClaimRequirement
from sscb_pipeline.stages.claims import ROWS, AnalysedRuns
from sscb_pipeline.stages.code_version import code_version
from sscb_pipeline.stages.gate import Opened, conclude
from sscb_pipeline.stages.names import WHOLE, Stage
from sscb_pipeline_tests.ledger.sample import BLOB, SampleSource

CAMPAIGN = "published"


def fixture_warehouse(root: Path, rows: Sequence[RunRow]) -> Warehouse:
    """Claims with a receipt over `rows`, and the published ledger of the same rows."""
    warehouse = create_or_open(root)
    warehouse.objects.put(BLOB)
    content = AnalysedRuns(campaign=CAMPAIGN, label_version="v", rows=tuple(rows), labels=())
    published = publish_stage(
        warehouse,
        stage_manifest(
            campaign=CAMPAIGN,
            stage=Stage.CLAIMS,
            partition=WHOLE,
            code_version=code_version(),
            inputs={},
            outputs={ROWS: warehouse.objects.put(to_bytes(content))},
            counts={},
        ),
    )
    verdict = conclude(warehouse, published, ClaimRequirement, dict.fromkeys(ClaimRequirement, Kept()))
    assert isinstance(verdict, Opened)
    publish_ledger(warehouse, rows)
    return warehouse


def publish_ledger(warehouse: Warehouse, rows: Sequence[RunRow]) -> None:
    """Load rows and what they add up to, and publish."""
    claims: dict[str, list[Rows]] = {}
    for part in claim_rows(analyse(rows), rows):
        claims.setdefault(part.table, []).append(part)
    runs = record_rows("runs", RunRow, rows)
    build(warehouse, SampleSource(executions=1, replaced={"runs": [runs], **claims}))
