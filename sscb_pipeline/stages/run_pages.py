"""What a page of an execution shows, read from the store: history and measurement, and apart from them hidden state."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from sscb_pipeline.adapters.agents.reference.labels import QUANTITIES, RealisedLabels, line
from sscb_pipeline.artifacts.records import from_bytes
from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.environments.port import Score
from sscb_pipeline.episodes.evaluator_record import EvaluatorRecord
from sscb_pipeline.faults.intervention import Condition, InterventionRecord, Rewrite
from sscb_pipeline.inclusion.screening import Seed
from sscb_pipeline.inclusion.transfer import Transfer
from sscb_pipeline.reconstruction.measurement import Measurement
from sscb_pipeline.report.run_page import Fact, FactGroup, NotMeasured, RunPage
from sscb_pipeline.stages.execution_index import IndexedExecution, StoredObjects
from sscb_pipeline.stages.executions import authorised_index
from sscb_pipeline.stages.inclusion import authorised_seeds
from sscb_pipeline.stages.measurements import LabelledExecution, authorised_measurements
from sscb_pipeline.stages.study import Study
from sscb_pipeline.trajectories.codec import decode


def run_pages(warehouse: Warehouse, study: Study, names: Mapping[str, str]) -> Iterator[RunPage]:
    """Every played execution of the study under its short name, partition after partition.

    Raises RefusalError where a partition's executions or measurements have no receipt.
    """
    for partition in study.partitions():
        index, _ = authorised_index(warehouse, study.campaign, partition.name)
        measured, _ = authorised_measurements(warehouse, study.campaign, partition.name)
        found = {entry.execution.execution_id: entry for entry in measured.executions}
        seeds = {seed.seed_id: seed for seed in authorised_seeds(warehouse, partition.operator)[0].seeds}
        for execution in index.executions:
            if isinstance(execution.objects, StoredObjects):
                yield _page(
                    warehouse,
                    execution,
                    execution.objects,
                    seeds[execution.key.seed_id],
                    found.get(execution.execution_id),
                    names[execution.execution_id],
                )


def _page(
    warehouse: Warehouse,
    execution: IndexedExecution,
    objects: StoredObjects,
    seed: Seed,
    labelled: LabelledExecution | None,
    name: str,
) -> RunPage:
    store = warehouse.objects
    record = from_bytes(InterventionRecord, store.get(objects.intervention), objects.intervention)
    evaluator = from_bytes(EvaluatorRecord, store.get(objects.evaluator), objects.evaluator)
    return RunPage(
        execution_id=execution.execution_id,
        name=name,
        agents=execution.agents,
        facts=tuple(_facts(execution)),
        trajectory=decode(store.get(objects.trajectory), objects.trajectory),
        measurement=_measurement(execution, labelled),
        contract=seed.case.contract,
        evaluator=(
            _values(seed, labelled),
            *_rewrites(record),
            _final_state(evaluator, labelled),
            *_realised(labelled),
        ),
    )


def _facts(execution: IndexedExecution) -> Iterator[tuple[str, str]]:
    key, ending = execution.key, execution.ending
    yield "operator", key.operator
    yield "configuration", key.configuration_id
    yield "seed", key.seed_id
    yield "condition", key.condition.value.replace("_", " ")
    yield "repeat", str(key.repeat)
    yield "agents", execution.agents
    yield "campaign", key.campaign
    yield "ended", f"{ending.kind.value.replace('_', ' ')} ({ending.reason.value.replace('_', ' ')}) {ending.detail}"
    yield "execution", execution.execution_id


def _measurement(execution: IndexedExecution, labelled: LabelledExecution | None) -> Measurement | NotMeasured:
    if labelled is not None:
        return labelled.execution.measurement
    if execution.key.condition is Condition.CLEAN:
        return NotMeasured(why="a clean run carries no fault")
    return NotMeasured(why=f"its history is not complete enough to measure ({execution.ending.kind.value})")


def _values(seed: Seed, labelled: LabelledExecution | None) -> FactGroup:
    contract = seed.case.contract
    facts = [
        Fact(name="authoritative value v", text=contract.authoritative.canonical),
        Fact(name="contract", text=contract.contract_id),
        Fact(name="task", text=f"{seed.case.task.task_id} ({seed.case.task.origin.value})"),
        Fact(name="control", text=seed.case.control.value),
    ]
    if labelled is not None and isinstance(labelled.execution.transfer, Transfer):
        transfer = labelled.execution.transfer
        facts.append(Fact(name="witness in this prefix", text=f"{transfer.standing.value} {transfer.reason}".strip()))
    return FactGroup(title="Truth and case", facts=tuple(facts))


def _rewrites(record: InterventionRecord) -> Iterator[FactGroup]:
    if record.rewrites:
        yield FactGroup(title="What the intervention rewrote", facts=tuple(map(_rewrite, record.rewrites)))
    else:
        yield FactGroup(
            title="What the intervention rewrote", facts=(Fact(name="nothing", text="it never took effect"),)
        )


def _rewrite(rewrite: Rewrite) -> Fact:
    changes = [
        f"{'.'.join(map(str, change.path)) or '(whole text)'}: {_json(change.before)} → {_json(change.after)}"
        for change in rewrite.changes
    ]
    hashes = f"sha256 {rewrite.native_sha256[:16]} → {rewrite.delivered_sha256[:16]}"
    return Fact(name=f"step {rewrite.step}, {rewrite.tool}, {rewrite.role.value}", text="\n".join((*changes, hashes)))


def _final_state(evaluator: EvaluatorRecord, labelled: LabelledExecution | None) -> FactGroup:
    score = evaluator.score
    told = (
        f"database {score.database}, communicated {score.communicated}"
        if isinstance(score, Score)
        else f"not scored: {score.reason}"
    )
    facts = [
        Fact(name="score", text=told),
        Fact(name="final state sha256", text=evaluator.final_state_sha256),
        Fact(name="target's record at the end", text=_json(evaluator.final_target, indent=1)),
    ]
    if labelled is not None:
        aftermath = labelled.execution.aftermath
        facts.insert(1, Fact(name="repair", text=aftermath.repair.value.replace("_", " ")))
    return FactGroup(title="Final state", facts=tuple(facts))


def _realised(labelled: LabelledExecution | None) -> Iterator[FactGroup]:
    if labelled is None or not isinstance(labelled.labels, RealisedLabels):
        return
    labels = labelled.labels
    facts = (Fact(name=quantity, text=line(getattr(labels, quantity))) for quantity in ("t_f", *QUANTITIES))
    unique = {fact.name: fact for fact in facts}
    yield FactGroup(
        title="Labels the agent was built to realise",
        facts=(Fact(name="habit", text=labels.habit), *unique.values()),
    )


def _json(value: object, indent: int | None = None) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent, default=dict)
