"""A study file: which models play, who plays the user, within which limits. YAML, validated before anything starts.

Keys of providers are named by their environment variable only. Unknown fields, fields twice, and values out of range
are refused with file and place; nothing is guessed or dropped.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from sscb_pipeline.adapters.agents.model.agent import Reasoning
from sscb_pipeline.errors import InputError

Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
Variable = Annotated[str, Field(pattern=r"^[A-Z_][A-Z0-9_]*$")]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=1)]
RESERVED_SETTINGS = ("messages", "model", "tools", "stream", "n", "api_key", "api_base", "base_url", "extra_headers")


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PricesSection(_Section):
    """US dollars per million tokens, for a model whose price the client's own list does not hold or has wrong."""

    input_usd_per_million: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    output_usd_per_million: Annotated[float, Field(ge=0, allow_inf_nan=False)]


class LimitsSection(_Section):
    """Pace and patience of one model."""

    concurrency: Annotated[int, Field(ge=1, le=1024)] = 8
    requests_per_minute: Positive | None = None
    tokens_per_minute: Positive | None = None
    call_seconds: Positive = 120.0
    episode_seconds: Positive = 3600.0
    tries: Annotated[int, Field(ge=1, le=20)] = 5
    first_wait_seconds: Positive = 1.0


class ModelSection(_Section):
    """A model: its name in litellm's notation, key variable, address, decoding settings and limits."""

    model: Annotated[str, Field(min_length=1)]
    key: Variable | None = None
    base_url: Annotated[str, Field(pattern=r"^https?://[^@\s]+$")] | None = None
    settings: dict[str, Any] = Field(default_factory=dict)
    unsupported_settings: Literal["refuse", "drop"] = "refuse"
    prices: PricesSection | None = None
    limits: LimitsSection = LimitsSection()

    @field_validator("settings")
    @classmethod
    def _decoding_only(cls, value: dict[str, Any]) -> dict[str, Any]:
        for name in RESERVED_SETTINGS:
            if name in value:
                raise ValueError(f"{name} is no decoding setting")
        return value


class UserSection(ModelSection):
    """Who plays the user. Temperature 0 unless said otherwise (SSC)."""

    settings: dict[str, Any] = Field(default_factory=lambda: {"temperature": 0.0})


class ConfigurationSection(ModelSection):
    """An agent configuration. Repeats are numbered from 0; every configuration meets the first seeds by rank."""

    id: Name
    repeats: Annotated[int, Field(ge=1, le=100)] = 1
    seeds_per_operator: Count = 30
    reasoning: Reasoning = Reasoning.DROPPED


class BudgetSection(_Section):
    """Hard limits over all runs of the campaign."""

    usd: Positive | None = None
    tokens: Count | None = None
    calls: Count | None = None


class StudyFile(_Section):
    """The whole file."""

    campaign: Name
    operators: tuple[str, ...] | None = None
    admitted_per_operator: Count = 30
    user: UserSection
    configurations: Annotated[tuple[ConfigurationSection, ...], Field(min_length=1)]
    budget: BudgetSection = BudgetSection()


def read_study_file(path: Path) -> StudyFile:
    """The file's content. Raises InputError naming file and place of the first thing that cannot be used."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            subject=str(path),
            expected="a readable study file",
            found=str(getattr(error, "strerror", None) or error),
            remedy="name an existing YAML file, for example a copy of one in examples/",
        ) from error
    try:
        found = StudyFile.model_validate(yaml.load(text, Loader=_Loader))
    except yaml.YAMLError as error:
        raise _unusable(f"{path}{_line(error)}", "YAML", _problem(error)) from error
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "the file"
        raise _unusable(f"{path}: {place}", "a value this field can have", first["msg"]) from None
    names = [section.id for section in found.configurations]
    for name in names:
        if names.count(name) > 1:
            raise _unusable(f"{path}: configurations", "each id once", f"{name} {names.count(name)} times")
    return found


class _Loader(yaml.SafeLoader):
    """Refuses a key that stands twice in one mapping."""


def _mapping(loader: yaml.SafeLoader, node: yaml.MappingNode) -> dict[Any, Any]:
    seen: set[Any] = set()
    for key_node, _ in node.value:
        key = loader.construct_object(key_node, deep=True)
        if key in seen:
            raise yaml.constructor.ConstructorError(None, None, f"the key {key} stands twice", key_node.start_mark)
        seen.add(key)
    return loader.construct_mapping(node, deep=True)


_Loader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)


def _line(error: yaml.YAMLError) -> str:
    mark = getattr(error, "problem_mark", None)
    return f" line {mark.line + 1} column {mark.column + 1}" if mark is not None else ""


def _problem(error: yaml.YAMLError) -> str:
    return str(getattr(error, "problem", None) or error)


def _unusable(subject: str, expected: str, found: str) -> InputError:
    return InputError(
        subject=subject, expected=expected, found=found, remedy="correct the file; docs/models.md lists every field"
    )
