"""From source records and targets to packets, one record at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import assert_never

from sscb_pipeline.artifacts.digest import sha256_hex
from sscb_pipeline.errors import InputError
from sscb_pipeline.packets.input_contract import InputContract, PacketKind, Rendering, Scope
from sscb_pipeline.packets.packet import BuiltRecord, Packet, PacketKey, PacketSource
from sscb_pipeline.packets.renderings import complete, original, restored
from sscb_pipeline.packets.renderings.frame import assemble, head
from sscb_pipeline.packets.target import Target
from sscb_pipeline.trajectories.source_record import SourceMessage, SourceRecord

_BLOCK: Mapping[Rendering, Callable[[SourceMessage], str]] = MappingProxyType(
    {
        Rendering.ORIGINAL: original.block,
        Rendering.RESTORED: restored.block,
        Rendering.COMPLETE: complete.block,
    }
)


def render(record: SourceRecord, target: Target, kind: PacketKind, question: str) -> bytes:
    """The bytes of one packet. Raises InputError for a target that is no agent's turn of the record."""
    last = target.message if kind.scope is Scope.PREFIX else len(record.messages)
    blocks = [_BLOCK[kind.rendering](message) for message in record.messages[: last + 1]]
    return assemble(record, target, kind.scope, _opening(record, kind.rendering, head(record, question)), blocks)


def _opening(record: SourceRecord, rendering: Rendering, before: str) -> str:
    match rendering:
        case Rendering.ORIGINAL | Rendering.RESTORED:
            return before
        case Rendering.COMPLETE:
            return f"{before}\n{complete.tools(record)}"
        case _:
            assert_never(rendering)


def build_record(source: PacketSource, targets: Iterable[Target], contract: InputContract) -> BuiltRecord:
    """The packets of one record: targets in order, inside them the contract's kinds.

    Each message is rendered once per rendering, whatever the number of targets. Raises InputError for a target of
    another record, for one given twice and for one that is no agent's turn.
    """
    chosen = tuple(targets)
    _refuse_strangers(source, chosen)
    before = head(source.record, contract.question)
    opening = {shown: _opening(source.record, shown, before) for shown in contract.renderings}
    blocks = {shown: [_BLOCK[shown](message) for message in source.record.messages] for shown in contract.renderings}
    packets = []
    for target in chosen:
        for kind in contract.kinds:
            data = assemble(source.record, target, kind.scope, opening[kind.rendering], blocks[kind.rendering])
            packets.append(Packet(key=PacketKey(target=target, kind=kind), data=data, sha256=sha256_hex(data)))
    return BuiltRecord(source=source, targets=chosen, packets=tuple(packets))


def _refuse_strangers(source: PacketSource, targets: tuple[Target, ...]) -> None:
    strangers = [target for target in targets if target.record_id != source.record_id]
    if not targets or strangers or len(set(targets)) != len(targets):
        raise InputError(
            subject=f"targets of {source.record_id}",
            expected="at least one target of this record, each once",
            found=", ".join(f"{target.record_id} message {target.message}" for target in targets) or "none",
            remedy="choose the targets again from this record",
        )


def build(cohort: Iterable[tuple[PacketSource, tuple[Target, ...]]], contract: InputContract) -> Iterator[BuiltRecord]:
    """The packets of a cohort, record by record; nothing is kept. Raises as `build_record`, and InputError for a
    record id that comes twice."""
    seen: set[str] = set()
    for source, targets in cohort:
        if source.record_id in seen:
            raise InputError(
                subject=f"record {source.record_id}",
                expected="each record id once in a cohort",
                found="a second one",
                remedy="give the records different ids",
            )
        seen.add(source.record_id)
        yield build_record(source, targets, contract)
