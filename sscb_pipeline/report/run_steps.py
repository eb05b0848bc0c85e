"""The numbered steps of an execution as a reader sees them, and the strip that shows all of them at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from markupsafe import Markup

from sscb_pipeline.measured import Located, Undeterminable, Verdict
from sscb_pipeline.reconstruction.measurement import Measurement, UseEvent
from sscb_pipeline.report import svg
from sscb_pipeline.report.run_timelines import EVENT_COLOURS
from sscb_pipeline.report.shared_texts import SharedText, SharedTexts
from sscb_pipeline.trajectories.arguments import ParsedArguments
from sscb_pipeline.trajectories.steps import (
    AgentMessage,
    Answers,
    Handoff,
    Orphan,
    Step,
    SystemText,
    ToolCall,
    ToolObservation,
    Trajectory,
    UserMessage,
)

EVENTS: Mapping[str, tuple[str, str]] = {
    "T_F": ("t_f", "false observation delivered"),
    "T_E": ("t_e", "counter-evidence complete"),
    "T_S": ("t_s", "first dependent use"),
    "T_U": ("t_u", "first erroneous dependence"),
}
"""Name of each event: its field in a Measurement, and what it means."""
LONG = 700
"""Characters from which an unmarked step is folded, so that 200 steps can be read."""
PREVIEW = 150
ROLE_COLOURS = {
    "system": "#d9d9d9",
    "user": "#9db8d2",
    "agent": "#4d7ea8",
    "call": "#c99a5b",
    "result": "#e8d5b5",
    "handoff": "#8f79b5",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class UseView:
    """One classified reference in a step."""

    dependent: str
    erroneous: str
    stance: str
    rule: str
    quote: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StepView:
    """A step: who, its heading (tool, recipient), its text, where it is shared, its events, evidence parts and uses,
    the step it is joined to, and a defect ('' for none). `folded` steps show a preview until opened."""

    index: int
    role: str
    heading: str
    text: str
    shared: SharedText | None
    events: tuple[str, ...]
    evidence: tuple[str, ...]
    uses: tuple[UseView, ...]
    joined: str
    joined_step: str
    defect: str
    folded: bool

    @property
    def preview(self) -> str:
        """The first characters, on one line."""
        return " ".join(self.text[: 2 * PREVIEW].split())[:PREVIEW]


def step_views(trajectory: Trajectory, measured: Measurement | None, texts: SharedTexts) -> tuple[StepView, ...]:
    """Every step, in order."""
    events = _events(measured)
    evidence: dict[int, list[str]] = {}
    uses: dict[int, list[UseView]] = {}
    if measured is not None:
        for found in measured.evidence:
            evidence.setdefault(found.step, []).append(found.part)
        for use in measured.uses:
            uses.setdefault(use.step, []).append(_use(use))
    answers = {
        step.pairing.call: step.index
        for step in trajectory.steps
        if isinstance(step, ToolObservation) and isinstance(step.pairing, Answers)
    }
    return tuple(
        _view(
            step,
            answers,
            texts,
            events=tuple(events.get(step.index, ())),
            evidence=tuple(evidence.get(step.index, ())),
            uses=tuple(uses.get(step.index, ())),
        )
        for step in trajectory.steps
    )


def _view(
    step: Step,
    answers: Mapping[int, int],
    texts: SharedTexts,
    *,
    events: tuple[str, ...],
    evidence: tuple[str, ...],
    uses: tuple[UseView, ...],
) -> StepView:
    role, heading, text = _said(step)
    shared = texts.text(text) if isinstance(step, SystemText) and len(text) > LONG else None
    joined, joined_step, defect = _joined(step, answers)
    return StepView(
        index=step.index,
        role=role,
        heading=heading,
        text=text,
        shared=shared,
        events=events,
        evidence=evidence,
        uses=uses,
        joined=joined,
        joined_step=joined_step,
        defect=defect,
        folded=len(text) > LONG and not events and not evidence,
    )


def _said(step: Step) -> tuple[str, str, str]:
    match step:
        case SystemText(text=text):
            return "system", "", text
        case UserMessage(text=text):
            return "user", "", text
        case AgentMessage(text=text):
            return "agent", "", text
        case ToolCall(tool=tool, arguments=arguments):
            return "call", tool, arguments.raw
        case ToolObservation(tool=tool, content=content):
            return "result", tool, content
        case Handoff(recipient=recipient, text=text):
            return "handoff", recipient, text
        case _:
            assert_never(step)


def _joined(step: Step, answers: Mapping[int, int]) -> tuple[str, str, str]:
    """How a call and its result are joined, the other step, and what is wrong with the step."""
    if isinstance(step, ToolCall):
        reading = step.arguments.reading
        defect = "" if isinstance(reading, ParsedArguments) else f"arguments are no JSON object: {reading.reason}"
        if step.index in answers:
            return "answered in step", str(answers[step.index]), defect
        return "", "", "; ".join(filter(None, ("no result was delivered", defect)))
    if isinstance(step, ToolObservation):
        if isinstance(step.pairing, Orphan):
            return "", "", f"answers no call: {step.pairing.reason}"
        return "answers the call in step", str(step.pairing.call), ""
    return "", "", ""


def _events(measured: Measurement | None) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    if measured is not None:
        for name, (attribute, _) in EVENTS.items():
            time = getattr(measured, attribute)
            if isinstance(time, Located):
                found.setdefault(time.step, []).append(name)
    return found


def _use(use: UseEvent) -> UseView:
    return UseView(
        dependent=_told(use.dependent),
        erroneous=_told(use.erroneous),
        stance=(
            f"undeterminable: {use.stance.reason}"
            if isinstance(use.stance, Undeterminable)
            else use.stance.value.replace("_", " ")
        ),
        rule=use.rule,
        quote=use.quote,
    )


def _told(verdict: Verdict) -> str:
    if isinstance(verdict, Undeterminable):
        return f"undeterminable: {verdict.reason}"
    return "yes" if verdict else "no"


def strip(steps: Sequence[StepView]) -> Markup:
    """All steps as one row of blocks coloured by role, events above them; each block leads to its step."""
    per_row = 50
    rows = max(1, -(-len(steps) // per_row))
    width = svg.WIDTH / min(max(len(steps), 12), per_row)
    marks: list[Markup] = []
    for row in range(rows):
        for at, step in enumerate(steps[row * per_row : (row + 1) * per_row]):
            marks.append(_block(step, at * width, row * 34.0, width))
    return svg.drawing(rows * 34.0, f"{len(steps)} steps", marks)


def _block(step: StepView, x: float, y: float, width: float) -> Markup:
    told = f"step {step.index}, {step.role}" + "".join(f", {event}" for event in step.events)
    shown = [
        svg.rectangle(x=x, y=y + 14, width=max(width - 1, 1), height=16, fill=ROLE_COLOURS[step.role]),
        *_event_marks(step, x + width / 2, y),
    ]
    return svg.link(f"#s{step.index}", told, *shown)


def _event_marks(step: StepView, x: float, y: float) -> Iterator[Markup]:
    for number, event in enumerate(step.events):
        yield svg.circle(x=x, y=y + 9 - 5 * number, radius=3.4, fill=EVENT_COLOURS[event])
