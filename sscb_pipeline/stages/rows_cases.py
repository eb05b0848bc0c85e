"""Ledger rows of frames, candidates, dispositions, seeds and witnesses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sscb_pipeline.artifacts.digest import canonical_json
from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.assurance.manifest import PublishedManifest
from sscb_pipeline.inclusion.frame import Frame, read_frame
from sscb_pipeline.inclusion.screening import Seed
from sscb_pipeline.ledger.rows import TableRows
from sscb_pipeline.stages.frames import FRAME, output
from sscb_pipeline.stages.inclusion import AdmittedSet, case_name, played_name, read_admitted, witness_name

Row = tuple[object, ...]


def frame_tables(warehouse: Warehouse, published: Iterable[PublishedManifest]) -> Iterator[TableRows]:
    """Tables `frames` and `candidates`."""
    frames: list[Row] = []
    candidates: list[Row] = []
    for manifest in published:
        campaign, sha256 = manifest.manifest.campaign, output(manifest, FRAME)
        frame = read_frame(warehouse.objects.get(sha256), sha256, manifest.manifest.partition)
        frames.append((campaign, frame.operator, sha256, frame.seed, len(frame.candidates)))
        candidates += _candidates(campaign, frame)
    yield TableRows(
        table="frames", columns=("campaign", "operator", "frame_object", "order_seed", "candidates"), rows=frames
    )
    yield TableRows(
        table="candidates",
        columns=("campaign", "operator", "candidate_id", "domain", "cluster", "key_json", "rank", "screening_rank"),
        rows=candidates,
    )


def _candidates(campaign: str, frame: Frame) -> Iterator[Row]:
    for ranked in frame.candidates:
        candidate = ranked.candidate
        yield (
            campaign,
            frame.operator,
            candidate.candidate_id,
            candidate.domain,
            candidate.cluster,
            canonical_json(dict(candidate.key)).decode(),
            ranked.rank,
            ranked.screening_rank,
        )


DISPOSITION_COLUMNS = (
    "campaign",
    "operator",
    "candidate_id",
    "cluster",
    "rank",
    "screening_rank",
    "disposition",
    "reason",
)
SEED_COLUMNS = (
    "campaign",
    "operator",
    "seed_id",
    "rank",
    "cluster",
    "seed_sha256",
    "case_object",
    "contract_id",
    "domain",
    "affected_attribute",
    "affected_scope",
    "injected",
    "authoritative",
    "acquisition",
    "step_cap",
    "task_id",
    "task_origin",
    "control",
    "literalness",
)
WITNESS_COLUMNS = (
    "campaign",
    "operator",
    "seed_id",
    "witness_object",
    "trajectory_object",
    "prefix_sha256",
    "t_f_step",
    "t_e_step",
    "t_s_step",
)


def inclusion_tables(warehouse: Warehouse, published: Sequence[PublishedManifest]) -> Iterator[TableRows]:
    """Tables `dispositions`, `seeds` and `witnesses`."""
    admitted = [(manifest, read_admitted(warehouse, manifest)) for manifest in published]
    dispositions = [row for manifest, found in admitted for row in _dispositions(manifest.manifest.campaign, found)]
    seeds = [(manifest, seed) for manifest, found in admitted for seed in found.seeds]
    yield TableRows(table="dispositions", columns=DISPOSITION_COLUMNS, rows=dispositions)
    yield TableRows(table="seeds", columns=SEED_COLUMNS, rows=[_seed(*entry) for entry in seeds])
    yield TableRows(table="witnesses", columns=WITNESS_COLUMNS, rows=[_witness(*entry) for entry in seeds])


def _dispositions(campaign: str, admitted: AdmittedSet) -> Iterator[Row]:
    for entry in admitted.screened:
        yield (
            campaign,
            admitted.operator,
            entry.candidate_id,
            entry.cluster,
            entry.rank,
            entry.screening_rank,
            entry.disposition.value,
            entry.reason,
        )


def _seed(published: PublishedManifest, seed: Seed) -> Row:
    case, contract = seed.case, seed.case.contract
    return (
        published.manifest.campaign,
        contract.operator,
        seed.seed_id,
        seed.rank,
        contract.cluster,
        seed.sha256,
        output(published, case_name(seed)),
        contract.contract_id,
        contract.domain,
        contract.fact.attribute,
        contract.fact.scope,
        contract.injected.canonical,
        contract.authoritative.canonical,
        contract.acquisition.value,
        contract.step_cap,
        case.task.task_id,
        case.task.origin.value,
        case.control.value,
        case.literalness.value,
    )


def _witness(published: PublishedManifest, seed: Seed) -> Row:
    witness = seed.witness
    return (
        published.manifest.campaign,
        seed.case.contract.operator,
        seed.seed_id,
        output(published, witness_name(seed)),
        output(published, played_name(seed)),
        witness.context.prefix_sha256,
        witness.t_f,
        witness.t_e,
        witness.t_s,
    )
