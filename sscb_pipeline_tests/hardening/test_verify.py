"""`verify` on a finished warehouse: silent while nothing was touched, and nothing touched goes unnamed."""

import json
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from sscb_pipeline.artifacts.digest import sha256_hex
from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.errors import InputError
from sscb_pipeline.stages.study import Study
from sscb_pipeline.stages.verify import verify
from sscb_pipeline.stages.verify_findings import Fault, Verification
from sscb_pipeline_tests.hardening.command import sscb
from sscb_pipeline_tests.hardening.tree import digest, files, overwrite

CHANGED_FILES = int(os.environ.get("SSCB_SOAK_CHANGES", "200"))


def _paths(found: Verification, *faults: Fault) -> set[str]:
    return {finding.path for finding in found.findings if finding.fault in faults}


def _flip(path: Path, dice: random.Random) -> bytes:
    """Change one byte; returns what the file held."""
    before = path.read_bytes()
    place = dice.randrange(len(before))
    changed = bytearray(before)
    changed[place] ^= dice.randrange(1, 256)
    overwrite(path, bytes(changed))
    return before


def _every_change_is_named(root: Path, study: Study, count: int, seed: str) -> None:
    dice = random.Random(seed)
    candidates = [path for path in files(root) if path.stat().st_size]
    # The few files that are no objects or slips are all taken; the rest is drawn.
    few = [path for path in candidates if path.relative_to(root).parts[0] not in ("objects", "deposits")]
    many = [path for path in candidates if path not in few]
    dice.shuffle(few)
    chosen = few[: count // 2]
    chosen += dice.sample(many, count - len(chosen))
    for path in chosen:
        before = _flip(path, dice)
        found = verify(root, study)
        named = _paths(found, Fault.CHANGED, Fault.MISSING)
        assert path.relative_to(root).as_posix() in named, (path, [str(finding) for finding in found.findings])
        overwrite(path, before)
    assert verify(root, study).ok


def test_an_untouched_warehouse_is_whole_and_stays_as_it_was(root: Path, study: Study) -> None:
    before = digest(root)
    found = verify(root, study)
    assert found.findings == () and found.leftovers == ()
    assert digest(root) == before


def test_one_changed_byte_is_named_in_each_of_40_files(root: Path, study: Study) -> None:
    _every_change_is_named(root, study, 40, "forty")


@pytest.mark.soak
def test_one_changed_byte_is_named_in_each_of_200_files(root: Path, study: Study) -> None:
    _every_change_is_named(root, study, CHANGED_FILES, "two hundred")


def test_many_changes_at_once_are_each_named(root: Path, study: Study) -> None:
    dice = random.Random("at once")
    chosen = dice.sample([path for path in files(root) if path.stat().st_size], 60)
    for path in chosen:
        _flip(path, dice)
    named = _paths(verify(root, study), *Fault)
    assert {path.relative_to(root).as_posix() for path in chosen} <= named


@pytest.mark.parametrize("left", [0, 1, -1])
def test_every_kind_of_file_truncated_is_named(root: Path, study: Study, left: int) -> None:
    for name in _one_of_each_kind(root):
        path = root / name
        before = path.read_bytes()
        overwrite(path, before[:left])
        assert name in _paths(verify(root, study), Fault.CHANGED, Fault.MISSING), name
        overwrite(path, before)


def test_every_kind_of_file_deleted_is_named(root: Path, study: Study) -> None:
    for name in _one_of_each_kind(root):
        path = root / name
        away = root.parent / "away"
        path.rename(away)
        found = _paths(verify(root, study), Fault.MISSING, Fault.CHANGED)
        # A slip has no other witness than the objects it was for.
        assert (name if not name.startswith("deposits") else "deposits") in found, name
        away.rename(path)


def test_bytes_added_to_every_kind_of_file_are_named(root: Path, study: Study) -> None:
    for name in _one_of_each_kind(root):
        path = root / name
        before = path.read_bytes()
        overwrite(path, before + b"x")
        assert name in _paths(verify(root, study), Fault.CHANGED), name
        overwrite(path, before)


def _one_of_each_kind(root: Path) -> list[str]:
    kinds: dict[tuple[str, ...], str] = {}
    for path in files(root):
        if path.stat().st_size:
            parts = path.relative_to(root).parts
            kinds.setdefault(
                parts[:-1] if parts[0] in ("deposits", "journals", "reports") else parts[:1], "/".join(parts)
            )
    return list(kinds.values())


def test_lost_last_lines_of_a_journal_are_noticed(root: Path, study: Study) -> None:
    names = ["manifests.jsonl", "receipts.jsonl", "published.jsonl", next((root / "journals").rglob("*.jsonl"))]
    for path in (root / name for name in names):
        before = path.read_bytes()
        lines = before.splitlines(keepends=True)
        for lost in (1, 2, 3):
            overwrite(path, b"".join(lines[:-lost]))
            named = _paths(verify(root, study), Fault.MISSING)
            assert path.relative_to(root).as_posix() in named, (path.name, lost)
        overwrite(path, before)


def _add_file(name: str, content: bytes = b"hello") -> Callable[[Path], str]:
    def add(root: Path) -> str:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return name

    return add


def _add_object(root: Path) -> str:
    sha256 = sha256_hex(b"a stranger's")
    return _add_file(f"objects/{sha256[:2]}/{sha256[2:]}", b"a stranger's")(root)


ADDITIONS: dict[str, Callable[[Path], str]] = {
    "object": _add_object,
    "file among objects": _add_file("objects/ab/notes.txt"),
    "file at the top": _add_file("notes.txt"),
    "journal of no stage": _add_file("journals/reference/guesses/x%7CItemOption.jsonl", b""),
    "journal of no operator": _add_file("journals/reference/executions/R1%7CNothing.jsonl", b""),
    "page": _add_file("reports/reference/other.html"),
    "report": _add_file("reports/other/index.html"),
    "lease": _add_file(".leases/nobody.lease", b""),
    "write-ahead log": _add_file("sscb.duckdb.wal"),
    "loader file": _add_file(".loader/notes.txt"),
}


@pytest.mark.parametrize("kind", ADDITIONS)
def test_what_nothing_explains_is_extra(root: Path, study: Study, kind: str) -> None:
    name = ADDITIONS[kind](root)
    found = verify(root, study)
    assert name in _paths(found, Fault.EXTRA), [str(finding) for finding in found.findings]


def test_a_link_in_the_place_of_a_file_is_named(root: Path, study: Study) -> None:
    for name in _one_of_each_kind(root):
        path, away = root / name, root.parent / "away"
        if name in ("VERSION", "sscb.duckdb") or name.endswith(".jsonl"):
            continue  # read through the link: the same bytes
        path.rename(away)
        path.symlink_to(away)
        assert name in _paths(verify(root, study), *Fault) or name.startswith("deposits"), name
        path.unlink()
        away.rename(path)


def test_changed_rows_of_the_published_ledger_are_named(root: Path, study: Study) -> None:
    import duckdb

    ledger = Warehouse(root).ledger
    ledger.chmod(0o644)
    with duckdb.connect(ledger) as connection:
        connection.execute(
            "UPDATE runs SET adoption = 'mine' WHERE execution_id = (SELECT min(execution_id) FROM runs)"
        )
    lines = verify(root, study).of(Fault.CHANGED)
    assert any("row of table runs" in line and '"adoption": "mine"' in line for line in lines), lines


def test_an_older_ledger_put_back_is_named(root: Path, study: Study) -> None:
    older = (root / "sscb.duckdb").read_bytes()
    assert sscb(root, "run", "--seeds", "1").returncode == 0
    assert verify(root, study).ok
    overwrite(root / "sscb.duckdb", older)
    found = verify(root, study)
    assert any("an older one" in line for line in found.of(Fault.CHANGED)), found


def test_a_frame_other_than_the_environment_gives_is_named(root: Path, study: Study) -> None:
    from sscb_pipeline.assurance.manifest import current, publish_stage, stage_manifest
    from sscb_pipeline.stages.frames import FRAME, output
    from sscb_pipeline.stages.names import CASES_CAMPAIGN, Stage

    warehouse = Warehouse(root)
    published = current(warehouse, campaign=CASES_CAMPAIGN, stage=Stage.FRAMES, partition="ItemOption")
    frame = json.loads(warehouse.objects.get(output(published, FRAME)))
    frame["candidates"] = frame["candidates"][:-1]
    edited = warehouse.objects.put(json.dumps(frame).encode())
    manifest = published.manifest
    publish_stage(
        warehouse,
        stage_manifest(
            campaign=manifest.campaign,
            stage=manifest.stage,
            partition=manifest.partition,
            code_version=manifest.code_version,
            inputs={item.name: item.sha256 for item in manifest.inputs},
            outputs={FRAME: edited},
            counts={},
        ),
    )
    lines = verify(root, study).of(Fault.CHANGED)
    assert any("candidate frame of ItemOption" in line and edited in line for line in lines), lines


def test_a_receipt_for_a_manifest_nobody_published_is_extra(root: Path, study: Study) -> None:
    from sscb_pipeline.assurance.receipt import ReceiptBook
    from sscb_pipeline.assurance.requirement import Kept, check_report

    warehouse = Warehouse(root)
    report = check_report(
        stage="claims",
        partition="all",
        subject="0" * 64,
        code_version="1",
        required=["numbers_traceable"],
        outcomes={"numbers_traceable": Kept()},
    )
    ReceiptBook(warehouse.receipts, warehouse.objects).record(report)
    assert "receipts.jsonl" in _paths(verify(root, study), Fault.EXTRA)


def test_without_a_warehouse_there_is_nothing_to_verify(tmp_path: Path, study: Study) -> None:
    with pytest.raises(InputError, match="sscb run"):
        verify(tmp_path / "none", study)
    assert list(tmp_path.iterdir()) == []


def test_the_command_prints_one_document_and_says_by_its_exit_whether_all_is_well(root: Path) -> None:
    whole = sscb(root, "verify", "--json")
    assert whole.returncode == 0, whole.stderr
    assert json.loads(whole.stdout) == {"ok": True, "missing": [], "extra": [], "changed": []}
    shutil.rmtree(root / "reports")
    damaged = sscb(root, "verify", "--json")
    assert damaged.returncode == 1
    document = json.loads(damaged.stdout)
    assert set(document) == {"ok", "missing", "extra", "changed"} and document["ok"] is False
    assert "reports/reference/index.html" in [line.split(":")[0] for line in document["missing"]]
