"""Executions of our own as source records: nothing is lost, and nothing evaluator-side is in the record."""

from __future__ import annotations

from sscb_pipeline.episodes.execution import Ending, ExecutionKey, StopReason
from sscb_pipeline.faults.intervention import Condition
from sscb_pipeline.stages.execution_index import IndexedExecution, NothingStored, Solved
from sscb_pipeline.stages.source_records import FORMAT, imported_execution
from sscb_pipeline.trajectories.arguments import from_text
from sscb_pipeline.trajectories.projection import project
from sscb_pipeline.trajectories.source_codec import encode_source
from sscb_pipeline.trajectories.steps import (
    AgentMessage,
    Answers,
    Complete,
    ToolCall,
    ToolObservation,
    Trajectory,
    UserMessage,
)

TRAJECTORY = Trajectory(
    tools=(),
    steps=(
        UserMessage(index=0, text="Hi"),
        AgentMessage(index=1, turn=0, text="I look."),
        ToolCall(index=2, turn=0, call_id="a", tool="f", arguments=from_text("{}")),
        ToolObservation(index=3, call_id="a", tool="f", content="1", pairing=Answers(call=2)),
    ),
    extent=Complete(),
)
EXECUTION = IndexedExecution(
    key=ExecutionKey(
        campaign="wave",
        operator="ReturnDate",
        seed_id="seed-1",
        seed_sha256="0" * 64,
        configuration_id="SECRET-CONFIGURATION",
        configuration_sha256="1" * 64,
        condition=Condition.BASELINE,
        repeat=2,
    ),
    agents="reference",
    ending=Ending(reason=StopReason.USER_STOP, detail="SECRET-ENDING"),
    solved=Solved.YES,
    attempts=0,
    steps=4,
    objects=NothingStored(),
)


def test_an_execution_is_lifted_whole_and_its_condition_stays_outside() -> None:
    run = imported_execution(EXECUTION, TRAJECTORY, 7)
    assert project(run.record).trajectory == TRAJECTORY
    origin = run.record.origin
    assert (origin.format, origin.file, origin.position, origin.task, origin.trial) == (
        FORMAT,
        "wave",
        7,
        "seed-1",
        "2",
    )
    assert run.evaluation["execution_id"] == EXECUTION.execution_id
    assert run.evaluation["configuration"] == "SECRET-CONFIGURATION"
    data = encode_source(run.record)
    assert b"SECRET" not in data
    assert Condition.BASELINE.value.encode() not in data
