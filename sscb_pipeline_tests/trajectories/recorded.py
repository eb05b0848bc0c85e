"""Small source records for tests, told in OpenAI-style messages and read by the τ-bench v1 importer."""

from __future__ import annotations

import json
from typing import Any

from sscb_pipeline.adapters.importers.registry import read_as
from sscb_pipeline.adapters.importers.taubench_v1 import TauBenchV1
from sscb_pipeline.trajectories.source_record import SourceRecord

Message = dict[str, Any]


def recorded(*messages: Message) -> SourceRecord:
    """The record of one run with these messages."""
    run = {"task_id": 0, "trial": 0, "reward": 0.0, "info": {}, "traj": list(messages)}
    imported = read_as(TauBenchV1(), json.dumps([run]).encode(), "small.json")
    return imported.runs[0].record


def said(role: str, content: str | None, *calls: Message, **more: Any) -> Message:
    """A message with calls."""
    return {"role": role, "content": content, **({"tool_calls": list(calls)} if calls else {}), **more}


def call(call_id: str | None, tool: str, arguments: Any = "{}") -> Message:
    """A call; no id key where the id is None."""
    identity = {} if call_id is None else {"id": call_id}
    return {**identity, "type": "function", "function": {"name": tool, "arguments": arguments}}


def result(call_id: str | None, content: str | None, **more: Any) -> Message:
    """A result; no id key where the id is None."""
    identity = {} if call_id is None else {"tool_call_id": call_id}
    return {"role": "tool", **identity, "content": content, **more}
