"""A warehouse folder as bytes: what a refused command must leave as it was."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

VOLATILE = (".dagster", ".leases")
"""What every start of a run may touch: the orchestrator's notes of the attempt, and the locks."""


def files(root: Path) -> Iterator[Path]:
    """Every file of the warehouse that is ours, sorted; the orchestrator's state is its own."""
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not (Path(folder) == root and name == ".dagster"))
        yield from (Path(folder) / name for name in sorted(names))


def digest(root: Path) -> Mapping[str, str]:
    """sha256, mode and kind by path, of everything but what every start may touch."""
    found: dict[str, str] = {}
    for path in sorted(root.rglob("*")):
        relative = path.relative_to(root)
        if relative.parts[0] in VOLATILE:
            continue
        status = path.lstat()
        content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "-"
        found[relative.as_posix()] = f"{status.st_mode:o} {content}"
    return found


def overwrite(path: Path, content: bytes) -> None:
    """Write over a file that may be read-only, keeping its mode."""
    mode = path.stat().st_mode
    path.chmod(0o600)
    path.write_bytes(content)
    path.chmod(mode)
