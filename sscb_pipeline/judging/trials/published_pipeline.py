"""A pipeline as JIA describes its own (§II-B, §IV), in plain files, for the trials of P0 to P3. Never used elsewhere.

Its known weaknesses are the point: manifests and job lists are written by failed builds too, hashes are taken of text
with line ends made equal, checkers are the published pair, and the judge opens what lies under a name.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from sscb_pipeline.artifacts.digest import sha256_hex
from sscb_pipeline.judging.trials.case_result import Control, Read
from sscb_pipeline.judging.trials.checker_pairs import Examined, Pair, disk, inline
from sscb_pipeline.judging.trials.kill_table import accepts
from sscb_pipeline.judging.trials.mutation import Files
from sscb_pipeline.packets.input_contract import InputContract
from sscb_pipeline.trajectories.source_codec import encode_source

DRAWS = 2


class StepFailedError(Exception):
    """A step ended with an error, or a required check reported no success."""


def text_hash(data: bytes) -> str:
    """The published hash: of text, line ends made equal."""
    return sha256_hex(data.replace(b"\r\n", b"\n"))


class PublishedPipeline:
    """One run in a folder that earlier runs may have used. Implements `fault_cases.Site`."""

    def __init__(self, root: Path, control: Control, contract: InputContract) -> None:
        self._root = root
        self._control = control
        self._contract = contract
        self._pair = Pair.REVERSE_MATCHING if control is Control.P3 else Pair.AS_PUBLISHED
        self._records: list[Examined] = []
        self._staged_hashes: dict[str, str] = {}
        self._emitted: dict[str, str] = {}
        self._fixed: dict[Path, str] = {}
        for folder in (self._archive, self.staging):
            folder.mkdir(parents=True, exist_ok=True)

    @property
    def _archive(self) -> Path:
        return self._root / "archive"

    @property
    def staging(self) -> Path:
        """See Site."""
        return self._root / "staged"

    @property
    def scripts(self) -> Path:
        """See Site."""
        return self._root / "scripts"

    def packet_names(self) -> Sequence[str]:
        """See Site."""
        return sorted(self._manifest())

    def archived(self, name: str) -> Path:
        """See Site."""
        return self._archive / name

    def staged(self, name: str) -> Path:
        """See Site."""
        return self.staging / name

    def _manifest(self) -> dict[str, str]:
        entries: dict[str, str] = json.loads((self._root / "manifest.json").read_bytes())
        return entries

    def build(self, records: Sequence[Examined], dies_after: int) -> None:
        """Write the packets of the records, up to `dies_after` of them, the manifest and the job list; then check
        inline. Fails when the check does, or when it died."""
        self._records = list(records)
        packets = [packet for record in records for packet in record.made.packets]
        for packet in packets[:dies_after]:
            path = self.archived(packet.key.file_name)
            path.write_bytes(packet.data)
        names = [packet.key.file_name for packet in packets if self.archived(packet.key.file_name).is_file()]
        manifest = {name: text_hash(self.archived(name).read_bytes()) for name in names}
        (self._root / "manifest.json").write_text(json.dumps(manifest))
        jobs = [[name, draw] for draw in range(DRAWS) for name in names]
        (self._root / "jobs.json").write_text(json.dumps(jobs))
        if dies_after < len(packets):
            raise StepFailedError(f"build died after {dies_after} packets")
        found = inline(self._pair, self._contract, records, {})
        if not accepts(found):
            raise StepFailedError("inline check reports no success")

    def stage(self) -> None:
        """Copy every packet the manifest names and compare the copy's text hash with it."""
        failed = ""
        for name, expected in self._manifest().items():
            try:
                data = self.archived(name).read_bytes()
            except OSError as error:
                failed = failed or f"staging cannot read {name}: {error.strerror}"
                continue
            self.staged(name).write_bytes(data)
            self._staged_hashes[name] = sha256_hex(data)
            if text_hash(data) != expected:
                failed = failed or f"staging finds another hash of {name}"
        if failed:
            raise StepFailedError(failed)

    def resume(self) -> None:
        """Go on with the staging folder as it is found, and compare it with the manifest like a fresh one."""
        manifest = self._manifest()
        self._staged_hashes = {name: sha256_hex(self._bytes(name)) for name in manifest}
        differing = [name for name, expected in manifest.items() if text_hash(self._bytes(name)) != expected]
        if differing:
            raise StepFailedError(f"staging finds another hash of {differing[0]}")

    def _bytes(self, name: str) -> bytes:
        return self.staged(name).read_bytes()

    def check(self) -> None:
        """The published disk check: of the archive only. P2 compares the archive with staging before and after it."""
        self._compare_archive()
        archive = {path.name: path.read_bytes() for path in self._archive.iterdir() if path.is_file()}
        files = Files(
            sources={r.made.source.file_name: encode_source(r.made.source.record) for r in self._records},
            archive=archive,
            staged=archive,
            manifest=[],
        )
        found = disk(self._pair, self._contract, self._records, files)
        self._compare_archive()
        if not accepts(found):
            raise StepFailedError("disk check reports no success")

    def _compare_archive(self) -> None:
        if self._control.checks_files:
            for name, sha256 in self._staged_hashes.items():
                if not self.archived(name).is_file() or sha256_hex(self.archived(name).read_bytes()) != sha256:
                    raise StepFailedError(f"archived packet {name} is not what was staged")

    def emit(self) -> None:
        """One script per draw of the job list."""
        self.scripts.mkdir(exist_ok=True)
        for number, (name, draw) in enumerate(json.loads((self._root / "jobs.json").read_bytes())):
            script = self.scripts / f"script-{number:05d}.json"
            data = json.dumps({"packet": name, "draw": draw}).encode()
            # The first script is written last, so that its failure leaves the others.
            if number:
                script.write_bytes(data)
                self._emitted[script.name] = sha256_hex(data)
        first = self.scripts / "script-00000.json"
        name, draw = json.loads((self._root / "jobs.json").read_bytes())[0]
        data = json.dumps({"packet": name, "draw": draw}).encode()
        try:
            first.write_bytes(data)
        except OSError as error:
            raise StepFailedError(f"emission cannot write {first.name}: {error.strerror}") from error
        self._emitted[first.name] = sha256_hex(data)
        for path in (self._root / "manifest.json", self._root / "jobs.json"):
            self._fixed[path] = sha256_hex(path.read_bytes())

    def dispatch(self, after_last_check: Callable[[], None]) -> list[Read]:
        """Follow the scripts emitted for this run, and no other. P2 checks files before, and each packet at read."""
        if self._control.checks_files:
            self._check_files()
        after_last_check()
        reads: list[Read] = []
        for script in sorted(self._emitted):
            name = json.loads((self.scripts / script).read_bytes())["packet"]
            if not self.staged(name).is_file():
                continue
            sha256 = sha256_hex(self.staged(name).read_bytes())
            if self._control.checks_files and sha256 != self._staged_hashes[name]:
                continue
            reads.append(Read(packet=name, sha256=sha256))
        return reads

    def _check_files(self) -> None:
        there = {path.name: sha256_hex(path.read_bytes()) for path in self.staging.iterdir()}
        if there != self._staged_hashes:
            raise StepFailedError("staged files are not those recorded at staging")
        for path, sha256 in (*self._fixed.items(), *((self.scripts / n, h) for n, h in self._emitted.items())):
            if sha256_hex(path.read_bytes()) != sha256:
                raise StepFailedError(f"{path.name} is not what was emitted")
