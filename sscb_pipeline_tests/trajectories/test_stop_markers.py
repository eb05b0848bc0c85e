"""Text before a marker was said; the marker and what follows were not."""

from __future__ import annotations

import pytest

from sscb_pipeline.trajectories.stop_markers import (
    OUT_OF_SCOPE,
    STOP,
    TAU2,
    TAUBENCH_V1,
    TRANSFER,
    Marked,
    Unmarked,
    split,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Yes please. ###STOP###", Marked(said="Yes please.", marker=STOP, after="")),
        ("###TRANSFER###", Marked(said="", marker=TRANSFER, after="")),
        ("No. \n\n###OUT-OF-SCOPE###\n", Marked(said="No.", marker=OUT_OF_SCOPE, after="\n")),
        ("a ###TRANSFER### b ###STOP###", Marked(said="a", marker=TRANSFER, after=" b ###STOP###")),
        ("Bye\u202f###STOP###", Marked(said="Bye", marker=STOP, after="")),
        (" spaces stay ", Unmarked(said=" spaces stay ")),
        ("###stop###", Unmarked(said="###stop###")),
        ("", Unmarked(said="")),
    ],
)
def test_split(text: str, expected: Marked | Unmarked) -> None:
    assert split(text, TAU2) == expected


def test_a_source_has_its_own_markers() -> None:
    assert split("###TRANSFER###", TAUBENCH_V1) == Unmarked(said="###TRANSFER###")
