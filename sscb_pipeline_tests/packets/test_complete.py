"""Rendering C is injective: what is parsed is what was in the record, whatever its texts hold."""

from __future__ import annotations

import pytest
from hypothesis import given as given_by
from hypothesis import settings
from hypothesis import strategies as st

from sscb_pipeline.errors import InputError
from sscb_pipeline.packets.build import render
from sscb_pipeline.packets.escape import escape_body, escape_line, escape_name, unescape
from sscb_pipeline.packets.fields import fields_of
from sscb_pipeline.packets.input_contract import QUESTION, PacketKind, Rendering, Scope
from sscb_pipeline.packets.parse_complete import parse_complete
from sscb_pipeline.packets.target import Target
from sscb_pipeline.trajectories.source_record import SourceRecord
from sscb_pipeline_tests.packets.awkward import awkward_texts, judged_records


@settings(deadline=None)
@given_by(judged_records(), st.sampled_from(Scope), st.sampled_from([QUESTION, "[MESSAGE 0]\n\r", ""]))
def test_parsing_what_is_rendered_gives_the_fields(
    judged: tuple[SourceRecord, Target], scope: Scope, question: str
) -> None:
    record, target = judged
    data = render(record, target, PacketKind(scope=scope, rendering=Rendering.COMPLETE), question)
    assert parse_complete(data, "p") == fields_of(record, target, scope, question)


@settings(deadline=None)
@given_by(judged_records(), judged_records())
def test_packets_are_equal_exactly_where_their_fields_are(
    one: tuple[SourceRecord, Target], other: tuple[SourceRecord, Target]
) -> None:
    kind = PacketKind(scope=Scope.FULL, rendering=Rendering.COMPLETE)
    same = fields_of(*one, Scope.FULL, QUESTION) == fields_of(*other, Scope.FULL, QUESTION)
    assert (render(*one, kind, QUESTION) == render(*other, kind, QUESTION)) == same


@settings(deadline=None)
@given_by(awkward_texts, awkward_texts)
def test_the_escape_is_one_to_one_and_shows_no_structure(one: str, other: str) -> None:
    for escape in (escape_body, escape_line, escape_name):
        assert unescape(escape(one)) == one
        assert (escape(one) == escape(other)) == (one == other)
        shown = escape(one)
        assert shown.encode("utf-8").decode() == shown
        assert not {*shown} & {"\r", "\x00", "\x85", "\u2028", "\x1b"}
    assert not any(
        line[:1] == "[" and line[1:2].isupper() and line[1:2].isascii() for line in escape_body(one).split("\n")
    )
    assert "\n" not in escape_line(one)
    assert "(" not in escape_name(one)


@settings(deadline=None)
@given_by(judged_records(), st.data())
def test_no_changed_packet_reads_as_the_same_fields(judged: tuple[SourceRecord, Target], data: st.DataObject) -> None:
    record, target = judged
    packet = render(record, target, PacketKind(scope=Scope.FULL, rendering=Rendering.COMPLETE), QUESTION)
    place = data.draw(st.integers(0, len(packet) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda value: value != packet[place]))
    changed = packet[:place] + bytes([byte]) + packet[place + 1 :]
    for other in (changed, packet[:place], packet + b"\n", packet[:place] + packet[place + 1 :]):
        try:
            read = parse_complete(other, "p")
        except InputError:
            continue
        assert other == packet or read != fields_of(record, target, Scope.FULL, QUESTION)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\r\nb", "a\\u000d\nb"),
        ("id\x00u1", "id\\u0000u1"),
        ("\ud800", "\\ud800"),
        ("[TOOL CALL] f()", "\\u005bTOOL CALL] f()"),
        ("x\n[USER]", "x\n\\u005bUSER]"),
        ('[{"a": 1}]', '[{"a": 1}]'),
        ('["Perfect"]', '["Perfect"]'),
        ("\\u0000", "\\u005cu0000"),
        ("caf\\u00e9 C:\\users", "caf\\u00e9 C:\\users"),
        ("\tindent", "\tindent"),
        ("a\u2028b\x85", "a\\u2028b\\u0085"),
    ],
)
def test_what_a_text_looks_like(text: str, shown: str) -> None:
    assert escape_body(text) == shown
