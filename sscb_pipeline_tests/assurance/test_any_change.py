"""Whatever changes on disk between any two stages, no judge reads a byte that is not in an authorised receipt."""

import random
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from sscb_pipeline.artifacts.digest import sha256_hex
from sscb_pipeline.artifacts.warehouse import Warehouse, create_or_open
from sscb_pipeline.assurance.judge_run import Built, RunName, Staged
from sscb_pipeline.assurance.packet_dispatch import Dispatch, open_dispatch
from sscb_pipeline.assurance.packet_jobs import Job, emit
from sscb_pipeline.assurance.packet_staging import stage
from sscb_pipeline.assurance.receipt import ReceiptBook
from sscb_pipeline.errors import SscbError
from sscb_pipeline_tests.assurance.runs import (
    NAME,
    build,
    check_built,
    check_emitted,
    check_staged,
    packets,
    to_emitted,
)

SEQUENCES = 600
OLDER = RunName(campaign="c", run="0" * 64, code_version="1")
Change = Callable[[random.Random, Path, list[Path]], None]


def _flip(chance: random.Random, path: Path, others: list[Path]) -> None:
    data = bytearray(path.read_bytes()) or bytearray(b"x")
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    path.write_bytes(bytes(data))


def _truncate(chance: random.Random, path: Path, others: list[Path]) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: chance.randrange(len(data) + 1)])


def _append(chance: random.Random, path: Path, others: list[Path]) -> None:
    path.write_bytes(path.read_bytes() + chance.choice([b"\n", b"{}\n", b"\x00"]))


def _crlf(chance: random.Random, path: Path, others: list[Path]) -> None:
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))


def _replace(chance: random.Random, path: Path, others: list[Path]) -> None:
    path.write_bytes(chance.choice(others).read_bytes())


def _swap(chance: random.Random, path: Path, others: list[Path]) -> None:
    other = chance.choice(others)
    mine, theirs = path.read_bytes(), other.read_bytes()
    other.chmod(0o644)
    path.write_bytes(theirs)
    other.write_bytes(mine)


def _remove(chance: random.Random, path: Path, others: list[Path]) -> None:
    path.unlink()


def _link(chance: random.Random, path: Path, others: list[Path]) -> None:
    path.unlink()
    path.symlink_to(chance.choice(others))


def _extra(chance: random.Random, path: Path, others: list[Path]) -> None:
    path.with_name(f"extra{chance.randrange(9)}.txt").write_bytes(chance.choice(others).read_bytes())


CHANGES: list[Change] = [_flip, _truncate, _append, _crlf, _replace, _swap, _remove, _link, _extra]


def _disturb(warehouse: Warehouse, chance: random.Random, wanted: float) -> None:
    """Perhaps change one file of the warehouse, most often one that is handed out."""
    if chance.random() >= wanted:
        return
    everything = sorted(path for path in warehouse.root.rglob("*") if path.is_file() and not path.is_symlink())
    handed_out = [path for path in everything if "judging" in path.parts]
    path = chance.choice(handed_out if handed_out and chance.random() < 0.6 else everything)
    path.chmod(0o644)
    chance.choice(CHANGES)(chance, path, everything)


class _VerifyingStub:
    """Reads what dispatch hands over, and hashes it itself."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def judge(self, dispatch: Dispatch, disturb: Callable[[], None]) -> None:
        """Every draw; a refused draw ends the run, as in production."""
        for job in dispatch.jobs:
            disturb()
            self.read.append(self.bytes_of(dispatch, job))

    def bytes_of(self, dispatch: Dispatch, job: Job) -> str:
        """Hash of what is read for a draw."""
        return sha256_hex(dispatch.deliver(job).data)


class _TrustingStub(_VerifyingStub):
    """Opens the staged file by its name, as JIA's J0 did."""

    def bytes_of(self, dispatch: Dispatch, job: Job) -> str:
        """Hash of what is read for a draw."""
        try:
            return sha256_hex((dispatch.packets.folder / job.packet).read_bytes())
        except FileNotFoundError:
            return "nothing"


@dataclass(slots=True)
class _Tally:
    completed: int = 0
    refused: int = 0
    reads: int = 0
    unauthorised: int = 0


def _sequence(template: Path, root: Path, chance: random.Random, stub: _VerifyingStub) -> None:
    shutil.copytree(template, root)
    warehouse = create_or_open(root)
    rate = chance.choice([0.05, 0.2, 0.5])

    def disturb() -> None:
        _disturb(warehouse, chance, rate)

    archived: Built = build(warehouse, packets(3))
    disturb()
    check_built(warehouse)
    disturb()
    staging: Staged = stage(warehouse, archived)
    disturb()
    check_staged(warehouse)
    disturb()
    emit(warehouse, staging, draws=2, seed=chance.randrange(99))
    disturb()
    check_emitted(warehouse)
    disturb()
    stub.judge(open_dispatch(warehouse, NAME), disturb)


def _tally(folder: Path, sequences: int, stub_of: Callable[[], _VerifyingStub]) -> _Tally:
    template = folder / "template"
    to_emitted(create_or_open(template), packets(3, mark=" older"), OLDER)
    authorised = {sha256_hex(data) for data in packets(3).values()}
    tally = _Tally()
    for number in range(sequences):
        root, stub = folder / str(number), stub_of()
        try:
            _sequence(template, root, random.Random(number), stub)
            tally.completed += 1
        except SscbError:
            tally.refused += 1
        tally.reads += len(stub.read)
        tally.unauthorised += len([sha256 for sha256 in stub.read if sha256 not in authorised])
        shutil.rmtree(root)
    return tally


@pytest.fixture
def fast_folder() -> Iterator[Path]:
    """Memory where there is some: the sequences are many and durability is not what they test."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:
        yield Path(name)


def test_no_byte_is_read_that_no_receipt_authorises(fast_folder: Path) -> None:
    tally = _tally(fast_folder, SEQUENCES, _VerifyingStub)
    assert tally.unauthorised == 0
    # The trial means something only if both ends occur, and if draws happened before a refusal.
    assert tally.completed > SEQUENCES // 20
    assert tally.refused > SEQUENCES // 4
    assert tally.reads > 6 * tally.completed


def test_the_same_changes_do_reach_a_reader_that_does_not_verify(fast_folder: Path) -> None:
    assert _tally(fast_folder, 80, _TrustingStub).unauthorised > 0


def test_the_authorised_hashes_are_those_of_the_receipts(tmp_path: Path) -> None:
    warehouse = create_or_open(tmp_path / "w")
    scripts = to_emitted(warehouse, packets(3))
    subjects = {receipt.subject for receipt in ReceiptBook(warehouse.receipts, warehouse.objects).all()}
    assert subjects == {
        scripts.published.sha256,
        scripts.staged.published.sha256,
        scripts.staged.built.published.sha256,
    }
    assert {item.sha256 for item in scripts.staged.built.packets} == {sha256_hex(data) for data in packets(3).values()}
