"""Packets and what is known of them: key, exact bytes, and the hash recorded when they were built."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote

from sscb_pipeline.artifacts.digest import sha256_hex
from sscb_pipeline.errors import InputError
from sscb_pipeline.packets.input_contract import PacketKind, Rendering, Scope
from sscb_pipeline.packets.target import Target
from sscb_pipeline.trajectories.source_codec import encode_source
from sscb_pipeline.trajectories.source_record import SourceRecord

_LONGEST_NAME = 200


def file_stem(record_id: str) -> str:
    """A file name's beginning that stands for this record id and no other. Raises InputError for one too long."""
    stem = quote(record_id, safe="", errors="surrogatepass").replace(".", "%2E")
    if not stem or len(stem) > _LONGEST_NAME:
        raise InputError(
            subject=f"record id {record_id[:60]!r}",
            expected=f"1 to {_LONGEST_NAME} characters once percent-encoded",
            found=f"{len(stem)}",
            remedy="give the record a shorter id",
        )
    return stem


@dataclass(frozen=True, slots=True, kw_only=True)
class PacketSource:
    """A record under its id (unique in a cohort), and the sha256 of `encode_source` of it, recorded at import."""

    record_id: str
    record: SourceRecord
    sha256: str

    @property
    def file_name(self) -> str:
        """Where the bytes of `encode_source` lie, in a folder of source records."""
        return source_file_name(self.record_id)


def packet_source(record_id: str, record: SourceRecord) -> PacketSource:
    """A record with its hash; to be called where the record is imported, before anything can change it."""
    return PacketSource(record_id=record_id, record=record, sha256=sha256_hex(encode_source(record)))


def source_file_name(record_id: str) -> str:
    """The file of a source record."""
    return f"{file_stem(record_id)}.source"


@dataclass(frozen=True, slots=True, kw_only=True)
class PacketKey:
    """Which packet: a target, a scope, a rendering. Holds nothing that a label decided, so a name betrays nothing."""

    target: Target
    kind: PacketKind

    @property
    def name(self) -> str:
        """For people and messages: `bfcl:527/m12/prefix/R`."""
        return f"{self.target.record_id}/m{self.target.message}/{self.kind.scope}/{self.kind.rendering}"

    @property
    def file_name(self) -> str:
        """Where the packet lies in an archive or a staged folder; one name per key."""
        stem = file_stem(self.target.record_id)
        return f"{stem}.m{self.target.message}.{self.kind.scope}.{self.kind.rendering}.txt"


def packet_key(record_id: str, message: int, scope: Scope, rendering: Rendering) -> PacketKey:
    """The key of these four."""
    return PacketKey(
        target=Target(record_id=record_id, message=message), kind=PacketKind(scope=scope, rendering=rendering)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Packet:
    """A packet in memory. `sha256` is that of the exact bytes as they were built; it is not computed again."""

    key: PacketKey
    data: bytes
    sha256: str

    @property
    def entry(self) -> BuiltPacket:
        """What is recorded of the packet when it is built."""
        return BuiltPacket(key=self.key, sha256=self.sha256, size=len(self.data))


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltPacket:
    """The build's record of a packet: its exact-byte hash and its size in bytes."""

    key: PacketKey
    sha256: str
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltRecord:
    """All packets of one record: the unit in which packets are built, checked and archived, so that no more than
    one record's packets need be in memory."""

    source: PacketSource
    targets: tuple[Target, ...]
    packets: tuple[Packet, ...]

    @property
    def entry(self) -> BuildEntry:
        """What the disk check is told of it, without bytes."""
        return BuildEntry(
            record_id=self.source.record_id,
            source_sha256=self.source.sha256,
            targets=self.targets,
            packets=tuple(packet.entry for packet in self.packets),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildEntry:
    """One record of the build: recorded before anything is written, so every hash in it precedes every change."""

    record_id: str
    source_sha256: str
    targets: tuple[Target, ...]
    packets: tuple[BuiltPacket, ...]

    def keys(self) -> Iterator[PacketKey]:
        """The keys of its packets, in order."""
        return (packet.key for packet in self.packets)
