"""A judge configuration as data: everything that changes together between J0 and J4 (JIA §V)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Literal

import pydantic
import yaml

from sscb_pipeline.artifacts.digest import sha256_hex
from sscb_pipeline.artifacts.records import to_bytes
from sscb_pipeline.errors import InputError


class DeliveryForm(StrEnum):
    """How a judge gets its packet."""

    PROMPT = "prompt"
    """The packet's bytes stand in the prompt."""
    FILE = "file"
    """The judge reads the packet, in a session of its own for every draw, through a reader that verifies."""


class SchemaEnforcement(StrEnum):
    """How the form of the reply is enforced by the provider."""

    NONE = "none"
    JSON_OBJECT = "json_object"
    JSON_SCHEMA = "json_schema"


ASKED_REPLY = 'Reply with one JSON object and nothing else: {"verdict": "yes" | "no" | "cannot_decide", "why": "…"}.'


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeConfiguration:
    """`client` says through which implementation the judge is reached (`stub` or `litellm`), `model` which one.

    The prompt is `before`, the packet, `after`. `reasoning` is the provider's effort word, or `none`; `draws` per
    packet; `retries` after a provider error; `timeout` in seconds for one attempt; `concurrency` draws at a time.
    """

    name: str
    client: str
    model: str
    system: str
    before: str
    after: str
    schema: SchemaEnforcement
    reasoning: str
    temperature: float
    max_tokens: int
    delivery: DeliveryForm
    draws: int
    retries: int
    timeout: float
    concurrency: int

    @property
    def sha256(self) -> str:
        """Identity of the configuration."""
        return sha256_hex(to_bytes(self))


STUB = JudgeConfiguration(
    name="stub",
    client="stub",
    model="stub",
    system="",
    before="",
    after="",
    schema=SchemaEnforcement.NONE,
    reasoning="none",
    temperature=0.0,
    max_tokens=1,
    delivery=DeliveryForm.PROMPT,
    draws=2,
    retries=0,
    timeout=1.0,
    concurrency=1,
)
"""The recording stub: reads every packet, judges nothing (its answer is always cannot_decide)."""


class _File(pydantic.BaseModel):
    """A configuration as a YAML file gives it."""

    model_config = pydantic.ConfigDict(extra="forbid", strict=True, frozen=True)

    name: str = pydantic.Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")
    client: Literal["litellm"] = "litellm"
    model: str = pydantic.Field(min_length=1)
    system: str = "You judge one step of a recorded agent run. Use only the packet."
    before: str = "The packet begins on the next line.\n"
    after: str = f"\nThe packet ended on the line before. {ASKED_REPLY}"
    schema_: Literal["none", "json_object", "json_schema"] = pydantic.Field("none", alias="schema")
    reasoning: str = "none"
    temperature: float = pydantic.Field(0.0, ge=0, le=2)
    max_tokens: int = pydantic.Field(1000, ge=1)
    delivery: Literal["prompt", "file"] = "prompt"
    draws: int = pydantic.Field(2, ge=1, le=100)
    retries: int = pydantic.Field(2, ge=0, le=10)
    timeout: float = pydantic.Field(120.0, gt=0)
    concurrency: int = pydantic.Field(4, ge=1, le=64)

    def configuration(self) -> JudgeConfiguration:
        """As the record."""
        return JudgeConfiguration(
            **self.model_dump(exclude={"schema_", "delivery"}),
            schema=SchemaEnforcement(self.schema_),
            delivery=DeliveryForm(self.delivery),
        )


def load_configuration(path: Path) -> JudgeConfiguration:
    """The configuration in a YAML file. Raises InputError naming file, field and what is allowed."""
    remedy = "correct the judge configuration; nothing was sent"
    try:
        value = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        found = " ".join(str(error).split())
        raise InputError(subject=str(path), expected="a readable YAML file", found=found, remedy=remedy) from error
    try:
        return _File.model_validate(value).configuration()
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "(root)"
        # Only the type of what was found: a key pasted into the wrong field must not be printed.
        found = type(first["input"]).__name__
        raise InputError(subject=f"{path}: {place}", expected=first["msg"], found=found, remedy=remedy) from error
