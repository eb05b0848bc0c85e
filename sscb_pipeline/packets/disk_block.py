"""Why a message's block in an archived packet differs from what the source requires; part of the disk checker."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sscb_pipeline.packets.findings import Findings
from sscb_pipeline.packets.input_contract import Rendering
from sscb_pipeline.packets.requirement import Requirement

_START = re.compile(r"^(?=\[[A-Z])", re.MULTILINE)
_ANY_ESCAPE = re.compile(r"\\u(00[0-9a-f]{2}|202[89]|feff|d[89a-f][0-9a-f]{2})")
_ONE_LINE = {
    "[TOOL CALL]": Requirement.CALLS_SHOWN,
    "[USER TOOL CALL]": Requirement.CALLS_SHOWN,
    "[ARGUMENTS]": Requirement.CALLS_SHOWN,
    "[CALL ID]": Requirement.RESULT_LINKS,
    "[TOOL NAME]": Requirement.RESULT_LINKS,
    "[REQUESTOR]": Requirement.RESULT_LINKS,
}
_TEXT = ("[SPEAKER]", "[REFUSAL]", "[HANDOFF TEXT]")
_ROLE = ("[SYSTEM]", "[USER]", "[ASSISTANT]", "[HANDOFF]")
_SIGNS = ("", " (empty)", " (null)", " (no key)")


def diagnose(place: str, rendering: Rendering, required: str, block: str, found: Findings) -> None:
    """Name every requirement that the block breaks, at least one."""
    wanted, shown = list(_sorted(required)), list(_sorted(block))
    reported = False
    for requirement in dict.fromkeys(chunk[0] for chunk in (*wanted, *shown)):
        expected = [text for kind, text in wanted if kind is requirement]
        present = [text for kind, text in shown if kind is requirement]
        if expected == present:
            continue
        reported = True
        if requirement in _foreign(rendering):
            told = f"{place}: rendering {rendering.value} may not hold {present[0]!r:.40}"
            found.broke(Requirement.NOTHING_ELSE, told)
        elif [_plain(text) for text in expected] == [_plain(text) for text in present]:
            found.broke(Requirement.ENCODING, f"{place}: an escape that is not the contract's")
        else:
            found.broke(requirement, f"{place}: {_told(expected, present)}")
    if not reported:
        moved = any(kind is Requirement.CALLS_SHOWN for kind, _ in wanted)
        told = f"{place}: the lines stand in another order"
        found.broke(Requirement.CALLS_SHOWN if moved else Requirement.RESULT_LINKS, told)


def _foreign(rendering: Rendering) -> tuple[Requirement, ...]:
    """What a rendering shows nothing of."""
    if rendering is Rendering.ORIGINAL:
        return (Requirement.CALLS_SHOWN, Requirement.RESULT_LINKS)
    return (Requirement.RESULT_LINKS,) if rendering is Rendering.RESTORED else ()


def _sorted(block: str) -> Iterator[tuple[Requirement, str]]:
    """What a block shows in order, each with the requirement it falls under."""
    *others, last = _START.split(block)
    for text in (*(chunk.removesuffix("\n") for chunk in others), last):
        line, _, below = text.partition("\n")
        bracket, closed, rest = line.partition("]")
        bracket += closed
        if bracket in _ONE_LINE:
            yield _ONE_LINE[bracket], line
            if below:
                yield Requirement.NOTHING_ELSE, below
        elif bracket in _TEXT:
            yield Requirement.MESSAGE_TEXT, text
        elif bracket in _ROLE or bracket == "[TOOL RESULT]":
            requirement = Requirement.RESULT_TEXT if bracket == "[TOOL RESULT]" else Requirement.MESSAGE_TEXT
            yield Requirement.MESSAGE_ORDER, bracket
            known = bracket == "[HANDOFF]" or rest in _SIGNS
            if rest:
                yield requirement if known else Requirement.NOTHING_ELSE, rest
            if "\n" in text:
                yield requirement, f"\n{below}"
        elif text:
            yield Requirement.NOTHING_ELSE, text


def _plain(text: str) -> str:
    return _ANY_ESCAPE.sub(lambda match: chr(int(match.group(1), 16)), text)


def _told(expected: list[str], present: list[str]) -> str:
    if len(expected) != len(present):
        return f"{len(present)} of {len(expected)} lines or texts that the source requires"
    wanted, shown = next(pair for pair in zip(expected, present, strict=True) if pair[0] != pair[1])
    at = next((at for at, (one, other) in enumerate(zip(wanted, shown, strict=False)) if one != other), len(shown))
    return f"differs from the source at character {at}: {shown[max(0, at - 10) : at + 20]!r}"
