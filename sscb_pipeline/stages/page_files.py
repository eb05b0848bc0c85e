"""Files laid down for people beside the store: written durably in batches, and checked against their hashes.

They can all be made again from the store, so their bytes are not kept there a second time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path

from sscb_pipeline.artifacts.digest import sha256_hex
from sscb_pipeline.artifacts.durable import make_directory, storage_error
from sscb_pipeline.artifacts.file_batch import move_into_place, write_beside

AT_ONCE = 128
"""Files in one batch; bounds memory and open descriptors."""


def prepare(folder: Path, contents: Iterable[tuple[str, bytes]]) -> dict[str, str]:
    """Write these files (names without separators) durably beside their places in `folder`; returns name to sha256.

    Until `settle` moves them, a reader sees what was there before. Raises InputError when the disk refuses.
    """
    prepared: dict[str, str] = {}
    try:
        make_directory(folder)
        for batch in _batches(contents):
            write_beside(folder, batch)
            prepared |= {name: sha256_hex(data) for name, data in batch.items()}
    except OSError as error:
        raise storage_error(folder, error) from error
    return prepared


def settle(folder: Path, names: Iterable[str]) -> None:
    """Move prepared files to their names and remove every other file of the folder, leftovers of killed writers too.

    Folders in it are left alone. Raises InputError when the disk refuses.
    """
    kept = frozenset(names)
    try:
        move_into_place(folder, kept)
        for path in folder.iterdir():
            if path.name not in kept and not path.is_dir():
                path.unlink()
    except OSError as error:
        raise storage_error(folder, error) from error


def lay_down(folder: Path, contents: Iterable[tuple[str, bytes]]) -> dict[str, str]:
    """Prepare and settle at once, for files whose hashes are known before."""
    prepared = prepare(folder, contents)
    settle(folder, prepared)
    return prepared


def _batches(contents: Iterable[tuple[str, bytes]]) -> Iterator[dict[str, bytes]]:
    waiting = iter(contents)
    while batch := dict(islice(waiting, AT_ONCE)):
        yield batch


def files_stand(folder: Path, expected: Mapping[str, str]) -> bool:
    """Whether the folder holds every expected file (name to sha256) with those very bytes."""
    try:
        return all(sha256_hex((folder / name).read_bytes()) == sha256 for name, sha256 in expected.items())
    except OSError:
        return False
