"""The server process: `python -m sscb_pipeline_tests.loopback.server --cases FOLDER --port-file FILE`."""

from __future__ import annotations

import argparse
import asyncio
import json
import socket
from collections import Counter
from pathlib import Path
from typing import Any

from aiohttp import web

from sscb_pipeline.artifacts.records import from_bytes
from sscb_pipeline.stages.inclusion import AdmittedSet
from sscb_pipeline_tests.loopback.plan import TRANSPORT, Fault, FaultPlan, fingerprint, from_json
from sscb_pipeline_tests.loopback.play import Players

STALL_SECONDS = 30.0


class Provider:
    """Answers chat completions; counts what it was asked."""

    def __init__(self, players: Players, plan: FaultPlan, *, latency: float, echo: bool) -> None:
        self._players = players
        self._plan = plan
        self._latency = latency
        self._echo = echo
        self._met: Counter[str] = Counter()
        self.stats: Counter[str] = Counter()
        self._open = 0

    async def complete(self, request: web.Request) -> web.StreamResponse:
        """POST /v1/chat/completions."""
        self.stats["requests"] += 1
        self._open += 1
        self.stats["most_open"] = max(self.stats["most_open"], self._open)
        try:
            return await self._answer(request)
        finally:
            self._open -= 1

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        mark = fingerprint(body["model"], body["messages"])
        fault = self._plan.fault(mark)
        self._met[mark] += 1
        if fault in TRANSPORT and self._met[mark] > 1:
            fault = Fault.NONE
        self.stats[fault.value] += 1
        if self._latency:
            await asyncio.sleep(self._latency)
        secret = request.headers.get("Authorization", "") if self._echo else ""
        match fault:
            case Fault.RATE_LIMIT:
                return _error(429, f"Rate limit reached {secret}")
            case Fault.RATE_LIMIT_TOLD:
                return _error(429, f"Rate limit reached {secret}", {"Retry-After": "0.05"})
            case Fault.SERVER_ERROR:
                return _error(500, f"The server had an error {secret}")
            case Fault.OVERLOAD:
                return _error(503, f"The engine is overloaded {secret}")
            case Fault.STALL:
                await asyncio.sleep(STALL_SECONDS)
                return _error(500, "stalled")
            case Fault.RESET:
                return await _reset(request)
            case Fault.MALFORMED:
                return web.Response(body=b'{"choices": [{"message": {"content": "hal', content_type="application/json")
        answer = await self._players.answer(body, fault)
        reply = _completion(body, answer, fault)
        if secret:
            reply["system_fingerprint"] = secret
        self.stats["answered"] += 1
        if fault is Fault.TRICKLE:
            return await _trickle(request, json.dumps(reply).encode())
        return web.json_response(reply)

    async def report(self, request: web.Request) -> web.Response:
        """GET /stats."""
        return web.json_response(dict(self.stats))


def _completion(body: dict[str, Any], answer: dict[str, Any], fault: Fault) -> dict[str, Any]:
    asked = len(json.dumps(body)) // 4
    reply: dict[str, Any] = {
        "id": "chatcmpl-loopback",
        "object": "chat.completion",
        "created": 0,
        "model": body["model"],
        "choices": [{"index": 0, "message": answer["message"], "finish_reason": answer["finish"]}],
        "usage": {"prompt_tokens": asked, "completion_tokens": 20, "total_tokens": asked + 20},
    }
    if fault is Fault.NO_CANDIDATES:
        reply["choices"] = []
    if fault is Fault.NO_USAGE:
        del reply["usage"]
    return reply


def _error(status: int, message: str, headers: dict[str, str] | None = None) -> web.Response:
    return web.json_response({"error": {"message": message, "type": "planned"}}, status=status, headers=headers)


async def _reset(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "application/json", "Content-Length": "1000"})
    await response.prepare(request)
    await response.write(b'{"choices": [')
    assert request.transport is not None
    request.transport.abort()
    return response


async def _trickle(request: web.Request, data: bytes) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "application/json", "Content-Length": str(len(data))})
    await response.prepare(request)
    size = max(1, len(data) // 4)
    for start in range(0, len(data), size):
        await response.write(data[start : start + size])
        await asyncio.sleep(0.02)
    return response


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=Path, required=True)
    parser.add_argument("--port-file", type=Path, required=True)
    parser.add_argument("--plan", default='{"salt": "", "permille": {}}')
    parser.add_argument("--latency", type=float, default=0.0)
    parser.add_argument("--echo-key", action="store_true")
    parser.add_argument("--seconds", type=float, default=600.0, help="ends by itself after so long")
    return parser.parse_args()


async def _serve(given: argparse.Namespace) -> None:
    sets = [from_bytes(AdmittedSet, path.read_bytes(), path.name) for path in sorted(given.cases.glob("*.json"))]
    players = Players(seed for admitted in sets for seed in admitted.seeds)
    await players.prepare()
    provider = Provider(players, from_json(given.plan), latency=given.latency, echo=given.echo_key)
    app = web.Application(client_max_size=1 << 28)
    app.router.add_post("/v1/chat/completions", provider.complete)
    app.router.add_get("/stats", provider.report)
    runner = web.AppRunner(app, access_log=None, keepalive_timeout=120)
    await runner.setup()
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    await web.SockSite(runner, listening).start()
    waiting = given.port_file.with_suffix(".new")
    waiting.write_text(str(listening.getsockname()[1]))
    waiting.replace(given.port_file)
    await asyncio.sleep(given.seconds)


if __name__ == "__main__":
    asyncio.run(_serve(_arguments()))
