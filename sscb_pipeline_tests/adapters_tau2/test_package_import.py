"""Importing τ² leaves the process as it was."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]


def run(script: str, *paths: Path, **extra: str) -> subprocess.CompletedProcess[str]:
    """Run a script in a fresh interpreter that finds `paths` (the first is its folder) and this repository first."""
    environment = dict(os.environ) | {"PYTHONPATH": os.pathsep.join(map(str, [*paths, REPOSITORY]))} | extra
    return subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
        cwd=paths[0] if paths else REPOSITORY,
    )


def test_neither_litellm_nor_the_harness_is_imported_and_nothing_is_logged() -> None:
    done = run("""
import json, os, sys
before = dict(os.environ)
import sscb_pipeline.adapters.tau2.substrate as substrate
early = [name for name in sys.modules if name.split(".")[0] in ("tau2", "litellm", "dagster")]
for name in ("airline", "retail"):
    loaded = substrate.load(name)
    loaded.score(loaded.tasks()[0], loaded.fresh(), [])
airline = substrate.load("airline").fresh()
airline.call("cancel_reservation", {"reservation_id": "4WQ150"})
airline.call("update_reservation_passengers", {"reservation_id": "4WQ150", "passengers": []})
print(json.dumps([early, sorted(sys.modules), before == dict(os.environ)]))
""")
    early, modules, unchanged = json.loads(done.stdout)
    assert early == []
    assert unchanged
    assert done.stderr == ""
    forbidden = ("tau2.utils.llm_utils", "tau2.registry", "tau2.run", "tau2.agent", "tau2.user", "tau2.orchestrator")
    found = [
        name
        for name in modules
        if name.split(".")[0] in {"litellm", "dagster"}
        or any(name == module or name.startswith(module + ".") for module in (*forbidden, "tau2.evaluator"))
    ]
    assert found == []
    assert "tau2.environment.environment" in modules


def test_a_dotenv_file_above_the_package_stays_outside_the_process(tmp_path: Path) -> None:
    """A stand-in package with the real one's import side effects, and a few worse ones."""
    package = tmp_path / "tau2"
    package.mkdir()
    (tmp_path / ".env").write_text("SECRET_OF_A_PROJECT=leaked\n")
    (package / "__init__.py").write_text(
        "import os\n"
        "from dotenv import load_dotenv\n"
        "from loguru import logger\n"
        "assert load_dotenv()\n"
        "logger.warning('No .env file found')\n"
        "SEEN = os.environ['SECRET_OF_A_PROJECT']\n"
        "os.environ['CHANGED'] = 'by tau2'\n"
        "del os.environ['DELETED']\n"
    )
    done = run(
        """
import json, os
from sscb_pipeline.adapters.tau2.package import tau2_module
before = dict(os.environ)
seen = tau2_module("tau2").SEEN
print(json.dumps([seen, before == dict(os.environ), "SECRET_OF_A_PROJECT" in os.environ]))
""",
        tmp_path,
        CHANGED="no",
        DELETED="no",
    )
    assert json.loads(done.stdout) == ["leaked", True, False]
    assert done.stderr == ""


def test_the_environment_is_put_back_when_the_import_fails(tmp_path: Path) -> None:
    (tmp_path / "tau2").mkdir()
    (tmp_path / "tau2" / "__init__.py").write_text("import os\nos.environ['LEFT'] = '1'\nraise ImportError('broken')\n")
    done = run(
        """
import os
from sscb_pipeline.adapters.tau2.package import tau2_module
try:
    tau2_module("tau2")
except ImportError:
    print("LEFT" in os.environ)
""",
        tmp_path,
    )
    assert done.stdout == "False\n"


@pytest.mark.soak
def test_texts_are_those_the_harness_itself_composes() -> None:
    """Against the package's own agent, user and orchestrator, in a process of their own since they load litellm."""
    script = """
import json
from loguru import logger
logger.disable("tau2")
from tau2.agent.llm_agent import LLMAgent
from tau2.orchestrator.orchestrator import DEFAULT_FIRST_AGENT_MESSAGE
from tau2.user.user_simulator import get_global_user_sim_guidelines
from sscb_pipeline.adapters.tau2.substrate import load
import importlib
for domain in ("airline", "retail"):
    environment = importlib.import_module(f"tau2.domains.{domain}.environment").get_environment()
    agent = LLMAgent(tools=environment.get_tools(), domain_policy=environment.get_policy(), llm="none")
    ours = load(domain)
    assert ours.system_prompt() == agent.system_prompt
    assert ours.greeting() == DEFAULT_FIRST_AGENT_MESSAGE.content
    assert ours.user_guidelines() == get_global_user_sim_guidelines(use_tools=False)
    theirs = [tool.openai_schema["function"] for tool in environment.get_tools()]
    assert [{"name": t.name, "description": t.description, "parameters": t.parameters} for t in ours.tools()] == theirs
    print(domain)
"""
    assert run(script).stdout.split() == ["airline", "retail"]
