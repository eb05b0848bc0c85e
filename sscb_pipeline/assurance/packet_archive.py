"""Build and archive: packets become objects named by their exact-byte sha256, batch by batch.

The memory needed is that of one batch; of the packets before it only name and hash are kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
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

BATCH = 256
_FILE_NAME = re.compile(r"[A-Za-z0-9_%~-][A-Za-z0-9_.%~-]{0,249}")

Packet = tuple[str, bytes]
"""File name and exact bytes."""


def archive(
    warehouse: Warehouse,
    name: RunName,
    packets: Iterable[Packet],
    *,
    inputs: Mapping[str, str],
    predicate: Mapping[str, Any],
) -> Built:
    """Archive packets as they come and publish the manifest once all are durable.

    `inputs` are the sources by name and sha256, `predicate` what else the statement tells. Raises InputError for a
    file name that is no plain name or comes twice. The manifest authorises nothing until its check writes a receipt.
    """
    archived: dict[str, str] = {}
    size = 0
    for batch in _batches(packets):
        for file, data in batch:
            _check_name(file, archived)
            archived[file] = ""
            size += len(data)
        hashes = warehouse.objects.put_all([data for _, data in batch])
        archived.update(zip([file for file, _ in batch], hashes, strict=True))
    published, statement = publish_statement(
        warehouse,
        name,
        JudgeStage.BUILD,
        subjects=[NamedObject(name=file, sha256=sha256) for file, sha256 in archived.items()],
        inputs=inputs,
        predicate=predicate,
        outputs={},
        counts={"packets": len(archived), "bytes": size},
    )
    return Built(name=name, published=published, statement=statement)


def _batches(packets: Iterable[Packet]) -> Iterator[Sequence[Packet]]:
    batch: list[Packet] = []
    for packet in packets:
        batch.append(packet)
        if len(batch) == BATCH:
            yield batch
            batch = []
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


def archive_violations(warehouse: Warehouse, archive: Built) -> Iterator[str]:
    """A sentence for every archived packet whose bytes are missing or not those of its name."""
    for item in archive.packets:
        try:
            warehouse.objects.get(item.sha256)
        except IntegrityError as error:
            yield f"packet {item.name}: {error.subject}: found {error.found}"
