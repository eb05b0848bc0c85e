"""Stage: screening in frozen order, with executed witnesses, to the admitted seeds (SPEC 4, 5)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sscb_pipeline.artifacts.records import from_bytes, to_bytes
from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.assurance.manifest import PublishedManifest, authorised, publish_stage, stage_manifest
from sscb_pipeline.environments.port import Substrate
from sscb_pipeline.faults.operator import Operator
from sscb_pipeline.inclusion.disposition import Screened
from sscb_pipeline.inclusion.frame import Frame, read_frame
from sscb_pipeline.inclusion.screening import Screening, Seed, screen
from sscb_pipeline.reconstruction.stages import Stages
from sscb_pipeline.stages.code_version import code_version
from sscb_pipeline.stages.frames import FRAME, output
from sscb_pipeline.stages.names import CASES_CAMPAIGN, Stage
from sscb_pipeline.stages.standing import Outdated, standing
from sscb_pipeline.trajectories.codec import encode

ADMITTED_SET = "admitted"


@dataclass(frozen=True, slots=True, kw_only=True)
class AdmittedSet:
    """The admitted seeds of an operator in order of rank, the disposition of every screened candidate, and the frame
    both come from."""

    operator: str
    frame_sha256: str
    wanted: int
    seeds: tuple[Seed, ...]
    screened: tuple[Screened, ...]


Progress = Callable[[int], None]


def case_name(seed: Seed) -> str:
    """Output name of a seed's case: contract, task and flags."""
    return f"case/{seed.rank:02d}"


def witness_name(seed: Seed) -> str:
    """Output name of a seed's witness record."""
    return f"witness/{seed.rank:02d}"


def played_name(seed: Seed) -> str:
    """Output name of the trajectory a seed's witness was executed in."""
    return f"played/{seed.rank:02d}"


def authorised_frame(warehouse: Warehouse, operator: str) -> tuple[Frame, PublishedManifest]:
    """The frame whose check passed, from exactly those bytes. Raises RefusalError without a receipt."""
    published = authorised(
        warehouse, campaign=CASES_CAMPAIGN, stage=Stage.FRAMES, partition=operator, code_version=code_version()
    )
    sha256 = output(published, FRAME)
    return read_frame(warehouse.objects.get(sha256), sha256, operator), published


async def run_inclusion(
    warehouse: Warehouse, operator: Operator, substrate: Substrate, stages: Stages, *, wanted: int, progress: Progress
) -> PublishedManifest:
    """Screen until `wanted` seeds are admitted and store seeds, witnesses and dispositions.

    An admitted set of the same frame, size and code stands as it is.
    """
    frame, published = authorised_frame(warehouse, operator.name)
    found = _standing(warehouse, published, wanted)
    if not isinstance(found, Outdated):
        return found
    screening = await screen(operator, frame, substrate, stages, wanted=wanted, progress=progress)
    return _store(warehouse, screening, published, wanted)


def unscreened(warehouse: Warehouse, operator: str, wanted: int) -> int:
    """How many seeds a run of this stage would admit: none where the admitted set stands. Raises RefusalError as it."""
    _, published = authorised_frame(warehouse, operator)
    return wanted if isinstance(_standing(warehouse, published, wanted), Outdated) else 0


def _standing(warehouse: Warehouse, frame: PublishedManifest, wanted: int) -> PublishedManifest | Outdated:
    found = standing(
        warehouse,
        campaign=CASES_CAMPAIGN,
        stage=Stage.INCLUSION,
        partition=frame.manifest.partition,
        inputs={"frames": frame.sha256},
    )
    if not isinstance(found, Outdated) and read_admitted(warehouse, found).wanted == wanted:
        return found
    return Outdated()


def _store(warehouse: Warehouse, screening: Screening, frame: PublishedManifest, wanted: int) -> PublishedManifest:
    admitted = AdmittedSet(
        operator=screening.operator,
        frame_sha256=output(frame, FRAME),
        wanted=wanted,
        seeds=tuple(admission.seed for admission in screening.admissions),
        screened=screening.screened,
    )
    blobs = {ADMITTED_SET: to_bytes(admitted)}
    for admission in screening.admissions:
        seed = admission.seed
        blobs[case_name(seed)] = to_bytes(seed.case)
        blobs[witness_name(seed)] = to_bytes(seed.witness)
        blobs[played_name(seed)] = encode(admission.trajectory)
    named = dict(zip(blobs, warehouse.objects.put_all(blobs.values()), strict=True))
    return publish_stage(
        warehouse,
        stage_manifest(
            campaign=CASES_CAMPAIGN,
            stage=Stage.INCLUSION,
            partition=screening.operator,
            code_version=code_version(),
            inputs={"frames": frame.sha256},
            outputs=named,
            counts={"admitted": len(admitted.seeds), "screened": len(admitted.screened)},
        ),
    )


def read_admitted(warehouse: Warehouse, published: PublishedManifest) -> AdmittedSet:
    """The admitted set a manifest names."""
    sha256 = output(published, ADMITTED_SET)
    return from_bytes(AdmittedSet, warehouse.objects.get(sha256), f"admitted set {sha256}")


def authorised_seeds(warehouse: Warehouse, operator: str) -> tuple[AdmittedSet, PublishedManifest]:
    """The admitted set whose check passed. Raises RefusalError without a receipt."""
    published = authorised(
        warehouse, campaign=CASES_CAMPAIGN, stage=Stage.INCLUSION, partition=operator, code_version=code_version()
    )
    return read_admitted(warehouse, published), published
