"""A planted case made ready to measure: trajectory, contract and the record that proves delivery."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from sscb_pipeline.adapters.importers.registry import read
from sscb_pipeline.adapters.tau2.substrate import load
from sscb_pipeline.faults.contract import FaultContract
from sscb_pipeline.faults.intervention import Condition, FieldChange, InterventionRecord, Rewrite, Role
from sscb_pipeline.trajectories.projection import project
from sscb_pipeline.trajectories.source_record import SourceRecord
from sscb_pipeline.trajectories.steps import ToolObservation, Trajectory
from sscb_pipeline_tests.planted.contracts import call_answered, contract_for, request_of
from sscb_pipeline_tests.planted.edits import at, edited, sha256, with_field
from sscb_pipeline_tests.planted.table import RECORDINGS, Planted


@dataclass(frozen=True, slots=True, kw_only=True)
class Planting:
    """What a measurement of a planted case is given."""

    trajectory: Trajectory
    contract: FaultContract
    record: InterventionRecord


@cache
def _runs(path: Path) -> Sequence[SourceRecord]:
    return tuple(run.record for run in read(path).runs)


def plant(case: Planted, folder: Path) -> Planting:
    """Import the recorded run, apply the edits, fill in the contract and prove the delivery."""
    source = _runs(folder / RECORDINGS[case.run.file])[case.run.index]
    assert (source.origin.task, source.origin.trial) == (case.run.task, str(case.run.trial)), "another run is meant"
    trajectory = edited(project(source).trajectory, case.edits)
    if case.tools == "airline":
        trajectory = replace(trajectory, tools=load("airline").tools())
    contract = contract_for(case, trajectory)
    rewrites = tuple(
        _rewrite(case, contract, trajectory, step)
        for step in trajectory.steps
        if isinstance(step, ToolObservation) and _bears_fault(case, contract, trajectory, step)
    )
    record = InterventionRecord(contract_id=contract.contract_id, condition=Condition.BASELINE, rewrites=rewrites)
    return Planting(trajectory=trajectory, contract=contract, record=record)


def _field(case: Planted, contract: FaultContract) -> str:
    """Dotted path of the field that carries v'."""
    locator = contract.target.locator
    match case.operator:
        case "ReturnDate":
            return f"flights.{locator['return_start']}.date"
        case "PaySource":
            return f"payment_methods.{locator['payment_id']}.source"
        case "ItemOption":
            return f"items.{locator['line']}.options.{locator['option']}"
    return "flights"


def _bears_fault(case: Planted, contract: FaultContract, trajectory: Trajectory, step: ToolObservation) -> bool:
    """From the labelled step on: every return of the read tool that shows v', every answer to the same request."""
    call = call_answered(trajectory, step.index)
    if call.tool != contract.injection.tool or step.index < case.t_f[0]:
        return False
    if step.index == case.t_f[0]:
        return True
    if not step.content.startswith("{"):
        return False
    if case.operator == "WriteEffect":
        return request_of(call) == dict(contract.injection.match)
    record = json.loads(step.content)
    owner = {"ReturnDate": "reservation_id", "ItemOption": "order_id"}.get(case.operator, "")
    if owner and record.get(owner) != contract.target.locator[owner]:
        return False
    return bool(at(record, _field(case, contract)) == case.delivered)


def _rewrite(case: Planted, contract: FaultContract, trajectory: Trajectory, step: ToolObservation) -> Rewrite:
    path = _field(case, contract)
    after = at(json.loads(step.content), path)
    # What the suppressed change would have left in place is not recorded; any other itinerary stands for it.
    before = [] if case.operator == "WriteEffect" else case.declared
    parts = tuple(int(part) if part.isdigit() else part for part in path.split("."))
    return Rewrite(
        step=step.index,
        call_id=step.call_id,
        tool=call_answered(trajectory, step.index).tool,
        role=Role.FAULT,
        changes=(FieldChange(path=parts, before=before, after=after),),
        native_sha256=sha256(with_field(step.content, path, before)),
        delivered_sha256=sha256(step.content),
    )
