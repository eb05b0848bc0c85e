"""`sscb verify`: everything a warehouse holds is read again, and what is missing, extra or changed is named.

Nothing is written there. What is looked at, and against what:

- every object is hashed; objects, the slips of their batches, journals and manifests explain each other both ways;
- every journal's chain of checksums; lines lost from its end by what was published from them;
- every receipt leads from the report it names, and every manifest it is for was published;
- the frames, against what the environments give now;
- the published ledger: its file against what was announced, its rows against a ledger made anew;
- the report pages; the leases; and whether anything else lies about.
"""

from __future__ import annotations

from pathlib import Path

from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.errors import InputError
from sscb_pipeline.stages.study import Study
from sscb_pipeline.stages.verify_bytes import verify_leases, verify_nothing_else, verify_objects, verify_version
from sscb_pipeline.stages.verify_findings import Findings, Verification
from sscb_pipeline.stages.verify_published import verify_frames, verify_laid_down, verify_ledger
from sscb_pipeline.stages.verify_records import RecordReader


def verify(root: Path, study: Study) -> Verification:
    """Verify the warehouse at `root`. Raises InputError where there is none at all."""
    warehouse = Warehouse(root)
    marks = (warehouse.version_file, warehouse.objects.root, warehouse.journals, warehouse.ledger)
    if not any(mark.exists() for mark in marks):
        raise InputError(
            subject=str(root),
            expected="a warehouse",
            found="nothing of one in that folder" if root.is_dir() else "no such folder",
            remedy="run `sscb run` first, or name the right folder in SSCB_WAREHOUSE",
        )
    findings = Findings(root)
    verify_version(warehouse, findings)
    recorded = RecordReader(warehouse, findings).read()
    verify_objects(warehouse, recorded.named, findings)
    verify_laid_down(warehouse, recorded, findings)
    verify_frames(warehouse, recorded, study, findings)
    verify_ledger(warehouse, recorded, findings)
    verify_leases(warehouse, findings)
    verify_nothing_else(warehouse, findings)
    return findings.result()
