"""Where tests find real recordings: the directory that SSCB_RECORDINGS names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def recording(name: str) -> Path:
    """The path of a recording; skips the test where there is none."""
    root = os.environ.get("SSCB_RECORDINGS")
    if not root:
        pytest.skip("SSCB_RECORDINGS is not set, so there are no real recordings to read")
    path = Path(root) / name
    if not path.is_file():
        pytest.skip(f"the recordings do not hold {name}")
    return path
