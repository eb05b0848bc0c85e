"""The two pairs of checkers that trials compare: as published, and production.

The published pair is a model of JIA's, made of the production checkers by taking away what JIA says was missing
(§III): results are not matched back to calls, and the disk checker reads neither staged copies nor the manifest, and
compares the archive with a hash that it has just computed from it. It reads the archive as text, so that CRLF is LF.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from sscb_pipeline.artifacts.digest import canonical_json, sha256_hex
from sscb_pipeline.assurance.requirement import Outcome
from sscb_pipeline.errors import IntegrityError
from sscb_pipeline.judging.trials.mutation import Files
from sscb_pipeline.packets.check_disk import DiskCheck, DiskPlaces
from sscb_pipeline.packets.check_inline import EarlierOriginal, InlineCheck
from sscb_pipeline.packets.input_contract import InputContract
from sscb_pipeline.packets.packet import BuildEntry, BuiltPacket, BuiltRecord
from sscb_pipeline.packets.requirement import Requirement
from sscb_pipeline.packets.target import Target


class Pair(StrEnum):
    """Which checkers."""

    AS_PUBLISHED = "as published"
    REVERSE_MATCHING = "as published, with reverse matching"
    PRODUCTION = "production"


_NEVER_EXAMINED = frozenset(
    {
        Requirement.STAGED_BYTES,
        Requirement.STAGED_SET,
        Requirement.MANIFEST_ENTRIES,
        Requirement.SOURCE_BYTES,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """A record with the targets its cohort names, and what was built of it."""

    made: BuiltRecord
    targets: Sequence[Target]


@dataclass(frozen=True, slots=True)
class SavedFiles:
    """Saved files by name; implements `packets.shelf.Shelf`."""

    files: Mapping[str, bytes]

    def names(self) -> Iterator[str]:
        """Every name."""
        return iter(self.files)

    def read(self, name: str) -> bytes:
        """The bytes. Raises IntegrityError where there are none."""
        if name not in self.files:
            raise IntegrityError(subject=name, expected="a file", found="no such file", remedy="save it again")
        return self.files[name]


def inline(
    pair: Pair, contract: InputContract, records: Sequence[Examined], originals: Mapping[str, EarlierOriginal]
) -> dict[str, Outcome]:
    """What the pair's inline checker finds."""
    check = InlineCheck(contract, originals)
    for record in records:
        check.examine(record.made.source, record.targets, record.made.packets)
    return _seen(pair, check.outcomes())


def disk(pair: Pair, contract: InputContract, records: Sequence[Examined], files: Files) -> dict[str, Outcome]:
    """What the pair's disk checker finds in some saved files."""
    archive = files.archive
    if pair is not Pair.PRODUCTION:
        archive = {name: data.replace(b"\r\n", b"\n") for name, data in archive.items()}
    places = DiskPlaces(
        sources=SavedFiles(files.sources),
        archive=SavedFiles(archive),
        staged=SavedFiles(files.staged),
        manifest=manifest_bytes(files.manifest),
    )
    check = DiskCheck(contract, places)
    for record in records:
        entry = record.made.entry
        check.examine(entry if pair is Pair.PRODUCTION else _recomputed(entry, archive), record.targets)
    return _seen(pair, check.finish())


def manifest_bytes(entries: Sequence[tuple[str, str]]) -> bytes:
    """A written manifest, as far as the disk checker reads it."""
    return canonical_json({"subject": [{"name": name, "digest": {"sha256": sha256}} for name, sha256 in entries]})


def _recomputed(entry: BuildEntry, archive: Mapping[str, bytes]) -> BuildEntry:
    """The expected hashes, made from the archived text they are to be compared with (JIA §III-B)."""

    def again(packet: BuiltPacket) -> BuiltPacket:
        data = archive.get(packet.key.file_name)
        return packet if data is None else replace(packet, sha256=sha256_hex(data))

    return replace(entry, packets=tuple(again(packet) for packet in entry.packets))


def _seen(pair: Pair, outcomes: Mapping[str, Outcome]) -> dict[str, Outcome]:
    hidden: frozenset[str]
    match pair:
        case Pair.PRODUCTION:
            hidden = frozenset()
        case Pair.REVERSE_MATCHING:
            hidden = _NEVER_EXAMINED
        case Pair.AS_PUBLISHED:
            hidden = _NEVER_EXAMINED | {Requirement.RESULT_HAS_CALL}
    return {name: outcome for name, outcome in outcomes.items() if name not in hidden}
