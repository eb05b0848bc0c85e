"""Where files of a stage lie, as a check reads them."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from sscb_pipeline.errors import IntegrityError


class Shelf(Protocol):
    """Named bytes. Two implementations may keep them quite differently (a folder, an object store)."""

    def names(self) -> Iterator[str]:
        """Every name, in any order; whatever lies there that is no plain file is named too."""
        ...

    def read(self, name: str) -> bytes:
        """The bytes, read once. Raises IntegrityError where there are none."""
        ...


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder; names are paths below it, and links are not followed."""

    root: Path

    def names(self) -> Iterator[str]:
        """See `Shelf`. A folder inside is named where it is empty, else by its files."""
        if not self.root.is_dir():
            return
        for folder, folders, files in os.walk(self.root):
            below = Path(folder).relative_to(self.root)
            links = [name for name in folders if (Path(folder) / name).is_symlink()]
            for name in [*files, *links]:
                yield str(below / name)
            if not folders and not files and Path(folder) != self.root:
                yield f"{below}/"

    def read(self, name: str) -> bytes:
        """See `Shelf`."""
        path = self.root / name
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
            with os.fdopen(descriptor, "rb") as file:
                if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    raise OSError("not a plain file")
                return file.read()
        except OSError as error:
            raise IntegrityError(
                subject=str(path),
                expected="a plain file",
                found=error.strerror or str(error),
                remedy="build, archive and stage the packets again",
            ) from error
