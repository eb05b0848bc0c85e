"""What the journals of model calls say the store must hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from sscb_pipeline.artifacts.digest import strict_json
from sscb_pipeline.artifacts.records import decode
from sscb_pipeline.artifacts.store import ObjectStore
from sscb_pipeline.artifacts.warehouse import JournalName
from sscb_pipeline.completions.call_log import CALLS, INTENTS, Answered, Asked, Failed, Slot
from sscb_pipeline.errors import SscbError


def is_call_journal(name: JournalName) -> bool:
    """Whether it is a configuration's journal of calls or of intents."""
    return name.stage in (CALLS, INTENTS)


def call_objects(
    name: JournalName, entries: Iterable[tuple[str, Mapping[str, object]]], objects: ObjectStore
) -> Iterator[tuple[str, str]]:
    """Every object the entries name, and what it is: requests, the texts and tool tables they name, responses.

    Raises InputError naming journal and line for an entry that is none; a request that cannot be read names nothing
    (that it is damaged is found where objects are looked at).
    """
    place = f"{name.campaign}/{name.stage}/{name.partition}"
    for line, entry in entries:
        result: Asked | Answered | Failed = decode(Asked | Answered | Failed, entry, f"{place} {line}")  # type: ignore[arg-type]
        if isinstance(result, Asked):
            continue  # a call that was about to be made: its request is stored with its result
        what = _call(result.slot)
        yield result.request, f"request of {what}"
        for part in _parts(objects, result.request):
            yield part, f"part of the request of {what}"
        if isinstance(result, Answered):
            yield result.response, f"response to {what}"


def _parts(objects: ObjectStore, request: str) -> Iterator[str]:
    try:
        record = strict_json(objects.get(request), f"request {request}")
    except SscbError:
        return
    if record["tools_object"]:
        yield record["tools_object"]
    for message in record["messages"]:
        if "content_object" in message:
            yield message["content_object"]


def _call(slot: Slot) -> str:
    return f"call {slot.ordinal} of the {slot.participant} in execution {slot.unit}"
