"""Every requirement has a case that breaks it, named by every checker it is assigned to, and a legal unusual one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

from sscb_pipeline.artifacts.digest import sha256_hex
from sscb_pipeline.packets.check_inline import EarlierOriginal
from sscb_pipeline.packets.input_contract import MalformedCalls, Rendering, Scope, TrailingCalls
from sscb_pipeline.packets.requirement import ASSIGNED, Checker, Requirement
from sscb_pipeline.trajectories.arguments import absent, from_object
from sscb_pipeline.trajectories.source_codec import encode_source
from sscb_pipeline.trajectories.source_record import (
    NO_KEY,
    PairingRule,
    Requestor,
    SourceHandoff,
    SourceResult,
    ToolsNotRecorded,
    given,
)
from sscb_pipeline.trajectories.steps import ToolDefinition
from sscb_pipeline_tests.packets.bench_of_checks import ALL, World, all_kept, broken, violations, world
from sscb_pipeline_tests.packets.made import (
    BASE,
    FIRST,
    SECOND,
    agent,
    call,
    changed,
    inserted,
    record,
    result,
    system,
    user,
    without,
)

R, O, C = Rendering.RESTORED, Rendering.ORIGINAL, Rendering.COMPLETE  # noqa: E741
PREFIX, FULL = Scope.PREFIX, Scope.FULL


def base() -> World:
    return world(BASE, FIRST, SECOND)


def edit(scope: Scope, rendering: Rendering, old: str, new: str, target: int = 0) -> World:
    """The builder wrote a passage wrong in one packet."""
    made = base()
    made.change(made.key(scope, rendering, target), old, new)
    return made


def in_packets(change: Callable[[World], None]) -> World:
    made = base()
    change(made)
    return made


def drop_packet(made: World) -> None:
    key = made.key(PREFIX, R)
    made.packets = [packet for packet in made.packets if packet.key != key]
    made.entry = replace(made.entry, packets=tuple(packet.entry for packet in made.packets))


def double_packet(made: World) -> None:
    made.packets.append(made.packets[0])
    made.entry = replace(made.entry, packets=tuple(packet.entry for packet in made.packets))


def stray_packet(made: World) -> None:
    key = replace(made.key(PREFIX, R), target=replace(made.targets[0], message=10))
    made.packets.append(replace(made.packets[0], key=key))
    made.entry = replace(made.entry, packets=tuple(packet.entry for packet in made.packets))


def other_original(made: World) -> None:
    packet = next(packet for packet in made.packets if packet.key.kind.rendering is O)
    data = packet.data.replace(b"moved", b"Moved") + b"!"
    made.originals[packet.key.name] = EarlierOriginal(data=data, sha256=sha256_hex(data))


def changed_original(made: World) -> None:
    packet = next(packet for packet in made.packets if packet.key.kind.rendering is O)
    made.originals[packet.key.name] = EarlierOriginal(data=packet.data, sha256=sha256_hex(b"as it was"))


def changed_source_file(made: World) -> None:
    made.sources.files[made.source.file_name] = encode_source(replace(BASE, stop_markers=("###STOP###",)))


def crlf_in(shelf: str) -> Callable[[World], None]:
    def change(made: World) -> None:
        files = getattr(made, shelf).files
        name = made.key(FULL, R).file_name
        files[name] = files[name].replace(b"\n", b"\r\n")

    return change


def truncated(shelf: str) -> Callable[[World], None]:
    def change(made: World) -> None:
        files = getattr(made, shelf).files
        name = made.key(FULL, C).file_name
        files[name] = files[name][:-30]

    return change


def lost(shelf: str) -> Callable[[World], None]:
    def change(made: World) -> None:
        del getattr(made, shelf).files[made.key(FULL, C).file_name]

    return change


def extra(shelf: str) -> Callable[[World], None]:
    def change(made: World) -> None:
        getattr(made, shelf).files["notes.txt"] = b"x"

    return change


def manifest_hash(made: World) -> None:
    made.hashes[3] = (made.hashes[3][0], sha256_hex(b"other"))


BOTH = (Checker.INLINE, Checker.DISK)
INLINE = (Checker.INLINE,)
DISK = (Checker.DISK,)


@dataclass(frozen=True, slots=True)
class Failing:
    """A world in which a requirement is broken, the checkers that must name it, and a word their report holds."""

    requirement: Requirement
    checkers: tuple[Checker, ...]
    made: Callable[[], World]
    word: str


def source(changed_record: Callable[[], World], requirement: Requirement, word: str) -> Failing:
    return Failing(requirement, BOTH, changed_record, word)


def packet(requirement: Requirement, word: str, *what: object) -> Failing:
    scope, rendering, old, new, *target = what
    return Failing(
        requirement,
        BOTH,
        lambda: edit(scope, rendering, old, new, *target),
        word,  # type: ignore[arg-type]
    )


def needless(text: str, escaped: str) -> World:
    """A result's text, escaped where nothing had to be."""
    made = world(changed(BASE, 9, result("c", text)), FIRST)
    made.change(made.key(FULL, C), text, escaped)
    return made


ORPHAN = result("zz", "from nowhere")
REFUSING = replace(ALL, trailing_calls=TrailingCalls.REFUSED)
TRAILING = record(user("Go."), agent(None, call("a", "look")))

FAILING: tuple[Failing, ...] = (
    source(lambda: world(without(BASE, 4), FIRST), Requirement.CALL_HAS_RESULT, "message 2"),
    source(lambda: world(without(BASE, 6), FIRST), Requirement.CALL_HAS_RESULT, "message 5"),
    source(lambda: world(TRAILING, 1, contract=REFUSING), Requirement.CALL_HAS_RESULT, "message 1"),
    source(lambda: world(inserted(BASE, 3, ORPHAN), FIRST), Requirement.RESULT_HAS_CALL, "message 3"),
    source(lambda: world(inserted(BASE, 5, result("a", "again")), FIRST), Requirement.RESULT_HAS_CALL, "message 5"),
    source(
        lambda: world(inserted(BASE, 7, result("u", "again", Requestor.USER)), FIRST),
        Requirement.RESULT_HAS_CALL,
        "message 7",
    ),
    source(
        lambda: world(changed(BASE, 6, result("u", "pressed", Requestor.AGENT)), FIRST),
        Requirement.RESULT_HAS_CALL,
        "message 6",
    ),
    source(
        lambda: world(changed(BASE, 3, replace(result("a", "one"), tool=given("move"))), FIRST),
        Requirement.RESULT_HAS_CALL,
        "'move'",
    ),
    source(
        lambda: world(changed(BASE, 3, replace(result("", "one"), call_id=NO_KEY)), FIRST),
        Requirement.RESULT_HAS_CALL,
        "message 3",
    ),
    source(
        lambda: world(changed(BASE, 8, agent(None, call("c", "move", "{'to': 'hall'}"))), FIRST),
        Requirement.ARGUMENTS_READABLE,
        "message 8",
    ),
    source(
        lambda: world(changed(BASE, 5, user(None, call("u", "press", "[1]"))), FIRST),
        Requirement.ARGUMENTS_READABLE,
        "message 5",
    ),
    Failing(Requirement.PACKET_SET, BOTH, lambda: in_packets(drop_packet), "rec:1/m2/prefix/R"),
    Failing(Requirement.PACKET_SET, BOTH, lambda: in_packets(double_packet), "rec:1/m2/prefix/O"),
    Failing(Requirement.PACKET_SET, BOTH, lambda: in_packets(stray_packet), "rec:1/m10/prefix/R"),
    Failing(Requirement.PACKET_SET, DISK, lambda: in_packets(lost("archive")), "rec%3A1.m2.full.C.txt"),
    Failing(Requirement.PACKET_SET, DISK, lambda: in_packets(extra("archive")), "notes.txt"),
    packet(Requirement.ENCODING, "rec:1/m2/full/R", FULL, R, "two\n", "two\r\n"),
    packet(Requirement.ENCODING, "rec:1/m2/full/R", FULL, R, "two", "two\x00"),
    packet(Requirement.ENCODING, "rec:1/m2/full/C", FULL, C, "\\u005bNOTE]", "\\u005b\\u004eOTE]\u2028"),
    Failing(Requirement.ENCODING, BOTH, lambda: needless("f(x)", "f\\u0028x)"), "rec:1/m2/full/C"),
    Failing(Requirement.ENCODING, BOTH, lambda: needless("one\ntwo", "one\\u000atwo"), "rec:1/m2/full/C"),
    Failing(Requirement.ENCODING, BOTH, lambda: needless("a\\b", "a\\u005cb"), "rec:1/m2/full/C"),
    Failing(Requirement.ENCODING, BOTH, lambda: needless("a[B", "a\\u005bB"), "rec:1/m2/full/C"),
    packet(Requirement.QUESTION, "[QUESTION]", PREFIX, O, "counterproductive", "productive"),
    packet(Requirement.QUESTION, "[QUESTION]", PREFIX, C, "yes, no or", "no, yes or"),
    packet(Requirement.TASK_CONTEXT, "rec:1/m2/prefix/R", PREFIX, R, "Move my bag.", "Move my box."),
    packet(
        Requirement.TASK_CONTEXT,
        "rec:1/m2/full/O",
        FULL,
        O,
        "[TASK CONTEXT]\nMove my bag.",
        "[TASK CONTEXT] (none recorded)",
    ),
    packet(Requirement.TARGET_MARKED, "rec:1/m2/full/R", FULL, R, "[TARGET MESSAGE 2]", "[MESSAGE 2]"),
    packet(Requirement.TARGET_MARKED, "rec:1/m2/full/R", FULL, R, "[MESSAGE 8]", "[TARGET MESSAGE 8]"),
    packet(Requirement.SCOPE_END, "rec:1/m2/prefix/R", PREFIX, R, "[END", "[MESSAGE 3]\n[TOOL RESULT]\none\n[END"),
    packet(Requirement.SCOPE_END, "rec:1/m2/full/O", FULL, O, "[MESSAGE 10]\n[ASSISTANT]\nDone.\n", ""),
    packet(
        Requirement.SCOPE_END,
        "rec:1/m2/prefix/O",
        PREFIX,
        O,
        "the target message is the last one shown",
        "the recording ends here",
    ),
    packet(Requirement.SCOPE_END, "rec:1/m2/full/C", FULL, C, "[END OF PACKET] the recording ends here\n", ""),
    packet(Requirement.MESSAGE_ORDER, "rec:1/m2/full/O", FULL, O, "[MESSAGE 7]\n[USER]\nI pressed it.\n", ""),
    packet(Requirement.MESSAGE_ORDER, "message 7", FULL, O, "[USER]\nI pressed", "[ASSISTANT]\nI pressed"),
    packet(
        Requirement.MESSAGE_ORDER,
        "rec:1/m2/full/O",
        FULL,
        O,
        "[MESSAGE 3]\n[TOOL RESULT]\none\n[MESSAGE 4]\n[TOOL RESULT]\ntwo",
        "[MESSAGE 4]\n[TOOL RESULT]\ntwo\n[MESSAGE 3]\n[TOOL RESULT]\none",
    ),
    packet(
        Requirement.MESSAGE_ORDER,
        "rec:1/m2/full/R",
        FULL,
        R,
        "[MESSAGE 7]\n[USER]\nI pressed it.\n",
        "[MESSAGE 7]\n[USER]\nI pressed it.\n" * 2,
    ),
    packet(Requirement.MESSAGE_TEXT, "message 0", FULL, O, "Policy.", "policy."),
    packet(Requirement.MESSAGE_TEXT, "message 2", PREFIX, R, "I look.\n", ""),
    packet(Requirement.MESSAGE_TEXT, "message 10", FULL, C, "Done.", "Done.\nlabel: -1"),
    packet(Requirement.MESSAGE_TEXT, "message 8", FULL, C, "[ASSISTANT] (null)", "[ASSISTANT] (empty)"),
    packet(Requirement.CALLS_SHOWN, "message 2", PREFIX, R, '[TOOL CALL] look({"x": 1})\n', ""),
    packet(Requirement.CALLS_SHOWN, "message 2", PREFIX, C, '({"x": 1})', '({"x":1})'),
    packet(Requirement.CALLS_SHOWN, "message 5", FULL, R, "[USER TOOL CALL]", "[TOOL CALL]"),
    packet(Requirement.CALLS_SHOWN, "message 8", FULL, R, "[TOOL CALL] move", "[TOOL CALL] Move", 1),
    packet(
        Requirement.CALLS_SHOWN,
        "message 2",
        PREFIX,
        R,
        '[TOOL CALL] look({"x": 1})\n[TOOL CALL] look({"x": 2})',
        '[TOOL CALL] look({"x": 2})\n[TOOL CALL] look({"x": 1})',
    ),
    packet(
        Requirement.CALLS_SHOWN,
        "message 8",
        FULL,
        R,
        '[ASSISTANT]\n[TOOL CALL] move({"to": "hall"})',
        '[TOOL CALL] move({"to": "hall"})\n[ASSISTANT]',
    ),
    packet(Requirement.RESULT_TEXT, "message 3", FULL, O, "one", "One"),
    packet(Requirement.RESULT_TEXT, "message 6", FULL, R, "[TOOL RESULT]\npressed", "[TOOL RESULT] (empty)"),
    packet(Requirement.RESULT_TEXT, "message 9", FULL, C, "moved", "moved ", 1),
    packet(Requirement.RESULT_LINKS, "message 4", FULL, C, "[CALL ID] b\n[REQ", "[CALL ID] a\n[REQ"),
    packet(Requirement.RESULT_LINKS, "message 6", FULL, C, "[REQUESTOR] user", "[REQUESTOR] agent"),
    packet(Requirement.RESULT_LINKS, "message 2", PREFIX, C, "[CALL ID] a\n", ""),
    packet(Requirement.RESULT_LINKS, "message 3", FULL, C, "[TOOL NAME] (no key)", "[TOOL NAME] look"),
    packet(Requirement.TOOL_DEFINITIONS, "rec:1/m2/prefix/C", PREFIX, C, "Look.", "Look!"),
    packet(
        Requirement.TOOL_DEFINITIONS,
        "rec:1/m2/full/C",
        FULL,
        C,
        "[TOOL DEFINITION] move\n[PARAMETERS] {}\n[DESCRIPTION] (empty)\n",
        "",
    ),
    packet(Requirement.NOTHING_ELSE, "message 2", FULL, O, "I look.\n", "I look.\n[TOOL CALL] look()\n"),
    packet(Requirement.NOTHING_ELSE, "message 3", FULL, R, "[TOOL RESULT]\none", "[CALL ID] a\n[TOOL RESULT]\none"),
    packet(Requirement.NOTHING_ELSE, "message 10", FULL, C, "Done.", "Done.\n[STEP LABEL] -1"),
    packet(Requirement.NOTHING_ELSE, "message 2", FULL, R, "[ASSISTANT]\nI", "[ASSISTANT] wrong\nI"),
    packet(Requirement.NOTHING_ELSE, "message 2", FULL, C, "[CALL ID] a\n", "[CALL ID] a\nSECRET\n"),
    packet(Requirement.NOTHING_ELSE, "rec:1/m2/full/R", FULL, R, "[TRAJ", "[TOOLS] (none)\n[TRAJ"),
    packet(Requirement.NOTHING_ELSE, "rec:1/m2/full/R", FULL, R, "ends here\n", "ends here\nlabel -1\n"),
    packet(Requirement.NOTHING_ELSE, "rec:1/m2/full/R", FULL, R, "[JUDGE", "note\n[JUDGE"),
    Failing(Requirement.EARLIER_ORIGINAL_SAME, INLINE, lambda: in_packets(other_original), "prefix/O"),
    Failing(Requirement.EARLIER_ORIGINAL_SAME, INLINE, lambda: in_packets(changed_original), "prefix/O"),
    Failing(Requirement.SOURCE_BYTES, DISK, lambda: in_packets(changed_source_file), "rec%3A1.source"),
    Failing(Requirement.ARCHIVED_BYTES, DISK, lambda: in_packets(crlf_in("archive")), "CRLF"),
    Failing(Requirement.ARCHIVED_BYTES, DISK, lambda: in_packets(truncated("archive")), "rec:1/m2/full/C"),
    Failing(Requirement.STAGED_BYTES, DISK, lambda: in_packets(crlf_in("staged")), "CRLF"),
    Failing(Requirement.STAGED_BYTES, DISK, lambda: in_packets(truncated("staged")), "rec:1/m2/full/C"),
    Failing(Requirement.STAGED_SET, DISK, lambda: in_packets(lost("staged")), "rec%3A1.m2.full.C.txt"),
    Failing(Requirement.STAGED_SET, DISK, lambda: in_packets(extra("staged")), "notes.txt"),
    Failing(Requirement.MANIFEST_ENTRIES, DISK, lambda: in_packets(manifest_hash), "rec%3A1"),
    Failing(Requirement.MANIFEST_ENTRIES, DISK, lambda: in_packets(lambda made: made.hashes.pop()), "lacks"),
    Failing(
        Requirement.MANIFEST_ENTRIES,
        DISK,
        lambda: in_packets(lambda made: made.hashes.append(made.hashes[0])),
        "2 times",
    ),
    Failing(
        Requirement.MANIFEST_ENTRIES,
        DISK,
        lambda: in_packets(lambda made: made.hashes.append(("notes.txt", "0" * 64))),
        "notes.txt",
    ),
)


def _named(case: Failing) -> str:
    return f"{case.requirement.value}-{FAILING.index(case)}"


@pytest.mark.parametrize("case", FAILING, ids=_named)
def test_a_broken_requirement_is_named_by_every_assigned_checker(case: Failing) -> None:
    made = case.made()
    outcomes = {Checker.INLINE: made.inline(), Checker.DISK: made.disk()}
    for checker in case.checkers:
        assert case.requirement in broken(outcomes[checker]), (checker, broken(outcomes[checker]))
        assert case.word in violations(outcomes[checker], case.requirement)


LEGAL: dict[Requirement, Callable[[], World]] = {
    Requirement.CALL_HAS_RESULT: lambda: world(TRAILING, 1),
    Requirement.RESULT_HAS_CALL: lambda: world(
        record(
            user("Go."),
            agent(None, call("x", "look", '{"n": 1}')),
            result("x", "1", Requestor.NOT_GIVEN),
            user(None, call("x", "press")),
            result("x", "2", Requestor.USER),
            agent(None, call("x", "move"), call("x", "look")),
            replace(result("x", "3"), tool=given("move")),
            replace(result("x", "4"), tool=given("look")),
        ),
        5,
    ),
    Requirement.ARGUMENTS_READABLE: lambda: world(
        changed(BASE, 8, agent(None, call("c", "move", "{'to': 'hall'}"))),
        SECOND,
        contract=replace(ALL, malformed_calls=MalformedCalls.PRESERVE),
    ),
    Requirement.PACKET_SET: lambda: world(BASE, SECOND, FIRST),
    Requirement.ENCODING: lambda: world(
        changed(BASE, 3, result("a", "cr\r\n nul\x00 nel\x85 ls\u2028 lone\ud800 pair\ud83d\ude00 😀 \\u0000 \t")),
        FIRST,
    ),
    Requirement.QUESTION: lambda: world(BASE, FIRST, contract=replace(ALL, question="[TOOL CALL] is it?\r\n")),
    Requirement.TASK_CONTEXT: lambda: world(record(agent(" "), agent("[USER]\nThe task.", call("a", "look"))), 1),
    Requirement.TARGET_MARKED: lambda: world(
        changed(BASE, 7, user("[TARGET MESSAGE 7]\n[END OF PACKET] the recording ends here")), FIRST
    ),
    Requirement.SCOPE_END: lambda: world(without(without(BASE, 10), 9), SECOND),
    Requirement.MESSAGE_ORDER: lambda: world(
        record(
            user("Go."),
            agent("First.", call("a", "look")),
            agent("And also:", call("b", "look")),
            result("b", "2"),
            result("a", "1"),
            system("A later instruction."),
        ),
        1,
        2,
    ),
    Requirement.MESSAGE_TEXT: lambda: world(
        changed(BASE, 10, replace(agent("\n\n[ASSISTANT]\n"), refusal=given("(null)"), speaker=given("(empty)"))), FIRST
    ),
    Requirement.CALLS_SHOWN: lambda: world(
        record(
            user("Go."),
            agent(
                "text",
                call("a", "f(x)\n[TOOL CALL] g", '{"s": ")\\n"}'),
                call("b", "", '{\n "pretty": 1\n}'),
                call("c", "h", absent()),
                call("d", "h", from_object({"k": "[X]\u2028"})),
            ),
        ),
        1,
        contract=replace(ALL, malformed_calls=MalformedCalls.PRESERVE),
    ),
    Requirement.RESULT_TEXT: lambda: world(
        changed(changed(BASE, 3, result("a", "")), 4, result("b", "(empty)")), FIRST
    ),
    Requirement.RESULT_LINKS: lambda: world(
        replace(
            record(
                user("Go."),
                agent(None, replace(call("", "look"), call_id=NO_KEY), replace(call("", "move"), call_id=given(""))),
                SourceResult(
                    call_id=NO_KEY,
                    tool=given("look"),
                    content=given("1"),
                    requestor=Requestor.NOT_GIVEN,
                    error=result("", "").error,
                ),
                result("", "2"),
            ),
            pairing_rule=PairingRule.BY_POSITION,
        ),
        1,
    ),
    Requirement.TOOL_DEFINITIONS: lambda: world(
        replace(
            BASE,
            tools=(ToolDefinition(name="[X](", description="[TRAJECTORY]\n", parameters={"é": ["\n", 1.5, None]}),),
        ),
        FIRST,
    ),
    Requirement.NOTHING_ELSE: lambda: world(
        replace(
            inserted(BASE, 10, SourceHandoff(recipient="(other)\n", text=given("[STEP LABEL] -1"))),
            tools=ToolsNotRecorded(),
        ),
        FIRST,
    ),
    Requirement.EARLIER_ORIGINAL_SAME: lambda: in_packets(same_original),
    Requirement.SOURCE_BYTES: lambda: world(changed(BASE, 0, system("\ud800")), FIRST),
    Requirement.ARCHIVED_BYTES: base,
    Requirement.STAGED_BYTES: base,
    Requirement.STAGED_SET: lambda: in_packets(reordered),
    Requirement.MANIFEST_ENTRIES: lambda: in_packets(lambda made: made.hashes.reverse()),
}


def same_original(made: World) -> None:
    for one in made.packets:
        if one.key.kind.rendering is O:
            made.originals[one.key.name] = EarlierOriginal(data=one.data, sha256=sha256_hex(one.data))


def reordered(made: World) -> None:
    made.staged.files = dict(reversed(made.staged.files.items()))


@pytest.mark.parametrize("requirement", Requirement)
def test_an_unusual_legal_case_passes_both_checkers(requirement: Requirement) -> None:
    made = LEGAL[requirement]()
    for outcomes in (made.inline(), made.disk()):
        assert all_kept(outcomes), dict(outcomes)


@pytest.mark.parametrize("requirement", Requirement)
def test_each_requirement_has_a_failing_case_for_each_assigned_checker(requirement: Requirement) -> None:
    (assigned,) = [item for item in ASSIGNED if item.requirement is requirement]
    covered = {checker for case in FAILING if case.requirement is requirement for checker in case.checkers}
    assert {assignment.checker for assignment in assigned.assignments} <= covered
    assert assigned.statement


def test_an_unreadable_packet_leaves_content_not_run_and_no_gate_opens() -> None:
    made = base()
    made.rewrite(made.key(FULL, R), b"\xff")
    for outcomes in (made.inline(), made.disk()):
        assert Requirement.ENCODING in broken(outcomes)
        assert not all_kept(outcomes)
        assert type(outcomes[Requirement.MESSAGE_TEXT.value]).__name__ == "NotRun"


@pytest.mark.parametrize("data", [b"", b"\xff", b"{", b"{}\n{}\n{}\n"])
def test_an_unreadable_source_file_breaks_its_bytes_and_leaves_the_rest_not_run(data: bytes) -> None:
    made = base()
    made.sources.files[made.source.file_name] = data
    outcomes = made.disk()
    assert Requirement.SOURCE_BYTES in broken(outcomes)
    assert type(outcomes[Requirement.RESULT_HAS_CALL.value]).__name__ == "NotRun"


def test_a_check_that_met_nothing_has_run_nothing() -> None:
    made = base()
    made.targets = ()
    made.packets = []
    assert type(made.inline()[Requirement.MESSAGE_TEXT.value]).__name__ == "NotRun"
