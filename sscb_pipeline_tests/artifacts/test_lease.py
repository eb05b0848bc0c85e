import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sscb_pipeline.artifacts.lease import lease, patient_lease
from sscb_pipeline.errors import RefusalError

HOLDER = """
import sys, time
from pathlib import Path
from sscb_pipeline.artifacts.lease import lease
with lease(Path(sys.argv[1]), "partition a|b"):
    print("held", flush=True)
    time.sleep(float(sys.argv[2]))
"""


def _holder(path: Path, seconds: float) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", HOLDER, str(path), str(seconds)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def _end(process: "subprocess.Popen[str]") -> None:
    process.kill()
    process.wait(10)
    assert process.stdout is not None
    process.stdout.close()


def test_a_second_process_is_refused_at_once_and_told_who_holds_it(tmp_path: Path) -> None:
    path = tmp_path / "x" / "p.lease"
    process = _holder(path, 60)
    try:
        started = time.monotonic()
        with pytest.raises(RefusalError) as caught, lease(path, "partition a|b"):
            pytest.fail("two holders")
        assert time.monotonic() - started < 1
        assert f"process {process.pid} " in caught.value.found
        assert "partition a|b" in caught.value.found
        assert "wait until" in caught.value.remedy
    finally:
        _end(process)
    with lease(path, "after the kill"):
        assert str(os.getpid()) in path.read_text()


def test_the_lease_ends_with_the_block_even_by_an_error(tmp_path: Path) -> None:
    path = tmp_path / "p.lease"
    with pytest.raises(KeyError), lease(path, "one"):
        raise KeyError
    with lease(path, "two"), pytest.raises(RefusalError, match="two"), lease(path, "three"):
        pytest.fail("two holders")


def test_a_patient_one_waits(tmp_path: Path) -> None:
    path = tmp_path / "p.lease"
    process = _holder(path, 0.3)
    try:
        with patient_lease(path, "loader", patience_seconds=20):
            assert str(os.getpid()) in path.read_text()
    finally:
        _end(process)


def test_patience_ends(tmp_path: Path) -> None:
    path = tmp_path / "p.lease"
    with lease(path, "long"), pytest.raises(RefusalError), patient_lease(path, "loader", patience_seconds=0.05):
        pytest.fail("two holders")


def test_a_lease_file_that_says_nothing_still_refuses(tmp_path: Path) -> None:
    path = tmp_path / "p.lease"
    with lease(path, "one"):
        path.write_text("{")
        with pytest.raises(RefusalError, match="another process"), lease(path, "two"):
            pytest.fail("two holders")
