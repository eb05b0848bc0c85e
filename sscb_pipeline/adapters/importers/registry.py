"""Which importer reads a file, and reading it: the one door for recordings."""

from __future__ import annotations

import io
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from sscb_pipeline.adapters.importers.agentprocessbench import AgentProcessBench
from sscb_pipeline.adapters.importers.bfcl_multiturn import BfclMultiTurn
from sscb_pipeline.adapters.importers.credentials import refuse_credentials
from sscb_pipeline.adapters.importers.imported import (
    DocumentImporter,
    Import,
    ImportedRun,
    Importer,
    LineImporter,
    count,
)
from sscb_pipeline.adapters.importers.openai_chat import OpenAIChat
from sscb_pipeline.adapters.importers.tau2_results import Tau2Results
from sscb_pipeline.adapters.importers.taubench_v1 import TauBenchV1
from sscb_pipeline.adapters.importers.who_and_when import WhoAndWhen
from sscb_pipeline.errors import InputError

HEAD_BYTES = 1 << 18
"""How much of a file's beginning decides its format."""

LONGEST_LINE = 1 << 26
"""How much of a longer first line is looked at."""

IMPORTERS: tuple[Importer, ...] = (
    TauBenchV1(),
    Tau2Results(),
    AgentProcessBench(),
    OpenAIChat(),
    BfclMultiTurn(),
    WhoAndWhen(),
)


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


def runs_of(path: Path, importer: Importer) -> Iterator[ImportedRun]:
    """The runs of a file as the importer reads them: a format with a run per line holds one line in memory, a
    document the whole file. Raises InputError with file, place and remedy."""
    if isinstance(importer, LineImporter):
        with _opened(path) as file:
            yield from importer.lines(file, path.name)
    else:
        yield from runs_in(importer, _bytes(path), path.name)


def runs_in(importer: Importer, data: bytes, file: str) -> Iterator[ImportedRun]:
    """The runs of bytes in memory. Raises as `runs_of`."""
    if isinstance(importer, LineImporter):
        yield from importer.lines(io.BytesIO(data), file)
    elif isinstance(importer, DocumentImporter):
        refuse_credentials(data, file, 1)
        yield from importer.runs(data, file)


def importer_of(path: Path) -> Importer:
    """The importer that recognises a file. Raises InputError, for a file that cannot be read too."""
    return detect(read_head(path), path.name)


def read_head(path: Path) -> bytes:
    """A file's beginning: `HEAD_BYTES`, or its whole first line where that is longer (up to `LONGEST_LINE`)."""
    with _opened(path) as file:
        head = file.read(HEAD_BYTES)
        if b"\n" not in head and len(head) == HEAD_BYTES:
            head += file.readline(LONGEST_LINE)
        return head


def read(path: Path) -> Import:
    """Read a file of any known format. Raises InputError naming file, place and remedy; nothing is half read."""
    data = _bytes(path)
    return read_as(importer_of(path), data, path.name)


def read_format(path: Path, name: str) -> Import:
    """Read a file as the format of that name, whatever its beginning says. Raises as `read`."""
    return read_as(by_name(name), _bytes(path), path.name)


def read_as(importer: Importer, data: bytes, file: str) -> Import:
    """Read bytes that are in memory. Raises as `read`, PairingConflictError included."""
    runs = tuple(runs_in(importer, data, file))
    return Import(
        format=importer.name,
        file=file,
        sha256=sha256(data).hexdigest(),
        runs=runs,
        counts=count(run.record for run in runs),
    )


def _opened(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as error:
        raise _unreadable(path, error) from error


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise _unreadable(path, error) from error


def _unreadable(path: Path, error: OSError) -> InputError:
    return InputError(
        subject=str(path),
        expected="a readable file",
        found=error.strerror or type(error).__name__,
        remedy="check the path and its permissions",
    )
