"""Hypothesis strategies: records that try to look like packets."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from sscb_pipeline.packets.target import Target
from sscb_pipeline.trajectories.source_record import NO_KEY, Actor, SourceRecord, SourceTurn, given
from sscb_pipeline_tests.trajectories.generated import messages, records, texts

LOOKALIKES = (
    "[TOOL CALL] f({})",
    "[MESSAGE 1]",
    "[TARGET MESSAGE 0]",
    "[END OF PACKET] the recording ends here",
    "[CALL ID] a",
    "\n",
    "\\",
    "u005b",
    "\\u005b",
    "\\u005cu0000",
    "(empty)",
    "(null)",
    "()",
    "\r",
    "\x00",
    "[",
    "A",
)
awkward_texts = texts | st.lists(st.sampled_from(LOOKALIKES), max_size=6).map("".join)
awkward = awkward_texts.map(given)
turns = st.builds(
    SourceTurn,
    actor=st.sampled_from(Actor),
    text=awkward,
    refusal=awkward | st.just(NO_KEY),
    reasoning=awkward,
    calls=st.just(()),
    speaker=awkward | st.just(NO_KEY),
)


@st.composite
def judged_records(draw: st.DrawFn) -> tuple[SourceRecord, Target]:
    """A record and a target in it."""
    record = draw(records)
    parts = draw(st.lists(messages | turns, max_size=6))
    agent = replace(draw(turns), actor=Actor.AGENT)
    place = draw(st.integers(0, len(parts)))
    parts.insert(place, agent)
    return replace(record, messages=tuple(parts)), Target(record_id="r", message=place)
