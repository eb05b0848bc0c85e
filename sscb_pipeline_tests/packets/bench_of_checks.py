"""Running both checkers on a small cohort whose parts a test may change: source, packets, files, manifest."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from sscb_pipeline.artifacts.digest import sha256_hex
from sscb_pipeline.assurance.requirement import Broken, Kept, NotRun, Outcome
from sscb_pipeline.errors import IntegrityError
from sscb_pipeline.packets.build import build_record
from sscb_pipeline.packets.check_disk import DiskCheck, DiskPlaces
from sscb_pipeline.packets.check_inline import EarlierOriginal, InlineCheck
from sscb_pipeline.packets.input_contract import InputContract, MalformedCalls, Rendering, Scope, TrailingCalls
from sscb_pipeline.packets.packet import BuildEntry, Packet, PacketKey, PacketSource, packet_key, packet_source
from sscb_pipeline.packets.requirement import Requirement
from sscb_pipeline.packets.target import Target
from sscb_pipeline.trajectories.source_codec import encode_source
from sscb_pipeline.trajectories.source_record import SourceRecord

ALL = InputContract(
    scopes=tuple(Scope),
    renderings=tuple(Rendering),
    malformed_calls=MalformedCalls.REJECT,
    trailing_calls=TrailingCalls.ALLOWED,
)


@dataclass(slots=True)
class Held:
    """A shelf in memory; implements the port the disk checker reads through."""

    files: dict[str, bytes] = field(default_factory=dict)

    def names(self) -> Iterator[str]:
        yield from self.files

    def read(self, name: str) -> bytes:
        if name not in self.files:
            raise IntegrityError(subject=name, expected="a file", found="none", remedy="put it back")
        return self.files[name]


@dataclass(slots=True)
class World:
    """One record's way through build, archive and stage, all parts open to change."""

    source: PacketSource
    targets: tuple[Target, ...]
    contract: InputContract
    packets: list[Packet]
    originals: dict[str, EarlierOriginal]
    sources: Held
    archive: Held
    staged: Held
    hashes: list[tuple[str, str]]
    entry: BuildEntry

    def inline(self) -> Mapping[str, Outcome]:
        check = InlineCheck(self.contract, self.originals)
        check.examine(self.source, self.targets, self.packets)
        return check.outcomes()

    def disk(self) -> Mapping[str, Outcome]:
        subjects = [{"name": name, "digest": {"sha256": sha256}} for name, sha256 in self.hashes]
        manifest = json.dumps({"_type": "https://in-toto.io/Statement/v1", "subject": subjects}).encode()
        places = DiskPlaces(sources=self.sources, archive=self.archive, staged=self.staged, manifest=manifest)
        check = DiskCheck(self.contract, places)
        check.examine(self.entry, self.targets)
        return check.finish()

    def key(self, scope: Scope, rendering: Rendering, target: int = 0) -> PacketKey:
        chosen = self.targets[target]
        return packet_key(chosen.record_id, chosen.message, scope, rendering)

    def text(self, key: PacketKey) -> str:
        return next(packet.data for packet in self.packets if packet.key == key).decode()

    def rewrite(self, key: PacketKey, data: bytes) -> None:
        """The builder itself made a wrong packet: memory, archive, staged copy and every hash agree."""
        sha256 = sha256_hex(data)
        self.packets = [
            replace(packet, data=data, sha256=sha256) if packet.key == key else packet for packet in self.packets
        ]
        self.entry = replace(self.entry, packets=tuple(packet.entry for packet in self.packets))
        self.archive.files[key.file_name] = data
        self.staged.files[key.file_name] = data
        self.hashes = [(name, sha256 if name == key.file_name else old) for name, old in self.hashes]

    def change(self, key: PacketKey, old: str, new: str) -> None:
        """As `rewrite`, one passage replaced; it must be there."""
        text = self.text(key)
        assert old in text, text
        self.rewrite(key, text.replace(old, new, 1).encode())


def world(record: SourceRecord, *messages: int, contract: InputContract = ALL) -> World:
    """A world in which everything is right, with these targets."""
    source = packet_source("rec:1", record)
    targets = tuple(Target(record_id="rec:1", message=message) for message in messages)
    built = build_record(source, targets, contract)
    files = {packet.key.file_name: packet.data for packet in built.packets}
    return World(
        source=source,
        targets=targets,
        contract=contract,
        packets=list(built.packets),
        originals={},
        sources=Held({source.file_name: encode_source(record)}),
        archive=Held(dict(files)),
        staged=Held(dict(files)),
        hashes=[(packet.key.file_name, packet.sha256) for packet in built.packets],
        entry=built.entry,
    )


def broken(outcomes: Mapping[str, Outcome]) -> set[Requirement]:
    """What a check found broken."""
    return {Requirement(name) for name, outcome in outcomes.items() if isinstance(outcome, Broken)}


def all_kept(outcomes: Mapping[str, Outcome]) -> bool:
    """Whether every requirement was examined and kept."""
    return bool(outcomes) and all(isinstance(outcome, Kept) for outcome in outcomes.values())


def not_run(outcomes: Mapping[str, Outcome]) -> set[Requirement]:
    """What a check could not examine."""
    return {Requirement(name) for name, outcome in outcomes.items() if isinstance(outcome, NotRun)}


def violations(outcomes: Mapping[str, Outcome], requirement: Requirement) -> str:
    """The violations of one requirement, as one text."""
    outcome = outcomes[requirement.value]
    return "\n".join(outcome.violations) if isinstance(outcome, Broken) else ""
