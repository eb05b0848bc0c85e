"""Answers from the record alone: a replay asks nobody."""

from __future__ import annotations

from collections.abc import Iterable

from sscb_pipeline.artifacts.digest import strict_json
from sscb_pipeline.artifacts.store import ObjectStore
from sscb_pipeline.completions.call_log import Answered, Result, Slot
from sscb_pipeline.completions.failures import CompletionFailedError
from sscb_pipeline.completions.reply import Reply, read_reply
from sscb_pipeline.completions.request import ChatRequest, recorded
from sscb_pipeline.errors import IntegrityError


class RecordedCompletions:
    """Implements `Completions` with the results of one unit; what failed for good fails again."""

    def __init__(self, objects: ObjectStore, results: Iterable[Result]) -> None:
        self._objects = objects
        self._results: dict[Slot, Result] = {}
        for result in results:
            if not isinstance(self._results.get(result.slot), Answered):
                self._results[result.slot] = result

    async def complete(self, request: ChatRequest, slot: Slot) -> Reply:
        """The recorded answer. Raises IntegrityError where the record holds none for exactly this request."""
        result, asked = self._results.get(slot), recorded(request)
        place = f"execution {slot.unit}, call {slot.ordinal} of the {slot.participant}"
        if result is None:
            raise _differs(place, "no such call")
        if result.request != asked.sha256:
            raise _differs(place, f"request {result.request}")
        if not isinstance(result, Answered):
            raise CompletionFailedError(result.failure)
        return read_reply(strict_json(self._objects.get(result.response), result.response), request)


def _differs(place: str, found: str) -> IntegrityError:
    return IntegrityError(
        subject=place,
        expected="the request this replay makes, in the record",
        found=found,
        remedy="replay with the code version and the configuration file of the run",
    )
