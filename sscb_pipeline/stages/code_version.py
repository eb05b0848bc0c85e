"""The version of the code that is running: a digest of the package's own source files.

Receipts and stage manifests are bound to it, so that a check made by other code opens no gate.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import sscb_pipeline

SOURCES = (".py", ".sql", ".yaml", ".j2", ".html", ".css", ".json")


@cache
def code_version() -> str:
    """`<release>+<first 16 hex digits of the sha256 over names and bytes of the source files>`."""
    root = Path(sscb_pipeline.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*")):
        if path.suffix in SOURCES:
            digest.update(path.relative_to(root).as_posix().encode() + b"\x00")
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return f"{sscb_pipeline.__version__}+{digest.hexdigest()[:16]}"
