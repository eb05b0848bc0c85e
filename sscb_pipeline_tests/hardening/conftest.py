import shutil
from pathlib import Path

import pytest
from filelock import FileLock

from sscb_pipeline.stages.names import DEFAULT_CAMPAIGN
from sscb_pipeline.stages.study import Study, reference_study
from sscb_pipeline_tests.hardening.command import SMALL, sscb


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The warehouse of one small run from beginning to end, made once for all workers. Nobody changes it."""
    shared = tmp_path_factory.getbasetemp() if worker_id == "master" else tmp_path_factory.getbasetemp().parent
    root = shared / "undisturbed"
    with FileLock(shared / "undisturbed.lock"):
        if not root.exists():
            made = sscb(shared / "making", *SMALL)
            assert made.returncode == 0, made.stderr
            (shared / "making").rename(root)
    return root


@pytest.fixture
def root(undisturbed: Path, tmp_path: Path) -> Path:
    """A copy of the finished warehouse, to be ill-treated."""
    copy = tmp_path / "w"
    shutil.copytree(undisturbed, copy, symlinks=True, ignore=shutil.ignore_patterns(".dagster"))
    return copy


@pytest.fixture(scope="session")
def study() -> Study:
    return reference_study(DEFAULT_CAMPAIGN)
