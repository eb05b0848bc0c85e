"""What must hold before anything is written: a run that would be refused later is refused here, nothing changed."""

from __future__ import annotations

import shutil
from pathlib import Path

from sscb_pipeline.artifacts.warehouse import Warehouse, existing
from sscb_pipeline.errors import InputError
from sscb_pipeline.stages.study import Study

LEAST_FREE_BYTES = 400_000_000
"""A full reference run writes about a third of this."""


def preflight(root: Path, study: Study) -> None:
    """Look at the warehouse folder and the environments, writing nothing.

    Raises InputError for a warehouse of another version, a damaged or foreign folder, or too little space,
    IntegrityError for environment data other than that recorded and for a damaged journal.
    """
    for operator in study.operators:
        study.substrate(operator)
    warehouse = Warehouse(root)
    if warehouse.version_file.exists():
        _require_readable(existing(root))
    require_space(root)


def require_space(root: Path) -> None:
    """Raises InputError when the disk of `root`, which need not exist, has less room than a run needs."""
    place = next(folder for folder in (root, *root.parents) if folder.is_dir())
    free = shutil.disk_usage(place).free
    if free < LEAST_FREE_BYTES:
        raise InputError(
            subject=str(root),
            expected=f"at least {LEAST_FREE_BYTES // 1_000_000} MB free",
            found=f"{free // 1_000_000} MB",
            remedy="free space there, or name a folder on another disk in SSCB_WAREHOUSE",
        )


def _require_readable(warehouse: Warehouse) -> None:
    for journal in (warehouse.manifests, warehouse.receipts, warehouse.published):
        journal.read()
    for name in warehouse.journal_names():
        warehouse.journal(name).read()
