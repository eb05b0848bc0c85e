"""The validation sample of a campaign's own executions whose packets are built for judges: 120 fault, 40 clean.

Fault runs are drawn across operator, configuration and automatic arrival stratum, one of each in turn; clean runs ten
per operator. What is drawn depends on hashes of the execution ids only.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest

from sscb_pipeline.artifacts.digest import sha256_hex
from sscb_pipeline.artifacts.records import from_bytes, to_bytes
from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.assurance.judge_run import RunName
from sscb_pipeline.assurance.manifest import PublishedManifest, current, publish_stage, stage_manifest
from sscb_pipeline.faults.intervention import Condition
from sscb_pipeline.judging.judged_steps import Member, Members, unlabelled_member
from sscb_pipeline.judging.packet_run import run_name
from sscb_pipeline.measured import Undeterminable
from sscb_pipeline.packets.input_contract import PRODUCTION
from sscb_pipeline.stages.code_version import code_version
from sscb_pipeline.stages.execution_index import IndexedExecution, StoredObjects
from sscb_pipeline.stages.executions import authorised_index
from sscb_pipeline.stages.frames import output
from sscb_pipeline.stages.measurements import authorised_manifest, read_measured
from sscb_pipeline.stages.names import WHOLE, Stage
from sscb_pipeline.stages.source_records import imported_execution
from sscb_pipeline.stages.study import Study
from sscb_pipeline.trajectories.codec import decode

FAULT_RUNS = 120
CLEAN_PER_OPERATOR = 10
SAMPLE = "sample"
CLEAN = "clean"
CONTRACT = PRODUCTION
DRAWS = 2
"""Every packet is drawn twice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SampledExecution:
    """One execution of the sample, and the cell it was drawn from ('clean' in place of a stratum)."""

    execution: IndexedExecution
    stratum: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeSample:
    """What is judged, sorted by execution id, and the id of the judge run it defines."""

    run: str
    executions: tuple[SampledExecution, ...]


def run_judge_sample(warehouse: Warehouse, study: Study) -> PublishedManifest:
    """Draw the sample from measured executions and write it down. Refuses where executions or measurements have no
    receipt."""
    fault: list[SampledExecution] = []
    clean: list[SampledExecution] = []
    inputs: dict[str, str] = {}
    for partition in study.partitions():
        index, indexed = authorised_index(warehouse, study.campaign, partition.name)
        manifest = authorised_manifest(warehouse, study.campaign, partition.name)
        measured = read_measured(warehouse, manifest)
        inputs[f"executions/{partition.name}"] = indexed.sha256
        inputs[f"measurements/{partition.name}"] = manifest.sha256
        strata = {one.execution.execution_id: one.execution.measurement.stratum for one in measured.executions}
        for execution in index.executions:
            if not isinstance(execution.objects, StoredObjects):
                continue
            condition, found = execution.key.condition, strata.get(execution.execution_id)
            if condition is Condition.CLEAN:
                clean.append(SampledExecution(execution=execution, stratum=CLEAN))
            elif condition is Condition.BASELINE and found is not None:
                stratum = "undeterminable" if isinstance(found, Undeterminable) else found.value
                fault.append(SampledExecution(execution=execution, stratum=stratum))
    chosen = [*drawn(fault, FAULT_RUNS), *_clean(clean)]
    clean_number = sum(one.stratum == CLEAN for one in chosen)
    executions = tuple(sorted(chosen, key=lambda one: one.execution.execution_id))
    name = run_name(study.campaign, _members(warehouse, executions), CONTRACT, code_version())
    sample = JudgeSample(run=name.run, executions=executions)
    return publish_stage(
        warehouse,
        stage_manifest(
            campaign=study.campaign,
            stage=Stage.JUDGE_SAMPLE,
            partition=WHOLE,
            code_version=code_version(),
            inputs=inputs,
            outputs={SAMPLE: warehouse.objects.put(to_bytes(sample))},
            counts={"fault": len(chosen) - clean_number, "clean": clean_number},
        ),
    )


def drawn(candidates: Sequence[SampledExecution], size: int) -> list[SampledExecution]:
    """At most `size` of the candidates: one of each cell operator × configuration × stratum in turn, inside a cell in
    the order of a hash of the execution id."""
    cells: dict[tuple[str, str, str], list[SampledExecution]] = defaultdict(list)
    for one in sorted(candidates, key=_rank):
        key = one.execution.key
        cells[key.operator, key.configuration_id, one.stratum].append(one)
    laps = zip_longest(*(cells[cell] for cell in sorted(cells)))
    return list(islice((one for lap in laps for one in lap if one is not None), size))


def _clean(candidates: Sequence[SampledExecution]) -> list[SampledExecution]:
    operators = sorted({one.execution.key.operator for one in candidates})
    return [
        one
        for operator in operators
        for one in drawn([one for one in candidates if one.execution.key.operator == operator], CLEAN_PER_OPERATOR)
    ]


def _rank(one: SampledExecution) -> str:
    return sha256_hex(f"judge sample {one.execution.execution_id}".encode())


def read_sample(warehouse: Warehouse, campaign: str) -> JudgeSample:
    """The campaign's current sample. Raises RefusalError where none was drawn."""
    published = current(warehouse, campaign=campaign, stage=Stage.JUDGE_SAMPLE, partition=WHOLE)
    sha256 = output(published, SAMPLE)
    return from_bytes(JudgeSample, warehouse.objects.get(sha256), f"judge sample {sha256}")


def sample_name(campaign: str, sample: JudgeSample) -> RunName:
    """The judge run of a sample."""
    return RunName(campaign=campaign, run=sample.run, code_version=code_version())


def sample_members(warehouse: Warehouse, sample: JudgeSample) -> Members:
    """The sample's executions as source records, one at a time; the last call step of each is judged."""
    return _members(warehouse, sample.executions)


def _members(warehouse: Warehouse, executions: Iterable[SampledExecution]) -> Members:
    def members() -> Iterator[Member]:
        for position, one in enumerate(executions):
            objects = one.execution.objects
            assert isinstance(objects, StoredObjects)
            trajectory = decode(warehouse.objects.get(objects.trajectory), objects.trajectory)
            record = imported_execution(one.execution, trajectory, position).record
            member = unlabelled_member(one.execution.execution_id, record, one.execution.key.seed_id)
            if member is not None:
                yield member

    return members
