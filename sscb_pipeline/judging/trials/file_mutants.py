"""Mutants of saved files: source files, archived and staged packets, the written manifest; and of an earlier archive.

Only the disk checker reads these (the earlier archive: only the inline checker), so they reach one checker each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from sscb_pipeline.artifacts.digest import sha256_hex
from sscb_pipeline.judging.trials.mutation import ChangeFiles, Files, Level, Mutant, Mutator, mutate
from sscb_pipeline.packets.check_inline import EarlierOriginal
from sscb_pipeline.packets.input_contract import Rendering
from sscb_pipeline.packets.packet import Packet
from sscb_pipeline.packets.requirement import Requirement

Store = Callable[[Files], dict[str, bytes]]


def file_mutants() -> Iterator[Mutant]:
    """Every mutator on every kind of saved file, first, middle and last in the order of names."""
    for where, store, changed, gone in (
        ("source file", _sources, Requirement.SOURCE_BYTES, Requirement.SOURCE_BYTES),
        ("archived packet", _archive, Requirement.ARCHIVED_BYTES, Requirement.PACKET_SET),
        ("staged packet", _staged, Requirement.STAGED_BYTES, Requirement.STAGED_SET),
    ):
        for name, at in _PLACES.items():
            yield _mutant(f"edit {where}, {name}", Mutator.EDIT, changed, _edit(store, at))
            yield _mutant(f"edit {where} to CRLF, {name}", Mutator.EDIT, changed, _crlf(store, at))
            yield _mutant(f"drop {where}, {name}", Mutator.DROP, gone, _drop(store, at))
        yield _mutant(f"swap {where}s", Mutator.SWAP, changed, _swap(store))
    yield _mutant("duplicate staged packet", Mutator.DUPLICATE, Requirement.STAGED_SET, _duplicate(_staged))
    yield _mutant("duplicate archived packet", Mutator.DUPLICATE, Requirement.PACKET_SET, _duplicate(_archive))
    for mutator in Mutator:
        yield _mutant(f"{mutator.value} manifest entry", mutator, Requirement.MANIFEST_ENTRIES, _entry(mutator))
    yield Mutant(
        name="earlier archive: edit original",
        level=Level.EARLIER_ARCHIVE,
        mutator=Mutator.EDIT,
        expected=Requirement.EARLIER_ORIGINAL_SAME,
        change=_other_original,
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


def _mutant(name: str, mutator: Mutator, expected: Requirement, change: ChangeFiles) -> Mutant:
    return Mutant(name=f"file: {name}", level=Level.SAVED_FILE, mutator=mutator, expected=expected, change=change)


def _named(store: dict[str, bytes], at: Callable[[int], int]) -> str:
    names = sorted(store)
    return names[at(len(names))]


def _edit(store: Store, at: Callable[[int], int]) -> ChangeFiles:
    def change(files: Files) -> None:
        name = _named(store(files), at)
        store(files)[name] = store(files)[name].replace(b"e", b"E", 1)

    return change


def _crlf(store: Store, at: Callable[[int], int]) -> ChangeFiles:
    def change(files: Files) -> None:
        name = _named(store(files), at)
        store(files)[name] = store(files)[name].replace(b"\n", b"\r\n")

    return change


def _drop(store: Store, at: Callable[[int], int]) -> ChangeFiles:
    def change(files: Files) -> None:
        del store(files)[_named(store(files), at)]

    return change


def _swap(store: Store) -> ChangeFiles:
    def change(files: Files) -> None:
        first, last = _named(store(files), _PLACES["first"]), _named(store(files), _PLACES["last"])
        store(files)[first], store(files)[last] = store(files)[last], store(files)[first]

    return change


def _duplicate(store: Store) -> ChangeFiles:
    def change(files: Files) -> None:
        name = _named(store(files), _PLACES["first"])
        store(files)[f"copy-{name}"] = store(files)[name]

    return change


def _entry(mutator: Mutator) -> ChangeFiles:
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
