"""Costs of storing: objects, journal lines, records, and a ledger of a full run. Prints one line per figure.

Run as `python bench/storage.py [FOLDER]`; figures depend on the disk that FOLDER (default: the temporary one) is on.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from sscb_pipeline.artifacts.journal import Journal
from sscb_pipeline.artifacts.store import ObjectStore
from sscb_pipeline.artifacts.warehouse import create_or_open
from sscb_pipeline.ledger.build import build
from sscb_pipeline.ledger.digest import content_digest
from sscb_pipeline.ledger.query import query
from sscb_pipeline_tests.ledger.sample import BLOB, SampleSource

BATCH, OBJECT_BYTES, LINES, EXECUTIONS = 300, 30_000, 200, 4_000


def seconds(work: Callable[[], object]) -> float:
    """Wall time of one call."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main(folder: Path) -> None:
    """Measure in a fresh folder below `folder`."""
    with tempfile.TemporaryDirectory(dir=folder) as name:
        root = Path(name)
        store = ObjectStore(root / "objects")
        for _ in range(3):
            blobs = [os.urandom(OBJECT_BYTES) for _ in range(BATCH)]
            spent = seconds(lambda blobs=blobs: store.put_all(blobs))  # type: ignore[misc]
            print(f"put_all of {BATCH} objects of {OBJECT_BYTES} bytes: {1000 * spent / BATCH:.2f} ms an object")
        with Journal(root / "j.jsonl").writer() as writer:
            entry = {"execution": "x" * 64, "object": "y" * 64}
            spent = seconds(lambda: [writer.append_all([entry]) for _ in range(LINES)])
        print(f"journal line, synchronised: {1000 * spent / LINES:.2f} ms")
        warehouse = create_or_open(root / "w")
        warehouse.objects.put(BLOB)
        source = SampleSource(executions=EXECUTIONS)
        print(f"ledger of {EXECUTIONS} rows in each table: {seconds(lambda: build(warehouse, source)):.2f} s")
        print(f"its content digest: {seconds(lambda: content_digest(warehouse.ledger)):.2f} s")
        print(f"one query: {1000 * seconds(lambda: query(warehouse.ledger, 'SELECT count(*) FROM runs')):.0f} ms")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.gettempdir()))
