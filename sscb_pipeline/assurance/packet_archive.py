"""Build and archive: packets become objects named by their exact-byte sha256, batch by batch.

The memory needed is that of one batch; of the packets before it only name and hash are kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.assurance.judge_run import (
    Built,
    JudgeStage,
    RunName,
    demanded_statement,
    publish_statement,
    published_statement,
)
from sscb_pipeline.assurance.manifest import NamedObject
from sscb_pipeline.errors import InputError, IntegrityError

BATCH = 1_024
BATCH_BYTES = 24_000_000
_FILE_NAME = re.compile(r"[A-Za-z0-9_%~-][A-Za-z0-9_.%~-]{0,249}")


SOURCES = "sources/"
"""Before the file name of a source among a build's outputs."""


class Kind(StrEnum):
    """What a deposit is."""

    PACKET = "packet"
    """Will be staged and handed to judges."""
    SOURCE = "source"
    """What packets were made from; archived beside them, never handed out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deposit:
    """A file for the archive: its name and exact bytes."""

    kind: Kind
    name: str
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a build tells besides its packets: part of the statement, objects by name, and the manifests it was made
    from."""

    predicate: Mapping[str, Any]
    outputs: Mapping[str, str]
    inputs: Mapping[str, str]


def tell_nothing() -> Told:
    """For a build that has nothing to tell but its packets."""
    return Told(predicate={}, outputs={}, inputs={})


def archive(
    warehouse: Warehouse, name: RunName, deposits: Iterable[Deposit], told: Callable[[], Told] = tell_nothing
) -> Built:
    """Archive packets and their sources as they come, and publish the manifest once all are durable.

    `told` is asked after the last deposit. Raises InputError for a file name that is no plain name or comes twice.
    The manifest authorises nothing until its check writes a receipt.
    """
    archived: dict[Kind, dict[str, str]] = {kind: {} for kind in Kind}
    size = 0
    for batch in _batches(deposits):
        for item in batch:
            _check_name(item.name, archived[item.kind])
            archived[item.kind][item.name] = ""
            size += len(item.data) if item.kind is Kind.PACKET else 0
        for item, sha256 in zip(batch, warehouse.objects.put_all([item.data for item in batch]), strict=True):
            archived[item.kind][item.name] = sha256
    more = told()
    sources = [{"name": file, "digest": {"sha256": sha256}} for file, sha256 in sorted(archived[Kind.SOURCE].items())]
    published, statement = publish_statement(
        warehouse,
        name,
        JudgeStage.BUILD,
        subjects=[NamedObject(name=file, sha256=sha256) for file, sha256 in archived[Kind.PACKET].items()],
        inputs=more.inputs,
        predicate={**more.predicate, "sources": sources},
        outputs={**more.outputs, **{f"{SOURCES}{file}": sha256 for file, sha256 in archived[Kind.SOURCE].items()}},
        counts={"packets": len(archived[Kind.PACKET]), "sources": len(archived[Kind.SOURCE]), "bytes": size},
    )
    return Built(name=name, published=published, statement=statement)


def _batches(deposits: Iterable[Deposit]) -> Iterator[Sequence[Deposit]]:
    batch: list[Deposit] = []
    size = 0
    for deposit in deposits:
        batch.append(deposit)
        size += len(deposit.data)
        if len(batch) == BATCH or size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _check_name(file: str, before: Mapping[str, str]) -> None:
    if not _FILE_NAME.fullmatch(file):
        raise InputError(
            subject=f"packet file {file[:80]!r}",
            expected="at most 250 letters, digits and characters of `_.%~-`, the first no dot",
            found="another name",
            remedy="percent-encode the parts of the name",
        )
    if file in before:
        raise InputError(
            subject=f"packet file {file!r}", expected="one packet of that name", found="a second", remedy="name it anew"
        )


def built(warehouse: Warehouse, name: RunName) -> Built:
    """The run's archive as its checks read it, without asking for a receipt."""
    published, statement = published_statement(warehouse, name, JudgeStage.BUILD)
    return Built(name=name, published=published, statement=statement)


def enter_built(warehouse: Warehouse, name: RunName) -> Built:
    """The run's archive if the inline check passed on it. Raises RefusalError without its receipt."""
    published, statement = demanded_statement(warehouse, name, JudgeStage.BUILD)
    return Built(name=name, published=published, statement=statement)


def sources_of(archive: Built) -> dict[str, str]:
    """File name and sha256 of every archived source."""
    outputs = archive.published.manifest.outputs
    return {item.name.removeprefix(SOURCES): item.sha256 for item in outputs if item.name.startswith(SOURCES)}


def archive_violations(warehouse: Warehouse, archive: Built) -> Iterator[str]:
    """A sentence for every archived packet whose bytes are missing or not those of its name."""
    for item in archive.packets:
        try:
            warehouse.objects.get(item.sha256)
        except IntegrityError as error:
            yield f"packet {item.name}: {error.subject}: found {error.found}"
