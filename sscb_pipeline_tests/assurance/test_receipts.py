"""Receipts and manifests together: what a later stage meets at its entrance."""

from pathlib import Path

import pytest

from sscb_pipeline.artifacts.warehouse import Warehouse, create_or_open
from sscb_pipeline.assurance.manifest import (
    PublishedManifest,
    StageManifest,
    all_current,
    authorised,
    current,
    publish_stage,
    stage_manifest,
)
from sscb_pipeline.assurance.receipt import Receipt, ReceiptBook
from sscb_pipeline.assurance.requirement import Broken, CheckReport, Kept, NotRun, Outcome, check_report
from sscb_pipeline.errors import InputError, IntegrityError, RefusalError


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    return create_or_open(tmp_path / "w")


@pytest.fixture
def book(warehouse: Warehouse) -> ReceiptBook:
    return ReceiptBook(warehouse.receipts, warehouse.objects)


def _manifest(warehouse: Warehouse, content: bytes, partition: str = "p") -> StageManifest:
    return stage_manifest(
        campaign="c",
        stage="runs",
        partition=partition,
        code_version="1",
        inputs={"seeds": "0" * 64},
        outputs={"b": warehouse.objects.put(content), "a": warehouse.objects.put(b"a")},
        counts={"executions": 2},
    )


def _report(published: PublishedManifest, **outcomes: Outcome) -> CheckReport:
    return check_report(
        stage="runs",
        partition=published.manifest.partition,
        subject=published.sha256,
        code_version="1",
        required=["complete", "delivered"],
        outcomes={"complete": Kept(), "delivered": Kept(), **outcomes},
    )


def _enter(warehouse: Warehouse, partition: str = "p", code_version: str = "1") -> PublishedManifest:
    return authorised(warehouse, campaign="c", stage="runs", partition=partition, code_version=code_version)


def test_a_checked_manifest_opens_the_next_stage(warehouse: Warehouse, book: ReceiptBook) -> None:
    published = publish_stage(warehouse, _manifest(warehouse, b"x"))
    receipt = book.record(_report(published))
    assert _enter(warehouse) == published
    assert [item.name for item in published.manifest.outputs] == ["a", "b"]
    assert book.all() == (receipt,)


def test_without_a_check_the_next_stage_refuses_and_says_which_to_run(warehouse: Warehouse) -> None:
    publish_stage(warehouse, _manifest(warehouse, b"x"))
    with pytest.raises(RefusalError) as caught:
        _enter(warehouse)
    assert "run the check of stage runs for partition p" in caught.value.remedy


@pytest.mark.parametrize(
    ("outcome", "named"),
    [
        (Broken(violations=("execution 9 step 4: hash differs", "execution 10")), "execution 9 step 4"),
        (NotRun(reason="the store was away"), "the store was away"),
    ],
)
def test_a_broken_or_unexamined_requirement_leaves_no_receipt(
    warehouse: Warehouse, book: ReceiptBook, outcome: Outcome, named: str
) -> None:
    published = publish_stage(warehouse, _manifest(warehouse, b"x"))
    with pytest.raises(RefusalError) as caught:
        book.record(_report(published, delivered=outcome))
    assert named in caught.value.found
    assert "delivered" in caught.value.expected
    assert book.all() == ()
    assert not warehouse.receipts.path.exists()
    with pytest.raises(RefusalError):
        _enter(warehouse)


def test_a_receipt_is_for_its_bytes_partition_and_code_version_only(warehouse: Warehouse, book: ReceiptBook) -> None:
    book.record(_report(publish_stage(warehouse, _manifest(warehouse, b"x"))))
    publish_stage(warehouse, _manifest(warehouse, b"x", partition="q"))
    with pytest.raises(RefusalError, match="found none"):
        _enter(warehouse, partition="q")
    with pytest.raises(RefusalError, match="code version 2"):
        _enter(warehouse, code_version="2")
    changed = publish_stage(warehouse, _manifest(warehouse, b"y"))
    with pytest.raises(RefusalError, match=changed.sha256[:12]):
        _enter(warehouse)


def test_going_back_to_checked_bytes_needs_no_new_check(warehouse: Warehouse, book: ReceiptBook) -> None:
    first = publish_stage(warehouse, _manifest(warehouse, b"x"))
    book.record(_report(first))
    publish_stage(warehouse, _manifest(warehouse, b"y"))
    assert publish_stage(warehouse, _manifest(warehouse, b"x")) == first
    assert _enter(warehouse) == first


def test_repeating_changes_nothing_on_disk(warehouse: Warehouse, book: ReceiptBook) -> None:
    def run() -> None:
        book.record(_report(publish_stage(warehouse, _manifest(warehouse, b"x"))))

    run()
    before = {path: path.read_bytes() for path in warehouse.root.rglob("*") if path.is_file()}
    run()
    assert before == {path: path.read_bytes() for path in warehouse.root.rglob("*") if path.is_file()}


def _change(path: Path) -> None:
    path.chmod(0o644)
    path.write_bytes(path.read_bytes().replace(b"runs", b"rums"))


def test_a_changed_manifest_or_report_is_named(warehouse: Warehouse, book: ReceiptBook) -> None:
    published = publish_stage(warehouse, _manifest(warehouse, b"x"))
    receipt = book.record(_report(published))
    _change(warehouse.objects.path_of(receipt.report))
    with pytest.raises(IntegrityError, match=receipt.report):
        _enter(warehouse)
    _change(warehouse.objects.path_of(published.sha256))
    with pytest.raises(IntegrityError, match=published.sha256):
        _enter(warehouse)


def test_a_changed_receipt_is_named(warehouse: Warehouse, book: ReceiptBook) -> None:
    book.record(_report(publish_stage(warehouse, _manifest(warehouse, b"x"))))
    _change(warehouse.receipts.path)
    with pytest.raises(IntegrityError, match=r"receipts\.jsonl line 2"):
        _enter(warehouse)


def test_a_receipt_that_its_report_does_not_lead_to_is_no_receipt(warehouse: Warehouse, book: ReceiptBook) -> None:
    first = publish_stage(warehouse, _manifest(warehouse, b"x"))
    receipt = book.record(_report(first))
    other = publish_stage(warehouse, _manifest(warehouse, b"y"))
    forged = Receipt(
        stage=receipt.stage,
        partition=receipt.partition,
        subject=other.sha256,
        report=receipt.report,
        code_version=receipt.code_version,
    )
    warehouse.receipts.append_all(
        [{"type": "Receipt", **{name: getattr(forged, name) for name in Receipt.__dataclass_fields__}}]
    )
    with pytest.raises(IntegrityError, match="receipt for runs/p"):
        _enter(warehouse)


def test_a_manifest_never_names_bytes_that_are_not_there(warehouse: Warehouse) -> None:
    absent = stage_manifest(
        campaign="c", stage="s", partition="p", code_version="1", inputs={}, outputs={"x": "1" * 64}, counts={}
    )
    with pytest.raises(IntegrityError, match="output x"):
        publish_stage(warehouse, absent)
    assert all_current(warehouse) == ()


def test_a_stage_that_never_ran_has_no_manifest(warehouse: Warehouse) -> None:
    with pytest.raises(RefusalError, match="run stage runs"):
        current(warehouse, campaign="c", stage="runs", partition="p")


def test_the_current_manifests_are_listed_by_place(warehouse: Warehouse) -> None:
    later = publish_stage(warehouse, _manifest(warehouse, b"x", partition="q"))
    publish_stage(warehouse, _manifest(warehouse, b"x"))
    earlier = publish_stage(warehouse, _manifest(warehouse, b"y"))
    assert all_current(warehouse) == (earlier, later)


def test_names_in_a_manifest_are_sorted_and_single(warehouse: Warehouse) -> None:
    good = _manifest(warehouse, b"x")
    with pytest.raises(InputError, match="outputs sorted"):
        StageManifest(
            campaign="c",
            stage="s",
            partition="p",
            code_version="1",
            inputs=(),
            outputs=tuple(reversed(good.outputs)),
            counts=(),
        )
