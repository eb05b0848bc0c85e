"""Stop markers of τ-bench user simulators: signals to the harness that travel inside a user's text.

The text before the first marker was said; the white space that sets the marker off was not, and neither was the
marker. **[ours]** What follows the first marker was not said either: the marker ends the talk where it stands. It
is returned apart, since no recorded run has such text and a caller that meets one may want to name it.
"""

from __future__ import annotations

from dataclasses import dataclass

STOP = "###STOP###"
TRANSFER = "###TRANSFER###"
OUT_OF_SCOPE = "###OUT-OF-SCOPE###"

TAUBENCH_V1: tuple[str, ...] = (STOP,)
TAU2: tuple[str, ...] = (STOP, TRANSFER, OUT_OF_SCOPE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unmarked:
    """No marker: the text was said as it is."""

    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """`said` is what was said before `marker`; `after` is what the text holds behind it and nobody was told."""

    said: str
    marker: str
    after: str


def split(text: str, markers: tuple[str, ...]) -> Unmarked | Marked:
    """Split a user's text at the first of the markers, by place in the text. Total."""
    places = [(text.find(marker), marker) for marker in markers if marker in text]
    if not places:
        return Unmarked(said=text)
    place, marker = min(places)
    return Marked(said=text[:place].rstrip(), marker=marker, after=text[place + len(marker) :])
