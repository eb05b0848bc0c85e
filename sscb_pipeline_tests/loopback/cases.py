"""A small set of admitted seeds for tests: frames and witnesses of every operator, a few seeds each."""

from __future__ import annotations

import asyncio
from pathlib import Path

from sscb_pipeline.adapters.tau2.substrate import load
from sscb_pipeline.artifacts.records import to_bytes
from sscb_pipeline.artifacts.warehouse import Warehouse, create_or_open
from sscb_pipeline.faults.operators.registry import OPERATORS
from sscb_pipeline.reconstruction.deterministic import DETERMINISTIC
from sscb_pipeline.stages.check_frames import check_frame
from sscb_pipeline.stages.check_inclusion import check_inclusion
from sscb_pipeline.stages.frames import run_frames
from sscb_pipeline.stages.inclusion import authorised_seeds, run_inclusion


def admit(root: Path, wanted: int) -> Warehouse:
    """A warehouse whose frames and admitted seeds have their receipts."""
    warehouse = create_or_open(root)
    for operator in OPERATORS.values():
        substrate = load(operator.domain)
        run_frames(warehouse, operator, substrate)
        check_frame(warehouse, operator, substrate)
        asyncio.run(
            run_inclusion(warehouse, operator, substrate, DETERMINISTIC, wanted=wanted, progress=lambda done: None)
        )
        check_inclusion(warehouse, operator, DETERMINISTIC)
    return warehouse


def write_cases(warehouse: Warehouse, folder: Path) -> None:
    """The admitted sets as files the server reads."""
    folder.mkdir(parents=True, exist_ok=True)
    for operator in OPERATORS:
        admitted, _ = authorised_seeds(warehouse, operator)
        (folder / f"{operator}.json").write_bytes(to_bytes(admitted))
