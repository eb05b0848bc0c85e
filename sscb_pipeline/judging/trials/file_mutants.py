"""Mutants of saved files: source files, archived and staged packets, the written manifest; and of an earlier archive.

Only the disk checker reads these (the earlier archive: only the inline checker), so they reach one checker each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from sscb_pipeline.artifacts.digest import sha256_hex
from sscb_pipeline.judging.trials.mutation import ChangeFiles, ChangeOriginals, Files, Mutant, Mutator, mutate
from sscb_pipeline.packets.check_inline import EarlierOriginal
from sscb_pipeline.packets.input_contract import Rendering
from sscb_pipeline.packets.packet import Packet
from sscb_pipeline.packets.requirement import CheckedObject, Requirement

Store = Callable[[Files], dict[str, bytes]]


def file_mutants() -> Iterator[Mutant]:
    """Every mutator on every kind of saved file, first, middle and last in the order of names."""
    for where, store, changed, gone in (
        (CheckedObject.SOURCE_FILE, _sources, Requirement.SOURCE_BYTES, Requirement.SOURCE_BYTES),
        (CheckedObject.ARCHIVED_PACKET, _archive, Requirement.ARCHIVED_BYTES, Requirement.PACKET_SET),
        (CheckedObject.STAGED_PACKET, _staged, Requirement.STAGED_BYTES, Requirement.STAGED_SET),
    ):
        told = where.value.replace("_", " ")
        for name, at in _PLACES.items():
            yield _mutant(f"edit {told}, {name}", Mutator.EDIT, changed, where, _edit(store, at))
            yield _mutant(f"edit {told} to CRLF, {name}", Mutator.EDIT, changed, where, _crlf(store, at))
            yield _mutant(f"drop {told}, {name}", Mutator.DROP, gone, where, _drop(store, at))
        yield _mutant(f"swap {told}s", Mutator.SWAP, changed, where, _swap(store))
        if gone is not changed:
            yield _mutant(f"duplicate {told}", Mutator.DUPLICATE, gone, where, _duplicate(store))
    for mutator in Mutator:
        change = _entry(mutator)
        yield _mutant(
            f"{mutator.value} manifest entry", mutator, Requirement.MANIFEST_ENTRIES, CheckedObject.MANIFEST, change
        )
    yield Mutant(
        name="earlier archive: edit original",
        mutator=Mutator.EDIT,
        expected=Requirement.EARLIER_ORIGINAL_SAME,
        change=ChangeOriginals(_other_original),
        reaches=frozenset({CheckedObject.EARLIER_ORIGINAL}),
    )


_PLACES: Mapping[str, Callable[[int], int]] = {
    "first": lambda size: 0,
    "middle": lambda size: size // 2,
    "last": lambda size: size - 1,
}


def _sources(files: Files) -> dict[str, bytes]:
    return files.sources


def _archive(files: Files) -> dict[str, bytes]:
    return files.archive


def _staged(files: Files) -> dict[str, bytes]:
    return files.staged


_Alter = Callable[[Files], None]


def _mutant(name: str, mutator: Mutator, expected: Requirement, where: CheckedObject, change: _Alter) -> Mutant:
    return Mutant(
        name=f"file: {name}",
        mutator=mutator,
        expected=expected,
        change=ChangeFiles(change),
        reaches=frozenset({where}),
    )


def _named(store: dict[str, bytes], at: Callable[[int], int]) -> str:
    names = sorted(store)
    return names[at(len(names))]


def _edit(store: Store, at: Callable[[int], int]) -> _Alter:
    def change(files: Files) -> None:
        name = _named(store(files), at)
        store(files)[name] = store(files)[name].replace(b"e", b"E", 1)

    return change


def _crlf(store: Store, at: Callable[[int], int]) -> _Alter:
    def change(files: Files) -> None:
        name = _named(store(files), at)
        store(files)[name] = store(files)[name].replace(b"\n", b"\r\n")

    return change


def _drop(store: Store, at: Callable[[int], int]) -> _Alter:
    def change(files: Files) -> None:
        del store(files)[_named(store(files), at)]

    return change


def _swap(store: Store) -> _Alter:
    def change(files: Files) -> None:
        first, last = _named(store(files), _PLACES["first"]), _named(store(files), _PLACES["last"])
        store(files)[first], store(files)[last] = store(files)[last], store(files)[first]

    return change


def _duplicate(store: Store) -> _Alter:
    def change(files: Files) -> None:
        name = _named(store(files), _PLACES["first"])
        store(files)[f"copy-{name}"] = store(files)[name]

    return change


def _entry(mutator: Mutator) -> _Alter:
    def other(entry: tuple[str, str]) -> tuple[str, str]:
        return entry[0], sha256_hex(entry[1].encode())

    def change(files: Files) -> None:
        if mutator is Mutator.SWAP:  # entries have no order; what can be exchanged is their hashes
            (first, one), (second, two) = files.manifest[:2]
            files.manifest[:2] = [(first, two), (second, one)]
        else:
            files.manifest[:] = mutate(files.manifest, len(files.manifest) // 2, mutator, other)

    return change


def _other_original(packets: Sequence[Packet]) -> Mapping[str, EarlierOriginal]:
    packet = next(packet for packet in packets if packet.key.kind.rendering is Rendering.ORIGINAL)
    data = packet.data.replace(b"e", b"E", 1)
    return {packet.key.name: EarlierOriginal(data=data, sha256=sha256_hex(data))}
