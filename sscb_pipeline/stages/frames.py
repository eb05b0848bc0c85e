"""Stage: the candidate frame of each operator, written once with its hash (SPEC 4)."""

from __future__ import annotations

from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.assurance.manifest import PublishedManifest, current, publish_stage, stage_manifest
from sscb_pipeline.environments.port import Substrate
from sscb_pipeline.errors import IntegrityError, RefusalError
from sscb_pipeline.faults.operator import Operator
from sscb_pipeline.inclusion.frame import FRAME_SEED, Frame, freeze, read_frame
from sscb_pipeline.stages.code_version import code_version
from sscb_pipeline.stages.names import CASES_CAMPAIGN, Stage

FRAME = "frame"


def build_frame(operator: Operator, substrate: Substrate) -> Frame:
    """The frame as the environment's records give it now."""
    return freeze(operator.name, operator.candidates(substrate), substrate.data_sha256, FRAME_SEED)


def run_frames(warehouse: Warehouse, operator: Operator, substrate: Substrate) -> PublishedManifest:
    """Freeze the operator's frame, or refuse where another frame was frozen in this warehouse before.

    Raises IntegrityError when the environment no longer gives the frozen frame.
    """
    data = build_frame(operator, substrate).to_bytes()
    sha256 = warehouse.objects.put(data)
    frozen = frozen_sha256(warehouse, operator.name)
    if frozen not in ("", sha256):
        raise IntegrityError(
            subject=f"candidate frame of {operator.name}",
            expected=f"the frozen frame {frozen}",
            found=f"another one, {sha256}",
            remedy="restore the environment data and code the frame was built with, or start a new warehouse",
        )
    frame = read_frame(data, sha256, operator.name)
    clusters = {ranked.candidate.cluster for ranked in frame.candidates}
    return publish_stage(
        warehouse,
        stage_manifest(
            campaign=CASES_CAMPAIGN,
            stage=Stage.FRAMES,
            partition=operator.name,
            code_version=code_version(),
            inputs=substrate.data_sha256,
            outputs={FRAME: sha256},
            counts={"candidates": len(frame.candidates), "clusters": len(clusters)},
        ),
    )


def frozen_sha256(warehouse: Warehouse, operator: str) -> str:
    """sha256 of the frame frozen in this warehouse; empty where none is."""
    try:
        published = current(warehouse, campaign=CASES_CAMPAIGN, stage=Stage.FRAMES, partition=operator)
    except RefusalError:
        return ""
    return output(published, FRAME)


def output(published: PublishedManifest, name: str) -> str:
    """sha256 of a named output of a manifest. Raises IntegrityError when it names none."""
    for item in published.manifest.outputs:
        if item.name == name:
            return item.sha256
    manifest = published.manifest
    raise IntegrityError(
        subject=f"manifest of {manifest.campaign}/{manifest.stage}/{manifest.partition}",
        expected=f"an output named {name}",
        found=", ".join(item.name for item in manifest.outputs) or "none",
        remedy=f"run stage {manifest.stage} again with this release",
    )
