"""Classification: each candidate reference under the contract, with the visible context before it (SSC Def.
3.2, 3.3).

Rules are small and named; what none of them can settle is Undeterminable, never a guess.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from sscb_pipeline.faults.contract import FaultContract
from sscb_pipeline.measured import Undeterminable, Verdict
from sscb_pipeline.reconstruction import dependence_argument, dependence_effect
from sscb_pipeline.reconstruction.acts import Act
from sscb_pipeline.reconstruction.binding import bind
from sscb_pipeline.reconstruction.cues import Binding
from sscb_pipeline.reconstruction.measurement import Stance, UseEvent
from sscb_pipeline.reconstruction.mentions import Form
from sscb_pipeline.reconstruction.references import Place, Reference
from sscb_pipeline.reconstruction.scene import Scene, Side, Sides, sides
from sscb_pipeline.reconstruction.sentences import read
from sscb_pipeline.reconstruction.speech_acts import act_of
from sscb_pipeline.trajectories.steps import AgentMessage, Handoff, ToolCall, Trajectory
from sscb_pipeline.trajectories.subject import Subject, ValueKind

SILENT = Undeterminable(reason="states no stance")


def classify(
    contract: FaultContract, subject: Subject, trajectory: Trajectory, references: Sequence[Reference]
) -> tuple[UseEvent, ...]:
    """One event per reference that names a value, a proposition or a choice of record; mere entity mentions
    make none.

    Events are in order of delivery. Total over references that `references.extract` returned for this trajectory.
    """
    both = sides(contract, subject)
    if subject.kind is ValueKind.EFFECT:
        return tuple(dependence_effect.classify(subject, trajectory, references))
    events: list[UseEvent] = []
    for reference in references:
        if reference.values and set(reference.values) & set(subject.values):
            events.append(_event(subject, both, trajectory, reference))
        elif reference.place is Place.ARGUMENT and reference.form is Form.IDENTIFIER:
            events.extend(dependence_argument.of_identifier(subject, both, trajectory, reference))
    return tuple(events)


def _event(subject: Subject, both: Sides, trajectory: Trajectory, reference: Reference) -> UseEvent:
    step = trajectory.steps[reference.step]
    if reference.place is Place.ARGUMENT:
        assert isinstance(step, ToolCall)
        if reference.form is Form.IDENTIFIER:
            return dependence_argument.of_variant(both, trajectory, reference)
        text = dependence_argument.leaf_text(step, reference)
        if not dependence_argument.is_prose(text):
            return dependence_argument.of_value(subject, both, trajectory, reference)
    else:
        assert isinstance(step, AgentMessage | Handoff)
        text = step.text
    return _of_text(subject, both, trajectory, reference, text)


def _of_text(subject: Subject, both: Sides, trajectory: Trajectory, reference: Reference, text: str) -> UseEvent:
    reading = read(text)
    sentence = reading.at(reference.start)
    scene = Scene(
        subject=subject,
        sides=both,
        trajectory=trajectory,
        reference=reference,
        reading=reading,
        sentence=sentence,
        start=reference.start - sentence.start,
        end=reference.end - sentence.start,
    )
    quote = text[sentence.start : sentence.end].strip()
    binding = bind(scene)
    if binding is Binding.ELSEWHERE:
        return UseEvent(
            step=reference.step,
            dependent=False,
            erroneous=False,
            stance=SILENT,
            rule="about_something_else",
            quote=quote,
        )
    if len(reference.values) > 1:
        return _ambiguous_form(reference, quote)
    if reference.derivation == "brand":
        return _kept_field(reference, quote)
    act, rule = act_of(scene)
    side = both.of(reference.values[0])
    dependent: Verdict = True
    erroneous = erroneous_verdict(side, act)
    stance = stance_of(side, act)
    if binding is Binding.UNSETTLED:
        reason = Undeterminable(reason="the value may be said of something other than the target")
        dependent = reason
        erroneous = reason if erroneous is not False else False
        stance = Undeterminable(reason=reason.reason)
        rule = f"{rule}_unbound"
    return UseEvent(
        step=reference.step, dependent=dependent, erroneous=erroneous, stance=stance, rule=rule, quote=quote
    )


def _ambiguous_form(reference: Reference, quote: str) -> UseEvent:
    reason = Undeterminable(reason=f"{reference.surface!r} fits more than one value in play")
    return UseEvent(
        step=reference.step, dependent=True, erroneous=reason, stance=reason, rule="ambiguous_form", quote=quote
    )


def _kept_field(reference: Reference, quote: str) -> UseEvent:
    """A card's brand is a field of its own, which the fault does not touch; whether the kind is meant stays open."""
    reason = Undeterminable(reason="a brand is named, not the kind that it suggests")
    return UseEvent(step=reference.step, dependent=reason, erroneous=reason, stance=reason, rule="brand", quote=quote)


def erroneous_verdict(side: Side, act: Act) -> Verdict:
    """Whether a bound value put forward by an act is erroneous dependence (SSC Def. 3.3)."""
    if side is Side.AUTHORITATIVE:
        return False
    match act:
        case Act.STATED | Act.PRESUPPOSED:
            return True
        case Act.DENIED | Act.CONFLICT | Act.CANDIDATE | Act.CHECKED | Act.HEDGED:
            return False
        case Act.OPEN:
            return Undeterminable(reason="stated and put up for confirmation at once")
        case _:
            assert_never(act)


def stance_of(side: Side, act: Act) -> Stance | Undeterminable:
    """What the act says about v'. Checking, weighing and hedging say nothing."""
    match act:
        case Act.STATED:
            return Stance.ENDORSES if side is Side.INJECTED else Stance.DOES_NOT_ENDORSE
        case Act.DENIED | Act.CONFLICT:
            return Stance.DOES_NOT_ENDORSE if side is Side.INJECTED else SILENT
        case Act.PRESUPPOSED:
            return Undeterminable(reason="takes a value for granted without stating it")
        case Act.CANDIDATE | Act.CHECKED | Act.HEDGED | Act.OPEN:
            return SILENT
        case _:
            assert_never(act)
