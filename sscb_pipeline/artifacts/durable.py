"""Writes that survive a crash: what these functions return from is on disk, whole, under its final name."""

from __future__ import annotations

import ctypes
import glob
import os
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from sscb_pipeline.errors import InputError

_TEMPORARY = re.compile(r"\.(?P<name>.+)\.(?P<writer>[0-9]+)\.new", re.DOTALL)


def storage_error(path: Path, error: OSError) -> InputError:
    """The error a user meets when the disk refuses: full, read-only, no permission, a name too long."""
    return InputError(
        subject=str(path),
        expected="a disk that takes the write",
        found=error.strerror or str(error),
        remedy="free space or restore write permission there, then run the same command again",
    )


def write_new(path: Path | str, data: bytes) -> int:
    """Create `path` read-only (0444) with `data`; returns the open descriptor, not yet synchronised.

    Raises FileExistsError, or the OSError of the disk with the partial file removed.
    """
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o444)
    try:
        write_all(descriptor, data)
    except OSError:
        os.close(descriptor)
        Path(path).unlink()
        raise
    return descriptor


def write_all(descriptor: int, data: bytes) -> None:
    """Write every byte (a single write may be short)."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def sync_directory(path: Path) -> None:
    """Make the names in a directory durable."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make_directory(path: Path) -> None:
    """Create a directory and its missing parents, durably."""
    if path.is_dir():
        return
    make_directory(path.parent)
    with suppress(FileExistsError):
        path.mkdir()
    sync_directory(path.parent)


def is_temporary(path: Path) -> bool:
    """Whether the name is one that `replace_file` gives a file before it is moved into its place."""
    return _TEMPORARY.fullmatch(path.name) is not None


def replace_file(path: Path, data: bytes) -> None:
    """Put `data` at `path` atomically: readers see the old bytes or the new, never a part. Raises InputError.

    What a killed writer of the same file left beside it is removed.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        _sweep(path)
        descriptor = write_new(temporary, data)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        temporary.replace(path)
        sync_directory(path.parent)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise storage_error(path, error) from error


# One call commits everything on a file system together; where the system has none, each file is waited for.
_SYNCFS = getattr(ctypes.CDLL(None, use_errno=True), "syncfs", None)
COMMITS_TOGETHER = _SYNCFS is not None
"""Whether `sync_filesystem` can be called."""


def sync_filesystem(folder: Path) -> None:
    """Make everything that was written on the folder's file system durable, names included. Raises OSError."""
    assert _SYNCFS is not None
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        if _SYNCFS(opened) != 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))
    finally:
        os.close(opened)


def write_files(folder: Path, files: Iterable[tuple[str, bytes]]) -> None:
    """Create read-only files in a folder; `sync_folder` makes them durable, all together.

    Raises InputError when the disk refuses and FileExistsError for a name that is taken.
    """
    place = os.fspath(folder)
    try:
        for name, data in files:
            os.close(write_new(f"{place}/{name}", data))
    except FileExistsError:
        raise
    except OSError as error:
        raise storage_error(folder, error) from error


def sync_folder(folder: Path) -> None:
    """Make the files of a flat folder durable, with one synchronisation where the system has it. Raises OSError."""
    if COMMITS_TOGETHER:
        sync_filesystem(folder)
        return
    for path in folder.iterdir():
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    sync_directory(folder)


def _sweep(path: Path) -> None:
    """Remove the temporary files of writers of `path` that are no more, and of this process."""
    for left in path.parent.glob(f".{glob.escape(path.name)}.*.new"):
        match = _TEMPORARY.fullmatch(left.name)
        if match is None or match["name"] != path.name:
            continue
        writer = int(match["writer"])
        if writer == os.getpid() or not is_alive(writer):
            left.unlink(missing_ok=True)


def is_alive(process: int) -> bool:
    """Whether a process of that number runs on this machine."""
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True
