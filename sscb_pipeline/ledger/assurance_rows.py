"""Ledger rows of what assurance wrote: current stage manifests and all receipts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sscb_pipeline.artifacts.digest import canonical_json
from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.assurance.manifest import PublishedManifest
from sscb_pipeline.assurance.receipt import ReceiptBook
from sscb_pipeline.ledger.rows import TableRows


def assurance_rows(warehouse: Warehouse, manifests: Sequence[PublishedManifest]) -> Iterator[TableRows]:
    """Tables `stage_manifests`, of the given manifests, and `receipts`. Raises IntegrityError for a damaged journal."""
    yield TableRows(
        table="stage_manifests",
        columns=(
            "campaign",
            "stage",
            "partition",
            "manifest_object",
            "code_version",
            "inputs",
            "outputs",
            "counts_json",
        ),
        rows=[_manifest_row(published) for published in manifests],
    )
    yield TableRows(
        table="receipts",
        columns=("position", "stage", "partition", "manifest_object", "report_object", "code_version"),
        rows=[
            (position, receipt.stage, receipt.partition, receipt.subject, receipt.report, receipt.code_version)
            for position, receipt in enumerate(ReceiptBook(warehouse.receipts, warehouse.objects).all())
        ],
    )


def _manifest_row(published: PublishedManifest) -> tuple[str | int, ...]:
    manifest = published.manifest
    counts = canonical_json({count.name: count.number for count in manifest.counts}).decode("utf-8", "surrogatepass")
    return (
        manifest.campaign,
        manifest.stage,
        manifest.partition,
        published.sha256,
        manifest.code_version,
        len(manifest.inputs),
        len(manifest.outputs),
        counts,
    )
