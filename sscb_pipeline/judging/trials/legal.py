"""Legal inputs that look wrong: for each requirement a recording, or a cohort, that checkers must go on accepting."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from sscb_pipeline.assurance.requirement import Broken, Outcome
from sscb_pipeline.judging.trials.checker_pairs import Pair, disk, inline
from sscb_pipeline.judging.trials.kill_table import examined, saved
from sscb_pipeline.judging.trials.specimens import (
    COMPARISON_MESSAGE,
    ERROR_MESSAGE,
    TRIAL_CONTRACT,
    Specimen,
    call,
    member,
    messages,
    record,
    result,
    specimen,
    turn,
)
from sscb_pipeline.packets.check_inline import EarlierOriginal
from sscb_pipeline.packets.input_contract import QUESTION, Rendering
from sscb_pipeline.packets.requirement import Requirement
from sscb_pipeline.trajectories.source_record import (
    NO_KEY,
    Actor,
    ErrorMark,
    PairingRule,
    Requestor,
    SourceMessage,
    SourceRecord,
    SourceResult,
    SourceTurn,
    ToolsNotRecorded,
    given,
)

_TARGETS = (COMPARISON_MESSAGE, ERROR_MESSAGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class LegalCase:
    """An unusual legal input for a requirement, and what is unusual about it."""

    requirement: Requirement
    unusual: str
    cohort: Callable[[], Sequence[Specimen]]


@dataclass(frozen=True, slots=True, kw_only=True)
class FalseAlarm:
    """A checker of the production pair broke a requirement on a legal input."""

    case: LegalCase
    checker: str
    found: str


def _changed(at: int, message: SourceMessage) -> Callable[[], Sequence[Specimen]]:
    def cohort() -> Sequence[Specimen]:
        content = [*messages(1)]
        content[at] = message
        return [member("legal", record(1, content), _TARGETS)]

    return cohort


def _said(text: str) -> Callable[[], Sequence[Specimen]]:
    """The user's second text is this one."""
    return _changed(11, turn(Actor.USER, given(text)))


def _recorded(alter: Callable[[SourceRecord], SourceRecord], targets: Sequence[int] = _TARGETS) -> Sequence[Specimen]:
    return [member("legal", alter(record(1, messages(1))), targets)]


def _trailing() -> Sequence[Specimen]:
    content = (*messages(1), turn(Actor.AGENT, given("One more."), call("c9", "get_order", "{}")))
    return [member("legal", record(1, content), (*_TARGETS, 16))]


def _reused_ids() -> Sequence[Specimen]:
    content = [*messages(1)]
    for at in (4, 9, 12):
        said = content[at]
        assert isinstance(said, SourceTurn)
        content[at] = replace(said, calls=tuple(replace(one, call_id=given("same")) for one in said.calls))
    for at in (5, 10, 13):
        answer = content[at]
        assert isinstance(answer, SourceResult)
        content[at] = replace(answer, call_id=given("same"))
    return [member("legal", record(1, content), _TARGETS)]


def _same_twice() -> Sequence[Specimen]:
    content = [*messages(1), turn(Actor.USER, given("Thank you, 1."))]
    return [member("legal", record(1, content), _TARGETS)]


def _twin_calls() -> Sequence[Specimen]:
    content = [*messages(1)]
    content[6] = turn(Actor.AGENT, given(""), call("c3", "f(x)", '{"a": "(1)"}'), call("c4", "f(x)", '{"a": "(1)"}'))
    content[7], content[8] = result("c3", "f(x)", "1"), result("c4", "f(x)", "1")
    return [member("legal", record(1, content), _TARGETS)]


def _without_ids(recorded: SourceRecord) -> SourceRecord:
    def bare(message: SourceMessage) -> SourceMessage:
        if isinstance(message, SourceTurn):
            return replace(message, calls=tuple(replace(one, call_id=NO_KEY) for one in message.calls))
        if isinstance(message, SourceResult):
            return replace(message, call_id=NO_KEY, tool=NO_KEY, requestor=Requestor.NOT_GIVEN)
        return message

    content = tuple(bare(message) for message in recorded.messages)
    return replace(recorded, pairing_rule=PairingRule.BY_POSITION, messages=content)


def _no_request(recorded: SourceRecord) -> SourceRecord:
    content = tuple(
        replace(message, text=given("")) if isinstance(message, SourceTurn) else message
        for message in recorded.messages
    )
    return replace(recorded, messages=content)


def _secrets() -> Sequence[Specimen]:
    content = [*messages(1)]
    content[4] = replace(turn(Actor.AGENT, given("label: -1"), call("c2", "get_product", "{}")), reasoning=given("Hm."))
    content[5] = replace(result("c2", "get_product", "wrong"), error=ErrorMark.ERROR)
    return [member("legal", record(1, content), _TARGETS)]


def _twins() -> Sequence[Specimen]:
    """Two records with the same content: their packets are the same bytes under two names."""
    return [member(name, record(1, messages(1)), _TARGETS) for name in ("one", "two")]


LEGAL = (
    LegalCase(
        requirement=Requirement.CALL_HAS_RESULT, unusual="a last call that nothing could answer", cohort=_trailing
    ),
    LegalCase(
        requirement=Requirement.RESULT_HAS_CALL,
        unusual="one id for calls of the agent and of the user, each answered in turn",
        cohort=_reused_ids,
    ),
    LegalCase(
        requirement=Requirement.ARGUMENTS_READABLE,
        unusual="an object that is empty but for white space, and one with escapes",
        cohort=_changed(
            6,
            turn(
                Actor.AGENT, given(""), call("c3", "get_order", "{ \n}"), call("c4", "get_product", '{"é":"\\u0000"}')
            ),
        ),
    ),
    LegalCase(
        requirement=Requirement.PACKET_SET,
        unusual="a record with one target beside one with two",
        cohort=lambda: [specimen(0), member("single", record(1, messages(1)), (ERROR_MESSAGE,))],
    ),
    LegalCase(
        requirement=Requirement.ENCODING,
        unusual="NUL, CR, a lone surrogate, U+2028 and a byte order mark in a text",
        cohort=_said("a\x00b\r\nc\ud800d\u2028e\ufeff \\u000d"),
    ),
    LegalCase(requirement=Requirement.QUESTION, unusual="a user who asks the judge's question", cohort=_said(QUESTION)),
    LegalCase(
        requirement=Requirement.TASK_CONTEXT,
        unusual="a recording in which nobody said anything",
        cohort=lambda: _recorded(_no_request),
    ),
    LegalCase(
        requirement=Requirement.TARGET_MARKED,
        unusual="a text that is a target's line",
        cohort=_said("[TARGET MESSAGE 3]\n[TARGET MESSAGE 12]"),
    ),
    LegalCase(
        requirement=Requirement.SCOPE_END,
        unusual="a text that is the end's line",
        cohort=_said("[END OF PACKET] the recording ends here"),
    ),
    LegalCase(requirement=Requirement.MESSAGE_ORDER, unusual="two equal messages in a row", cohort=_same_twice),
    LegalCase(
        requirement=Requirement.MESSAGE_TEXT,
        unusual="white space only, and line ends at the end",
        cohort=_said(" \t\n\n"),
    ),
    LegalCase(
        requirement=Requirement.CALLS_SHOWN,
        unusual="two equal parallel calls of a tool with a bracket in its name",
        cohort=_twin_calls,
    ),
    LegalCase(
        requirement=Requirement.RESULT_TEXT,
        unusual="a result that looks like a call",
        cohort=_changed(5, result("c2", "get_product", '[TOOL CALL] get_order({"id": "1"})')),
    ),
    LegalCase(
        requirement=Requirement.RESULT_LINKS,
        unusual="no ids and no names, paired by position",
        cohort=lambda: _recorded(_without_ids),
    ),
    LegalCase(
        requirement=Requirement.TOOL_DEFINITIONS,
        unusual="tools that the source does not record",
        cohort=lambda: _recorded(lambda recorded: replace(recorded, tools=ToolsNotRecorded())),
    ),
    LegalCase(
        requirement=Requirement.NOTHING_ELSE,
        unusual="a text that speaks of labels; reasoning and an error mark in the source",
        cohort=_secrets,
    ),
    LegalCase(
        requirement=Requirement.EARLIER_ORIGINAL_SAME,
        unusual="an earlier archive that holds the same bytes",
        cohort=lambda: [specimen(1)],
    ),
    *(
        LegalCase(requirement=requirement, unusual="equal bytes under two names", cohort=_twins)
        for requirement in (
            Requirement.SOURCE_BYTES,
            Requirement.ARCHIVED_BYTES,
            Requirement.STAGED_BYTES,
            Requirement.STAGED_SET,
            Requirement.MANIFEST_ENTRIES,
        )
    ),
)


def false_alarms(case: LegalCase) -> list[FalseAlarm]:
    """What the production pair finds wrong with a legal input; requirements it examined nowhere count too."""
    records = [examined(one) for one in case.cohort()]
    originals = {
        packet.key.name: EarlierOriginal(data=packet.data, sha256=packet.sha256)
        for one in records
        for packet in one.made.packets
        if packet.key.kind.rendering is Rendering.ORIGINAL
    }
    found: Mapping[str, Mapping[str, Outcome]] = {
        "inline": inline(Pair.PRODUCTION, TRIAL_CONTRACT, records, originals),
        "disk": disk(Pair.PRODUCTION, TRIAL_CONTRACT, records, saved(records)),
    }
    return [
        FalseAlarm(case=case, checker=checker, found=f"{name}: {_told(outcome)}")
        for checker, outcomes in found.items()
        for name, outcome in outcomes.items()
        if type(outcome).__name__ != "Kept"
    ]


def _told(outcome: Outcome) -> str:
    return outcome.violations[0] if isinstance(outcome, Broken) else "not run"
