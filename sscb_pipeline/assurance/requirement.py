"""Requirements and what a check found of each: kept, broken or not run. Only kept opens a gate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sscb_pipeline.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """The requirement was examined and holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """The requirement was examined and does not hold; every violation is a sentence naming its place."""

    violations: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.violations:
            raise InputError(
                subject="outcome of a check",
                expected="at least one violation of a broken requirement",
                found="none",
                remedy="name the place of each violation, or report the requirement as kept",
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class NotRun:
    """The requirement was not examined; `reason` says why."""

    reason: str


Outcome = Kept | Broken | NotRun


@dataclass(frozen=True, slots=True, kw_only=True)
class RequirementOutcome:
    """What a check found of one requirement."""

    requirement: str
    outcome: Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckReport:
    """What one check of one stage found. `subject` is the sha256 of the exact bytes it read (the stage's manifest),
    `code_version` that of the checker; `outcomes` hold each required requirement once, sorted by name."""

    stage: str
    partition: str
    subject: str
    code_version: str
    outcomes: tuple[RequirementOutcome, ...]

    def __post_init__(self) -> None:
        names = [item.requirement for item in self.outcomes]
        if not names or names != sorted(set(names)):
            raise InputError(
                subject=f"check of {self.stage}/{self.partition}",
                expected="at least one requirement, each once, sorted by name",
                found=", ".join(names) if names else "an empty list: a check without requirements would always pass",
                remedy="declare what the stage requires",
            )


def check_report(
    *,
    stage: str,
    partition: str,
    subject: str,
    code_version: str,
    required: Iterable[str],
    outcomes: Mapping[str, Outcome],
) -> CheckReport:
    """The report on `required`: a requirement without an outcome counts as not run.

    Raises InputError for an empty list of requirements and for an outcome of one that is not required.
    """
    names = sorted(set(required))
    unknown = sorted(outcomes.keys() - set(names))
    if unknown:
        raise InputError(
            subject=f"check of {stage}/{partition}",
            expected="outcomes of the required requirements only",
            found=f"an outcome of {', '.join(unknown)}",
            remedy="add the requirement to the stage's list",
        )
    silent = NotRun(reason="the check gave no outcome")
    return CheckReport(
        stage=stage,
        partition=partition,
        subject=subject,
        code_version=code_version,
        outcomes=tuple(RequirementOutcome(requirement=str(name), outcome=outcomes.get(name, silent)) for name in names),
    )
