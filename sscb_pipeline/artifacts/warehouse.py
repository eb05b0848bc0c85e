"""Where everything lies below a warehouse folder. No other module composes paths in it.

```
VERSION                                     the layout's version
objects/ab/cdef…                            immutable objects
deposits/…                                  which objects were stored together
journals/<campaign>/<stage>/<partition>.jsonl
manifests.jsonl receipts.jsonl published.jsonl
sscb.duckdb                                 the published ledger (0444)
.loader/                                    the loader's private files
.leases/                                    lease files
.dagster/                                   what the orchestrator keeps for itself
reports/                                    reports for people
judging/<run>/staged|scripts                what a judge run hands out
```

Names of campaigns, stages and partitions are percent-encoded into one path component each, so none of them can
leave the warehouse.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote

from sscb_pipeline.artifacts.durable import make_directory, replace_file, storage_error
from sscb_pipeline.artifacts.journal import Journal
from sscb_pipeline.artifacts.store import ObjectStore
from sscb_pipeline.errors import InputError

LAYOUT_VERSION = 2
VARIABLE = "SSCB_WAREHOUSE"
DEFAULT = "warehouse"
_LONGEST_COMPONENT = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalName:
    """Which journal: campaign, stage and partition as the user named them."""

    campaign: str
    stage: str
    partition: str


def warehouse_root(environ: Mapping[str, str], cwd: Path) -> Path:
    """The folder that SSCB_WAREHOUSE names (relative to `cwd`), or `warehouse` in `cwd`; need not exist."""
    return (cwd / (environ.get(VARIABLE) or DEFAULT)).absolute()


class Warehouse:
    """A warehouse whose version has been checked; made by `create_or_open` and `existing`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.journals = root / "journals"
        self.leases = root / ".leases"
        self.orchestrator = root / ".dagster"
        self.objects = ObjectStore(root / "objects")
        self.manifests = Journal(root / "manifests.jsonl")
        self.receipts = Journal(root / "receipts.jsonl")
        self.published = Journal(root / "published.jsonl")
        self.ledger = root / "sscb.duckdb"
        self.loader = root / ".loader"
        self.reports = root / "reports"
        self.judging = root / "judging"
        self.version_file = root / "VERSION"

    def journal(self, name: JournalName) -> Journal:
        """The journal of a partition of a stage in a campaign."""
        folder = self.journals / _component(name.campaign) / _component(name.stage)
        return Journal(folder / f"{_component(name.partition)}.jsonl")

    def report_path(self, campaign: str) -> Path:
        """The folder of a campaign's report."""
        return self.reports / _component(campaign)

    def judging_path(self, run: str) -> Path:
        """The folder of what a judge run hands out."""
        return self.judging / _component(run)

    def journal_names(self) -> Iterator[JournalName]:
        """Every partition journal there is, sorted by path."""
        for path in sorted(self.journals.glob("*/*/*.jsonl")):
            campaign, stage, _ = path.relative_to(self.journals).parts
            yield JournalName(campaign=unquote(campaign), stage=unquote(stage), partition=unquote(path.stem))

    def lease_path(self, *names: str) -> Path:
        """The lease file for a thing named by one or more words."""
        return self.leases / f"{'.'.join(_component(name) for name in names)}.lease"


def create_or_open(root: Path) -> Warehouse:
    """The warehouse at `root`, laid out first where there is none. Raises InputError for another layout version, for
    a folder with warehouse content but no VERSION, and when the disk refuses."""
    warehouse = Warehouse(root)
    if warehouse.version_file.exists():
        return existing(root)
    if any(path.exists() for path in (warehouse.objects.root, warehouse.journals, warehouse.ledger)):
        raise InputError(
            subject=str(warehouse.version_file),
            expected=f"the layout version {LAYOUT_VERSION} of the warehouse content beside it",
            found="no such file",
            remedy=f"restore it from a copy, or name another folder in {VARIABLE}",
        )
    try:
        make_directory(root)
    except OSError as error:
        raise storage_error(root, error) from error
    replace_file(warehouse.version_file, f"{LAYOUT_VERSION}\n".encode())
    return warehouse


def existing(root: Path) -> Warehouse:
    """The warehouse at `root`, nothing written. Raises InputError when there is none or it has another version."""
    warehouse = Warehouse(root)
    try:
        found = warehouse.version_file.read_bytes()
    except FileNotFoundError:
        raise InputError(
            subject=str(root),
            expected="a warehouse",
            found="no VERSION file in that folder" if root.is_dir() else "no such folder",
            remedy=f"run `sscb run` first, or name the right folder in {VARIABLE}",
        ) from None
    except OSError as error:
        raise storage_error(warehouse.version_file, error) from error
    if found != f"{LAYOUT_VERSION}\n".encode():
        raise InputError(
            subject=str(warehouse.version_file),
            expected=f"layout version {LAYOUT_VERSION}",
            found=repr(found[:40].decode("utf-8", "replace").strip()),
            remedy=f"use the release that wrote this warehouse, or name another folder in {VARIABLE}",
        )
    return warehouse


def _component(name: str) -> str:
    """One path component that stands for `name` and no other name."""
    encoded = quote(name, safe="", errors="surrogatepass").replace(".", "%2E").replace("~", "%7E")
    if not encoded or len(encoded) > _LONGEST_COMPONENT:
        raise InputError(
            subject=f"name {name[:60]!r}",
            expected=f"1 to {_LONGEST_COMPONENT} characters once percent-encoded",
            found=f"{len(encoded)} characters",
            remedy="give the campaign, stage or partition a shorter name",
        )
    return encoded
