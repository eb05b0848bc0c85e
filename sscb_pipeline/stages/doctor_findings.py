"""What is wrong, as `sscb doctor` says it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Ailment:
    """One thing that is wrong, and what to do about it."""

    subject: str
    expected: str
    found: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.subject}: expected {self.expected}, found {self.found}; {self.remedy}"

    def as_json(self) -> Mapping[str, str]:
        """The four parts by name."""
        return {"subject": self.subject, "expected": self.expected, "found": self.found, "remedy": self.remedy}
