"""From the draws of a run to what its judge configuration gives, cell by cell."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from sscb_pipeline.artifacts.records import encode
from sscb_pipeline.artifacts.warehouse import Warehouse
from sscb_pipeline.assurance.packet_dispatch import Dispatch
from sscb_pipeline.judging.cell import Cell, JudgedTarget, TargetKind
from sscb_pipeline.judging.configuration import JudgeConfiguration
from sscb_pipeline.judging.contrast import CellCount, JudgeResult, judge_result
from sscb_pipeline.judging.draws import DrawRecord
from sscb_pipeline.judging.packet_run import NamedSteps, entries_of, plan_of
from sscb_pipeline.judging.verdict import KINDS, Verdict, kind_of
from sscb_pipeline.packets.input_contract import InputContract


def run_result(
    warehouse: Warehouse,
    dispatch: Dispatch,
    contract: InputContract,
    configuration: JudgeConfiguration,
    draws: Mapping[int, DrawRecord],
) -> JudgeResult:
    """Cells and contrasts of one run under one configuration. Cells of targets without a draw have none."""
    archived = dispatch.emitted.staged.built
    by_packet: dict[str, list[Verdict]] = defaultdict(list)
    for record in sorted(draws.values(), key=lambda record: (record.job.packet, record.job.draw)):
        by_packet[record.job.packet].append(record.verdict)
    plan = {member.record_id: member for member in plan_of(warehouse, archived).members}
    judged: list[JudgedTarget] = []
    for entry in entries_of(warehouse, archived):
        member = plan[entry.record_id]
        found: dict[Cell, list[Verdict]] = {}
        for packet in entry.packets:
            for kind in _kinds(member, packet.key.target.message):
                cell = Cell(target=kind, scope=packet.key.kind.scope, rendering=packet.key.kind.rendering)
                found[cell] = by_packet.get(packet.key.file_name, [])
        blank = {step.kind: step.blank for step in member.steps}
        judged.append(JudgedTarget(trajectory=entry.record_id, request=member.request, blank=blank, draws=found))
    return judge_result(configuration.name, judged, contract.renderings, draws=configuration.draws)


def _kinds(member: NamedSteps, message: int) -> list[TargetKind]:
    return [step.kind for step in member.steps if step.message == message]


def told(dispatch: Dispatch, result: JudgeResult, draws: Mapping[int, DrawRecord]) -> dict[str, Any]:
    """What `sscb judge run --json` prints: cells, draws and what was read."""
    kinds = dict.fromkeys(KINDS, 0)
    for record in draws.values():
        kinds[kind_of(record.verdict)] += 1
    packets = {item.name: item.sha256 for item in dispatch.emitted.staged.built.packets}
    read = [record.read for record in draws.values()]
    return {
        "run": dispatch.emitted.name.run,
        "campaign": dispatch.emitted.name.campaign,
        "judge": result.configuration,
        "packets": len(packets),
        "cells": [_cell(count) for count in result.counts],
        "draws": {"planned": len(dispatch.jobs), "made": len(draws), **kinds},
        "read": {
            "draws": len(read),
            "distinct": len(set(read)),
            "unauthorised": len([sha256 for sha256 in read if sha256 not in set(packets.values())]),
            "packets": {record.job.packet: record.read for record in draws.values()},
        },
        "contrasts": {name: encode(contrast) for name, contrast in result.contrasts.items()},
        "change": encode(result.change),
    }


def _cell(count: CellCount) -> dict[str, Any]:
    return {
        "target": count.cell.target.value,
        "scope": count.cell.scope.value,
        "rendering": count.cell.rendering.value,
        "targets": count.targets,
        "consensus_flags": count.flags,
        "blank_targets": count.blank_targets,
        "blank_flags": count.blank_flags,
        "abstentions_blank": count.abstentions_blank,
        "abstentions_other": count.abstentions_other,
        "draws": dict(count.kinds),
    }
