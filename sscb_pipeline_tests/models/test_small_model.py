"""The thin server of the small model: shapes only; nothing is expected of what the model says."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

SERVER = Path(__file__).parents[2] / "examples" / "small_model" / "server.py"
TOOL = {
    "type": "function",
    "function": {
        "name": "get_user_details",
        "parameters": {"type": "object", "properties": {"user_id": {"type": "string"}}, "required": ["user_id"]},
    },
}


@pytest.fixture(scope="module")
def server() -> ModuleType:
    spec = importlib.util.spec_from_file_location("small_model_server", SERVER)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Says:
    """Answers with one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.asked: dict[str, Any] = {}

    def handle_chat_completions(self, asked: dict[str, Any]) -> dict[str, Any]:
        self.asked = asked
        message = {"role": "assistant", "content": self._text}
        return {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}


BODY = {"messages": [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hi"}], "tools": [TOOL]}


def test_a_call_comes_back_as_a_call(server: ModuleType) -> None:
    model = Says('{"tool": "get_user_details", "arguments": {"user_id": "u1"}}')
    choice = server.answer(BODY, model)["choices"][0]
    (call,) = choice["message"]["tool_calls"]
    assert choice["finish_reason"] == "tool_calls"
    assert (call["function"]["name"], json.loads(call["function"]["arguments"])) == (
        "get_user_details",
        {"user_id": "u1"},
    )
    assert model.asked["grammar"].startswith("%llguidance")


@pytest.mark.parametrize(("text", "said"), [('{"say": "Hello."}', "Hello."), ('{"say": "Hel', '{"say": "Hel')])
def test_words_come_back_as_words_and_what_was_cut_stays_cut(server: ModuleType, text: str, said: str) -> None:
    assert server.answer(BODY, Says(text))["choices"][0]["message"]["content"] == said


def test_long_results_are_shortened_for_the_model(server: ModuleType) -> None:
    body = {"messages": [*BODY["messages"], {"role": "tool", "tool_call_id": "a", "content": "x" * 9000}]}
    assert len(server.prompt(body)[-1]["content"]) < 2000


def test_the_real_model_answers_in_shape(server: ModuleType) -> None:
    pytest.importorskip("xllamacpp", reason="`make model-demo` installs the optional small model")
    choice = server.answer({**BODY, "max_tokens": 40}, server.load())["choices"][0]
    assert choice["message"]["role"] == "assistant"
