"""Study files: what is wrong with one is said before anything starts, with file, place and remedy."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from sscb_pipeline.completions.spending import Limit, NoLimit, Prices
from sscb_pipeline.errors import InputError
from sscb_pipeline.stages.model_contenders import ModelPlan, read_model_plan

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning")

GOOD = """
campaign: wave-1
user: {model: openai/gpt-4.1, key: USER_KEY}
budget: {usd: 5}
configurations:
  - id: M1
    model: openai/gpt-4.1-mini
    key: AGENT_KEY
    repeats: 3
    settings: {temperature: 0.0, max_tokens: 500}
"""
KEYS = {"USER_KEY": "sk-user-000000", "AGENT_KEY": "sk-agent-111111"}


def plan(folder: Path, text: str, environ: dict[str, str] | None = None) -> ModelPlan:
    path = folder / "study.yaml"
    path.write_text(text)
    return read_model_plan(path, KEYS if environ is None else environ)


def test_a_good_file_becomes_contenders_with_prices_and_what_is_sent(tmp_path: Path) -> None:
    found = plan(tmp_path, GOOD)
    (contender,) = found.contenders
    assert contender.reference.repeats == 3
    assert contender.agents == "model"
    assert contender.agent.transmission.sent == {"temperature": 0.0, "max_tokens": 500}
    assert isinstance(contender.agent.prices, Prices)
    assert found.budget.usd == Limit(most=5.0)
    assert found.budget.calls == NoLimit()
    assert b"sk-" not in contender.content


@pytest.mark.parametrize(
    ("edit", "place"),
    [
        (("campaign: wave-1", "campaign: reference"), "campaign"),
        (("repeats: 3", "repeats: 0"), "repeats"),
        (("repeats: 3", "repeat: 3"), "configurations.0.repeat"),
        (("repeats: 3", "repeats: 3\n    repeats: 2"), "line 10"),
        (("temperature: 0.0", "temperature: 0.0, api_key: sk-1"), "settings"),
        (("key: AGENT_KEY", "key: sk-agent-111111"), "key"),
        (("openai/gpt-4.1-mini", "openai/gpt-nine"), "configurations[0] (M1).model"),
        (("openai/gpt-4.1-mini", "nobody-knows"), "configurations[0] (M1).model"),
        (("openai/gpt-4.1-mini", "openai/o3"), "configurations[0] (M1).settings"),
        (("max_tokens: 500", "max_tokens: 500, reasoning_effort: low"), "configurations[0] (M1).settings"),
        (("id: M1", "id: M/1"), "configurations.0.id"),
        (("configurations:", "configurations: [\n"), "study.yaml"),
    ],
)
def test_a_bad_file_is_refused_with_its_place(tmp_path: Path, edit: tuple[str, str], place: str) -> None:
    with pytest.raises(InputError) as caught:
        plan(tmp_path, GOOD.replace(*edit))
    assert place in caught.value.subject
    assert "study.yaml" in caught.value.subject
    assert "sk-" not in str(caught.value)


def test_a_missing_key_names_its_variable(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="AGENT_KEY"):
        plan(tmp_path, GOOD, {"USER_KEY": "sk-user-000000"})


def test_a_model_of_ones_own_server_needs_no_listing_and_money_needs_its_price(tmp_path: Path) -> None:
    own = GOOD.replace("model: openai/gpt-4.1-mini", "model: openai/mine\n    base_url: http://127.0.0.1:1/v1")
    with pytest.raises(InputError, match=r"budget\.usd"):
        plan(tmp_path, own)
    assert plan(tmp_path, own.replace("budget: {usd: 5}", "")).contenders


def test_settings_may_be_dropped_where_the_file_says_so(tmp_path: Path) -> None:
    text = GOOD.replace(
        "settings: {temperature: 0.0,", "unsupported_settings: drop\n    settings: {reasoning_effort: low,"
    )
    (contender,) = plan(tmp_path, text).contenders
    assert contender.agent.transmission.dropped == ("reasoning_effort",)
    assert b"reasoning_effort" in contender.content


def test_identity_follows_what_decides_answers_and_nothing_else(tmp_path: Path) -> None:
    def sha256(text: str) -> str:
        return plan(tmp_path, text).contenders[0].reference.configuration_sha256

    same = sha256(GOOD)
    assert sha256(GOOD.replace("repeats: 3", "repeats: 2\n    limits: {concurrency: 1}")) == same
    assert sha256(GOOD.replace("temperature: 0.0", "temperature: 0.5")) != same
    assert sha256(GOOD.replace("{model: openai/gpt-4.1,", "{model: openai/gpt-4o,")) != same


def test_naming_the_modules_imports_no_model_client() -> None:
    code = (
        "import sys, sscb_pipeline.cli, sscb_pipeline.definitions, sscb_pipeline.stages.model_executions;"
        "assert 'litellm' not in sys.modules and 'openai' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
