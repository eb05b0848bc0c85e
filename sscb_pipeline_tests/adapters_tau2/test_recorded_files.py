"""Files of the package are verified before anything of it is used."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sscb_pipeline.adapters.tau2 import recorded
from sscb_pipeline.adapters.tau2.recorded import Domain
from sscb_pipeline.adapters.tau2.substrate import Tau2Substrate, load
from sscb_pipeline.errors import InputError, IntegrityError

OFFICIAL_BLOBS = {
    (Domain.AIRLINE, "db.json"): "c6a1e817aa91",
    (Domain.AIRLINE, "policy.md"): "8098be7db3f4",
    (Domain.AIRLINE, "tasks.json"): "ca8b69141e81",
    (Domain.RETAIL, "db.json"): "4d67b03b2d39",
    (Domain.RETAIL, "policy.md"): "d127e6b07465",
    (Domain.RETAIL, "tasks.json"): "866c95e5e891",
}
"""Beginnings of the git blob ids of the official v0.2.0 release."""


def partial_copy(root: Path, domain: Domain, spoilt: str) -> Path:
    """A folder with links to the package's files, save one, which is left out; the path of that one."""
    for place in recorded.recorded_sha256(domain):
        path = root / place
        path.parent.mkdir(parents=True, exist_ok=True)
        if place != spoilt:
            path.symlink_to(recorded.package_root() / place)
    return root / spoilt


@pytest.mark.parametrize(("domain", "name"), list(OFFICIAL_BLOBS))
def test_the_data_is_that_of_the_official_release(domain: Domain, name: str) -> None:
    content = recorded.verified_files(recorded.package_root(), domain)[domain.file(name)]
    blob = hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()
    assert blob.startswith(OFFICIAL_BLOBS[domain, name])


@pytest.mark.parametrize("place", sorted(recorded.recorded_sha256(Domain.RETAIL)))
def test_one_other_byte_is_refused_by_name(tmp_path: Path, place: str) -> None:
    spoilt = partial_copy(tmp_path, Domain.RETAIL, place)
    content = (recorded.package_root() / place).read_bytes() + b"\n"
    spoilt.write_bytes(content)
    with pytest.raises(IntegrityError) as raised:
        Tau2Substrate(tmp_path, Domain.RETAIL)
    error = raised.value
    assert error.subject == f"τ²-bench file {spoilt}"
    assert recorded.recorded_sha256(Domain.RETAIL)[place] in error.expected
    assert error.found == f"sha256 {hashlib.sha256(content).hexdigest()}"
    assert "pip install" in error.remedy


def test_a_missing_file_is_refused_by_name(tmp_path: Path) -> None:
    place = Domain.AIRLINE.file("policy.md")
    missing = partial_copy(tmp_path, Domain.AIRLINE, place)
    with pytest.raises(IntegrityError, match=rf"{missing}: .*no readable file"):
        Tau2Substrate(tmp_path, Domain.AIRLINE)


def test_nothing_of_the_package_is_imported_before_all_files_are_verified(tmp_path: Path) -> None:
    partial_copy(tmp_path, Domain.RETAIL, recorded.ORCHESTRATOR_SOURCE)
    script = """
import sys, pathlib
from sscb_pipeline.adapters.tau2.substrate import Tau2Substrate
from sscb_pipeline.adapters.tau2.recorded import Domain
from sscb_pipeline.errors import IntegrityError
try:
    Tau2Substrate(pathlib.Path(sys.argv[1]), Domain.RETAIL)
except IntegrityError:
    print(sorted(name for name in sys.modules if name.split(".")[0] == "tau2"))
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, check=True, env=dict(os.environ)
    )
    assert done.stdout == "[]\n"


def test_an_unknown_domain_is_an_input_error() -> None:
    with pytest.raises(InputError, match=r"telecom.*airline or retail"):
        load("telecom")


def test_a_domain_is_loaded_once() -> None:
    assert load("retail") is load("retail")


@pytest.mark.parametrize("domain", list(Domain))
def test_the_substrate_tells_what_it_verified(domain: Domain) -> None:
    told = load(domain.value).data_sha256
    assert set(told) >= {domain.file("db.json"), domain.file("policy.md"), domain.file("tasks.json")}
    for place, sha256 in told.items():
        assert hashlib.sha256((recorded.package_root() / place).read_bytes()).hexdigest() == sha256
