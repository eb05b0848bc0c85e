"""The disk checker: source files, archived packets, staged copies and the written manifest, all read again.

It runs after staging. Content is compared with what the source file, read again, requires; bytes are compared with
the hashes that the build recorded before anything was written, never with hashes of what is being checked. It knows
neither renderers nor builder nor the inline checker, and has its own writing of the escape.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sscb_pipeline.artifacts.digest import sha256_hex, strict_json
from sscb_pipeline.assurance.requirement import Outcome
from sscb_pipeline.errors import InputError, IntegrityError
from sscb_pipeline.packets import disk_source
from sscb_pipeline.packets.disk_block import diagnose
from sscb_pipeline.packets.findings import Findings
from sscb_pipeline.packets.input_contract import InputContract, Rendering, Scope
from sscb_pipeline.packets.packet import BuildEntry, BuiltPacket, PacketKey, source_file_name
from sscb_pipeline.packets.requirement import Checker, Requirement
from sscb_pipeline.packets.shelf import Shelf
from sscb_pipeline.packets.target import Target
from sscb_pipeline.trajectories.source_codec import decode_source
from sscb_pipeline.trajectories.source_record import SourceRecord

_LINKS = (Requirement.CALL_HAS_RESULT, Requirement.RESULT_HAS_CALL, Requirement.ARGUMENTS_READABLE)
_CONTENT = (
    Requirement.QUESTION,
    Requirement.TASK_CONTEXT,
    Requirement.TARGET_MARKED,
    Requirement.SCOPE_END,
    Requirement.MESSAGE_ORDER,
    Requirement.MESSAGE_TEXT,
    Requirement.CALLS_SHOWN,
    Requirement.RESULT_TEXT,
    Requirement.RESULT_LINKS,
    Requirement.TOOL_DEFINITIONS,
    Requirement.NOTHING_ELSE,
)
_FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]")
_MARK = re.compile(r"^\[(TARGET )?MESSAGE (\d{1,9})\]$", re.MULTILINE)
_CLOSING = re.compile(r"^\[END OF PACKET\].*", re.MULTILINE | re.DOTALL)
_SECTION = re.compile(r"^(?=\[(?:JUDGE PACKET|QUESTION|TASK CONTEXT|TOOLS|TRAJECTORY)\])", re.MULTILINE)
_WORDS = {
    Scope.PREFIX: "[END OF PACKET] the target message is the last one shown\n",
    Scope.FULL: "[END OF PACKET] the recording ends here\n",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DiskPlaces:
    """What the check reads: `sources` under `source_file_name`, `archive` and `staged` under `PacketKey.file_name`,
    and the manifest's bytes, an in-toto Statement v1 whose subjects are the staged packets by file name."""

    sources: Shelf
    archive: Shelf
    staged: Shelf
    manifest: bytes


class DiskCheck:
    """One check of a cohort: `examine` each record, then `finish` once."""

    def __init__(self, contract: InputContract, places: DiskPlaces) -> None:
        self._contract = contract
        self._places = places
        self._findings = Findings(contract.assigned_to(Checker.DISK))
        self._built: dict[str, BuiltPacket] = {}

    def examine(self, entry: BuildEntry, targets: Sequence[Target]) -> None:
        """One record: what the build recorded of it, and the targets the cohort names. Total."""
        found = self._findings
        found.examined(Requirement.PACKET_SET, Requirement.SOURCE_BYTES)
        wanted = [PacketKey(target=target, kind=kind) for target in targets for kind in self._contract.kinds]
        counted = Counter(packet.key for packet in entry.packets)
        for key in wanted:
            if counted[key] != 1:
                found.broke(Requirement.PACKET_SET, f"{key.name}: built {counted[key]} times")
        for key in counted.keys() - {*wanted}:
            found.broke(Requirement.PACKET_SET, f"{key.name}: the cohort asks for no such packet")
        self._built.update({packet.key.file_name: packet for packet in entry.packets})
        required = self._source(entry)
        for packet in entry.packets:
            data = self._archived(packet)
            self._staged(packet)
            if isinstance(data, bytes) and isinstance(required, _Required):
                required.compare(packet.key, data)
            else:
                found.skipped((Requirement.ENCODING, *_CONTENT), f"{packet.key.name}: source or packet is unreadable")

    def finish(self) -> dict[str, Outcome]:
        """The sets of files and the manifest; then the outcome of every requirement assigned to this checker."""
        found = self._findings
        found.examined(Requirement.STAGED_SET, Requirement.MANIFEST_ENTRIES)
        for name in _surplus(self._places.archive.names(), self._built):
            found.broke(Requirement.PACKET_SET, f"archive holds {name}, which was not built")
        staged = list(self._places.staged.names())
        for name in _surplus(staged, self._built):
            found.broke(Requirement.STAGED_SET, f"staged folder holds {name}, which was not built")
        for name in sorted(self._built.keys() - {*staged}):
            found.broke(Requirement.STAGED_SET, f"staged folder lacks {name}")
        self._manifest()
        return found.outcomes()

    def _source(self, entry: BuildEntry) -> _Required | None:
        file = source_file_name(entry.record_id)
        try:
            data = self._places.sources.read(file)
        except IntegrityError as error:
            self._findings.broke(Requirement.SOURCE_BYTES, f"{file}: {error.found}")
            self._findings.skipped(_LINKS, f"{file} cannot be read")
            return None
        sha256 = sha256_hex(data)
        if sha256 != entry.source_sha256:
            told = f"{file}: sha256 {sha256[:12]}, at import {entry.source_sha256[:12]}"
            self._findings.broke(Requirement.SOURCE_BYTES, told)
        try:
            record = decode_source(data, file)
        except InputError as error:
            self._findings.broke(Requirement.SOURCE_BYTES, f"{file}: {error.found} at {error.subject}")
            self._findings.skipped(_LINKS, f"{file} is no source record")
            return None
        self._findings.examined(*_LINKS)
        disk_source.examine_links(entry.record_id, record, self._contract, self._findings.broke)
        return _Required(record, self._contract.question, self._findings)

    def _archived(self, packet: BuiltPacket) -> bytes | None:
        self._findings.examined(Requirement.ARCHIVED_BYTES)
        try:
            data = self._places.archive.read(packet.key.file_name)
        except IntegrityError as error:
            told = f"archive lacks {packet.key.file_name}: {error.found}"
            self._findings.broke(Requirement.PACKET_SET, told)
            self._findings.broke(Requirement.ARCHIVED_BYTES, told)
            return None
        _compare_hash(Requirement.ARCHIVED_BYTES, "archived", packet, data, self._findings)
        return data

    def _staged(self, packet: BuiltPacket) -> None:
        self._findings.examined(Requirement.STAGED_BYTES)
        try:
            data = self._places.staged.read(packet.key.file_name)
        except IntegrityError as error:
            self._findings.broke(Requirement.STAGED_BYTES, f"{packet.key.name}, staged: {error.found}")
            return
        _compare_hash(Requirement.STAGED_BYTES, "staged", packet, data, self._findings)

    def _manifest(self) -> None:
        try:
            statement = strict_json(self._places.manifest, "manifest")
            subjects = [(one["name"], one["digest"]["sha256"]) for one in statement["subject"]]
        except InputError as error:
            self._findings.broke(Requirement.MANIFEST_ENTRIES, f"manifest: {error.found}")
            return
        except (TypeError, KeyError) as error:
            told = f"manifest: no list of subjects with name and sha256 ({type(error).__name__}: {error})"
            self._findings.broke(Requirement.MANIFEST_ENTRIES, told)
            return
        counted = Counter(str(name) for name, _ in subjects)
        hashes = {str(name): sha256 for name, sha256 in subjects}
        for name, times in counted.items():
            if name not in self._built:
                self._findings.broke(Requirement.MANIFEST_ENTRIES, f"manifest names {name}, which was not built")
            elif times > 1:
                self._findings.broke(Requirement.MANIFEST_ENTRIES, f"manifest names {name} {times} times")
        for name, packet in self._built.items():
            if name not in hashes:
                self._findings.broke(Requirement.MANIFEST_ENTRIES, f"manifest lacks {name}")
            elif hashes[name] != packet.sha256:
                told = f"manifest: {name} has sha256 {hashes[name]!r:.14}, at build {packet.sha256[:12]}"
                self._findings.broke(Requirement.MANIFEST_ENTRIES, told)


def _surplus(names: Iterable[str], built: dict[str, BuiltPacket]) -> list[str]:
    return sorted(name for name in names if name not in built)


def _compare_hash(requirement: Requirement, where: str, packet: BuiltPacket, data: bytes, found: Findings) -> None:
    sha256 = sha256_hex(data)
    if sha256 == packet.sha256:
        return
    hint = ""
    if sha256_hex(data.replace(b"\r\n", b"\n")) == packet.sha256:
        hint = "; only the line ends were changed to CRLF"
    told = f"{packet.key.name}, {where}: sha256 {sha256[:12]}, at build {packet.sha256[:12]}{hint}"
    found.broke(requirement, told)


class _Required:
    """What the packets of one record must hold, written out once per rendering."""

    def __init__(self, record: SourceRecord, question: str, findings: Findings) -> None:
        self._record = record
        self._found = findings
        self._lead = f"[JUDGE PACKET]\n[QUESTION]\n{disk_source.below(question)}\n{disk_source.request_lines(record)}\n"
        self._blocks: dict[Rendering, list[str]] = {}
        self._numbered: dict[Rendering, list[str]] = {}
        self._heads: dict[Rendering, str] = {}
        self._clean: dict[Rendering, bool] = {}

    def _prepare(self, rendering: Rendering) -> None:
        if rendering in self._blocks:
            return
        self._blocks[rendering] = [disk_source.written(message, rendering) for message in self._record.messages]
        self._numbered[rendering] = [
            f"[MESSAGE {number}]\n{block}\n" for number, block in enumerate(self._blocks[rendering])
        ]
        tools = f"{disk_source.tool_lines(self._record)}\n" if rendering is Rendering.COMPLETE else ""
        self._heads[rendering] = f"{self._lead}{tools}[TRAJECTORY]\n"
        written = "".join([self._heads[rendering], *self._blocks[rendering]])
        self._clean[rendering] = not disk_source.holds_hidden(written.encode("utf-8", "surrogatepass"))

    def _whole(self, key: PacketKey) -> str:
        """The packet as the source requires it. What equals it keeps every requirement on content."""
        shown, target = self._numbered[key.kind.rendering], key.target.message
        through = target + 1 if key.kind.scope is Scope.PREFIX else len(shown)
        marked = f"[TARGET {shown[target][1:]}"
        lead, end = self._heads[key.kind.rendering], _WORDS[key.kind.scope]
        return "".join([lead, *shown[:target], marked, *shown[target + 1 : through], end])

    def compare(self, key: PacketKey, data: bytes) -> None:
        """Compare a packet with what it must hold."""
        found = self._found
        found.examined(Requirement.ENCODING)
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            found.broke(Requirement.ENCODING, f"{key.name}: not UTF-8 from byte {error.start} on")
            found.skipped(_CONTENT, f"{key.name} is not UTF-8")
            return
        found.examined(*_CONTENT)
        self._prepare(key.kind.rendering)
        same = text == self._whole(key)
        # what equals lines that were looked at when they were written need not be looked at again
        if not (same and self._clean[key.kind.rendering]) and disk_source.holds_hidden(data):
            bad = _FORBIDDEN.findall(text)
            told = f"{key.name}: {len(bad)} characters that must be escaped, the first {bad[0]!r}"
            found.broke(Requirement.ENCODING, told)
        if not data.endswith(b"\n"):
            found.broke(Requirement.ENCODING, f"{key.name}: does not end in LF")
        if not same:
            self._name_differences(key, text)

    def _name_differences(self, key: PacketKey, text: str) -> None:
        closing = _CLOSING.search(text)
        body = text[: closing.start()] if closing else text
        self._close(key, closing.group() if closing else "")
        marks = list(_MARK.finditer(body))
        self._head(key, body[: marks[0].start()] if marks else body)
        self._messages(key, body, marks)

    def _close(self, key: PacketKey, closing: str) -> None:
        words = _WORDS[key.kind.scope]
        if closing == words:
            return
        first = closing.split("\n", 1)[0]
        if first != words.rstrip("\n"):
            self._found.broke(Requirement.SCOPE_END, f"{key.name}: ends with {first!r:.80}")
        elif closing.rstrip("\n") != first or len(closing) > len(words):
            self._found.broke(Requirement.NOTHING_ELSE, f"{key.name}: something follows the end")

    def _head(self, key: PacketKey, head: str) -> None:
        required = self._heads[key.kind.rendering]
        if head == required:
            return
        shown = {part.split("]", 1)[0]: part for part in _SECTION.split(head) if part}
        wanted = {part.split("]", 1)[0]: part for part in _SECTION.split(required) if part}
        reported = False
        for section, requirement in (
            ("[QUESTION", Requirement.QUESTION),
            ("[TASK CONTEXT", Requirement.TASK_CONTEXT),
            ("[TOOLS", Requirement.TOOL_DEFINITIONS),
        ):
            if shown.get(section) != wanted.get(section):
                surplus = section not in wanted
                chosen = Requirement.NOTHING_ELSE if surplus else requirement
                self._found.broke(chosen, f"{key.name}: {section}] is not what the source requires")
                reported = True
        if not reported:
            self._found.broke(Requirement.NOTHING_ELSE, f"{key.name}: other lines or another order in front")

    def _messages(self, key: PacketKey, body: str, marks: list[re.Match[str]]) -> None:
        found = self._found
        blocks = self._blocks[key.kind.rendering]
        through = key.target.message if key.kind.scope is Scope.PREFIX else len(blocks) - 1
        numbers = [int(mark.group(2)) for mark in marks]
        marked = [int(mark.group(2)) for mark in marks if mark.group(1)]
        if marked != [key.target.message]:
            found.broke(Requirement.TARGET_MARKED, f"{key.name}: the mark stands at messages {marked}")
        if numbers != [*range(through + 1)]:
            self._order(key, numbers, through)
        stops = [mark.start() for mark in marks[1:]] + [len(body)]
        for mark, stop in zip(marks, stops, strict=bool(marks)):
            number = int(mark.group(2))
            block = body[mark.end() + 1 : stop - 1]
            if number < len(blocks) and block != blocks[number]:
                place = f"{key.name}, message {number}"
                diagnose(place, key.kind.rendering, blocks[number], block, found)

    def _order(self, key: PacketKey, numbers: list[int], through: int) -> None:
        wanted, shown = Counter(range(through + 1)), Counter(numbers)
        lacking, surplus = sorted((wanted - shown).elements()), sorted((shown - wanted).elements())
        later = [number for number in surplus if number > through]
        if later or through in lacking:
            told = f"{key.name}: goes to message {max(numbers, default=0)} instead of {through}"
            self._found.broke(Requirement.SCOPE_END, told)
        if lacking or later != surplus or numbers != sorted(numbers):
            told = f"{key.name}: messages lacking {lacking}, twice {surplus}, or in another order"
            self._found.broke(Requirement.MESSAGE_ORDER, told)
