"""What a reference can be about, told without saying which value is right.

A subject names the affected entity, the attribute and the values that are in play, as a *sorted* set. Whoever
searches a trajectory with it cannot learn which of the values was injected and which the records support
(SSC §IV-C: the extraction pass runs without the correctness label of the mutation).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ValueKind(StrEnum):
    """How values of the attribute are written."""

    DATE = "date"
    """ISO dates; other date forms, week days and day counts derive from them."""
    CATEGORY = "category"
    """One of a closed set of kinds, written with spaces, underscores or hyphens."""
    TEXT = "text"
    """Free text of a record field (an option value)."""
    EFFECT = "effect"
    """A proposition: whether a requested change took effect. Values are `took_effect` and `no_effect`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """The affected entity and the values in play.

    `identifiers` are exact record ids; `names` are nouns that text may use for the entity (lower case);
    `attributes` are names of the attribute (lower case); `values` are canonical forms, sorted; `alternatives`
    are further values the attribute may take, sorted; `context` holds neutral key facts that derived values
    are computed from (for dates: the kept dates of the same record), as sorted (name, value) pairs;
    `requests` holds, for EFFECT, the canonical JSON of the request the proposition is about.
    """

    kind: ValueKind
    entity: str
    identifiers: tuple[str, ...]
    names: tuple[str, ...]
    attributes: tuple[str, ...]
    values: tuple[str, ...]
    alternatives: tuple[str, ...]
    context: tuple[tuple[str, str], ...]
    requests: tuple[str, ...]
