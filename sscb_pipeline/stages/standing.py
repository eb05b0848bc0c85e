"""Whether a stage's current output still stands for its inputs, so that it need not be made again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.assurance.manifest import PublishedManifest, current
from sscb_pipeline.assurance.receipt import ReceiptBook
from sscb_pipeline.errors import RefusalError
from sscb_pipeline.stages.code_version import code_version


@dataclass(frozen=True, slots=True, kw_only=True)
class Outdated:
    """There is no output for these inputs by this code."""


def standing(
    warehouse: Warehouse, *, campaign: str, stage: str, partition: str, inputs: Mapping[str, str]
) -> PublishedManifest | Outdated:
    """The current manifest where it was made from exactly `inputs` by this code version, its outputs in the store."""
    try:
        published = current(warehouse, campaign=campaign, stage=stage, partition=partition)
    except RefusalError:
        return Outdated()
    manifest = published.manifest
    made_from = {item.name: item.sha256 for item in manifest.inputs}
    whole = all(warehouse.objects.has(item.sha256) for item in manifest.outputs)
    if manifest.code_version == code_version() and made_from == dict(inputs) and whole:
        return published
    return Outdated()


def has_receipt(warehouse: Warehouse, published: PublishedManifest) -> bool:
    """Whether a check of this code version passed on exactly this manifest."""
    manifest = published.manifest
    try:
        ReceiptBook(warehouse.receipts, warehouse.objects).demand(
            stage=manifest.stage, partition=manifest.partition, subject=published.sha256, code_version=code_version()
        )
    except RefusalError:
        return False
    return True
