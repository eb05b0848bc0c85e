"""Judges behind their port: what was read, what was sent, what a draw ended in."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from sscb_pipeline.adapters.judges.litellm_completions import LitellmCompletions
from sscb_pipeline.artifacts.digest import sha256_hex
from sscb_pipeline.artifacts.journal import Journal
from sscb_pipeline.artifacts.warehouse import Warehouse, create_or_open
from sscb_pipeline.assurance.packet_dispatch import Dispatch, open_dispatch
from sscb_pipeline.assurance.packet_staging import staging_folder
from sscb_pipeline.errors import IntegrityError, RefusalError
from sscb_pipeline.judging.completions import Completion, CompletionRequest, NoCompletion, demand_transmitted
from sscb_pipeline.judging.configuration import STUB, JudgeConfiguration, SchemaEnforcement
from sscb_pipeline.judging.draws import ALL_INVALID, DrawRecord, StoredReply, read_draws, run_draws
from sscb_pipeline.judging.judge import FileJudge, Judge, NoReply, PromptJudge, RecordingStub
from sscb_pipeline.judging.packet_reader import PacketReader
from sscb_pipeline.judging.verdict import Answered, Invalid, ProviderError, kind_of
from sscb_pipeline_tests.assurance.runs import NAME, packets, to_emitted
from sscb_pipeline_tests.judging.loopback import NoCandidate, Provider, Status, provider

YES = '{"verdict":"yes"}'
MODEL = replace(
    STUB,
    name="j1",
    client="litellm",
    model="openai/judge",
    system="Judge.",
    before="Packet:\n",
    after="\nEnd of packet.",
    retries=2,
    max_tokens=50,
    timeout=10.0,
)


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    return create_or_open(tmp_path / "w")


def _dispatch(warehouse: Warehouse, count: int = 1) -> Dispatch:
    to_emitted(warehouse, packets(count, mark=' "é→" \\u000d'))
    return open_dispatch(warehouse, NAME)


def _draws(warehouse: Warehouse, dispatch: Dispatch, judge: Judge, concurrency: int = 1) -> dict[int, DrawRecord]:
    journal = Journal(warehouse.root / "draws.jsonl")
    return asyncio.run(
        run_draws(
            dispatch,
            judge,
            journal,
            warehouse.objects,
            configuration=STUB.sha256,
            concurrency=concurrency,
            progress=lambda done: None,
        )
    )


async def _no_pause(attempt: int) -> None:
    return None


def _model_judge(server: Provider, configuration: JudgeConfiguration = MODEL) -> PromptJudge:
    completions = LitellmCompletions(base_url=server.url, key="sk-test")
    return PromptJudge(configuration=configuration, completions=completions, pause=_no_pause)


def test_the_stub_reads_each_packet_twice_and_finished_draws_are_not_made_again(warehouse: Warehouse) -> None:
    dispatch, stub = _dispatch(warehouse, 3), RecordingStub()
    done = _draws(warehouse, dispatch, stub)
    assert stub.read == [job.sha256 for job in dispatch.jobs]
    assert [kind_of(record.verdict) for record in done.values()] == ["cannot_decide"] * 6
    assert _draws(warehouse, dispatch, stub) == done
    assert len(stub.read) == 6


def test_the_model_is_sent_the_authorised_bytes_and_its_raw_reply_is_kept(warehouse: Warehouse) -> None:
    reply = '```json\n{"verdict":"no"}\n```'
    dispatch = _dispatch(warehouse)
    with provider(reply) as server:
        done = _draws(warehouse, dispatch, _model_judge(server))
    assert [kind_of(record.verdict) for record in done.values()] == ["no", "no"]
    for record, body in zip(done.values(), server.bodies, strict=True):
        assert isinstance(record.reply, StoredReply)
        assert warehouse.objects.get(record.reply.sha256) == reply.encode()
        text = json.loads(body)["messages"][-1]["content"]
        recovered = text.removeprefix(MODEL.before).removesuffix(MODEL.after).encode()
        assert sha256_hex(recovered) == record.job.sha256


@pytest.mark.parametrize("schema", SchemaEnforcement)
def test_every_schema_enforcement_reaches_the_provider(warehouse: Warehouse, schema: SchemaEnforcement) -> None:
    with provider(YES) as server:
        _draws(warehouse, _dispatch(warehouse), _model_judge(server, replace(MODEL, schema=schema)))
    told = json.loads(server.bodies[0]).get("response_format", {}).get("type", "none")
    assert told == schema.value


def test_a_provider_that_fails_gives_no_verdict_and_the_draw_is_made_again(warehouse: Warehouse) -> None:
    dispatch = _dispatch(warehouse)
    with provider(Status(code=503), Status(code=503), NoCandidate(), YES) as server:
        first = _draws(warehouse, dispatch, _model_judge(server))
        verdicts = [record.verdict for record in first.values()]
        assert isinstance(verdicts[0], ProviderError)
        assert "sk-" not in verdicts[0].reason
        assert (first[0].reply, first[0].attempts) == (NoReply(), 3)
        assert isinstance(verdicts[1], Answered)
        second = _draws(warehouse, dispatch, _model_judge(server))
    assert [kind_of(record.verdict) for record in second.values()] == ["yes", "yes"]
    assert len(server.bodies) == 5


@pytest.mark.parametrize("code", [400, 401, 429, 500])
def test_no_status_becomes_a_verdict(warehouse: Warehouse, code: int) -> None:
    with provider(Status(code=code)) as server:
        done = _draws(warehouse, _dispatch(warehouse), _model_judge(server))
    assert {kind_of(record.verdict) for record in done.values()} == {"provider_error"}


class _Rewriting:
    """A client that normalises the prompt on its way, as a template or a proxy might."""

    async def complete(self, request: CompletionRequest) -> Completion | NoCompletion:
        body = json.dumps({"messages": [{"role": "user", "content": request.user.replace("\n", " ")}]})
        return Completion(reply=YES, transmitted=body.encode())


def test_a_request_that_does_not_hold_the_packet_makes_no_draw(warehouse: Warehouse) -> None:
    judge = PromptJudge(configuration=MODEL, completions=_Rewriting(), pause=_no_pause)
    with pytest.raises(IntegrityError, match="transmitted request"):
        _draws(warehouse, _dispatch(warehouse), judge)
    assert read_draws(Journal(warehouse.root / "draws.jsonl"), NAME.run, STUB.sha256) == {}


def test_the_packet_is_found_in_nested_content_and_two_packets_are_refused() -> None:
    def body(*texts: str) -> bytes:
        return json.dumps({"messages": [{"content": [{"type": "text", "text": text} for text in texts]}]}).encode()

    place = {"before": "<", "after": ">", "sha256": sha256_hex(b"x\r\n"), "place": "p"}
    demand_transmitted(body("<x\r\n>"), **place)
    with pytest.raises(IntegrityError):
        demand_transmitted(body("<x\n>"), **place)
    with pytest.raises(IntegrityError):
        demand_transmitted(body("<x\r\n>", "<y>"), **place)


def test_a_batch_without_one_valid_draw_stops_the_run(warehouse: Warehouse) -> None:
    dispatch = _dispatch(warehouse, ALL_INVALID)
    with provider("no idea") as server, pytest.raises(RefusalError, match="no object"):
        _draws(warehouse, dispatch, _model_judge(server), concurrency=4)
    assert ALL_INVALID <= len(server.bodies) < 2 * ALL_INVALID
    kept = read_draws(Journal(warehouse.root / "draws.jsonl"), NAME.run, STUB.sha256)
    assert all(isinstance(record.reply, StoredReply) for record in kept.values())


class _Session:
    """Reads given ranges of lines, then replies."""

    def __init__(self, ranges: Sequence[tuple[int, int]]) -> None:
        self._ranges = ranges
        self.lines: list[str] = []

    async def ask(self, reader: PacketReader) -> str:
        for first, count in self._ranges:
            self.lines += reader.lines(first, count)
        return YES


def test_a_file_judge_gets_a_session_per_draw_and_every_line(warehouse: Warehouse) -> None:
    sessions: list[_Session] = []

    def new() -> _Session:
        sessions.append(_Session([(1, 2), (3, 100)]))
        return sessions[-1]

    dispatch = _dispatch(warehouse)
    done = _draws(warehouse, dispatch, FileJudge(new_session=new))
    assert [kind_of(record.verdict) for record in done.values()] == ["yes", "yes"]
    assert len(sessions) == 2
    for session in sessions:
        assert sha256_hex("".join(f"{line}\n" for line in session.lines).encode()) == dispatch.jobs[0].sha256


@pytest.mark.parametrize(
    ("ranges", "reason"),
    [([], "not read"), ([(1, 1), (3, 9)], "1 of 3 lines were not read, first line 2"), ([(9, 9)], "3 of 3 lines")],
)
def test_a_draw_in_which_not_every_line_was_read_is_invalid(
    warehouse: Warehouse, ranges: Sequence[tuple[int, int]], reason: str
) -> None:
    done = _draws(warehouse, _dispatch(warehouse), FileJudge(new_session=lambda: _Session(ranges)))
    verdict = done[0].verdict
    assert isinstance(verdict, Invalid)
    assert reason in verdict.reason


class _ChangingSession:
    """Changes its packet between two reads."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.lines: list[str] = []

    async def ask(self, reader: PacketReader) -> str:
        self.lines += reader.lines(1, 1)
        self._path.chmod(0o644)
        self._path.write_bytes(b"other\n" * 3)
        self.lines += reader.lines(2, 9)
        return YES


def test_a_packet_that_changes_while_it_is_read_gives_no_further_line(warehouse: Warehouse) -> None:
    dispatch = _dispatch(warehouse)
    session = _ChangingSession(staging_folder(warehouse, NAME) / "p0.txt")
    with pytest.raises(IntegrityError, match=r"p0\.txt"):
        _draws(warehouse, dispatch, FileJudge(new_session=lambda: session))
    assert len(session.lines) == 1


@pytest.mark.parametrize("concurrency", [1, 4])
def test_draws_made_before_a_refusal_are_kept(warehouse: Warehouse, concurrency: int) -> None:
    dispatch = _dispatch(warehouse, 6)
    victim = dispatch.jobs[-1]
    path = staging_folder(warehouse, NAME) / victim.packet
    path.chmod(0o644)
    path.write_bytes(b"changed after the last check")
    stub = RecordingStub()
    with pytest.raises(IntegrityError, match=victim.packet):
        _draws(warehouse, dispatch, stub, concurrency)
    kept = read_draws(Journal(warehouse.root / "draws.jsonl"), NAME.run, STUB.sha256)
    assert sorted(stub.read) == sorted(record.read for record in kept.values())
    assert all(record.job.packet != victim.packet for record in kept.values())


def test_no_record_can_say_that_other_bytes_were_read(warehouse: Warehouse) -> None:
    done = _draws(warehouse, _dispatch(warehouse), RecordingStub())
    with pytest.raises(IntegrityError, match="read something else"):
        replace(done[0], read="0" * 64)
