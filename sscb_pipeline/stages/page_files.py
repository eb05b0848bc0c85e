"""Files laid down for people beside the store: written durably in batches, and checked against their hashes.

They can all be made again from the store, so their bytes are not kept there a second time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path

from sscb_pipeline.artifacts.digest import sha256_hex
from sscb_pipeline.artifacts.durable import make_directory, storage_error
from sscb_pipeline.artifacts.file_batch import replace_files

AT_ONCE = 128
"""Files in one batch; bounds memory and open descriptors."""


def lay_down(folder: Path, contents: Iterable[tuple[str, bytes]]) -> dict[str, str]:
    """Make `folder` hold exactly these files (names without separators); returns name to sha256.

    Each file is whole and durable before it takes its name; files of other names are removed at the end. Raises
    InputError when the disk refuses.
    """
    laid: dict[str, str] = {}
    try:
        make_directory(folder)
        for batch in _batches(contents):
            replace_files(folder, batch)
            laid |= {name: sha256_hex(data) for name, data in batch.items()}
        for path in folder.iterdir():
            if path.is_file() and path.name not in laid:
                path.unlink()
    except OSError as error:
        raise storage_error(folder, error) from error
    return laid


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
