"""Starting and ending the server in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sscb_pipeline_tests.loopback.plan import NO_FAULTS, FaultPlan

PATIENCE_SECONDS = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Loopback:
    """A running server."""

    port: int
    pid: int

    @property
    def url(self) -> str:
        """Its address as a client's base URL."""
        return f"http://127.0.0.1:{self.port}/v1"

    def stats(self) -> dict[str, int]:
        """What it was asked and how it answered, by its own count."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/stats", timeout=10) as answer:
            found: dict[str, int] = json.loads(answer.read())
        return found


@contextmanager
def loopback(
    cases: Path, scratch: Path, *, plan: FaultPlan = NO_FAULTS, latency: float = 0.0, options: tuple[str, ...] = ()
) -> Iterator[Loopback]:
    """A server for the block. `cases` is a folder of admitted sets, `scratch` one for its port file."""
    port_file = scratch / "port"
    command = [
        *(sys.executable, "-m", "sscb_pipeline_tests.loopback.server", "--cases", str(cases)),
        *("--port-file", str(port_file), "--plan", plan.as_json(), "--latency", str(latency), *options),
    ]
    with (scratch / "server.log").open("wb") as log, subprocess.Popen(command, stdout=log, stderr=log) as process:
        try:
            deadline = time.monotonic() + PATIENCE_SECONDS
            while not port_file.exists():
                if process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError((scratch / "server.log").read_text())
                time.sleep(0.05)
            yield Loopback(port=int(port_file.read_text()), pid=process.pid)
        finally:
            port_file.unlink(missing_ok=True)
            process.kill()
