"""Credentials in a recording: the file is refused with a word, since nothing that was imported may ever hold one.

Looked for are token shapes of providers anywhere in the bytes, and values of header keys that hold nothing else
(`api_key`, `authorization`, …). Placeholders (empty, REDACTED, stars) are none; passwords and access tokens that
belong to a benchmark's own world are recorded arguments and none either. The value itself appears in no message.
"""

from __future__ import annotations

import re

from sscb_pipeline.errors import InputError

_SHAPES: tuple[tuple[str, re.Pattern[bytes]], ...] = (
    ("an API key (sk-…)", re.compile(rb"(?<![\w-])sk-(?=[\w-]*\d)[A-Za-z0-9_-]{20,}")),
    ("an AWS access key id", re.compile(rb"(?<!\w)(?:AKIA|ASIA)[0-9A-Z]{16}(?!\w)")),
    ("a GitHub token", re.compile(rb"(?<!\w)(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{30,})")),
    ("a Hugging Face token", re.compile(rb"(?<!\w)hf_[A-Za-z0-9]{30,}")),
    ("a Slack token", re.compile(rb"(?<!\w)xox[abprs]-[A-Za-z0-9-]{20,}")),
    ("a Google API key", re.compile(rb"(?<!\w)AIza[0-9A-Za-z_-]{35}")),
    ("a bearer token", re.compile(rb"(?i:bearer) (?=[\w.~+/-]*\d)[\w.~+/-]{20,}")),
    ("a private key", re.compile(rb"-----BEGIN [A-Z ]*PRIVATE KEY-----")),
)
_KEYED = re.compile(
    rb'\\?"(?i:(?:[\w-]*[_-])?api[_-]?key|authorization|client[_-]?secret|aws_secret_access_key|private[_-]?key)\\?"'
    rb'\s*:\s*\\?"([^"\\]{4,})'
)
_PLACEHOLDER = re.compile(
    rb"(?i)[*x.<>_ -]*(?:redacted|removed|masked|hidden|none|null|empty|dummy|todo|fake|your[\w -]*)?"
    rb"[*x.<>_ -]*"
)


def refuse_credentials(data: bytes, place: str, first_line: int) -> None:
    """Raises InputError naming file, line (`first_line` is that of the first byte, from 1) and kind; never the
    value."""
    for kind, shape in _SHAPES:
        match = shape.search(data)
        if match:
            raise _refused(place, first_line + data.count(b"\n", 0, match.start()), kind)
    for match in _KEYED.finditer(data):
        if not _PLACEHOLDER.fullmatch(match.group(1)):
            key = match.group().partition(b":")[0].strip(b'\\" ').decode("ascii", "replace")
            raise _refused(place, first_line + data.count(b"\n", 0, match.start()), f"a value under the key {key!r}")


def _refused(place: str, line: int, kind: str) -> InputError:
    return InputError(
        subject=f"{place}, line {line}",
        expected="a recording without credentials",
        found=kind,
        remedy="replace the value by REDACTED in the file, revoke the credential, then import again",
    )
