"""What `verify` finds: things that are missing, extra or changed, and leftovers that are none of these."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

MOST_NAMED = 5


class Fault(StrEnum):
    """What is wrong with a thing; also the keys of the JSON form."""

    MISSING = "missing"
    EXTRA = "extra"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """`path` is relative to the warehouse where it lies in it; `what` says what the thing is and how it is wrong."""

    fault: Fault
    path: str
    what: str

    def __str__(self) -> str:
        return f"{self.path}: {self.what}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """All findings by fault and path, and the leftovers of interrupted work, which the next run takes up or removes."""

    findings: tuple[Finding, ...]
    leftovers: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether everything is there, unchanged, and nothing else is."""
        return not self.findings

    def of(self, fault: Fault) -> list[str]:
        """The findings of one kind, one line each: path, then what it is."""
        return [str(finding) for finding in self.findings if finding.fault is fault]

    def as_json(self) -> Mapping[str, bool | list[str]]:
        """The document of `sscb verify --json`."""
        return {"ok": self.ok, **{fault.value: self.of(fault) for fault in Fault}}


class Findings:
    """Collects what is found in one warehouse; the same sentence once."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._found: dict[Finding, None] = {}
        self._leftovers: dict[str, None] = {}

    def missing(self, path: Path, what: str) -> None:
        """Something that ought to be there is not."""
        self._add(Fault.MISSING, path, what)

    def extra(self, path: Path, what: str) -> None:
        """Something is there that nothing explains."""
        self._add(Fault.EXTRA, path, what)

    def changed(self, path: Path, what: str) -> None:
        """Something is not what was recorded."""
        self._add(Fault.CHANGED, path, what)

    def leftover(self, path: Path, what: str) -> None:
        """Something an interrupted or unfinished run left, as it may."""
        self._leftovers[f"{self._relative(path)}: {what}"] = None

    def any_below(self, folder: Path) -> bool:
        """Whether anything in a folder is missing or changed so far."""
        inside = f"{self._relative(folder)}/"
        return any(f.path.startswith(inside) and f.fault is not Fault.EXTRA for f in self._found)

    def result(self) -> Verification:
        """Everything collected."""
        order = sorted(self._found, key=lambda finding: (list(Fault).index(finding.fault), finding.path, finding.what))
        return Verification(findings=tuple(order), leftovers=tuple(sorted(self._leftovers)))

    def _add(self, fault: Fault, path: Path, what: str) -> None:
        self._found[Finding(fault=fault, path=self._relative(path), what=what)] = None

    def _relative(self, path: Path) -> str:
        return path.relative_to(self._root).as_posix() if path.is_relative_to(self._root) else str(path)


def first_of(names: Iterable[str]) -> str:
    """The first names of a list, shortened, and how many more there are."""
    listed = sorted(names)
    shown = ", ".join(name[:16] for name in listed[:MOST_NAMED])
    return shown if len(listed) <= MOST_NAMED else f"{shown} and {len(listed) - MOST_NAMED} more"
