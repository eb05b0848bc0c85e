"""One execution as a page: numbered steps with their events, the evidence and its five conditions, and apart from all
that, closed until a reader opens it, what only an evaluator may know."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import assert_never

from sscb_pipeline.faults.contract import CounterEvidence, FaultContract
from sscb_pipeline.measured import Located, Never, Time, Undeterminable, Verdict
from sscb_pipeline.reconstruction.measurement import ArrivalStratum, Measurement, NotAdopted, Stance
from sscb_pipeline.report.run_steps import EVENTS, step_views, strip
from sscb_pipeline.report.shared_texts import SharedTexts
from sscb_pipeline.report.shell import page
from sscb_pipeline.trajectories.steps import CutShort, Trajectory

FOLDER = "runs"
CONDITIONS = tuple(field.name for field in fields(CounterEvidence))


@dataclass(frozen=True, slots=True, kw_only=True)
class NotMeasured:
    """The execution has no measurement, for the reason `why`."""

    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A named text that only an evaluator may know."""

    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FactGroup:
    """Evaluator-only facts of one kind."""

    title: str
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPage:
    """What is known of a played execution. `facts` describe it in pairs of name and text; `evaluator` is hidden state
    and stands in its own closed panel."""

    execution_id: str
    name: str
    agents: str
    facts: tuple[tuple[str, str], ...]
    trajectory: Trajectory
    measurement: Measurement | NotMeasured
    contract: FaultContract
    evaluator: tuple[FactGroup, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One measured quantity: its name, what it means, its value, and the steps it rests on."""

    name: str
    meaning: str
    value: str
    step: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionView:
    """One of the five conditions, and how the contract says that it is met."""

    name: str
    statement: str
    basis: str


def render_run(run: RunPage, texts: SharedTexts) -> str:
    """The page as HTML. Long texts that many executions share are left to pages of their own in `texts`."""
    measured = run.measurement
    steps = step_views(run.trajectory, measured if isinstance(measured, Measurement) else None, texts)
    return page(
        "run.html.j2",
        "run.css",
        agents=run.agents,
        run=run,
        contract=run.contract,
        not_measured=measured.why if isinstance(measured, NotMeasured) else "",
        readings=tuple(_readings(measured)) if isinstance(measured, Measurement) else (),
        evidence=_evidence(measured),
        conditions=tuple(_conditions(run.contract.counter_evidence)),
        steps=steps,
        strip=strip(steps),
        tools=texts.tools(run.trajectory.tools),
        cut=run.trajectory.extent.reason if isinstance(run.trajectory.extent, CutShort) else "",
    )


def _readings(measured: Measurement) -> Iterator[Reading]:
    for name, (attribute, meaning) in EVENTS.items():
        time: Time = getattr(measured, attribute)
        yield _time(name, meaning, time)
    yield _verdict("A", "adopted: v′ or a value derived from it was used as fact", measured.adoption)
    yield _answer("Z_S", "arrival of counter-evidence relative to first use", measured.stratum)
    yield _answer("Y_end", "final stated stance on v′", measured.final_stance)


def _time(name: str, meaning: str, time: Time) -> Reading:
    match time:
        case Located(step=step):
            return Reading(name=name, meaning=meaning, value=f"step {step}", step=str(step), reason="")
        case Never():
            return Reading(name=name, meaning=meaning, value="never", step="", reason="")
        case Undeterminable(reason=reason):
            return Reading(name=name, meaning=meaning, value="undeterminable", step="", reason=reason)
        case _:
            assert_never(time)


def _verdict(name: str, meaning: str, verdict: Verdict) -> Reading:
    if isinstance(verdict, Undeterminable):
        return Reading(name=name, meaning=meaning, value="undeterminable", step="", reason=verdict.reason)
    return Reading(name=name, meaning=meaning, value="yes" if verdict else "no", step="", reason="")


def _answer(name: str, meaning: str, answer: ArrivalStratum | Stance | NotAdopted | Undeterminable) -> Reading:
    if isinstance(answer, Undeterminable):
        return Reading(name=name, meaning=meaning, value="undeterminable", step="", reason=answer.reason)
    return Reading(name=name, meaning=meaning, value=answer.value.replace("_", " "), step="", reason="")


def _evidence(measured: Measurement | NotMeasured) -> tuple[tuple[int, str], ...]:
    """Steps the counter-evidence rests on, each with the part of the relation it carries."""
    if isinstance(measured, NotMeasured):
        return ()
    return tuple((found.step, found.part) for found in measured.evidence)


def _conditions(relation: CounterEvidence) -> Iterator[ConditionView]:
    for name in CONDITIONS:
        met = getattr(relation, name)
        yield ConditionView(name=name, statement=met.statement, basis=met.basis)
