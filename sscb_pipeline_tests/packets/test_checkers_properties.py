"""Whatever is recorded is accepted, and no packet that differs from what the source requires is."""

from __future__ import annotations

from hypothesis import HealthCheck, assume, settings
from hypothesis import given as given_by
from hypothesis import strategies as st

from sscb_pipeline.packets.input_contract import InputContract, MalformedCalls, Rendering, Scope, TrailingCalls
from sscb_pipeline.packets.requirement import Requirement
from sscb_pipeline.packets.target import Target
from sscb_pipeline.trajectories.pairing import PairingConflictError, pair
from sscb_pipeline.trajectories.source_record import SourceRecord
from sscb_pipeline_tests.packets.awkward import LOOKALIKES, judged_records
from sscb_pipeline_tests.packets.bench_of_checks import broken, not_run, world

TOLERANT = InputContract(
    scopes=tuple(Scope),
    renderings=tuple(Rendering),
    malformed_calls=MalformedCalls.PRESERVE,
    trailing_calls=TrailingCalls.ALLOWED,
)
LINKS = {Requirement.CALL_HAS_RESULT, Requirement.RESULT_HAS_CALL}
PIECES = (*LOOKALIKES, "\\u000a", "\\u0028", "\\u005c", "[USER]\n", "[TOOL CALL] f()\n", " ", "label: -1\n", "]")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given_by(judged_records())
def test_no_false_alarm_whatever_texts_hold(judged: tuple[SourceRecord, Target]) -> None:
    record, target = judged
    made = world(record, target.message, contract=TOLERANT)
    for outcomes in (made.inline(), made.disk()):
        assert broken(outcomes) <= LINKS
        assert not_run(outcomes) == set()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given_by(judged_records())
def test_both_checkers_and_the_pairing_agree_on_links(judged: tuple[SourceRecord, Target]) -> None:
    record, target = judged
    made = world(record, target.message, contract=TOLERANT)
    inline, disk = broken(made.inline()) & LINKS, broken(made.disk()) & LINKS
    assert inline == disk
    try:
        pairing = pair(record)
    except PairingConflictError:
        assert Requirement.RESULT_HAS_CALL in inline
        return
    assert (Requirement.RESULT_HAS_CALL in inline) == bool(pairing.orphans)
    if Requirement.CALL_HAS_RESULT in inline:
        assert pairing.unanswered


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given_by(judged_records(), st.sampled_from(Scope), st.sampled_from(Rendering), st.data())
def test_no_other_packet_passes_either_checker(
    judged: tuple[SourceRecord, Target], scope: Scope, rendering: Rendering, data: st.DataObject
) -> None:
    record, target = judged
    made = world(record, target.message, contract=TOLERANT)
    key = made.key(scope, rendering)
    text = made.text(key)
    start = data.draw(st.integers(0, len(text)))
    stop = data.draw(st.integers(start, min(len(text), start + 40)))
    piece = data.draw(st.sampled_from(PIECES) | st.just(""))
    changed = text[:start] + piece + text[stop:]
    assume(changed != text)
    made.rewrite(key, changed.encode())
    assert broken(made.inline()) - LINKS
    assert broken(made.disk()) - LINKS


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given_by(judged_records(), st.sampled_from(Rendering), st.data())
def test_no_changed_byte_passes_either_checker(
    judged: tuple[SourceRecord, Target], rendering: Rendering, data: st.DataObject
) -> None:
    record, target = judged
    made = world(record, target.message, contract=TOLERANT)
    key = made.key(Scope.FULL, rendering)
    packet = made.text(key).encode()
    place = data.draw(st.integers(0, len(packet) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda value: value != packet[place]))
    made.rewrite(key, packet[:place] + bytes([byte]) + packet[place + 1 :])
    assert broken(made.inline()) - LINKS
    assert broken(made.disk()) - LINKS


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given_by(judged_records(), st.sampled_from(Rendering), st.data())
def test_no_needless_escape_passes_either_checker(
    judged: tuple[SourceRecord, Target], rendering: Rendering, data: st.DataObject
) -> None:
    record, target = judged
    made = world(record, target.message, contract=TOLERANT)
    key = made.key(Scope.FULL, rendering)
    text = made.text(key)
    place = data.draw(st.sampled_from([at for at, character in enumerate(text) if character in "\n([\\\t"]))
    made.rewrite(key, f"{text[:place]}\\u{ord(text[place]):04x}{text[place + 1 :]}".encode())
    assert broken(made.inline()) - LINKS
    assert broken(made.disk()) - LINKS
