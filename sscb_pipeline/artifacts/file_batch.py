"""Many small files at once: written side by side, so that the disk commits them together, then moved into place."""

from __future__ import annotations

import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sscb_pipeline.artifacts.durable import sync_directory, write_new

_SYNC_THREADS = 8


def replace_files(folder: Path, contents: Mapping[str, bytes]) -> None:
    """Put every content at its name in `folder`; each file is whole and durable before it takes its name.

    Names are single path components. One descriptor is open per file until all are durable, so give at most a few
    hundred. Raises the OSError of the disk; files that were moved by then stay, temporary ones do not.
    """
    temporary = {name: folder / f".{name}.{os.getpid()}.new" for name in contents}
    descriptors: list[int] = []
    try:
        for name, data in contents.items():
            temporary[name].unlink(missing_ok=True)
            descriptors.append(write_new(temporary[name], data))
        with ThreadPoolExecutor(_SYNC_THREADS) as pool:
            list(pool.map(os.fsync, descriptors))
        for name, path in temporary.items():
            path.replace(folder / name)
        sync_directory(folder)
    finally:
        for descriptor in descriptors:
            os.close(descriptor)
        for path in temporary.values():
            path.unlink(missing_ok=True)
