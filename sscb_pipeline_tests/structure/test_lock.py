"""The lock file pins every package by hash, names no index and no address, and leaves the poisoned releases out."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
LOCK = (ROOT / "requirements.lock").read_text()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
POISONED = ("1.82.7", "1.82.8")


def entries() -> list[str]:
    """Logical lines of the lock file, continuation lines joined."""
    joined = LOCK.replace("\\\n", " ")
    return [line.strip() for line in joined.splitlines() if line.strip() and not line.startswith("#")]


def pins() -> dict[str, set[str]]:
    """Pinned versions by package."""
    found: dict[str, set[str]] = {}
    for entry in entries():
        requirement = Requirement(entry.split(" --hash=")[0].strip())
        (specifier,) = requirement.specifier
        assert specifier.operator == "=="
        found.setdefault(canonicalize_name(requirement.name), set()).add(specifier.version)
    return found


def test_every_entry_is_pinned_with_sha256_hashes() -> None:
    assert len(entries()) > 50
    for entry in entries():
        hashes = re.findall(r"--hash=(\S+)", entry)
        assert hashes and all(re.fullmatch(r"sha256:[0-9a-f]{64}", one) for one in hashes), entry[:80]


def test_the_lock_names_no_index_and_no_address() -> None:
    assert "://" not in LOCK and " @ " not in LOCK
    assert not re.search(r"^\s*(--(extra-)?index-url|--find-links|--trusted-host|-i|-f|-e)\b", LOCK, re.MULTILINE)


def test_every_declared_dependency_is_locked_at_a_version_it_allows() -> None:
    locked = pins()
    declared = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["dev"]]
    for text in declared:
        requirement = Requirement(text)
        versions = locked[canonicalize_name(requirement.name)]
        assert all(requirement.specifier.contains(version) for version in versions), text


def test_the_poisoned_releases_are_excluded_and_not_locked() -> None:
    (litellm,) = [Requirement(text) for text in PROJECT["dependencies"] if text.startswith("litellm")]
    assert not any(litellm.specifier.contains(version) for version in POISONED)
    assert all(f"!={version}" in str(litellm.specifier) for version in POISONED)
    assert not pins()["litellm"] & set(POISONED)


def test_the_official_package_is_an_extra_for_newer_pythons_only() -> None:
    (official,) = [Requirement(text) for text in PROJECT["optional-dependencies"]["tau2-official"]]
    assert official.marker is not None
    assert official.marker.evaluate({"python_version": "3.12"})
    assert not official.marker.evaluate({"python_version": "3.11"})
    assert "tau2" not in pins()
