"""Importing parts of the τ² package without its side effects.

`tau2.utils` calls `load_dotenv()` when it is imported: it looks for a `.env` file in its own folder and every folder
above (in an interactive session, from the working directory up), which for a virtual environment inside a project
is the project's own `.env`, and puts what it finds into the environment of the process. Keys would then reach every
later child process, and settings would depend on whether τ² happened to be imported. So the environment is put back
as it was.

The package logs through loguru to stderr by default, a line for a missing `.env` and several for each tool call.
loguru can be told to drop the records of one package, and is, before the first import.

Modules that pull litellm in (`tau2.utils.llm_utils`, agents, users, orchestrator, evaluator, registry, run) are never
imported here.
"""

from __future__ import annotations

import importlib
import os
import threading
from typing import Any

_IMPORTING = threading.Lock()


def tau2_module(name: str) -> Any:
    """The module `name` of the τ² package, imported silently and without effect on `os.environ`."""
    with _IMPORTING:
        from loguru import logger

        logger.disable("tau2")
        before = dict(os.environ)
        try:
            return importlib.import_module(name)
        finally:
            for key in os.environ.keys() - before.keys():
                del os.environ[key]
            for key, value in before.items():
                if os.environ.get(key) != value:
                    os.environ[key] = value
