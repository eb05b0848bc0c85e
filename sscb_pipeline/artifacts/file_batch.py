"""Many small files at once: written side by side, so that the disk commits them together, then moved into place."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sscb_pipeline.artifacts.durable import sync_directory, write_new

_SYNC_THREADS = 8


def write_beside(folder: Path, contents: Mapping[str, bytes]) -> None:
    """Write every content durably under a temporary name beside its place; `move_into_place` gives it its own.

    Names are single path components. One descriptor is open per file until all are durable, so give at most a few
    hundred. Raises the OSError of the disk, with the files of this batch removed.
    """
    descriptors: list[int] = []
    try:
        for name, data in contents.items():
            _temporary(folder, name).unlink(missing_ok=True)
            descriptors.append(write_new(_temporary(folder, name), data))
        with ThreadPoolExecutor(_SYNC_THREADS) as pool:
            list(pool.map(os.fsync, descriptors))
    except OSError:
        for name in contents:
            _temporary(folder, name).unlink(missing_ok=True)
        raise
    finally:
        for descriptor in descriptors:
            os.close(descriptor)


def move_into_place(folder: Path, names: Iterable[str]) -> None:
    """Give files that this process wrote beside their places their names, and make the names durable.

    Raises the OSError of the disk; files that were moved by then stay.
    """
    for name in names:
        _temporary(folder, name).replace(folder / name)
    sync_directory(folder)


def _temporary(folder: Path, name: str) -> Path:
    """The name that `durable.replace_file` gives a file of this process, so that both are swept alike."""
    return folder / f".{name}.{os.getpid()}.new"
