"""Stage outputs as a defect would publish them: one table of (requirement, change) per check."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from sscb_pipeline.artifacts.digest import sha256_hex
from sscb_pipeline.artifacts.records import from_bytes, to_bytes
from sscb_pipeline.episodes.execution import Ending, StopReason
from sscb_pipeline.faults.intervention import Condition, InterventionRecord, Role
from sscb_pipeline.inclusion.context import injection_context
from sscb_pipeline.inclusion.disposition import Disposition
from sscb_pipeline.inclusion.frame import FRAME_SEED, Frame, freeze
from sscb_pipeline.inclusion.screening import Seed
from sscb_pipeline.measured import Located, Never, Undeterminable
from sscb_pipeline.reconstruction.measurement import ArrivalStratum, Measurement, NotAdopted, Stance
from sscb_pipeline.stages.check_claims import ClaimRequirement
from sscb_pipeline.stages.check_executions import ExecutionRequirement
from sscb_pipeline.stages.check_frames import FrameRequirement
from sscb_pipeline.stages.check_inclusion import InclusionRequirement
from sscb_pipeline.stages.check_measurements import MeasurementRequirement
from sscb_pipeline.stages.claims import ROWS, AnalysedRuns
from sscb_pipeline.stages.execution_index import ExecutionIndex, IndexedExecution, Solved, StoredObjects
from sscb_pipeline.stages.executions import INDEX
from sscb_pipeline.stages.frames import FRAME
from sscb_pipeline.stages.inclusion import ADMITTED_SET, AdmittedSet, case_name, played_name, witness_name
from sscb_pipeline.stages.measurements import MEASURED, MeasuredPartition
from sscb_pipeline.trajectories.codec import decode, encode
from sscb_pipeline.trajectories.steps import Orphan, ToolObservation, UserMessage
from sscb_pipeline_tests.stages.small import Runner

Outputs = dict[str, bytes]


@dataclass(frozen=True, kw_only=True)
class Tampering:
    """What is changed, the requirement that must be found broken, and those that break with it of necessity."""

    what: str
    breaks: StrEnum
    also: tuple[StrEnum, ...] = ()
    change: Callable[[Runner, Outputs], Outputs]
    """From the outputs of the stage, by name, to the outputs that are published instead."""


# --- frames ----------------------------------------------------------------------------------------------------------

F = FrameRequirement


def _frame(change: Callable[[Frame], Frame]) -> Callable[[Runner, Outputs], Outputs]:
    return lambda runner, outputs: {FRAME: change(from_bytes(Frame, outputs[FRAME], "frame")).to_bytes()}


def _refrozen(frame: Frame, keep: slice, seed: str = FRAME_SEED) -> Frame:
    candidates = [ranked.candidate for ranked in frame.candidates][keep]
    return freeze(frame.operator, candidates, frame.data_sha256, seed)


def _renamed(frame: Frame) -> Frame:
    candidates = [ranked.candidate for ranked in frame.candidates]
    candidates[0] = replace(candidates[0], candidate_id="WriteEffect/none/NONE")
    return freeze(frame.operator, candidates, frame.data_sha256, FRAME_SEED)


def _by_rank(frame: Frame) -> Frame:
    ordered = sorted(frame.candidates, key=lambda ranked: ranked.rank)
    return replace(
        frame, candidates=tuple(replace(ranked, screening_rank=place) for place, ranked in enumerate(ordered))
    )


FRAMES = (
    Tampering(
        what="a candidate is left out",
        breaks=F.CANDIDATES_FROM_RECORDS,
        change=_frame(lambda frame: _refrozen(frame, slice(1, None))),
    ),
    Tampering(
        what="a candidate stands for another",
        breaks=F.CANDIDATES_FROM_RECORDS,
        change=_frame(_renamed),
    ),
    Tampering(
        what="the order of another seed",
        breaks=F.ORDER_FROZEN_BY_HASH,
        change=_frame(lambda frame: replace(_refrozen(frame, slice(None), "another"), seed=FRAME_SEED)),
    ),
    Tampering(what="clusters not cycled", breaks=F.CLUSTERS_CYCLED, change=_frame(_by_rank)),
    Tampering(
        what="places renumbered",
        breaks=F.CLUSTERS_CYCLED,
        change=_frame(
            lambda frame: replace(
                frame, candidates=(replace(frame.candidates[0], screening_rank=9), *frame.candidates[1:])
            )
        ),
    ),
    Tampering(
        what="built from other data",
        breaks=F.DATA_VERIFIED,
        change=_frame(lambda frame: replace(frame, data_sha256=dict.fromkeys(frame.data_sha256, "0" * 64))),
    ),
)

# --- inclusion -------------------------------------------------------------------------------------------------------

I = InclusionRequirement  # noqa: E741


def _admitted(outputs: Outputs) -> AdmittedSet:
    return from_bytes(AdmittedSet, outputs[ADMITTED_SET], "admitted")


def _set(change: Callable[[AdmittedSet], AdmittedSet]) -> Callable[[Runner, Outputs], Outputs]:
    return lambda runner, outputs: {ADMITTED_SET: to_bytes(change(_admitted(outputs)))}


def _first_seed(change: Callable[[Seed], Seed]) -> Callable[[Runner, Outputs], Outputs]:
    """Change the first seed, and its case and witness objects with it."""

    def tamper(runner: Runner, outputs: Outputs) -> Outputs:
        admitted = _admitted(outputs)
        seed = change(admitted.seeds[0])
        return {
            ADMITTED_SET: to_bytes(replace(admitted, seeds=(seed, *admitted.seeds[1:]))),
            case_name(seed): to_bytes(seed.case),
            witness_name(seed): to_bytes(seed.witness),
        }

    return tamper


def _witness(**fields: Any) -> Callable[[Runner, Outputs], Outputs]:
    return _first_seed(lambda seed: replace(seed, witness=replace(seed.witness, **fields)))


def _another_trajectory(runner: Runner, outputs: Outputs) -> Outputs:
    first, second = _admitted(outputs).seeds[:2]
    return {played_name(first): outputs[played_name(second)]}


def _another_case_object(runner: Runner, outputs: Outputs) -> Outputs:
    first, second = _admitted(outputs).seeds[:2]
    return {case_name(first): outputs[case_name(second)]}


def _silent_user(runner: Runner, outputs: Outputs) -> Outputs:
    """The user no longer tells the reservation id that the opening calls name."""
    admitted = _admitted(outputs)
    seed = admitted.seeds[0]
    played = decode(outputs[played_name(seed)], "played")
    steps = tuple(
        replace(step, text="I would like to change my flights.") if isinstance(step, UserMessage) else step
        for step in played.steps
    )
    silent = replace(played, steps=steps)
    witness = replace(
        seed.witness,
        trajectory_sha256=sha256_hex(encode(silent)),
        context=injection_context(seed.case.contract, silent, seed.witness.t_f),
    )
    return {
        **_first_seed(lambda seed: replace(seed, witness=witness))(runner, outputs),
        played_name(seed): encode(silent),
    }


def _another_frame(runner: Runner, outputs: Outputs) -> Outputs:
    admitted = _admitted(outputs)
    frame = from_bytes(Frame, runner.warehouse.objects.get(admitted.frame_sha256), "frame")
    shorter = runner.warehouse.objects.put(replace(frame, candidates=frame.candidates[:-1]).to_bytes())
    return {ADMITTED_SET: to_bytes(replace(admitted, frame_sha256=shorter))}


INCLUSION = (
    Tampering(
        what="a witness trajectory of another seed",
        breaks=I.WITNESS_STORED,
        also=(I.EVIDENCE_BEFORE_USE, I.CONTEXT_FIXED),
        change=_another_trajectory,
    ),
    Tampering(what="the case object of another seed", breaks=I.WITNESS_STORED, change=_another_case_object),
    Tampering(what="evidence at another step", breaks=I.EVIDENCE_BEFORE_USE, change=_witness(t_e=2)),
    Tampering(what="a use that nobody made", breaks=I.EVIDENCE_BEFORE_USE, change=_witness(t_s=999)),
    Tampering(what="a use before the evidence", breaks=I.EVIDENCE_BEFORE_USE, change=_witness(t_s=1)),
    Tampering(what="an argument nobody could see", breaks=I.ARGUMENTS_VISIBLE, change=_silent_user),
    Tampering(
        what="another injection point",
        breaks=I.CONTEXT_FIXED,
        change=_first_seed(
            lambda seed: replace(
                seed,
                witness=replace(seed.witness, context=replace(seed.witness.context, injection_step=1)),
            )
        ),
    ),
    Tampering(
        what="more permissions",
        breaks=I.CONTEXT_FIXED,
        change=_first_seed(
            lambda seed: replace(
                seed,
                witness=replace(seed.witness, context=replace(seed.witness.context, permitted_tools=("delete",))),
            )
        ),
    ),
    Tampering(
        what="a screened candidate is left out",
        breaks=I.SCREENED_IN_ORDER,
        change=_set(lambda admitted: replace(admitted, screened=admitted.screened[1:])),
    ),
    Tampering(
        what="a seed that no disposition admits",
        breaks=I.SCREENED_IN_ORDER,
        change=_set(
            lambda admitted: replace(
                admitted,
                screened=tuple(replace(one, disposition=Disposition.UNRESOLVED) for one in admitted.screened),
            )
        ),
    ),
    Tampering(
        what="screening stopped early",
        breaks=I.SCREENED_IN_ORDER,
        change=_set(lambda admitted: replace(admitted, wanted=admitted.wanted + 1)),
    ),
    Tampering(what="screened from another frame", breaks=I.SCREENED_IN_ORDER, change=_another_frame),
)

# --- executions ------------------------------------------------------------------------------------------------------

E = ExecutionRequirement


def _index(change: Callable[[Runner, list[IndexedExecution]], Any]) -> Callable[[Runner, Outputs], Outputs]:
    """Change the list of executions in place."""

    def tamper(runner: Runner, outputs: Outputs) -> Outputs:
        executions = list(from_bytes(ExecutionIndex, outputs[INDEX], "index").executions)
        change(runner, executions)
        return {INDEX: to_bytes(ExecutionIndex(executions=tuple(executions)))}

    return tamper


def _at(executions: list[IndexedExecution], condition: Condition) -> int:
    return next(
        place
        for place, one in enumerate(executions)
        if one.key.condition is condition and isinstance(one.objects, StoredObjects)
    )


def _field(condition: Condition, **fields: Any) -> Callable[[Runner, list[IndexedExecution]], None]:
    def change(runner: Runner, executions: list[IndexedExecution]) -> None:
        place = _at(executions, condition)
        executions[place] = replace(executions[place], **fields)

    return change


def _object(name: str, make: Callable[[bytes], bytes]) -> Callable[[Runner, list[IndexedExecution]], None]:
    """Put other bytes in the place of an object of the first baseline execution."""

    def change(runner: Runner, executions: list[IndexedExecution]) -> None:
        place = _at(executions, Condition.BASELINE)
        objects = executions[place].objects
        assert isinstance(objects, StoredObjects)
        data = make(runner.warehouse.objects.get(getattr(objects, name)))
        changed = replace(objects, **{name: runner.warehouse.objects.put(data)})
        executions[place] = replace(executions[place], objects=changed)

    return change


def _removed(runner: Runner, executions: list[IndexedExecution]) -> None:
    place = _at(executions, Condition.BASELINE)
    objects = executions[place].objects
    assert isinstance(objects, StoredObjects)
    runner.warehouse.objects.path_of(objects.labels).unlink()


def _unanswered(data: bytes) -> bytes:
    trajectory = decode(data, "trajectory")
    steps = tuple(
        replace(step, pairing=Orphan(reason="no call of that id")) if isinstance(step, ToolObservation) else step
        for step in trajectory.steps
    )
    return encode(replace(trajectory, steps=steps))


def _record(change: Callable[[InterventionRecord], InterventionRecord]) -> Callable[[bytes], bytes]:
    return lambda data: to_bytes(change(from_bytes(InterventionRecord, data, "record")))


def _first_rewrite(**fields: Any) -> Callable[[bytes], bytes]:
    return _record(
        lambda record: replace(record, rewrites=(replace(record.rewrites[0], **fields), *record.rewrites[1:]))
    )


def _clean_with_rewrites(runner: Runner, executions: list[IndexedExecution]) -> None:
    """A clean execution with the history and the rewrites of a fault execution."""
    clean, fault = _at(executions, Condition.CLEAN), _at(executions, Condition.BASELINE)
    objects = executions[fault].objects
    assert isinstance(objects, StoredObjects)
    record = from_bytes(InterventionRecord, runner.warehouse.objects.get(objects.intervention), "record")
    marked = runner.warehouse.objects.put(to_bytes(replace(record, condition=Condition.CLEAN)))
    executions[clean] = replace(executions[clean], objects=replace(objects, intervention=marked))


EXECUTIONS = (
    Tampering(
        what="an execution is left out",
        breaks=E.SCHEDULED_ONCE,
        change=_index(lambda runner, executions: executions.pop(_at(executions, Condition.BASELINE))),
    ),
    Tampering(
        what="an execution twice",
        breaks=E.SCHEDULED_ONCE,
        change=_index(lambda runner, executions: executions.append(executions[_at(executions, Condition.BASELINE)])),
    ),
    Tampering(
        what="an execution nobody scheduled",
        breaks=E.SCHEDULED_ONCE,
        change=_index(
            lambda runner, executions: executions.append(
                replace(
                    executions[_at(executions, Condition.BASELINE)],
                    key=replace(executions[_at(executions, Condition.BASELINE)].key, repeat=77),
                )
            )
        ),
    ),
    Tampering(
        what="a fault run beside an unsolved clean run",
        breaks=E.CLEAN_FIRST,
        change=_index(_field(Condition.CLEAN, solved=Solved.NO)),
    ),
    Tampering(
        what="a fault run stopped beside a solved clean run",
        breaks=E.CLEAN_FIRST,
        change=_index(_field(Condition.BASELINE, ending=Ending(reason=StopReason.CLEAN_UNSOLVED, detail="says so"))),
    ),
    Tampering(
        what="a trajectory that is none", breaks=E.BYTES_WHOLE, change=_index(_object("trajectory", lambda data: b"{}"))
    ),
    Tampering(
        what="half an intervention record",
        breaks=E.BYTES_WHOLE,
        change=_index(_object("intervention", lambda data: data[: len(data) // 2])),
    ),
    Tampering(
        what="an evaluator's record that is none",
        breaks=E.BYTES_WHOLE,
        change=_index(_object("evaluator", lambda data: b'{"type": "EvaluatorRecord"}')),
    ),
    Tampering(
        what="labels that are no JSON", breaks=E.BYTES_WHOLE, change=_index(_object("labels", lambda data: b"NaN"))
    ),
    Tampering(what="an object that is gone", breaks=E.BYTES_WHOLE, change=_index(_removed)),
    Tampering(
        what="observations that answer nothing",
        breaks=E.RESULTS_ANSWER_CALLS,
        change=_index(_object("trajectory", _unanswered)),
    ),
    Tampering(
        what="a rewrite at another step",
        breaks=E.DELIVERY_PROVEN,
        change=_index(_object("intervention", _first_rewrite(step=0))),
    ),
    Tampering(
        what="a rewrite beyond the end",
        breaks=E.DELIVERY_PROVEN,
        change=_index(_object("intervention", _first_rewrite(step=10_000))),
    ),
    Tampering(
        what="another text was delivered",
        breaks=E.DELIVERY_PROVEN,
        change=_index(_object("intervention", _first_rewrite(delivered_sha256="0" * 64))),
    ),
    Tampering(
        what="a rewrite that changed nothing",
        breaks=E.DELIVERY_PROVEN,
        change=_index(
            _object(
                "intervention",
                _record(
                    lambda record: replace(
                        record,
                        rewrites=tuple(replace(one, native_sha256=one.delivered_sha256) for one in record.rewrites),
                    )
                ),
            )
        ),
    ),
    Tampering(
        what="an overlay in a baseline run",
        breaks=E.DELIVERY_PROVEN,
        change=_index(_object("intervention", _first_rewrite(role=Role.OVERLAY))),
    ),
    Tampering(
        what="the record of another condition",
        breaks=E.DELIVERY_PROVEN,
        change=_index(
            _object("intervention", _record(lambda record: replace(record, condition=Condition.NO_READBACK_HINT)))
        ),
    ),
    Tampering(what="a clean run that was rewritten", breaks=E.DELIVERY_PROVEN, change=_index(_clean_with_rewrites)),
)

# --- measurements ----------------------------------------------------------------------------------------------------

M = MeasurementRequirement


def _partition(change: Callable[[list[Any]], Any]) -> Callable[[Runner, Outputs], Outputs]:
    def tamper(runner: Runner, outputs: Outputs) -> Outputs:
        measured = from_bytes(MeasuredPartition, outputs[MEASURED], "measured")
        entries = list(measured.executions)
        change(entries)
        return {MEASURED: to_bytes(replace(measured, executions=tuple(entries)))}

    return tamper


def _one(fits: Callable[[Measurement], bool], change: Callable[[Measurement], Measurement]) -> Any:
    """Change the first measurement that fits."""

    def tamper(entries: list[Any]) -> None:
        place = next(place for place, one in enumerate(entries) if fits(one.execution.measurement))
        execution = entries[place].execution
        changed = replace(execution, measurement=change(execution.measurement))
        entries[place] = replace(entries[place], execution=changed)

    return _partition(tamper)


def _used(measured: Measurement) -> bool:
    return isinstance(measured.t_s, Located) and isinstance(measured.t_e, Located)


def _adopted(measured: Measurement) -> bool:
    return measured.adoption is True and isinstance(measured.t_u, Located)


def _other(stratum: object) -> ArrivalStratum:
    return ArrivalStratum.AFTER if stratum is ArrivalStratum.BEFORE else ArrivalStratum.BEFORE


MEASUREMENTS = (
    Tampering(
        what="an execution not measured",
        breaks=M.EVERY_EXECUTION_MEASURED,
        change=_partition(lambda entries: entries.pop()),
    ),
    Tampering(
        what="an execution measured twice",
        breaks=M.EVERY_EXECUTION_MEASURED,
        change=_partition(lambda entries: entries.append(entries[0])),
    ),
    Tampering(
        what="a use before the fault",
        breaks=M.EVENTS_IN_ORDER,
        change=_one(_used, lambda one: replace(one, t_f=Located(step=one.t_s.step))),  # type: ignore[union-attr]
    ),
    Tampering(
        what="an error before the first use",
        breaks=M.EVENTS_IN_ORDER,
        change=_one(_adopted, lambda one: replace(one, t_u=Located(step=0))),
    ),
    Tampering(
        what="an error without a use",
        breaks=M.EVENTS_IN_ORDER,
        change=_one(_adopted, lambda one: replace(one, t_s=Never(), stratum=ArrivalStratum.NO_USE)),
    ),
    Tampering(
        what="another stratum than the times say",
        breaks=M.STRATUM_FOLLOWS_FROM_TIMES,
        change=_one(_used, lambda one: replace(one, stratum=_other(one.stratum))),
    ),
    Tampering(
        what="a stratum although the evidence is undeterminable",
        breaks=M.STRATUM_FOLLOWS_FROM_TIMES,
        change=_one(_used, lambda one: replace(one, t_e=Undeterminable(reason="who knows"))),
    ),
    Tampering(
        what="a stratum although the use is undeterminable",
        breaks=M.STRATUM_FOLLOWS_FROM_TIMES,
        change=_one(_used, lambda one: replace(one, t_s=Undeterminable(reason="who knows"))),
    ),
    Tampering(
        what="evidence that never came, before the use",
        breaks=M.STRATUM_FOLLOWS_FROM_TIMES,
        change=_one(_used, lambda one: replace(one, t_e=Never())),
    ),
    Tampering(
        what="a stratum without a use",
        breaks=M.STRATUM_FOLLOWS_FROM_TIMES,
        change=_one(lambda one: _used(one) and not isinstance(one.t_u, Located), lambda one: replace(one, t_s=Never())),
    ),
    Tampering(
        what="adoption without an erroneous use",
        breaks=M.ADOPTION_FOLLOWS_FROM_USES,
        change=_one(
            lambda one: one.adoption is False,
            lambda one: replace(one, adoption=True, final_stance=Stance.ENDORSES),
        ),
    ),
    Tampering(
        what="no adoption beside an erroneous use",
        breaks=M.ADOPTION_FOLLOWS_FROM_USES,
        change=_one(
            _adopted,
            lambda one: replace(
                one,
                adoption=False,
                t_u=Never(),
                final_stance=NotAdopted.NOT_ADOPTED,
            ),
        ),
    ),
    Tampering(
        what="a located error in a run that is not adopted",
        breaks=M.ADOPTION_FOLLOWS_FROM_USES,
        change=_one(
            lambda one: one.adoption is False and isinstance(one.t_s, Located),
            lambda one: replace(one, t_u=one.t_s),
        ),
    ),
    Tampering(
        what="a final stance of a run that is not adopted",
        breaks=M.ADOPTION_FOLLOWS_FROM_USES,
        change=_one(lambda one: one.adoption is False, lambda one: replace(one, final_stance=Stance.ENDORSES)),
    ),
)

# --- claims ----------------------------------------------------------------------------------------------------------

C = ClaimRequirement


def _runs(change: Callable[[AnalysedRuns], AnalysedRuns]) -> Callable[[Runner, Outputs], Outputs]:
    return lambda runner, outputs: {ROWS: to_bytes(change(from_bytes(AnalysedRuns, outputs[ROWS], "rows")))}


def _row(runs: AnalysedRuns, fits: Callable[[Any], bool], **fields: Any) -> AnalysedRuns:
    place = next(place for place, row in enumerate(runs.rows) if fits(row))
    rows = (*runs.rows[:place], replace(runs.rows[place], **fields), *runs.rows[place + 1 :])
    return replace(runs, rows=rows)


CLAIMS = (
    Tampering(
        what="an execution is not counted",
        breaks=C.EVERY_EXECUTION_COUNTED,
        also=(C.ROWS_FOLLOW_FROM_MEASUREMENTS,),
        change=_runs(lambda runs: replace(runs, rows=runs.rows[1:])),
    ),
    Tampering(
        what="an execution is counted twice",
        breaks=C.EVERY_EXECUTION_COUNTED,
        change=_runs(lambda runs: replace(runs, rows=(*runs.rows, runs.rows[0]))),
    ),
    Tampering(
        what="a row says something else than its measurement",
        breaks=C.ROWS_FOLLOW_FROM_MEASUREMENTS,
        change=_runs(lambda runs: _row(runs, lambda row: row.adoption == "true", adoption="false")),
    ),
    Tampering(
        what="a pair of labels was made to agree",
        breaks=C.ROWS_FOLLOW_FROM_MEASUREMENTS,
        change=_runs(
            lambda runs: replace(runs, labels=(replace(runs.labels[0], realised="located 1"), *runs.labels[1:]))
        ),
    ),
    Tampering(
        what="an ending that is none",
        breaks=C.ENDINGS_ADD_UP,
        also=(C.ROWS_FOLLOW_FROM_MEASUREMENTS,),
        change=_runs(lambda runs: _row(runs, lambda row: row.ending == "completed", ending="vanished")),
    ),
)
