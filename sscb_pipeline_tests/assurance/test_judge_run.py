"""The stages of a judge run: what each refuses, and that nothing was read after a refusal."""

import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from google.protobuf import json_format
from in_toto_attestation.v1 import statement_pb2
from in_toto_attestation.v1.statement import Statement as TheirStatement

from sscb_pipeline.artifacts.warehouse import Warehouse, create_or_open
from sscb_pipeline.assurance.judge_run import STATEMENT, RunName, output_of
from sscb_pipeline.assurance.packet_archive import BATCH, Deposit, Kind, archive
from sscb_pipeline.assurance.packet_dispatch import open_dispatch
from sscb_pipeline.assurance.packet_jobs import emit, script_folder
from sscb_pipeline.assurance.packet_staging import stage, staging_folder
from sscb_pipeline.errors import InputError, IntegrityError, RefusalError, SscbError
from sscb_pipeline_tests.assurance.runs import (
    NAME,
    build,
    check_built,
    check_emitted,
    check_staged,
    packets,
    to_emitted,
    to_staged,
)


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    return create_or_open(tmp_path / "w")


def _read(warehouse: Warehouse, name: RunName = NAME) -> list[bytes]:
    """What a judge would be handed."""
    return [delivery.data for delivery in open_dispatch(warehouse, name).deliveries()]


def _overwrite(path: Path, data: bytes) -> None:
    path.chmod(0o644)
    path.write_bytes(data)


def test_each_packet_is_delivered_twice_byte_for_byte_in_a_shuffled_order(warehouse: Warehouse) -> None:
    content = packets(12)
    to_emitted(warehouse, content)
    jobs = open_dispatch(warehouse, NAME).jobs
    assert Counter(_read(warehouse)) == Counter(dict.fromkeys(content.values(), 2))
    order = [job.packet for job in jobs]
    assert order != sorted(order)
    assert Counter((job.packet, job.draw) for job in jobs) == Counter(
        (name, draw) for name in content for draw in (0, 1)
    )


def test_more_packets_than_a_batch_holds(warehouse: Warehouse) -> None:
    content = packets(BATCH + 3)
    to_emitted(warehouse, content)
    assert len(_read(warehouse)) == 2 * len(content)


def test_no_stage_starts_without_the_receipt_before_it(warehouse: Warehouse) -> None:
    archived = build(warehouse, packets(2))
    with pytest.raises(RefusalError, match="judge_build"):
        stage(warehouse, archived)
    assert not staging_folder(warehouse, NAME).exists()
    check_built(warehouse)
    staging = stage(warehouse, archived)
    with pytest.raises(RefusalError, match="judge_stage"):
        emit(warehouse, staging, draws=2, seed=1)
    assert not script_folder(warehouse, NAME).exists()
    check_staged(warehouse)
    emit(warehouse, staging, draws=2, seed=1)
    with pytest.raises(RefusalError, match="judge_emit"):
        _read(warehouse)
    check_emitted(warehouse)
    assert len(_read(warehouse)) == 4


def test_another_code_version_must_check_again(warehouse: Warehouse) -> None:
    to_emitted(warehouse, packets(2))
    with pytest.raises(RefusalError, match="code version 2"):
        _read(warehouse, RunName(campaign="c", run=NAME.run, code_version="2"))


def test_a_manifest_of_another_build_closes_what_was_open(warehouse: Warehouse) -> None:
    to_emitted(warehouse, packets(3))
    build(warehouse, packets(3, mark="!"))
    with pytest.raises(RefusalError, match="judge_build"):
        _read(warehouse)
    check_built(warehouse)
    with pytest.raises(RefusalError, match="made from"):
        _read(warehouse)


def _flip(path: Path) -> None:
    data = path.read_bytes()
    _overwrite(path, bytes([data[0] ^ 1]) + data[1:])


def _to_crlf(path: Path) -> None:
    _overwrite(path, path.read_bytes().replace(b"\n", b"\r\n"))


def _to_link(path: Path) -> None:
    copy = path.with_name(f"{path.name}.elsewhere")
    path.rename(path.parent.parent / copy.name)
    path.symlink_to(path.parent.parent / copy.name)


def _to_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


CHANGES: list[Callable[[Path], None]] = [_flip, _to_crlf, _to_link, _to_pipe, Path.unlink]


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_staged_packet_is_refused_by_its_check_and_by_every_later_entrance(
    warehouse: Warehouse, change: Callable[[Path], None]
) -> None:
    content = packets(3)
    staging = to_staged(warehouse, content)
    change(staging_folder(warehouse, NAME) / "p1.txt")
    with pytest.raises(RefusalError, match=r"p1\.txt"):
        check_staged(warehouse)
    with pytest.raises(IntegrityError, match=r"p1\.txt"):
        emit(warehouse, staging, draws=2, seed=1)
    assert not script_folder(warehouse, NAME).exists()


@pytest.mark.parametrize("change", CHANGES)
def test_a_packet_changed_after_the_last_check_is_never_handed_over(
    warehouse: Warehouse, change: Callable[[Path], None]
) -> None:
    content = packets(3)
    to_emitted(warehouse, content)
    dispatch = open_dispatch(warehouse, NAME)
    change(staging_folder(warehouse, NAME) / "p1.txt")
    read: list[bytes] = []
    refused = 0
    for job in dispatch.jobs:
        try:
            read.append(dispatch.deliver(job).data)
        except IntegrityError:
            refused += 1
    assert refused == 2
    assert set(read) == {content["p0.txt"], content["p2.txt"]}
    with pytest.raises(IntegrityError, match=r"p1\.txt"):
        open_dispatch(warehouse, NAME)


def test_line_ends_that_were_rewritten_are_diagnosed(warehouse: Warehouse) -> None:
    to_emitted(warehouse, packets(1))
    _to_crlf(staging_folder(warehouse, NAME) / "p0.txt")
    with pytest.raises(IntegrityError, match="match after newline normalisation"):
        _read(warehouse)


@pytest.mark.parametrize("folder", ["staged", "scripts"])
def test_an_extra_file_closes_the_entrance(warehouse: Warehouse, folder: str) -> None:
    to_emitted(warehouse, packets(2))
    (warehouse.judging_path(NAME.run) / folder / "stale.json").write_bytes(b"{}")
    with pytest.raises(SscbError, match=r"stale\.json: there, and not authorised"):
        _read(warehouse)


def test_a_script_of_an_older_run_is_not_followed(warehouse: Warehouse) -> None:
    older = RunName(campaign="c", run="0" * 64, code_version="1")
    to_emitted(warehouse, packets(2), older)
    to_emitted(warehouse, packets(2, mark="!"))
    data = (script_folder(warehouse, older) / "script-00000.json").read_bytes()
    _overwrite(script_folder(warehouse, NAME) / "script-00000.json", data)
    with pytest.raises(IntegrityError, match=r"script-00000\.json"):
        _read(warehouse)


def test_an_archived_packet_that_changed_before_staging_is_not_staged(warehouse: Warehouse) -> None:
    archived = build(warehouse, packets(2))
    check_built(warehouse)
    _to_crlf(warehouse.objects.path_of(archived.packets[0].sha256))
    with pytest.raises(IntegrityError, match=archived.packets[0].sha256):
        stage(warehouse, archived)
    assert not staging_folder(warehouse, NAME).exists()


def test_staging_again_copies_nothing_and_a_killed_staging_is_swept(warehouse: Warehouse) -> None:
    archived = build(warehouse, packets(2))
    check_built(warehouse)
    left = staging_folder(warehouse, NAME).with_name(".staged.incoming")
    left.mkdir(parents=True)
    (left / "p0.txt").write_bytes(b"half")
    first = stage(warehouse, archived)
    before = {path: path.stat().st_mtime_ns for path in staging_folder(warehouse, NAME).iterdir()}
    assert stage(warehouse, archived) == first
    assert before == {path: path.stat().st_mtime_ns for path in staging_folder(warehouse, NAME).iterdir()}
    assert not left.exists()


@pytest.mark.parametrize("name", ["", ".hidden", "a/b", "../up", "x" * 251, "a\nb"])
def test_a_packet_cannot_be_named_out_of_its_folder(warehouse: Warehouse, name: str) -> None:
    with pytest.raises(InputError, match="packet file"):
        archive(warehouse, NAME, [Deposit(kind=Kind.PACKET, name=name, data=b"x")])


def test_two_packets_of_one_name_are_refused(warehouse: Warehouse) -> None:
    with pytest.raises(InputError, match="a second"):
        archive(warehouse, NAME, [Deposit(kind=Kind.PACKET, name="a", data=data) for data in (b"x", b"y")])


def test_in_toto_reads_every_statement(warehouse: Warehouse) -> None:
    scripts = to_emitted(warehouse, packets(3))
    for published in (scripts.published, scripts.staged.published, scripts.staged.built.published):
        data = warehouse.objects.get(output_of(published, STATEMENT))
        parsed = TheirStatement.copy_from_pb(json_format.Parse(data, statement_pb2.Statement()))
        parsed.validate()
        assert parsed.pb.predicate["run"] == NAME.run
        staged_names = {item.name: item.digest["sha256"] for item in parsed.pb.subject}
        recorded = {item.name: item.sha256 for item in scripts.staged.built.packets}
        assert recorded.items() <= {k.removeprefix("staged/"): v for k, v in staged_names.items()}.items()
    last = json_format.Parse(warehouse.objects.get(output_of(scripts.published, STATEMENT)), statement_pb2.Statement())
    checks = [check["stage"] for check in last.predicate["checks"]]
    assert checks == ["judge_build", "judge_stage"]
    assert {item["outcome"] for check in last.predicate["checks"] for item in check["outcomes"]} == {"kept"}
