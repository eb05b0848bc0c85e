"""Files of one JSON object per line, read one line at a time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sscb_pipeline.adapters.importers.credentials import refuse_credentials
from sscb_pipeline.adapters.importers.foreign import Value
from sscb_pipeline.errors import InputError
from sscb_pipeline.trajectories import strict_json

_KEY = re.compile(rb'"([A-Za-z_][\w-]*)"\s*:')
_REMEDY = "export the recording again as strict JSON, one object per line; nothing is repaired on import"


def objects(lines: Iterable[bytes], file: str) -> Iterator[Value]:
    """The object of each line that is not empty, its place named `file, line n` (from 1).

    Raises InputError naming file and line for a line that is no strict JSON object; the last line of a file that was
    written only in part is such a line.
    """
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        place = f"{file}, line {number}"
        refuse_credentials(line, file, number)
        try:
            value = strict_json.read_bytes(line, subject=place, remedy=_REMEDY)
        except InputError as error:
            if line.endswith(b"\n"):
                raise
            found = f"{error.found}; the line has no line end, so the file may be half written"
            raise InputError(subject=place, expected=error.expected, found=found, remedy=error.remedy) from error
        if not isinstance(value, dict):
            raise InputError(subject=place, expected="a JSON object", found=type(value).__name__, remedy=_REMEDY)
        yield Value(place, "", value)


def first_keys(head: bytes) -> frozenset[str]:
    """The keys of the first line's object; of a first line that cannot be read, every key that occurs in it.

    Empty for a file that does not begin with an object and something in it on its first line.
    """
    line = head.lstrip().split(b"\n", 1)[0]
    if not line.startswith(b"{"):
        return frozenset()
    try:
        value = strict_json.read_bytes(line, subject="first line", remedy=_REMEDY)
    except InputError:
        return frozenset(key.decode() for key in _KEY.findall(line))
    return frozenset(value) if isinstance(value, dict) else frozenset()
