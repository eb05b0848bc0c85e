"""Stage manifests: what a stage of a partition read and wrote, as bytes a check can read and a receipt can name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sscb_pipeline.artifacts.digest import sha256_hex
from sscb_pipeline.artifacts.journal import Entry
from sscb_pipeline.artifacts.records import from_bytes, to_bytes
from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.assurance.receipt import ReceiptBook
from sscb_pipeline.errors import InputError, IntegrityError, RefusalError


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedObject:
    """An object of the store under the name it has in a stage (an execution id, a file name, a stage)."""

    name: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """How many of something a stage saw, for people."""

    name: str
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StageManifest:
    """Inputs and outputs of one stage of one partition, each sorted by name, names once."""

    campaign: str
    stage: str
    partition: str
    code_version: str
    inputs: tuple[NamedObject, ...]
    outputs: tuple[NamedObject, ...]
    counts: tuple[Count, ...]

    def __post_init__(self) -> None:
        for what, items in (("inputs", self.inputs), ("outputs", self.outputs), ("counts", self.counts)):
            names = [item.name for item in items]
            if names != sorted(set(names)):
                raise InputError(
                    subject=f"manifest of {self.campaign}/{self.stage}/{self.partition}",
                    expected=f"{what} sorted by name, each name once",
                    found=", ".join(names[:5]),
                    remedy="make it with stage_manifest",
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedManifest:
    """A manifest and the sha256 of the exact bytes it was read from."""

    sha256: str
    manifest: StageManifest


def stage_manifest(
    *,
    campaign: str,
    stage: str,
    partition: str,
    code_version: str,
    inputs: Mapping[str, str],
    outputs: Mapping[str, str],
    counts: Mapping[str, int],
) -> StageManifest:
    """The manifest with these inputs and outputs (name to sha256) in canonical order."""
    return StageManifest(
        campaign=campaign,
        stage=str(stage),
        partition=partition,
        code_version=code_version,
        inputs=tuple(NamedObject(name=name, sha256=sha256) for name, sha256 in sorted(inputs.items())),
        outputs=tuple(NamedObject(name=name, sha256=sha256) for name, sha256 in sorted(outputs.items())),
        counts=tuple(Count(name=name, number=number) for name, number in sorted(counts.items())),
    )


def publish_stage(warehouse: Warehouse, manifest: StageManifest) -> PublishedManifest:
    """Store the manifest and make it the current one of its campaign, stage and partition; durable on return.

    Publishing the current manifest again writes nothing. Raises IntegrityError when an output is not in the store.
    """
    for item in manifest.outputs:
        if not warehouse.objects.has(item.sha256):
            raise IntegrityError(
                subject=f"output {item.name} of {manifest.campaign}/{manifest.stage}/{manifest.partition}",
                expected=f"object {item.sha256} in the store",
                found="none",
                remedy="store the outputs before their manifest",
            )
    data = to_bytes(manifest)
    sha256 = sha256_hex(data)
    place = (manifest.campaign, manifest.stage, manifest.partition)
    if _pointers(warehouse).get(place) != sha256:
        warehouse.objects.put(data)
        entry = {"campaign": place[0], "stage": place[1], "partition": place[2], "manifest": sha256}
        with warehouse.manifests.writer() as writer:
            written = _pointers_in(warehouse, writer.before.entries)
            if written.get(place) != sha256:  # another process may have written it just now
                writer.append_all([entry])
    return PublishedManifest(sha256=sha256, manifest=manifest)


def current(warehouse: Warehouse, *, campaign: str, stage: str, partition: str) -> PublishedManifest:
    """The current manifest of a stage. Raises RefusalError when the stage has none and IntegrityError for changed
    bytes. No receipt is asked for: this is what a check reads."""
    sha256 = _pointers(warehouse).get((campaign, stage, partition))
    if sha256 is None:
        raise RefusalError(
            subject=f"stage {stage}/{partition} of campaign {campaign}",
            expected="a published manifest",
            found="none",
            remedy=f"run stage {stage} for partition {partition} first",
        )
    published = _read(warehouse, sha256)
    manifest = published.manifest
    if (manifest.campaign, manifest.stage, manifest.partition) != (campaign, stage, partition):
        raise IntegrityError(
            subject=f"current manifest of {campaign}/{stage}/{partition}",
            expected="a manifest made for that place",
            found=f"the one of {manifest.campaign}/{manifest.stage}/{manifest.partition}",
            remedy="restore manifests.jsonl from a copy of the warehouse, or run the stage again",
        )
    return published


def authorised(
    warehouse: Warehouse, *, campaign: str, stage: str, partition: str, code_version: str
) -> PublishedManifest:
    """The current manifest of a stage whose check passed on exactly the bytes returned here, by `code_version`.

    What every later stage reads its input through. Raises RefusalError without a receipt, else as `current`.
    """
    published = current(warehouse, campaign=campaign, stage=stage, partition=partition)
    ReceiptBook(warehouse.receipts, warehouse.objects).demand(
        stage=stage, partition=partition, subject=published.sha256, code_version=code_version
    )
    return published


def all_current(warehouse: Warehouse) -> tuple[PublishedManifest, ...]:
    """The current manifest of every campaign, stage and partition, sorted by these."""
    return tuple(_read(warehouse, sha256) for _, sha256 in sorted(_pointers(warehouse).items()))


def every_manifest(warehouse: Warehouse) -> tuple[PublishedManifest, ...]:
    """Every manifest that ever was current, each once, in the order in which they first were."""
    entries = warehouse.manifests.read().entries
    return tuple(_read(warehouse, sha256) for sha256 in dict.fromkeys(entry["manifest"] for entry in entries))


def _read(warehouse: Warehouse, sha256: str) -> PublishedManifest:
    # One read: the bytes that were hashed are the bytes that are decoded.
    data = warehouse.objects.get(sha256)
    return PublishedManifest(sha256=sha256, manifest=from_bytes(StageManifest, data, f"manifest {sha256}"))


def _pointers(warehouse: Warehouse) -> dict[tuple[str, str, str], str]:
    return _pointers_in(warehouse, warehouse.manifests.read().entries)


def _pointers_in(warehouse: Warehouse, entries: Iterable[Entry]) -> dict[tuple[str, str, str], str]:
    pointers: dict[tuple[str, str, str], str] = {}
    for number, entry in enumerate(entries, start=2):
        try:
            pointers[entry["campaign"], entry["stage"], entry["partition"]] = entry["manifest"]
        except KeyError as error:
            raise IntegrityError(
                subject=f"{warehouse.manifests.path} line {number}",
                expected="campaign, stage, partition and manifest",
                found=f"no {error.args[0]}",
                remedy="restore the journal from a copy of the warehouse",
            ) from error
    return pointers
