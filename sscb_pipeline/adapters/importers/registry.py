"""Which importer reads a file, and reading it: the one door for recordings."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from sscb_pipeline.adapters.importers.imported import Import, Importer, count
from sscb_pipeline.adapters.importers.tau2_results import Tau2Results
from sscb_pipeline.adapters.importers.taubench_v1 import TauBenchV1
from sscb_pipeline.errors import InputError

HEAD_BYTES = 1 << 18
"""How much of a file's beginning decides its format."""

IMPORTERS: tuple[Importer, ...] = (TauBenchV1(), Tau2Results())


def detect(head: bytes, file: str) -> Importer:
    """The one importer that recognises a file's beginning. Raises InputError where none or several do."""
    found = [importer for importer in IMPORTERS if importer.recognises(head)]
    if len(found) != 1:
        names = ", ".join(importer.name for importer in IMPORTERS)
        several = ", ".join(importer.name for importer in found)
        raise InputError(
            subject=file,
            expected=f"a recording of exactly one of the formats {names}",
            found=f"what could be {several}" if found else f"a file that begins {head[:40]!r}",
            remedy="name the format, or export the recording in one of these",
        )
    return found[0]


def by_name(name: str) -> Importer:
    """The importer of a format. Raises InputError for an unknown name."""
    for importer in IMPORTERS:
        if importer.name == name:
            return importer
    raise InputError(
        subject=f"format {name!r}",
        expected="one of " + ", ".join(importer.name for importer in IMPORTERS),
        found=repr(name),
        remedy="name one of these, or leave the format out to have it detected",
    )


def read(path: Path) -> Import:
    """Read a file of any known format. Raises InputError naming file, place and remedy; nothing is half read."""
    data = _bytes(path)
    return read_as(detect(data[:HEAD_BYTES], path.name), data, path.name)


def read_format(path: Path, name: str) -> Import:
    """Read a file as the format of that name, whatever its beginning says. Raises as `read`."""
    return read_as(by_name(name), _bytes(path), path.name)


def read_as(importer: Importer, data: bytes, file: str) -> Import:
    """Read bytes that are in memory. Raises as `read`, PairingConflictError included."""
    runs = tuple(importer.runs(data, file))
    return Import(
        format=importer.name,
        file=file,
        sha256=sha256(data).hexdigest(),
        runs=runs,
        counts=count(run.record for run in runs),
    )


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(
            subject=str(path),
            expected="a readable file",
            found=error.strerror or type(error).__name__,
            remedy="check the path and its permissions",
        ) from error
