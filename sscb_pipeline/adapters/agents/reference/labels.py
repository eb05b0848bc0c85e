"""The labels an execution of a reference agent really has, from the agent's plan and the contract.

No text is read here: which piece states which value, and what an observation showed, is known from the marks.
Values are compared with the contract's v and v', turns become steps, and the definitions of SSC §III are applied.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, assert_never

from sscb_pipeline.adapters.agents.reference.habits import Habit
from sscb_pipeline.adapters.agents.reference.marks import Call, Manner, Notes, Sight, Statement, Text
from sscb_pipeline.errors import InputError
from sscb_pipeline.faults.contract import FaultContract
from sscb_pipeline.faults.intervention import Condition
from sscb_pipeline.measured import Located, Never, Time, Undeterminable, Verdict
from sscb_pipeline.reconstruction.measurement import ArrivalStratum, NotAdopted, Stance
from sscb_pipeline.trajectories.steps import AgentMessage, Complete, CutShort, ToolCall, ToolObservation, Trajectory

AMBIGUITY = "ambiguous by construction"
NO_FAULT = "no fault was delivered"
NO_STANCE = "an erroneous act without a stated stance"


@dataclass(frozen=True, slots=True, kw_only=True)
class RealisedLabels:
    """T_F, T_E, T_S, T_U (step indices from 0), A, Z_S and Y_end as realised by construction, and by which habit."""

    habit: str
    t_f: Time
    t_e: Time
    t_s: Time
    t_u: Time
    adoption: Verdict
    stratum: ArrivalStratum | Undeterminable
    final_stance: Stance | NotAdopted | Undeterminable


@dataclass(frozen=True, slots=True, kw_only=True)
class _Use:
    step: int
    dependent: Verdict
    erroneous: Verdict
    stance: Stance | None


def labels_of(
    notes: Notes, habit: Habit, contract: FaultContract, condition: Condition, trajectory: Trajectory
) -> RealisedLabels:
    """The realised labels of a finished execution.

    Without a fault, in a clean or untriggered execution, T_F is Never and what is counted from it is undeterminable.
    """
    places = _Places(trajectory)
    t_f: Time = Never() if condition is Condition.CLEAN else _first_fault(notes, contract, places)
    t_e = _arrival(notes, contract, places)
    if not isinstance(t_f, Located):
        none = Undeterminable(reason=NO_FAULT)
        return RealisedLabels(
            habit=habit.value, t_f=t_f, t_e=t_e, t_s=none, t_u=none, adoption=none, stratum=none, final_stance=none
        )
    uses = _uses(notes, contract, places, t_f)
    t_s = _first(uses, [use.dependent for use in uses])
    t_u = _first(uses, [use.erroneous for use in uses])
    adoption = _adoption(uses)
    if isinstance(trajectory.extent, CutShort):
        reason = f"truncated: {trajectory.extent.reason}"
        t_e, t_s, t_u = (_cut(time, reason) for time in (t_e, t_s, t_u))
        adoption = Undeterminable(reason=reason) if adoption is False else adoption
    return RealisedLabels(
        habit=habit.value,
        t_f=t_f,
        t_e=t_e,
        t_s=t_s,
        t_u=t_u,
        adoption=adoption,
        stratum=_stratum(t_e, t_s),
        final_stance=_final_stance(adoption, uses),
    )


class _Places:
    """Steps of the agent's own turns, calls and their observations."""

    def __init__(self, trajectory: Trajectory) -> None:
        assert isinstance(trajectory.extent, Complete | CutShort)
        self._texts: dict[int, int] = {}
        self._calls: dict[int, list[int]] = {}
        self._answers: dict[int, int] = {}
        for step in trajectory.steps:
            if isinstance(step, AgentMessage):
                self._texts[step.turn] = step.index
            elif isinstance(step, ToolCall):
                self._calls.setdefault(step.turn, []).append(step.index)
            elif isinstance(step, ToolObservation):
                call = trajectory.call_of(step)
                if isinstance(call, ToolCall):
                    self._answers[call.index] = step.index

    def of_statement(self, statement: Statement) -> list[int]:
        """The statement's step; empty when the cap cut it off."""
        match statement.piece:
            case Text():
                found = self._texts.get(statement.turn)
                return [] if found is None else [found]
            case Call(position=position):
                return self._calls.get(statement.turn, [])[position : position + 1]
            case _:
                assert_never(statement.piece)

    def of_sight(self, sight: Sight) -> int:
        """The step of the observation in which it was seen."""
        return self._answers[self._calls[sight.turn][sight.position]]


def _first_fault(notes: Notes, contract: FaultContract, places: _Places) -> Time:
    return _earliest(places.of_sight(sight) for sight in notes.sights if _bears_fault(sight, contract))


def _bears_fault(sight: Sight, contract: FaultContract) -> bool:
    injected = contract.injected.canonical
    match contract.operator:
        case "ReturnDate":
            return bool(sight.data["return"] == injected)
        case "PaySource":
            return bool(sight.data["source"] == injected)
        case "ItemOption":
            return sight.view == "order" and bool(sight.data["option"] == injected)
        case _:
            return sight.view == "attempt"


def _arrival(notes: Notes, contract: FaultContract, places: _Places) -> Time:
    """T_E from what was seen: the last part of the relation to arrive, by operator."""
    injected = contract.injected.canonical
    seen = [(places.of_sight(sight), sight) for sight in notes.sights]
    match contract.operator:
        case "ReturnDate":
            return _earliest(step for step, sight in seen if _refutes_return(sight, injected))
        case "PaySource":
            # Every profile shows the id, and the tool schema, visible from step 0 on, ties ids to kinds.
            return _earliest(step for step, _ in seen)
        case "ItemOption":
            return _option_arrival(seen, injected)
        case _:
            return _read_back_arrival(seen)


def _refutes_return(sight: Sight, injected: str) -> bool:
    in_order = sight.data["flight_type"] == "round_trip" and sight.data["outbound"] > injected
    return in_order or sight.data["return"] not in ("", injected)


def _option_arrival(seen: Sequence[tuple[int, Sight]], injected: str) -> Time:
    direct = [s for s, sight in seen if sight.view != "product" and sight.data["option"] != injected]
    records = [s for s, sight in seen if sight.view == "product" and sight.data["option"] != injected]
    bindings = [s for s, sight in seen if sight.view != "product"]
    bound = [max(records[0], bindings[0])] if records and bindings else []
    return _earliest(direct[:1] + bound)


def _read_back_arrival(seen: Sequence[tuple[int, Sight]]) -> Time:
    attempted = False
    for step, sight in seen:
        if sight.view == "attempt":
            attempted = True
        elif sight.view == "foreign change" and attempted:
            return Never()
        elif sight.view == "reservation" and attempted and not sight.data["shows_request"]:
            return Located(step=step)
    return Never()


def _earliest(steps: Iterable[int]) -> Time:
    found = sorted(steps)
    return Located(step=found[0]) if found else Never()


def _uses(notes: Notes, contract: FaultContract, places: _Places, t_f: Located) -> list[_Use]:
    uses = [
        _use(step, statement, contract)
        for statement in notes.statements
        for step in places.of_statement(statement)
        if step > t_f.step
    ]
    return sorted(uses, key=lambda use: use.step)


def _use(step: int, statement: Statement, contract: FaultContract) -> _Use:
    """A statement under the contract (SSC Def. 3.2, 3.3)."""
    manner, wrong = statement.claim.manner, statement.claim.value == contract.injected.canonical
    match manner:
        case Manner.ASSERTED:
            stance = Stance.ENDORSES if wrong else Stance.DOES_NOT_ENDORSE
            return _Use(step=step, dependent=True, erroneous=wrong, stance=stance)
        case Manner.ACTED:
            return _Use(step=step, dependent=True, erroneous=wrong, stance=None)
        case Manner.HEDGED | Manner.ASKED | Manner.CHECKED:
            return _Use(step=step, dependent=True, erroneous=False, stance=None)
        case Manner.DENIED:
            stance = Stance.DOES_NOT_ENDORSE if wrong else Stance.ENDORSES
            return _Use(step=step, dependent=True, erroneous=False, stance=stance)
        case Manner.AMBIGUOUS:
            unsettled = Undeterminable(reason=AMBIGUITY)
            return _Use(step=step, dependent=unsettled, erroneous=unsettled, stance=None)
        case _:
            assert_never(manner)


def _first(uses: Sequence[_Use], verdicts: Sequence[Verdict]) -> Time:
    """The first determined event, unless a step before it holds one that cannot be settled."""
    for use, verdict in zip(uses, verdicts, strict=True):
        if isinstance(verdict, Undeterminable):
            settled_here = any(
                other.step == use.step and settled is True for other, settled in zip(uses, verdicts, strict=True)
            )
            if not settled_here:
                return verdict
        elif verdict:
            return Located(step=use.step)
    return Never()


def _adoption(uses: Sequence[_Use]) -> Verdict:
    if any(use.erroneous is True for use in uses):
        return True
    return next((use.erroneous for use in uses if isinstance(use.erroneous, Undeterminable)), False)


def _stratum(t_e: Time, t_s: Time) -> ArrivalStratum | Undeterminable:
    """Z_S (SSC Def. 3.6)."""
    if isinstance(t_s, Undeterminable):
        return t_s
    if isinstance(t_s, Never):
        return ArrivalStratum.NO_USE
    if isinstance(t_e, Undeterminable):
        return t_e
    if isinstance(t_e, Never):
        return ArrivalStratum.ABSENT
    return ArrivalStratum.BEFORE if t_e.step < t_s.step else ArrivalStratum.AFTER


def _final_stance(adoption: Verdict, uses: Sequence[_Use]) -> Stance | NotAdopted | Undeterminable:
    if isinstance(adoption, Undeterminable):
        return adoption
    if not adoption:
        return NotAdopted.NOT_ADOPTED
    stated = [use.stance for use in uses if use.stance is not None]
    return stated[-1] if stated else Undeterminable(reason=NO_STANCE)


def _cut(time: Time, reason: str) -> Time:
    return Undeterminable(reason=reason) if isinstance(time, Never) else time


QUANTITIES = ("t_f", "t_e", "t_s", "t_u", "adoption", "stratum", "final_stance")


def labels_as_text(labels: RealisedLabels) -> dict[str, str]:
    """The habit, and one line per quantity: `located 12`, `never`, `true`, `before`, `undeterminable: reason`, …"""
    return {"habit": labels.habit, **{name: line(getattr(labels, name)) for name in QUANTITIES}}


def line(label: Time | Verdict | ArrivalStratum | Stance | NotAdopted) -> str:
    """A label in one line."""
    match label:
        case Located(step=step):
            return f"located {step}"
        case Never():
            return "never"
        case Undeterminable(reason=reason):
            return f"undeterminable: {reason}"
        case bool():
            return "true" if label else "false"
        case _:
            return label.value


def read_labels(value: Mapping[str, Any], subject: str) -> RealisedLabels:
    """Labels from what `labels_as_text` wrote. Raises InputError that names `subject` for anything else."""
    try:
        times = {name: _time(value[name]) for name in QUANTITIES[:4]}
        return RealisedLabels(
            habit=str(value["habit"]),
            **times,
            adoption=_settled(value["adoption"], {"true": True, "false": False}),
            stratum=_settled(value["stratum"], {member.value: member for member in ArrivalStratum}),
            final_stance=_settled(value["final_stance"], {member.value: member for member in (*Stance, *NotAdopted)}),
        )
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise InputError(
            subject=f"realised labels {subject}",
            expected="a habit and one line for each of " + ", ".join(QUANTITIES),
            found=f"{type(error).__name__}: {error}",
            remedy="restore the object from the store, or run the execution again",
        ) from error


_UNDETERMINABLE = "undeterminable: "
_T = TypeVar("_T")


def _time(text: str) -> Time:
    if text.startswith("located "):
        return Located(step=int(text.removeprefix("located ")))
    return _settled(text, {"never": Never()})


def _settled(text: str, known: Mapping[str, _T]) -> _T | Undeterminable:
    if text.startswith(_UNDETERMINABLE):
        return Undeterminable(reason=text.removeprefix(_UNDETERMINABLE))
    return known[text]
