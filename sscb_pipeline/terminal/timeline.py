"""One execution in the terminal: numbered steps, with T_F, T_E, T_S and T_U marked where they lie."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import assert_never

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from sscb_pipeline.adapters.agents.reference.labels import QUANTITIES, line
from sscb_pipeline.measured import Located, Never, Time, Undeterminable
from sscb_pipeline.stages.shown import ShownExecution
from sscb_pipeline.terminal.plain import plain
from sscb_pipeline.trajectories.steps import (
    AgentMessage,
    Handoff,
    Step,
    SystemText,
    ToolCall,
    ToolObservation,
    UserMessage,
)

MOST_CHARACTERS = 400
MARKS = {"t_f": "T_F", "t_e": "T_E", "t_s": "T_S", "t_u": "T_U"}
STYLES = {"T_F": "bold red", "T_E": "bold green", "T_S": "bold yellow", "T_U": "bold magenta"}


def timeline(shown: ShownExecution) -> RenderableType:
    """Heading, quantities and steps."""
    return Group(*_heading(shown), _steps(shown))


def _heading(shown: ShownExecution) -> Iterator[RenderableType]:
    key, ending = shown.execution.key, shown.execution.ending
    yield Text(plain(f"{shown.execution.execution_id}"), style="bold")
    yield Text(
        plain(
            f"{key.operator} · {key.configuration_id} · {key.condition.value} · repeat {key.repeat} · {key.seed_id}\n"
            f"{shown.execution.agents} run · {ending.kind.value} ({ending.reason.value}): {ending.detail}"
        )
    )
    if shown.measurement is None:
        yield Text("not measured: no fault was to be delivered, or there is no history")
        return
    for name in QUANTITIES:
        label = MARKS.get(name, name)
        value = line(getattr(shown.measurement, name))
        yield Text.assemble((f"{label:>12}  ", STYLES.get(label, "bold")), plain(value))


def _steps(shown: ShownExecution) -> Table:
    marks = _marks(shown)
    table = Table(show_header=True, header_style="bold", expand=True, pad_edge=False)
    table.add_column("step", justify="right", no_wrap=True)
    table.add_column("marks", no_wrap=True)
    table.add_column("who", no_wrap=True)
    table.add_column("what", ratio=1, overflow="fold")
    for step in shown.trajectory.steps:
        who, what = _said(step)
        found = marks.get(step.index, ())
        table.add_row(
            str(step.index),
            Text(" ").join(Text(mark, style=STYLES[mark]) for mark in found),
            who,
            Text(_short(plain(what))),
        )
    return table


def _marks(shown: ShownExecution) -> Mapping[int, tuple[str, ...]]:
    if shown.measurement is None:
        return {}
    found: dict[int, tuple[str, ...]] = {}
    for name, mark in MARKS.items():
        time: Time = getattr(shown.measurement, name)
        match time:
            case Located(step=step):
                found[step] = (*found.get(step, ()), mark)
            case Never() | Undeterminable():
                continue
            case _:
                assert_never(time)
    return found


def _said(step: Step) -> tuple[str, str]:
    match step:
        case SystemText(text=text):
            return "system", text
        case UserMessage(text=text):
            return "user", text
        case AgentMessage(text=text):
            return "agent", text
        case ToolCall(tool=tool, arguments=arguments):
            return "call", f"{tool}({arguments.raw})"
        case ToolObservation(content=content):
            return "result", content or "(empty)"
        case Handoff(recipient=recipient, text=text):
            return "handoff", f"to {recipient}: {text}"
        case _:
            assert_never(step)


def _short(text: str) -> str:
    if len(text) <= MOST_CHARACTERS:
        return text
    return f"{text[:MOST_CHARACTERS]}… ({len(text) - MOST_CHARACTERS} more characters)"
