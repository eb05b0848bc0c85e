"""Where the disk checker finds a run's files: objects of the store by packet name, and the staging folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from sscb_pipeline.artifacts.store import ObjectStore
from sscb_pipeline.assurance.verified_read import read_regular
from sscb_pipeline.errors import IntegrityError


@dataclass(frozen=True, slots=True)
class ArchivedObjects:
    """Files of the archive: name to the object that holds the bytes. Implements `packets.shelf.Shelf`."""

    objects: ObjectStore
    hashes: Mapping[str, str]

    def names(self) -> Iterator[str]:
        """Every archived name."""
        yield from self.hashes

    def read(self, name: str) -> bytes:
        """The object's bytes, verified. Raises IntegrityError."""
        if name not in self.hashes:
            raise IntegrityError(
                subject=f"archive: {name}", expected="an archived file", found="none", remedy="build the run again"
            )
        return self.objects.get(self.hashes[name])


@dataclass(frozen=True, slots=True)
class StagedFolder:
    """A flat folder, read as it lies there; links are not followed. Implements `packets.shelf.Shelf`."""

    root: Path

    def names(self) -> Iterator[str]:
        """Whatever lies there."""
        if self.root.is_dir():
            yield from (entry.name for entry in self.root.iterdir())

    def read(self, name: str) -> bytes:
        """The bytes of a regular file, not compared with anything. Raises IntegrityError."""
        return read_regular(self.root / name, remedy=f"remove {self.root}, then stage the run again")
