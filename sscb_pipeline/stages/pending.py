"""Which cells of the grid have output that a check has yet to examine."""

from __future__ import annotations

from collections.abc import Iterator

from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.assurance.manifest import current
from sscb_pipeline.errors import RefusalError
from sscb_pipeline.stages.executions import Partition
from sscb_pipeline.stages.names import WHOLE, Stage
from sscb_pipeline.stages.standing import has_receipt
from sscb_pipeline.stages.study import Study


def pending(warehouse: Warehouse, study: Study, stage: Stage) -> Iterator[Partition]:
    """Cells whose current manifest of `stage` has no receipt of this code version."""
    for partition in study.partitions():
        try:
            published = current(warehouse, campaign=study.campaign, stage=stage, partition=partition.name)
        except RefusalError:
            continue  # nothing was made there yet, so there is nothing to examine
        if not has_receipt(warehouse, published):
            yield partition


def claims_pending(warehouse: Warehouse, study: Study) -> bool:
    """Whether the current claims have no receipt of this code version. Raises RefusalError without claims."""
    published = current(warehouse, campaign=study.campaign, stage=Stage.CLAIMS, partition=WHOLE)
    return not has_receipt(warehouse, published)
