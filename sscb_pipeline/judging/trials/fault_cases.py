"""The constructed fault cases: nineteen in the published composition, two without fault, and four tried apart.

JIA's list is not published; these follow its kinds (§IV): eleven failures of a step or check, three packets changed
after staging, one extra staged file, three results without a call, one stale script. **Where a fault lies is decided
by a rule, before any control runs**: among the packets (or recordings) it can apply to, in the order of their names,
the one at sha256(name of the case) modulo their number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Protocol, TypeVar

from sscb_pipeline.artifacts.digest import sha256_hex
from sscb_pipeline.judging.trials.mutation import ChangeSpecimen
from sscb_pipeline.judging.trials.pieces import Piece
from sscb_pipeline.judging.trials.record_mutants import record_mutants
from sscb_pipeline.judging.trials.specimens import Specimen


class Family(StrEnum):
    """The parts of the composition."""

    STEP_OR_CHECK = "step or check fails"
    AFTER_STAGING = "packet changed after staging"
    EXTRA_FILE = "extra staged file"
    UNMATCHED = "result without a call"
    STALE_SCRIPT = "stale script"
    FAULT_FREE = "no fault"
    APART = "tried apart"


class Moment(StrEnum):
    """When files are changed."""

    AFTER_BUILD = "after build"
    AFTER_STAGING = "after staging"
    BEFORE_EMISSION = "before emission"
    AFTER_EMISSION = "after emission"
    AFTER_LAST_CHECK = "after the last check"


class Site(Protocol):
    """Where a run's files lie, whichever pipeline wrote them."""

    def packet_names(self) -> Sequence[str]:
        """Names of the packets of the run, sorted."""
        ...

    def archived(self, name: str) -> Path:
        """The archived packet."""
        ...

    def staged(self, name: str) -> Path:
        """The staged copy."""
        ...

    @property
    def staging(self) -> Path:
        """The staging folder."""
        ...

    @property
    def scripts(self) -> Path:
        """The folder of scripts."""
        ...


@dataclass(frozen=True, slots=True)
class NoFault:
    """The cohort as it is."""


@dataclass(frozen=True, slots=True)
class RecordFault:
    """One source record is defective; packets are built from it."""

    apply: Callable[[Specimen], Specimen]


@dataclass(frozen=True, slots=True)
class PacketFault:
    """The builder makes one packet wrongly, hashes what it made, and ends with an error."""

    apply: Callable[[list[Piece]], list[Piece]]


@dataclass(frozen=True, slots=True)
class FileFault:
    """A file is changed at some moment."""

    moment: Moment
    act: Callable[[Site, str], None]


@dataclass(frozen=True, slots=True)
class BuildDies:
    """The builder dies half-way, over an older run's packets, and its manifest names what lies there."""


@dataclass(frozen=True, slots=True)
class CheckSilent:
    """The disk check ends without a report."""


@dataclass(frozen=True, slots=True)
class OlderPackets:
    """A run is resumed and finds the staging folder full of an older run's packets."""


Fault = NoFault | RecordFault | PacketFault | FileFault | BuildDies | CheckSilent | OlderPackets


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultCase:
    """One case."""

    name: str
    family: Family
    fault: Fault


_Item = TypeVar("_Item")


def placed(case: FaultCase, among: Sequence[_Item]) -> _Item:
    """Where the fault of a case lies, by the rule of this module."""
    return among[int(sha256_hex(case.name.encode()), 16) % len(among)]


def _drop_call(parts: list[Piece]) -> list[Piece]:
    at = max(at for at, part in enumerate(parts) if part.tag == "[TOOL CALL]")
    return [*parts[:at], *parts[at + 1 :]]


def _drop_message(parts: list[Piece]) -> list[Piece]:
    return [part for part in parts if part.message != 3]


def _edit_text(parts: list[Piece]) -> list[Piece]:
    at = next(at for at, part in enumerate(parts) if part.tag == "[USER]" and part.body)
    return [*parts[:at], replace(parts[at], body=("Cancel everything.",)), *parts[at + 1 :]]


def _move_mark(parts: list[Piece]) -> list[Piece]:
    unmarked = [replace(part, tag=part.tag.replace("[TARGET ", "[")) if part.opens else part for part in parts]
    return [replace(part, tag="[TARGET MESSAGE 2]") if part.tag == "[MESSAGE 2]" else part for part in unmarked]


def _record(name: str) -> RecordFault:
    change = next(mutant.change for mutant in record_mutants() if mutant.name == name)
    assert isinstance(change, ChangeSpecimen)
    return RecordFault(change.apply)


def overwrite(path: Path, data: bytes) -> None:
    """Write over a file that is read-only."""
    path.chmod(0o644)
    path.write_bytes(data)


def _edit_archived(site: Site, victim: str) -> None:
    overwrite(site.archived(victim), site.archived(victim).read_bytes().replace(b"order", b"older", 1))


def _crlf_archived(site: Site, victim: str) -> None:
    overwrite(site.archived(victim), site.archived(victim).read_bytes().replace(b"\n", b"\r\n"))


def _unreadable(site: Site, victim: str) -> None:
    site.archived(victim).unlink()
    site.archived(victim).mkdir()


def _edit_staged(site: Site, victim: str) -> None:
    overwrite(site.staged(victim), site.staged(victim).read_bytes().replace(b"order", b"older", 1))


def _cut_staged(site: Site, victim: str) -> None:
    overwrite(site.staged(victim), site.staged(victim).read_bytes()[:-20])


def _other_staged(site: Site, victim: str) -> None:
    names = site.packet_names()
    other = names[(names.index(victim) + 1) % len(names)]
    overwrite(site.staged(victim), site.staged(other).read_bytes() + b"\n")


def _extra(site: Site, victim: str) -> None:
    (site.staging / "extra.txt").write_bytes(b"[JUDGE PACKET]\n")


def _stale_script(site: Site, victim: str) -> None:
    (site.scripts / "script-99999.json").write_bytes(b'{"run":"older","packet":"extra.txt"}')


def _folder_for_script(site: Site, victim: str) -> None:
    # The name differs between the pipelines; each meets a folder where it must write its first script.
    (site.scripts / "script-00000.json").mkdir(parents=True)


def _unrelated(site: Site, victim: str) -> None:
    (site.staging.parent / "notes.txt").write_bytes(b"not of this run")


def _of_step(name: str, fault: Fault) -> FaultCase:
    return FaultCase(name=name, family=Family.STEP_OR_CHECK, fault=fault)


def _staged(name: str, act: Callable[[Site, str], None], family: Family = Family.AFTER_STAGING) -> FaultCase:
    return FaultCase(name=name, family=family, fault=FileFault(Moment.AFTER_STAGING, act))


FAULT_CASES = (
    _of_step("a packet lacks the last call", PacketFault(_drop_call)),
    _of_step("a packet lacks a message", PacketFault(_drop_message)),
    _of_step("a packet has another request of the user", PacketFault(_edit_text)),
    _of_step("a packet marks another step", PacketFault(_move_mark)),
    _of_step("a call of the source has no result", _record("source: drop result, middle")),
    _of_step("arguments of the source are no JSON", _record("source: edit call, target")),
    _of_step("an archived packet is edited before staging", FileFault(Moment.AFTER_BUILD, _edit_archived)),
    _of_step("the disk check gives no report", CheckSilent()),
    _of_step("the build dies over an older run's packets", BuildDies()),
    _of_step("an archived packet cannot be read at staging", FileFault(Moment.AFTER_BUILD, _unreadable)),
    _of_step("emission fails", FileFault(Moment.BEFORE_EMISSION, _folder_for_script)),
    _staged("a staged packet is edited", _edit_staged),
    _staged("a staged packet is cut", _cut_staged),
    _staged("a staged packet is another's", _other_staged),
    _staged("a file too many is staged", _extra, Family.EXTRA_FILE),
    FaultCase(name="a result comes twice", family=Family.UNMATCHED, fault=_record("source: duplicate result, first")),
    FaultCase(name="a call is lost, its result not", family=Family.UNMATCHED, fault=_record("source: drop call, last")),
    FaultCase(
        name="a result of the user comes twice",
        family=Family.UNMATCHED,
        fault=_record("source: duplicate result, user"),
    ),
    FaultCase(
        name="an older run's script lies there",
        family=Family.STALE_SCRIPT,
        fault=FileFault(Moment.AFTER_EMISSION, _stale_script),
    ),
)
"""The nineteen."""

FAULT_FREE = (
    FaultCase(name="the unchanged cohort", family=Family.FAULT_FREE, fault=NoFault()),
    FaultCase(
        name="an unrelated file outside the staging folder",
        family=Family.FAULT_FREE,
        fault=FileFault(Moment.AFTER_STAGING, _unrelated),
    ),
)

CRLF_BEFORE_STAGING = FaultCase(
    name="CRLF before staging", family=Family.APART, fault=FileFault(Moment.AFTER_BUILD, _crlf_archived)
)
AFTER_LAST_CHECK = FaultCase(
    name="a change after the last check", family=Family.APART, fault=FileFault(Moment.AFTER_LAST_CHECK, _edit_staged)
)
RESUMED = FaultCase(name="a resumed run finds older packets", family=Family.APART, fault=OlderPackets())
APART = (CRLF_BEFORE_STAGING, AFTER_LAST_CHECK, RESUMED)
