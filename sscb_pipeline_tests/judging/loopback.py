"""A server on the loopback address that speaks the OpenAI chat protocol, answers by script and keeps what it got."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """An answer with an HTTP status and no completion."""

    code: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NoCandidate:
    """Status 200 without a choice."""


Answer = str | Status | NoCandidate


@dataclass(slots=True, kw_only=True)
class Provider:
    """`answers` are given in turn, the last one for ever; `bodies` are the request bodies as received."""

    answers: Sequence[Answer]
    bodies: list[bytes] = field(default_factory=list)
    url: str = ""

    def next(self, body: bytes) -> Answer:
        """Keep the body and choose the answer."""
        self.bodies.append(body)
        return self.answers[min(len(self.bodies), len(self.answers)) - 1]


def _completion(answer: Answer) -> tuple[int, dict[str, Any]]:
    if isinstance(answer, Status):
        return answer.code, {"error": {"message": "key sk-secret refused", "type": "server_error", "code": "x"}}
    message = {"role": "assistant", "content": answer}
    choices = [] if isinstance(answer, NoCandidate) else [{"index": 0, "finish_reason": "stop", "message": message}]
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    return 200, {
        "id": "c",
        "object": "chat.completion",
        "created": 0,
        "model": "judge",
        "choices": choices,
        "usage": usage,
    }


@contextmanager
def provider(*answers: Answer) -> Iterator[Provider]:
    """The server for the block."""
    script = Provider(answers=answers)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            status, value = _completion(script.next(self.rfile.read(int(self.headers["content-length"]))))
            data = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    script.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield script
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
