"""Check of an admitted set: every seed has a witness that its stored trajectory still bears out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum

from sscb_pipeline.artifacts.digest import sha256_hex
from sscb_pipeline.artifacts.records import to_bytes
from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.assurance.manifest import PublishedManifest, current
from sscb_pipeline.assurance.requirement import Outcome
from sscb_pipeline.faults.operator import Operator
from sscb_pipeline.inclusion.context import injection_context
from sscb_pipeline.inclusion.disposition import Disposition
from sscb_pipeline.inclusion.frame import Frame, read_frame
from sscb_pipeline.inclusion.provenance import NotVisible, argument_sources
from sscb_pipeline.inclusion.screening import Seed
from sscb_pipeline.measured import Located
from sscb_pipeline.reconstruction.arrival import evidence_arrival
from sscb_pipeline.reconstruction.first_use import first_dependent_use
from sscb_pipeline.reconstruction.stages import Stages
from sscb_pipeline.stages.frames import frozen_sha256, output
from sscb_pipeline.stages.gate import Closed, Opened, conclude, kept_or_broken
from sscb_pipeline.stages.inclusion import AdmittedSet, case_name, played_name, read_admitted, witness_name
from sscb_pipeline.stages.names import CASES_CAMPAIGN, Stage
from sscb_pipeline.trajectories.arguments import ParsedArguments
from sscb_pipeline.trajectories.codec import decode
from sscb_pipeline.trajectories.steps import ToolCall, Trajectory


class InclusionRequirement(StrEnum):
    """What an admitted set must keep."""

    WITNESS_STORED = "witness_stored"
    """Every seed's case, witness and witness trajectory are stored as the objects that seed and witness name."""
    EVIDENCE_BEFORE_USE = "evidence_before_use"
    """Counter-evidence and first use, found again in the stored bytes, lie where the witness says, in this order."""
    ARGUMENTS_VISIBLE = "arguments_visible"
    """Every argument of every call stands in bytes visible before it, or in the schema."""
    CONTEXT_FIXED = "context_fixed"
    """Target, injection point, parameters, prefix and interface are those of the injection context."""
    SCREENED_IN_ORDER = "screened_in_order"
    """Screening walked the frozen frame without a gap, each candidate once, and admitted as its dispositions say."""


def check_inclusion(warehouse: Warehouse, operator: Operator, stages: Stages) -> Opened | Closed:
    """Examine the operator's current admitted set and write its receipt when all is kept."""
    published = current(warehouse, campaign=CASES_CAMPAIGN, stage=Stage.INCLUSION, partition=operator.name)
    admitted = read_admitted(warehouse, published)
    frame = read_frame(warehouse.objects.get(admitted.frame_sha256), admitted.frame_sha256, operator.name)
    played = {seed.seed_id: _trajectory(warehouse, published, seed) for seed in admitted.seeds}
    outcomes: dict[StrEnum, Outcome] = {
        InclusionRequirement.WITNESS_STORED: kept_or_broken(_not_stored(published, admitted)),
        InclusionRequirement.EVIDENCE_BEFORE_USE: kept_or_broken(_late(operator, stages, admitted, played)),
        InclusionRequirement.ARGUMENTS_VISIBLE: kept_or_broken(_hidden(admitted, played)),
        InclusionRequirement.CONTEXT_FIXED: kept_or_broken(_other_context(admitted, played)),
        InclusionRequirement.SCREENED_IN_ORDER: kept_or_broken(
            _disorder(admitted, frame, frozen_sha256(warehouse, operator.name))
        ),
    }
    return conclude(warehouse, published, InclusionRequirement, outcomes)


def _trajectory(warehouse: Warehouse, published: PublishedManifest, seed: Seed) -> Trajectory:
    sha256 = output(published, played_name(seed))
    return decode(warehouse.objects.get(sha256), f"witness of {seed.seed_id}")


def _not_stored(published: PublishedManifest, admitted: AdmittedSet) -> Iterator[str]:
    for seed in admitted.seeds:
        if output(published, played_name(seed)) != seed.witness.trajectory_sha256:
            yield f"seed {seed.seed_id}: the stored trajectory is not the one its witness names"
        for name, record in ((case_name(seed), seed.case), (witness_name(seed), seed.witness)):
            if output(published, name) != sha256_hex(to_bytes(record)):
                yield f"seed {seed.seed_id}: the stored {name} is not the admitted one"


def _late(operator: Operator, stages: Stages, admitted: AdmittedSet, played: Mapping[str, Trajectory]) -> Iterator[str]:
    for seed in admitted.seeds:
        witness, contract, trajectory = seed.witness, seed.case.contract, played[seed.seed_id]
        if evidence_arrival(operator, contract, trajectory).t_e != Located(step=witness.t_e):
            yield f"seed {seed.seed_id}: counter-evidence is not complete at step {witness.t_e}"
        subject = operator.subject(contract)
        references = stages.extract(subject, trajectory, witness.t_f)
        events = stages.classify(contract, subject, trajectory, references)
        if first_dependent_use(events, trajectory) != Located(step=witness.t_s):
            yield f"seed {seed.seed_id}: the first use is not at step {witness.t_s}"
        if not witness.t_e < witness.t_s or witness.t_f >= witness.t_s:
            yield f"seed {seed.seed_id}: T_F {witness.t_f}, T_E {witness.t_e}, T_S {witness.t_s} are out of order"


def _hidden(admitted: AdmittedSet, played: Mapping[str, Trajectory]) -> Iterator[str]:
    for seed in admitted.seeds:
        trajectory = played[seed.seed_id]
        for step in trajectory.steps:
            if not isinstance(step, ToolCall) or not isinstance(step.arguments.reading, ParsedArguments):
                continue
            for source in argument_sources(trajectory, step, step.arguments.reading.value):
                if isinstance(source.source, NotVisible):
                    yield f"seed {seed.seed_id} step {step.index}: {source.path} = {source.value!r} is not visible"


def _other_context(admitted: AdmittedSet, played: Mapping[str, Trajectory]) -> Iterator[str]:
    for seed in admitted.seeds:
        if injection_context(seed.case.contract, played[seed.seed_id], seed.witness.t_f) != seed.witness.context:
            yield f"seed {seed.seed_id}: the stored trajectory has another injection context"


def _disorder(admitted: AdmittedSet, frame: Frame, frozen: str) -> Iterator[str]:
    if admitted.frame_sha256 != frozen:
        yield f"frame {admitted.frame_sha256}: the seeds were not screened from the frozen frame {frozen}"
    walked = [ranked.candidate.candidate_id for ranked in frame.candidates[: len(admitted.screened)]]
    for place, (expected, screened) in enumerate(zip(walked, admitted.screened, strict=False)):
        if screened.candidate_id != expected or screened.screening_rank != place:
            yield f"screening rank {place}: {screened.candidate_id} was screened, the frame has {expected}"
    told = [entry.candidate_id for entry in admitted.screened if entry.disposition is Disposition.ADMITTED]
    if told != [seed.seed_id for seed in admitted.seeds]:
        yield "the admitted seeds are not those the dispositions admit"
    if len(told) < admitted.wanted and len(admitted.screened) < len(frame.candidates):
        yield f"screening stopped at {len(told)} admitted seeds with candidates left"
