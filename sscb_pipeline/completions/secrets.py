"""Keeping keys out of everything that is stored or shown.

A key is read from the environment when a call is made and is in no request record. Providers echo keys in errors and
sometimes in answers; wherever a known key occurs, its place is taken by the name of its variable.
"""

from __future__ import annotations

from collections.abc import Mapping

SHORTEST = 6
"""A shorter value is no secret anyone could keep, and replacing it would damage ordinary text."""


class Secrets:
    """The values of some environment variables, to be taken out of text and bytes."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = {name: value for name, value in values.items() if len(value) >= SHORTEST}

    def clean(self, text: str) -> str:
        """The text without the values."""
        for name, value in self._values.items():
            text = text.replace(value, f"[{name}]")
        return text

    def clean_bytes(self, data: bytes) -> bytes:
        """The bytes without the values."""
        for name, value in self._values.items():
            data = data.replace(value.encode(), f"[{name}]".encode())
        return data


NO_SECRETS = Secrets({})
