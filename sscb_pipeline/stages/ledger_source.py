"""What the ledger holds, from the current manifests of a warehouse and the objects they name, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sscb_pipeline.artifacts.digest import canonical_json, sha256_hex
from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.assurance.manifest import PublishedManifest, all_current
from sscb_pipeline.claims.run_row import RunRow
from sscb_pipeline.ledger.assurance_rows import assurance_rows
from sscb_pipeline.ledger.claim_rows import claim_rows, no_claims
from sscb_pipeline.ledger.rows import Rows, TableRows, record_rows
from sscb_pipeline.stages.claims import AnalysedRuns, analysis_of, read_analysed
from sscb_pipeline.stages.code_version import code_version
from sscb_pipeline.stages.execution_index import IndexedExecution
from sscb_pipeline.stages.executions import CONFIGURATION, read_index
from sscb_pipeline.stages.frames import output
from sscb_pipeline.stages.inclusion import read_admitted
from sscb_pipeline.stages.measurements import MEASURED, read_measured
from sscb_pipeline.stages.names import AFTER_LEDGER, Stage
from sscb_pipeline.stages.rows_cases import frame_tables, inclusion_tables
from sscb_pipeline.stages.rows_executions import execution_tables
from sscb_pipeline.stages.rows_measurements import StoredPartition, calibration_table, measured_tables
from sscb_pipeline.stages.run_rows import run_rows


class WarehouseSource:
    """Implements the ledger's source: equal warehouses give equal rows."""

    def fingerprint(self, warehouse: Warehouse) -> str:
        """sha256 over the current manifests, the receipts and the code that turns them into rows."""
        manifests = [published.sha256 for published in _loaded(warehouse)]
        receipts = warehouse.receipts.read().checksum
        return sha256_hex(canonical_json([code_version(), receipts, manifests]))

    def tables(self, warehouse: Warehouse) -> Iterable[Rows]:
        """Every declared table."""
        manifests = _loaded(warehouse)
        yield from frame_tables(warehouse, _of(manifests, Stage.FRAMES))
        yield from inclusion_tables(warehouse, _of(manifests, Stage.INCLUSION))
        indexed = [(published, read_index(warehouse, published)) for published in _of(manifests, Stage.EXECUTIONS)]
        executions = [execution for _, index in indexed for execution in index.executions]
        yield from execution_tables(warehouse, executions)
        yield _configurations(indexed_partitions=[(published, index.executions) for published, index in indexed])
        measured = {
            (published.manifest.campaign, published.manifest.partition): StoredPartition(
                sha256=output(published, MEASURED), content=read_measured(warehouse, published)
            )
            for published in _of(manifests, Stage.MEASUREMENTS)
        }
        yield from measured_tables(list(measured.values()))
        yield record_rows("runs", RunRow, _runs(warehouse, manifests, measured))
        analysed = [read_analysed(warehouse, published) for published in _of(manifests, Stage.CLAIMS)]
        yield calibration_table(analysed)
        yield from _claims(analysed)
        yield from assurance_rows(warehouse, manifests)


def _loaded(warehouse: Warehouse) -> list[PublishedManifest]:
    """The current manifests the ledger tells of."""
    return [published for published in all_current(warehouse) if published.manifest.stage not in AFTER_LEDGER]


def _of(manifests: Sequence[PublishedManifest], stage: Stage) -> list[PublishedManifest]:
    return [published for published in manifests if published.manifest.stage == stage]


def _runs(
    warehouse: Warehouse,
    manifests: Sequence[PublishedManifest],
    measured: dict[tuple[str, str], StoredPartition],
) -> Iterator[RunRow]:
    """Rows of every indexed execution; measured where its partition's measurements stand for the current index."""
    seeds = {
        seed.seed_id: seed
        for published in _of(manifests, Stage.INCLUSION)
        for seed in read_admitted(warehouse, published).seeds
    }
    for published in _of(manifests, Stage.EXECUTIONS):
        place = (published.manifest.campaign, published.manifest.partition)
        found = measured.get(place)
        entries = {} if found is None else {e.execution.execution_id: e.execution for e in found.content.executions}
        yield from run_rows(read_index(warehouse, published).executions, entries, seeds)


def _claims(analysed: Sequence[AnalysedRuns]) -> Iterator[Rows]:
    """Claim tables of every campaign; declared and empty before the first analysis."""
    if not analysed:
        yield from no_claims()
    for runs in analysed:
        yield from claim_rows(analysis_of(runs), runs.rows)


def _configurations(
    indexed_partitions: Sequence[tuple[PublishedManifest, Sequence[IndexedExecution]]],
) -> TableRows:
    rows = {
        (
            execution.key.campaign,
            execution.key.configuration_id,
            execution.key.configuration_sha256,
            output(published, CONFIGURATION),
            execution.agents,
        )
        for published, executions in indexed_partitions
        for execution in executions
    }
    return TableRows(
        table="configurations",
        columns=("campaign", "configuration_id", "configuration_sha256", "configuration_object", "agents"),
        rows=sorted(rows),
    )
