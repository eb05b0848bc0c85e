"""The installation: the home folder of the orchestrator, and the packages beside the lock file."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, distribution, requires, version
from pathlib import Path
from typing import Any

import yaml
from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from sscb_pipeline.stages.doctor_findings import Ailment

SETTINGS = "dagster.yaml"
WORKSPACE = "workspace.yaml"
LOCK = "requirements.lock"
PACKAGE = "sscb-pipeline"
_PINNED = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._-]*(\[[^\]]*\])?==[^\s\\;]+( *; *[^\\]+)?")


def home_of(cwd: Path) -> Path | None:
    """The nearest folder from `cwd` upwards with both settings files, if there is one."""
    folders = (cwd, *cwd.parents)
    return next((f for f in folders if (f / SETTINGS).is_file() and (f / WORKSPACE).is_file()), None)


def examine_home(cwd: Path, environ: Mapping[str, str]) -> Iterator[Ailment]:
    """The settings files: there, readable, and keeping the orchestrator's state where the command says."""
    home = home_of(cwd)
    if home is None:
        yield Ailment(
            subject=str(cwd),
            expected=f"{SETTINGS} and {WORKSPACE} in this folder or one above it",
            found="neither",
            remedy="change into the checkout of sscb_pipeline",
        )
        return
    given = environ.get("DAGSTER_HOME", "")
    if given and Path(given).resolve() != home.resolve():
        yield Ailment(
            subject="environment variable DAGSTER_HOME",
            expected=f"{home}, or not set",
            found=given,
            remedy="unset it; `sscb` sets it for what it starts",
        )
    storage = ("storage", "sqlite", "base_dir", "env")
    if _at(_settings(home / SETTINGS), storage) != "SSCB_DAGSTER_STORAGE":
        yield _unlike(home / SETTINGS, f"{'.'.join(storage)}: SSCB_DAGSTER_STORAGE")
    if _at(_settings(home / SETTINGS), ("telemetry", "enabled")) is not False:
        yield _unlike(home / SETTINGS, "telemetry.enabled: false")
    places = _at(_settings(home / WORKSPACE), ("load_from",))
    listed = places if isinstance(places, list) else []
    modules = [_at(place, ("python_module", "module_name")) for place in listed]
    if "sscb_pipeline.definitions" not in modules:
        yield _unlike(home / WORKSPACE, "load_from with the python_module sscb_pipeline.definitions")


def _settings(path: Path) -> Any:
    try:
        return yaml.safe_load(path.read_bytes())
    except (yaml.YAMLError, RecursionError, ValueError):
        return None


def _at(value: Any, place: tuple[str, ...]) -> Any:
    for name in place:
        if not isinstance(value, dict):
            return None
        value = value.get(name)
    return value


def _unlike(path: Path, expected: str) -> Ailment:
    return Ailment(
        subject=str(path), expected=expected, found="something else", remedy="restore the file from the repository"
    )


def examine_packages(cwd: Path) -> Iterator[Ailment]:
    """Every package this one needs is installed, in the version of the lock file where there is one."""
    home = home_of(cwd)
    locked = dict(_locked(home / LOCK)) if home and (home / LOCK).is_file() else {}
    for name in sorted(_needed(home)):
        try:
            installed = version(name)
        except PackageNotFoundError:
            yield _package(name, f"version {locked[name]}" if name in locked else "to be installed", "nothing")
            continue
        if locked.get(name, installed) != installed:
            yield _package(name, f"version {locked[name]} ({LOCK})", f"version {installed}")


def _package(name: str, expected: str, found: str) -> Ailment:
    return Ailment(
        subject=f"package {name}",
        expected=expected,
        found=found,
        remedy="remove .venv and run `make run`, which installs the locked packages",
    )


def _locked(path: Path) -> Iterator[tuple[str, str]]:
    """Name and version of every line of the lock file that applies to this interpreter and platform."""
    for line in path.read_text(encoding="utf-8").splitlines():
        match = _PINNED.match(line)
        if match is None:
            continue
        requirement = Requirement(match[0].strip())
        if requirement.marker is None or requirement.marker.evaluate():
            pinned = next(iter(requirement.specifier)).version
            yield canonicalize_name(requirement.name), pinned


def _needed(home: Path | None) -> set[str]:
    """What this package needs, directly or through others; extras that were not asked for left out."""
    waiting = _declared(home)
    found: set[str] = set()
    while waiting:
        try:
            requirement = Requirement(waiting.pop())
        except InvalidRequirement:
            continue
        name = canonicalize_name(requirement.name)
        applies = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
        if name in found or not applies:
            continue
        found.add(name)
        try:
            waiting += distribution(name).requires or ()
        except PackageNotFoundError:
            continue
    return found


def _declared(home: Path | None) -> list[str]:
    """The requirements of this package: as installed, or as the checkout declares them where it is not installed."""
    try:
        return list(requires(PACKAGE) or ())
    except PackageNotFoundError:
        project = (home / "pyproject.toml").read_bytes() if home else b""
        return list(tomllib.loads(project.decode("utf-8")).get("project", {}).get("dependencies", ()))
